package millrace.data.spelling.time;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// The instants at which the clocks of a time zone showed what is spelled without an offset. What
/// they showed twice, or never, when they were put back or forward, is no instant.
///
/// It remembers the last stretch between two changes of the clocks. One thread.
public final class WallClock {

  private static final LocalDateTime EPOCH = LocalDateTime.of(2000, 1, 1, 0, 0);

  private static final long SECOND_MICROS = 1_000_000;
  private static final long SECONDS_MAX = Long.MAX_VALUE / SECOND_MICROS;

  private final ZoneRules rules;

  /// What the clocks showed in that stretch, from the first microsecond to before the last.
  private long from;

  private long to;
  private long offset;

  public WallClock(ZoneId zone) {
    rules = zone.getRules();
  }

  /// The instant in microseconds of UTC, or {@link Dates#NONE}.
  ///
  /// @param shown microseconds since 2000-01-01 00:00 by the clock
  long instant(long shown) {
    if ((shown < from || shown >= to) && !isOnce(shown)) {
      return Dates.NONE;
    }
    return shown - offset;
  }

  /// Whether the clocks showed it once; then the stretch around it is remembered.
  private boolean isOnce(long shown) {
    LocalDateTime time = EPOCH.plus(shown, ChronoUnit.MICROS);
    if (rules.getTransition(time) != null) {
      return false;
    }
    ZoneOffset ahead = rules.getOffset(time);
    Instant instant = time.toInstant(ahead);
    ZoneOffsetTransition before = rules.previousTransition(instant.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(instant);
    from =
        before == null
            ? Long.MIN_VALUE
            : Math.max(micros(before.getDateTimeBefore()), micros(before.getDateTimeAfter()));
    to =
        after == null
            ? Long.MAX_VALUE
            : Math.min(micros(after.getDateTimeBefore()), micros(after.getDateTimeAfter()));
    offset = ahead.getTotalSeconds() * SECOND_MICROS;
    return true;
  }

  /// Clocks change at whole seconds, after the last instant that a long holds as well.
  private static long micros(LocalDateTime time) {
    long seconds = ChronoUnit.SECONDS.between(EPOCH, time);
    return Math.clamp(seconds, -SECONDS_MAX, SECONDS_MAX) * SECOND_MICROS;
  }
}
