package millrace.data.spelling.number;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.List;
import java.util.regex.Pattern;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelled;
import millrace.data.spelling.SpellingStyle;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Numbers of other styles than the plain one, and whole numbers that are spelled as fractions or
/// with exponents.
class NumberStylePropertyTest {

  private static final Type ANY = Type.Decimal.UNLIMITED;

  private static final Type.Int LONG = new Type.Int(64);

  private static final List<NumberStyle> STYLES =
      List.of(
          new NumberStyle(",", "", ""),
          new NumberStyle(",", ".", ""),
          new NumberStyle(".", ",", ""),
          new NumberStyle(".", "'", ""),
          new NumberStyle(",", " ", ""),
          new NumberStyle(".", "_", "percent"),
          new NumberStyle(",", ".", "percent"),
          new NumberStyle(".", ",", "usd"),
          new NumberStyle(",", ".", "eur"));

  private static String read(Type type, NumberStyle style, String spelling) {
    Vector vector = Spelled.read(type, SpellingStyle.ISO.with(style), spelling);
    return vector == null ? "refused" : Spelled.write(type, SpellingStyle.ISO, vector);
  }

  /// What a style's number means, by a regular expression; null if it is none.
  private static @Nullable BigDecimal meaning(NumberStyle style, String spelling) {
    String decimal = Pattern.quote(style.decimal());
    String thousands =
        style.thousands().equals(" ") ? "[ \u00A0\u202F]" : Pattern.quote(style.thousands());
    String groups = style.thousands().isEmpty() ? "" : "|[0-9]{1,3}(?:" + thousands + "[0-9]{3})+";
    String number =
        "((?:[0-9]+"
            + groups
            + ")(?:"
            + decimal
            + "[0-9]*)?|"
            + decimal
            + "[0-9]+)([eE][+-]?[0-9]{1,6})?";
    String sign = "([+-]?)";
    String unit =
        switch (style.unit()) {
          case "percent" -> "%";
          case "usd" -> "(?:US[$]|[$]|USD)";
          case "eur" -> "(?:€|EUR)";
          default -> "x{9}";
        };
    boolean isPercent = style.unit().equals("percent");
    String front = isPercent ? "()()" : "((?:" + unit + " ?)?)((?<=[^+-])[+-]|)";
    java.util.regex.Matcher matcher =
        Pattern.compile(sign + front + number + "((?: ?" + unit + ")?)").matcher(spelling);
    if (!matcher.matches()) {
      return null;
    }
    boolean inFront = !matcher.group(2).isEmpty();
    boolean after = !matcher.group(6).isEmpty();
    boolean twoSigns = !matcher.group(1).isEmpty() && !matcher.group(3).isEmpty();
    if ((inFront && after) || (isPercent && !after) || twoSigns) {
      return null;
    }
    String digits = matcher.group(4);
    if (!style.thousands().isEmpty()) {
      digits = digits.replaceAll(thousands, "");
    }
    String exponent = matcher.group(5) == null ? "" : matcher.group(5);
    String plain = digits.replace(style.decimal(), ".") + exponent;
    return new BigDecimal(matcher.group(1) + matcher.group(3) + plain);
  }

  @Provide
  Arbitrary<String> spellings() {
    return Arbitraries.of(
            "1", "12", "123", "000", "1234", "500", "0", ".", ",", "'", "_", " ", "\u00A0", "-",
            "+", "%", " %", "$", "$ ", "US$", "€", " €", "EUR", "e2", "E-1", "x")
        .list()
        .ofMaxSize(6)
        .map(parts -> String.join("", parts));
  }

  /// Numbers with groups of which most are right.
  @Provide
  Arbitrary<String> grouped() {
    return Combinators.combine(
            Arbitraries.of("", "-", "$", "-$", "€ "),
            Arbitraries.of("1", "12", "123", "1234"),
            Arbitraries.of(",000", ",123", ".456", "'789", " 123", "_123", ",12", ".1234")
                .list()
                .ofMaxSize(3),
            Arbitraries.of("", ".5", ",5", ",25", ".75"),
            Arbitraries.of("", "%", " %", " €", "$"))
        .as((sign, first, groups, fraction, unit) ->
            sign + first + String.join("", groups) + fraction + unit);
  }

  @Property(tries = 8000, edgeCases = EdgeCasesMode.NONE)
  void numbersAreReadAsTheExpressionSays(@ForAll("spellings") String spelling) {
    check(spelling);
  }

  @Property(tries = 8000, edgeCases = EdgeCasesMode.NONE)
  void groupsAreReadAsTheExpressionSays(@ForAll("grouped") String spelling) {
    check(spelling);
  }

  private static void check(String spelling) {
    for (NumberStyle style : STYLES) {
      BigDecimal meant = meaning(style, spelling);
      String expected = meant == null ? "refused" : Spelled.again(ANY, meant.toString());
      assertThat(read(ANY, style, spelling)).as(spelling + " as " + style).isEqualTo(expected);
      boolean isWhole =
          meant != null
              && !expected.equals("refused")
              && (meant.signum() == 0 || meant.stripTrailingZeros().scale() <= 0)
              && meant.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0
              && !spelling.replaceFirst("^[+-]?[^0-9,.]*", "").matches("[,.].*");
      if (meant != null && isWhole) {
        assertThat(read(LONG, style, spelling))
            .as(spelling + " as a whole number of " + style)
            .isEqualTo(meant.toBigIntegerExact().toString());
      } else if (meant == null) {
        assertThat(read(LONG, style, spelling)).isEqualTo("refused");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "12.0, 12",
    "-7.00, -7",
    "1e3, 1000",
    "1.5E1, 15",
    "1e-0, 1",
    "120e-1, 12",
    "0.000, 0",
    "9223372036854775807.0, 9223372036854775807",
    "-9223372036854775808.00, -9223372036854775808",
    "9223372036854775808.0, refused",
    "1e19, refused",
    "1e999999, refused",
    "12.5, refused",
    "1e-1, refused",
    "12., 12",
    ".0, refused",
    "12.000, refused",
    "1.000, refused",
    "1234.000, 1234",
    "12.0000, 12",
    "1e, refused",
    "1e1.0, refused",
    "0x10, refused",
  })
  void wholeNumbersAreReadWithoutLoss(String spelling, String expected) {
    assertThat(Spelled.again(LONG, spelling)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"300.0, refused", "1e2, 100", "-32768.0, -32768", "32768e0, refused"})
  void theyFitTheirType(String spelling, String expected) {
    Type type = spelling.equals("300.0") ? new Type.Decimal(2, 0) : new Type.Int(16);
    assertThat(Spelled.again(type, spelling)).isEqualTo(expected);
  }
}
