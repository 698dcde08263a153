package millrace.connectors.file.csv;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.number.NumberStyle;

/// What may be meant by a text that is no number of the style that was said.
final class NumberHints {

  private static final List<NumberStyle> STYLES =
      List.of(
          new NumberStyle(".", ",", ""),
          new NumberStyle(",", "", ""),
          new NumberStyle(",", ".", ""),
          new NumberStyle(".", " ", ""),
          new NumberStyle(",", " ", ""),
          new NumberStyle(".", "'", ""));

  private NumberHints() {}

  /// The hint, or nothing.
  static String hint(byte[] bytes, int start, int end, Type type, NumberStyle style) {
    String value = new String(bytes, start, end - start, StandardCharsets.UTF_8);
    String unit = NumberStyle.unitOf(value);
    if (unit != null && style.unit().isEmpty()) {
      return "a unit is said as " + type.label() + "(" + unit + ") in columns";
    }
    Type any = type instanceof Type.Int ? Type.Decimal.UNLIMITED : type;
    for (NumberStyle each : STYLES) {
      NumberStyle other = each.in(style.unit());
      if (!other.equals(style)
          && Spelling.parser(any, SpellingStyle.ISO.with(other))
              .parse(bytes, start, end, Vector.of(any, 1), 0)
          && !isPlain(bytes, start, end, any)) {
        return "if it is a number, say " + options(each);
      }
    }
    return "";
  }

  private static boolean isPlain(byte[] bytes, int start, int end, Type type) {
    return Spelling.parser(type, SpellingStyle.ISO).parse(bytes, start, end, Vector.of(type, 1), 0);
  }

  /// How a style is said on the command line.
  static String asOptions(NumberStyle style) {
    String decimal =
        style.decimal().equals(".") ? "" : "--decimal-separator '" + style.decimal() + "'";
    String thousands = style.thousands().isEmpty() ? "" : "--thousands '" + style.thousands() + "'";
    return (decimal + " " + thousands).strip();
  }

  /// How a style is said in a URL.
  static String options(NumberStyle style) {
    String decimal = style.decimal().equals(".") ? "" : "decimal-separator=" + style.decimal();
    String thousands =
        style.thousands().isEmpty()
            ? ""
            : "thousands=" + (style.thousands().equals(" ") ? "space" : style.thousands());
    return decimal.isEmpty() || thousands.isEmpty()
        ? decimal + thousands
        : decimal + " and " + thousands;
  }
}
