package millrace.connectors.postgres;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.data.Column;

/// Where one column of the source goes.
///
/// @param name of the target's column
/// @param type of the target's column
/// @param nullable whether it takes nulls
/// @param written whether its values are sent; false where the server makes its own
record Slot(String name, PostgresType type, boolean nullable, boolean written) {

  private static final Pattern LENGTH = Pattern.compile("character varying\\((\\d+)\\)");
  private static final Pattern FRACTION = Pattern.compile("time(?:stamp)?\\((\\d)\\) with.*");
  private static final int FRACTION_DIGITS = 6;

  /// The column that writers get; one that is not written stays as it is.
  Column column(Column incoming) {
    return written ? new Column(name, type.type(), nullable, type.asNative()) : incoming;
  }

  /// The most characters that the column takes, or 0 where there is no limit. The server would cut
  /// off spaces beyond it without a word.
  int charactersMax() {
    Matcher matcher = LENGTH.matcher(type.wire());
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /// The smallest part of a second that the column keeps, in microseconds; the server would round
  /// smaller ones without a word.
  int microsStep() {
    Matcher matcher = FRACTION.matcher(type.wire());
    int step = 1;
    if (matcher.matches()) {
      for (int digits = Integer.parseInt(matcher.group(1)); digits < FRACTION_DIGITS; digits++) {
        step *= 10;
      }
    }
    return step;
  }
}
