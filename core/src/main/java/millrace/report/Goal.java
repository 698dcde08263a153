package millrace.report;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// What a run is to be measured against: a time, or a rate. Part of the report.
///
/// @param text as the user wrote it
/// @param kind what it is a number of
/// @param value seconds, bytes a second, or rows a second
/// @param percent how much of it the run reached, 100 being all; -1 as long as that is unknown
public record Goal(String text, Kind kind, double value, double percent) implements Serializable {

  private static final Pattern TIME =
      Pattern.compile("(?:(?<h>[0-9.]+)h)?(?:(?<m>[0-9.]+)m)?(?:(?<s>[0-9.]+)s)?");

  private static final Pattern RATE = Pattern.compile("(?<number>[0-9.]+) *(?<unit>rows|[kmg]b)/s");

  /// What a goal is a number of.
  public enum Kind {
    SECONDS,
    BYTES_PER_S,
    ROWS_PER_S
  }

  /// Reads `9m`, `1h30m`, `45s`, `100MB/s`, `500000rows/s`; sizes are powers of 1024.
  ///
  /// @throws Fault.User if it is none of these, or zero
  public static Goal parse(String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT).replace(",", "").replace("_", "");
    try {
      Matcher time = TIME.matcher(lower);
      Matcher rate = RATE.matcher(lower);
      if (!lower.isEmpty() && time.matches()) {
        double seconds =
            3600 * number(time.group("h")) + 60 * number(time.group("m")) + number(time.group("s"));
        return positive(new Goal(text, Kind.SECONDS, seconds, -1));
      }
      if (rate.matches()) {
        double number = number(rate.group("number"));
        String unit = rate.group("unit");
        int shift = unit.equals("rows") ? 0 : 10 * (1 + "kmg".indexOf(unit.charAt(0)));
        return positive(
            new Goal(
                text,
                unit.equals("rows") ? Kind.ROWS_PER_S : Kind.BYTES_PER_S,
                number * (1L << shift),
                -1));
      }
    } catch (NumberFormatException _) {
      throw bad(text);
    }
    throw bad(text);
  }

  private static double number(@Nullable String text) {
    return text == null ? 0 : Double.parseDouble(text);
  }

  private static Goal positive(Goal goal) {
    if (goal.value <= 0) {
      throw bad(goal.text);
    }
    return goal;
  }

  private static Fault.User bad(String text) {
    return new Fault.User(
        "--goal '" + text + "' is neither a time nor a rate.",
        "Write a time such as 9m, 1h30m or 45s, or a rate such as 100MB/s or 500000rows/s.");
  }

  /// The same with what a run reached.
  ///
  /// @param bytes those that the report's rate is of
  /// @param seconds how long the whole run took
  public Goal reached(long rows, long bytes, double seconds) {
    if (seconds <= 0) {
      return this;
    }
    double part =
        switch (kind) {
          case SECONDS -> value / seconds;
          case BYTES_PER_S -> bytes / seconds / value;
          case ROWS_PER_S -> rows / seconds / value;
        };
    return new Goal(text, kind, value, 100 * part);
  }

  /// What a user reads.
  public String line() {
    return percent < 0
        ? "goal       " + text
        : String.format(
            Locale.ROOT,
            "goal       %s: %.0f %% of it, %s",
            text,
            percent,
            percent >= 100 ? "reached" : "missed");
  }
}
