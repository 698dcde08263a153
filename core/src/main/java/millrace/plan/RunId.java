package millrace.plan;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Random;

/// Names of runs.
public final class RunId {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final Random RANDOM = new Random();

  private RunId() {}

  /// A name for a run that begins now: its time in UTC, three letters for the part of the second,
  /// so that names sort by age, and two by chance.
  public static String begun(Instant startedAt) {
    long number =
        startedAt.getLong(ChronoField.NANO_OF_SECOND) * 26 * 26 * 26 / 1_000_000_000 * (26 * 26);
    number += RANDOM.nextInt(26 * 26);
    char[] letters = new char[5];
    for (int i = letters.length - 1; i >= 0; i--) {
      letters[i] = (char) ('a' + number % 26);
      number /= 26;
    }
    return TIME.format(startedAt) + "-" + new String(letters);
  }
}
