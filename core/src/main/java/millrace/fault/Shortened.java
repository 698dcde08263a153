package millrace.fault;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Cuts what is too long to be read out of a message: values, statements and names of more than 200
/// characters, whoever wrote the message.
public final class Shortened {

  private static final int VALUE_MAX = 200;

  /// Longer than any line of ours without a value.
  private static final int LINE_MAX = 800;

  private static final int ENDS = 80;

  /// What stands in quotes that are no apostrophes, or has no blank in it.
  private static final Pattern VALUE =
      Pattern.compile(
          "(?s)(?<![\\p{L}\\p{N}])(['\"])(.{201,}?)\\1(?![\\p{L}\\p{N}])|()(\\S{201,})");

  private static final Pattern LINE = Pattern.compile(".{801,}");

  private Shortened() {}

  /// A value as a message shows it: its beginning, and `…` if that is not all.
  ///
  /// @param most how many UTF-16 units are shown
  public static String value(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + "…";
  }

  /// The message with its beginning, its end and the length of what was cut.
  public static String message(String text) {
    if (text.length() <= VALUE_MAX) {
      return text;
    }
    String values =
        VALUE
            .matcher(text)
            .replaceAll(found -> {
              boolean quoted = found.group(2) != null;
              String quote = quoted ? found.group(1) : "";
              String value = quoted ? found.group(2) : found.group(4);
              return Matcher.quoteReplacement(quote + cut(value, ENDS) + quote);
            });
    return LINE.matcher(values)
        .replaceAll(found -> Matcher.quoteReplacement(cut(found.group(), LINE_MAX / 4)));
  }

  /// No character of two halves is cut.
  private static String cut(String value, int ends) {
    int first =
        value.offsetByCodePoints(0, Math.min(ends, value.codePointCount(0, value.length())));
    int last = value.length() - ends;
    last += Character.isLowSurrogate(value.charAt(last)) ? 1 : 0;
    return first >= last
        ? value
        : value.substring(0, first)
            + String.format(Locale.ROOT, " … (%,d characters) … ", value.length())
            + value.substring(last);
  }
}
