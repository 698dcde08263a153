package millrace.data.spelling.time;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import millrace.data.spelling.number.Digits;
import org.jspecify.annotations.Nullable;

/// Time zones by name, in the spelling of instants: a place, such as `Europe/Berlin`, whose clocks
/// must have shown the time once, or one of the abbreviations that mean one offset. `CST` means
/// three, and others such as `IST` and `BST` two, so they are no names. One thread.
final class ZoneNames {

  private static final long HOUR_MICROS = 3_600_000_000L;

  /// Those of RFC 5322 that are used for nothing else, and those of Europe and Japan.
  private static final Map<String, Integer> HOURS =
      Map.ofEntries(
          Map.entry("UTC", 0),
          Map.entry("GMT", 0),
          Map.entry("WET", 0),
          Map.entry("WEST", 1),
          Map.entry("CET", 1),
          Map.entry("CEST", 2),
          Map.entry("EET", 2),
          Map.entry("EEST", 3),
          Map.entry("EST", -5),
          Map.entry("EDT", -4),
          Map.entry("MST", -7),
          Map.entry("MDT", -6),
          Map.entry("PST", -8),
          Map.entry("PDT", -7),
          Map.entry("JST", 9));

  private static final int NAME_LENGTH_MAX = 40;

  private final Map<String, WallClock> clocks = new HashMap<>();

  /// The instant in microseconds of UTC at which the clocks there showed a time, or {@link
  /// Dates#NONE} if these bytes name no time zone, or if its clocks showed it twice or never.
  ///
  /// @param shown microseconds since 2000-01-01 00:00 by the clock
  long instant(long shown, byte[] bytes, int start, int end) {
    if (end - start > NAME_LENGTH_MAX || nameEnd(bytes, start, end) < end || start == end) {
      return Dates.NONE;
    }
    String name = new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
    Integer hours = HOURS.get(name);
    if (hours != null) {
      return shown - hours * HOUR_MICROS;
    }
    WallClock clock = clock(name);
    return clock == null ? Dates.NONE : clock.instant(shown);
  }

  private @Nullable WallClock clock(String name) {
    WallClock known = clocks.get(name);
    if (known == null && isPlace(name)) {
      known = new WallClock(ZoneId.of(name));
      clocks.put(name, known);
    }
    return known;
  }

  private static boolean isPlace(String name) {
    return name.indexOf('/') > 0 && ZoneId.getAvailableZoneIds().contains(name);
  }

  /// Where the bytes end of which names are made.
  static int nameEnd(byte[] bytes, int start, int end) {
    int at = start;
    while (at < end && isNamePart(bytes[at])) {
      at++;
    }
    return at;
  }

  private static boolean isNamePart(byte each) {
    boolean isLetter = (each | 0x20) >= 'a' && (each | 0x20) <= 'z';
    return isLetter || Digits.isDigit(each) || "/_+-".indexOf(each) >= 0;
  }
}
