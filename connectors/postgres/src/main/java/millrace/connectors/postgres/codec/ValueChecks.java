package millrace.connectors.postgres.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import millrace.data.Temporals;

/// Finds values that PostgreSQL can't keep, before they are sent. Each check answers with what is
/// wrong, or an empty string.
final class ValueChecks {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /// 4713-01-01 BC, and the day after 5874897-12-31 (src/include/datatype/timestamp.h).
  private static final long DATE_MIN_DAYS = -2_451_545;

  private static final long DATE_END_DAYS = 2_147_483_494L - 2_451_545;

  /// 4713-11-24 BC 00:00 and 294277-01-01 00:00 (src/include/datatype/timestamp.h).
  private static final long TIMESTAMP_MIN = -211_813_488_000_000_000L;

  private static final long TIMESTAMP_END = 9_223_371_331_200_000_000L;

  private static final int SHOWN_CHARACTERS = 60;

  private ValueChecks() {}

  /// Not 0 if one of the eight bytes is ("Determine if a word has a zero byte", Sean Anderson, Bit
  /// Twiddling Hacks).
  static long zeros(long word) {
    return (word - 0x0101010101010101L) & ~word & 0x8080808080808080L;
  }

  /// Whether a zero byte is among these.
  static boolean hasZero(byte[] bytes, int start, int end) {
    int at = start;
    for (; at <= end - Long.BYTES; at += Long.BYTES) {
      if (zeros((long) LONGS.get(bytes, at)) != 0) {
        return true;
      }
    }
    for (; at < end; at++) {
      if (bytes[at] == 0) {
        return true;
      }
    }
    return false;
  }

  static boolean isDate(long days) {
    return (days >= DATE_MIN_DAYS && days < DATE_END_DAYS) || isInfinite(days);
  }

  static boolean isTimestamp(long micros) {
    return (micros >= TIMESTAMP_MIN && micros < TIMESTAMP_END) || isInfinite(micros);
  }

  static boolean isTime(long micros) {
    return micros >= 0 && micros <= Temporals.DAY_MICROS;
  }

  static boolean isInfinite(long value) {
    return value == Temporals.INFINITY || value == Temporals.MINUS_INFINITY;
  }

  /// A value for a message: in quotes, control characters made visible, cut short.
  static String shown(byte[] bytes, int start, int end) {
    int most = Math.min(end, start + 4 * SHOWN_CHARACTERS);
    String text = new String(bytes, start, most - start, StandardCharsets.UTF_8);
    StringBuilder shown = new StringBuilder("\"");
    int used = 0;
    for (int i = 0; i < text.length() && used < SHOWN_CHARACTERS; i++, used++) {
      char c = text.charAt(i);
      shown.append(c < ' ' ? String.format("\\x%02x", (int) c) : String.valueOf(c));
    }
    return shown.append(used < text.length() || most < end ? "…\"" : "\"").toString();
  }
}
