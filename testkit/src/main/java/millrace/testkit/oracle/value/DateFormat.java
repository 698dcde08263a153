package millrace.testkit.oracle.value;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/// DATE and the TIMESTAMP types as bytes.
///
/// Seven bytes hold century and year (each plus 100), month, day, hour, minute and second (each
/// plus 1); four more the nanoseconds; two more the zone's hours (plus 20) and minutes (plus 60),
/// and then the first eleven are in UTC.
public final class DateFormat {

  public static final int DATE_BYTES = 7;
  public static final int TIMESTAMP_BYTES = 11;
  public static final int ZONED_BYTES = 13;

  private static final int REGION = 0x80;

  private DateFormat() {}

  public static byte[] date(LocalDateTime value) {
    byte[] bytes = new byte[DATE_BYTES];
    put(value, bytes);
    return bytes;
  }

  /// Eleven bytes, or seven if there is no fraction of a second.
  public static byte[] timestamp(LocalDateTime value) {
    if (value.truncatedTo(ChronoUnit.SECONDS).equals(value)) {
      return date(value);
    }
    byte[] bytes = new byte[TIMESTAMP_BYTES];
    put(value, bytes);
    return bytes;
  }

  public static byte[] zoned(OffsetDateTime value) {
    byte[] bytes = new byte[ZONED_BYTES];
    put(value.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime(), bytes);
    int minutes = value.getOffset().getTotalSeconds() / 60;
    bytes[11] = (byte) (minutes / 60 + 20);
    bytes[12] = (byte) (minutes % 60 + 60);
    return bytes;
  }

  private static void put(LocalDateTime value, byte[] bytes) {
    int year = value.getYear();
    bytes[0] = (byte) (year / 100 + 100);
    bytes[1] = (byte) (year % 100 + 100);
    bytes[2] = (byte) value.getMonthValue();
    bytes[3] = (byte) value.getDayOfMonth();
    bytes[4] = (byte) (value.getHour() + 1);
    bytes[5] = (byte) (value.getMinute() + 1);
    bytes[6] = (byte) (value.getSecond() + 1);
    if (bytes.length > DATE_BYTES) {
      int nanos = value.get(ChronoField.NANO_OF_SECOND);
      for (int i = 0; i < Integer.BYTES; i++) {
        bytes[7 + i] = (byte) (nanos >>> (24 - 8 * i));
      }
    }
  }

  /// The date and time of seven bytes or more.
  ///
  /// @throws IllegalArgumentException if they are no date
  public static LocalDateTime decode(byte[] bytes) {
    if (bytes.length < DATE_BYTES) {
      throw new IllegalArgumentException("a date of " + bytes.length + " bytes");
    }
    int year = (bytes[0] & 0xFF) * 100 - 10000 + (bytes[1] & 0xFF) - 100;
    int nanos = 0;
    if (bytes.length >= TIMESTAMP_BYTES) {
      for (int i = DATE_BYTES; i < TIMESTAMP_BYTES; i++) {
        nanos = (nanos << 8) | (bytes[i] & 0xFF);
      }
    }
    try {
      return LocalDateTime.of(
          year, bytes[2], bytes[3], bytes[4] - 1, bytes[5] - 1, bytes[6] - 1, nanos);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("a date that is none", e);
    }
  }

  /// The point in time of thirteen bytes. Names of regions have numbers that are not public: such a
  /// time comes out in UTC.
  public static OffsetDateTime decodeZoned(byte[] bytes) {
    LocalDateTime utc = decode(bytes);
    if (bytes.length < ZONED_BYTES || (bytes[11] & REGION) != 0) {
      return utc.atOffset(ZoneOffset.UTC);
    }
    ZoneOffset offset = ZoneOffset.ofHoursMinutes(bytes[11] - 20, bytes[12] - 60);
    return utc.atOffset(ZoneOffset.UTC).withOffsetSameInstant(offset);
  }
}
