package millrace.report.sweep;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import millrace.text.Amount;
import millrace.text.NameList;

/// One option of a copy, or one setting of an online run, and the values that a sweep gives it.
///
/// @param name the option without its dashes, for example `read-unit`
/// @param values as they are given to the copy, without repetition; ascending if all are numbers of
///   one kind
public record Axis(String name, List<String> values) {

  /// How many values a range becomes, its ends included.
  private static final int RANGE_VALUES = 6;

  private static final Pattern SPELLING =
      Pattern.compile("(?:--)?([a-z][a-z0-9-]*)=(.*)", Pattern.DOTALL);
  private static final Pattern RANGE =
      Pattern.compile("([0-9]+)\\s*([A-Za-z]*)\\.\\.([0-9]+)\\s*([A-Za-z]*)");

  public Axis {
    values = List.copyOf(values);
  }

  /// Reads `read-unit=50..3000`, which becomes some steps of the same ratio, or
  /// `write-unit=25,50,200`; quotes stand around a value that holds a comma.
  ///
  /// @throws Fault.User if it is neither
  public static Axis parse(String text) {
    Matcher matcher = SPELLING.matcher(text.strip());
    if (!matcher.matches() || matcher.group(2).isBlank()) {
      throw new Fault.User(
          "--vary " + text + " does not say what to vary, and how.",
          "Write a setting and its values: read-unit=50,200,2000 or read-unit=50..3000.");
    }
    Set<String> values = new LinkedHashSet<>();
    for (NameList.Entry part : NameList.entries("--vary", matcher.group(2))) {
      values.addAll(values(text, part));
    }
    Axis axis = new Axis(matcher.group(1), List.copyOf(values));
    return axis.isNumeric() ? axis.ascending() : axis;
  }

  private static List<String> values(String text, NameList.Entry part) {
    String quoted = part.quoted();
    if (quoted == null ? part.bare().isEmpty() : !part.bare().isEmpty()) {
      throw new Fault.User(
          "--vary " + text + " holds an empty value, or more than one between two commas.",
          "Write one comma between; quotes stand around a whole value, a quote inside is \"\".");
    }
    Matcher range = RANGE.matcher(part.bare());
    if (range.matches()) {
      return range(text, range);
    }
    return List.of(quoted == null ? part.bare() : quoted);
  }

  /// The same numbers, the smallest first, each once however it is spelled: 1MB is 1024kB.
  private Axis ascending() {
    Map<Double, String> byNumber = new TreeMap<>();
    values.forEach(value -> byNumber.putIfAbsent(number(value), value));
    return new Axis(name, List.copyOf(byNumber.values()));
  }

  private static List<String> range(String text, Matcher range) {
    Amount low = Amount.parse("--vary " + text, range.group(1) + range.group(2));
    Amount high = Amount.parse("--vary " + text, range.group(3) + range.group(4));
    // The steps have the same ratio, and from zero there is none.
    if (low.inBytes() != high.inBytes() || low.number() < 1 || low.number() >= high.number()) {
      throw new Fault.User(
          "--vary " + text + " is no range.",
          "Write the smaller end first, from 1 on, both as rows or both with a unit: 50..3000,"
              + " 64kB..4MB.");
    }
    long unit = low.inBytes() ? low.number() / Long.parseLong(range.group(1)) : 1;
    if (high.number() % unit != 0) {
      unit = 1;
    }
    String suffix = low.inBytes() ? (unit == 1 ? "B" : range.group(2)) : "";
    List<String> values = new ArrayList<>();
    for (long step : steps(low.number() / unit, high.number() / unit)) {
      values.add(step + suffix);
    }
    return values;
  }

  /// Whole numbers from low to high with about the same ratio between neighbours; those in between
  /// have two digits that count.
  private static List<Long> steps(long low, long high) {
    List<Long> steps = new ArrayList<>();
    long before = 0;
    for (int i = 0; i < RANGE_VALUES; i++) {
      boolean end = i == 0 || i == RANGE_VALUES - 1;
      double exact = low * Math.pow((double) high / low, i / (RANGE_VALUES - 1.0));
      long value = end ? (i == 0 ? low : high) : Math.clamp(rounded(exact), low, high);
      if (value > before) {
        steps.add(value);
        before = value;
      }
    }
    return steps;
  }

  private static long rounded(double value) {
    double unit = Math.pow(10, Math.max(0, Math.floor(Math.log10(value)) - 1));
    return Math.round(Math.round(value / unit) * unit);
  }

  /// Whether all values are numbers, all of them with or all without a unit of bytes; only then is
  /// one smaller than another.
  public boolean isNumeric() {
    Boolean inBytes = null;
    for (String value : values) {
      try {
        Amount amount = Amount.parse(name, value);
        if (inBytes != null && inBytes != amount.inBytes()) {
          return false;
        }
        inBytes = amount.inBytes();
      } catch (Fault.User _) {
        return false;
      }
    }
    return true;
  }

  /// A value of a numeric axis: rows or bytes.
  double number(String value) {
    return Amount.parse(name, value).number();
  }

  /// Its value that is spelled so, or is the same number spelled otherwise: a range up to 4MB ends
  /// with 4096kB. The spelling itself if it has no such value.
  String value(String spelling) {
    if (values.contains(spelling) || !isNumeric()) {
      return spelling;
    }
    Amount amount;
    try {
      amount = Amount.parse(name, spelling);
    } catch (Fault.User _) {
      return spelling;
    }
    return values.stream()
        .filter(value -> Amount.parse(name, value).equals(amount))
        .findFirst()
        .orElse(spelling);
  }

  /// Whether its values are units of rows or bytes, of which a copy takes one after the other.
  boolean isUnit() {
    return name.endsWith("-unit") && isNumeric();
  }
}
