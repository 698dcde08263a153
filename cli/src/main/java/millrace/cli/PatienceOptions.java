package millrace.cli;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.engine.Patience;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How long a copy goes on where nothing moves.
final class PatienceOptions {

  private static final Pattern TIME =
      Pattern.compile("(?:(?<h>[0-9]{1,6})h)?(?:(?<m>[0-9]{1,6})m)?(?:(?<s>[0-9]{1,6})s)?|0");

  @Option(
      names = "--retry-for",
      paramLabel = "TIME",
      defaultValue = "10m",
      description =
          "Where a connection is lost, a server restarts or another transaction is in the way, try"
              + " again, with growing waits, until no row has moved for so long (if not given:"
              + " ${DEFAULT-VALUE}); 0 stops at the first such fault.")
  private String retryFor = "10m";

  @Option(
      names = "--stall-timeout",
      paramLabel = "TIME",
      defaultValue = "30m",
      description =
          "Where no row moves for so long, or PostgreSQL waits for so long for a lock of others at"
              + " the end, say what is waited for and stop (if not given: ${DEFAULT-VALUE}); 0"
              + " waits for ever. A query that sorts for long before its first row needs more.")
  private String stallTimeout = "30m";

  /// @throws Fault.User where a time is none
  Patience patience() {
    return Patience.of(time("--retry-for", retryFor), time("--stall-timeout", stallTimeout));
  }

  private static Duration time(String option, String text) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    Matcher matcher = TIME.matcher(lower);
    if (lower.isEmpty() || !matcher.matches()) {
      throw new Fault.User(
          option + " '" + text + "' is no time.", "Write a time such as 45s, 10m or 1h30m.");
    }
    return Duration.ofHours(number(matcher.group("h")))
        .plusMinutes(number(matcher.group("m")))
        .plusSeconds(number(matcher.group("s")));
  }

  private static long number(@Nullable String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
