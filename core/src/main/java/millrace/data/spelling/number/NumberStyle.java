package millrace.data.spelling.number;

import java.util.Comparator;
import java.util.Currency;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// How numbers are spelled that are read, beside their digits.
///
/// @param decimal what stands before the digits of a fraction
/// @param thousands what stands between groups of three digits before it; empty if nothing does. A
///   space means one that does not break as well
/// @param unit `percent`, the ISO code of a currency in lower case, or empty: the number stands
///   before the sign of the unit, or of a currency behind it too
public record NumberStyle(String decimal, String thousands, String unit) {

  /// Digits, a point, an exponent.
  public static final NumberStyle PLAIN = new NumberStyle(".", "", "");

  /// The unit of numbers with a `%` behind them.
  public static final String PERCENT = "percent";

  private static final List<String> SPACES = List.of(" ", "\u00A0", "\u202F");

  private static final Map<String, List<String>> SIGNS =
      Map.ofEntries(
          Map.entry(PERCENT, List.of("%")),
          Map.entry("usd", List.of("$", "US$")),
          Map.entry("eur", List.of("€")),
          Map.entry("gbp", List.of("£")),
          Map.entry("jpy", List.of("¥", "￥", "円")),
          Map.entry("cny", List.of("¥", "￥", "元")),
          Map.entry("inr", List.of("₹")),
          Map.entry("krw", List.of("₩")),
          Map.entry("brl", List.of("R$")),
          Map.entry("try", List.of("₺")),
          Map.entry("uah", List.of("₴")),
          Map.entry("pln", List.of("zł")),
          Map.entry("chf", List.of("Fr.", "SFr.")));

  /// All units that there are.
  public static List<String> units() {
    return Stream.concat(
            Stream.of(PERCENT),
            Currency.getAvailableCurrencies().stream()
                .map(each -> each.getCurrencyCode().toLowerCase(Locale.ROOT))
                .sorted())
        .toList();
  }

  /// The same in another unit.
  public NumberStyle in(String other) {
    return new NumberStyle(decimal, thousands, other);
  }

  boolean isPercent() {
    return unit.equals(PERCENT);
  }

  /// What may stand beside the number, longer signs before those that they end or begin with.
  List<String> signs() {
    if (unit.isEmpty()) {
      return List.of();
    }
    Stream<String> signs = SIGNS.getOrDefault(unit, List.of()).stream();
    Stream<String> code = isPercent() ? Stream.of() : Stream.of(unit.toUpperCase(Locale.ROOT));
    return Stream.concat(signs, code)
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /// What may stand between groups.
  List<String> separators() {
    return thousands.isEmpty() ? List.of() : thousands.equals(" ") ? SPACES : List.of(thousands);
  }

  /// The name of a sign that is read in one unit alone, for hints; null if there is none.
  public static @Nullable String unitOf(String spelling) {
    for (Map.Entry<String, List<String>> each : SIGNS.entrySet()) {
      if (each.getValue().stream().anyMatch(spelling::contains)) {
        return spelling.contains("¥") ? "jpy" : spelling.contains("R$") ? "brl" : each.getKey();
      }
    }
    return null;
  }
}
