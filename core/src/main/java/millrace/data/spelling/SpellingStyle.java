package millrace.data.spelling;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/// How the user wants dates and times spelled; each format null for the spelling of ISO 8601 and
/// PostgreSQL. {@link TemporalPattern} says what a pattern may be made of.
///
/// @param dateFormat for example `dd.MM.yyyy`
/// @param timeFormat for example `HHmmss`
/// @param timestampFormat for example `yyyymmddhhmmss` or `YYYY-MM-DD HH24:MI:SS`
/// @param timeZone whose clocks showed the instants that are read without an offset from UTC; null
///   if there are none
public record SpellingStyle(
    @Nullable String dateFormat,
    @Nullable String timeFormat,
    @Nullable String timestampFormat,
    @Nullable ZoneId timeZone) {

  /// What a target writes and a source expects when nobody says otherwise.
  public static final SpellingStyle ISO = new SpellingStyle(null, null, null, null);

  /// The same formats, and instants of no time zone.
  SpellingStyle inUtc() {
    return new SpellingStyle(dateFormat, timeFormat, timestampFormat, null);
  }
}
