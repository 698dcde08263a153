package millrace.data.spelling;

import java.time.ZoneId;
import millrace.data.spelling.number.NumberStyle;
import millrace.data.spelling.time.EpochUnit;
import org.jspecify.annotations.Nullable;

/// How the user wants dates, times and numbers spelled; each format null for the spelling of ISO
/// 8601 and PostgreSQL. {@link TemporalPattern} says what a pattern may be made of.
///
/// @param dateFormat for example `dd.MM.yyyy`
/// @param timeFormat for example `HHmmss`
/// @param timestampFormat for example `yyyymmddhhmmss` or `YYYY-MM-DD HH24:MI:SS`
/// @param timeZone whose clocks showed the instants that are read without an offset from UTC; null
///   if there are none
/// @param numbers how numbers are read; they are written plainly
/// @param epoch what timestamps that are read count from 1970; null if they are spelled as such
/// @param zeroDates whether dates of zeros alone, which MySQL has, are read as missing values
public record SpellingStyle(
    @Nullable String dateFormat,
    @Nullable String timeFormat,
    @Nullable String timestampFormat,
    @Nullable ZoneId timeZone,
    NumberStyle numbers,
    @Nullable EpochUnit epoch,
    boolean zeroDates) {

  /// A style of dates and times alone.
  public SpellingStyle(
      @Nullable String dateFormat,
      @Nullable String timeFormat,
      @Nullable String timestampFormat,
      @Nullable ZoneId timeZone) {
    this(dateFormat, timeFormat, timestampFormat, timeZone, NumberStyle.PLAIN, null, false);
  }

  /// What a target writes and a source expects when nobody says otherwise.
  public static final SpellingStyle ISO = new SpellingStyle(null, null, null, null);

  /// The same formats, and instants of no time zone.
  SpellingStyle inUtc() {
    return new SpellingStyle(dateFormat, timeFormat, timestampFormat, null);
  }

  /// The same with numbers of another style.
  public SpellingStyle with(NumberStyle other) {
    return new SpellingStyle(
        dateFormat, timeFormat, timestampFormat, timeZone, other, epoch, zeroDates);
  }

  /// The same with timestamps that count from 1970.
  public SpellingStyle with(EpochUnit other) {
    return new SpellingStyle(
        dateFormat, timeFormat, timestampFormat, timeZone, numbers, other, zeroDates);
  }

  /// The same with dates in another format.
  public SpellingStyle withDates(String format) {
    return new SpellingStyle(
        format, timeFormat, timestampFormat, timeZone, numbers, epoch, zeroDates);
  }

  /// The same with timestamps in another format.
  public SpellingStyle withTimestamps(String format) {
    return new SpellingStyle(dateFormat, timeFormat, format, timeZone, numbers, epoch, zeroDates);
  }

  /// Whether values of some type are not read as they are written: bytes that are right for one
  /// reader would not be for another.
  public boolean isForReadingOnly() {
    return !numbers.equals(NumberStyle.PLAIN) || epoch != null || zeroDates;
  }
}
