package millrace.testkit.oracle.value;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Period;

/// INTERVAL YEAR TO MONTH (five bytes) and DAY TO SECOND (eleven), each field with an excess.
public final class IntervalFormat {

  private static final int LARGE_EXCESS = 0x80000000;
  private static final int SMALL_EXCESS = 60;

  private IntervalFormat() {}

  public static byte[] encode(Period value) {
    long months = value.toTotalMonths();
    return ByteBuffer.allocate(5)
        .putInt((int) (months / 12) + LARGE_EXCESS)
        .put((byte) (months % 12 + SMALL_EXCESS))
        .array();
  }

  public static byte[] encode(Duration value) {
    // A negative duration has a positive fraction in Java, and none with another sign in Oracle.
    boolean negative = value.isNegative();
    Duration size = value.abs();
    int sign = negative ? -1 : 1;
    return ByteBuffer.allocate(11)
        .putInt(sign * (int) size.toDaysPart() + LARGE_EXCESS)
        .put((byte) (sign * size.toHoursPart() + SMALL_EXCESS))
        .put((byte) (sign * size.toMinutesPart() + SMALL_EXCESS))
        .put((byte) (sign * size.toSecondsPart() + SMALL_EXCESS))
        .putInt(sign * size.toNanosPart() + LARGE_EXCESS)
        .array();
  }

  public static Period decodeMonths(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    int years = in.getInt() - LARGE_EXCESS;
    return Period.of(years, in.get() - SMALL_EXCESS, 0);
  }

  public static Duration decodeSeconds(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return Duration.ofDays(in.getInt() - LARGE_EXCESS)
        .plusHours(in.get() - SMALL_EXCESS)
        .plusMinutes(in.get() - SMALL_EXCESS)
        .plusSeconds(in.get() - SMALL_EXCESS)
        .plusNanos(in.getInt() - LARGE_EXCESS);
  }
}
