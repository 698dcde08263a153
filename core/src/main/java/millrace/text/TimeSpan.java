package millrace.text;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Times as users write them: `45s`, `10m`, `1h30m`, `2d`, `0`.
public final class TimeSpan {

  private static final Pattern SPELLING =
      Pattern.compile(
          "(?:(?<d>[0-9]{1,6})d)?(?:(?<h>[0-9]{1,6})h)?(?:(?<m>[0-9]{1,6})m)?(?:(?<s>[0-9]{1,6})s)?|0");

  private TimeSpan() {}

  /// Reads a time.
  ///
  /// @param name the option, for the message
  /// @throws Fault.User if it is none
  public static Duration parse(String name, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    Matcher matcher = SPELLING.matcher(lower);
    if (lower.isEmpty() || !matcher.matches()) {
      throw new Fault.User(
          name + " '" + text + "' is not a duration.",
          "Write a time such as 45s, 10m, 1h30m or 2d.");
    }
    return Duration.ofDays(number(matcher.group("d")))
        .plusHours(number(matcher.group("h")))
        .plusMinutes(number(matcher.group("m")))
        .plusSeconds(number(matcher.group("s")));
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
