package millrace.data.spelling.time;

import java.util.List;
import millrace.data.Temporals;
import millrace.data.spelling.number.Digits;
import millrace.fault.Fault;

/// A pattern of dates and times that a user wrote, compiled into parts of known width, so that
/// reading and writing are one walk over them.
///
/// Takes the letters of java.time and the words of SQL, in any mixture that is not ambiguous:
///
/// | field | spelled |
/// |---|---|
/// | year, four digits | `yyyy`, `YYYY`, `uuuu` |
/// | year, two digits, 1969 to 2068 | `yy`, `YY`, `uu`, `RR`; four digits are read too, unless a digit follows |
/// | month, day | `MM`, `mm` (not after an hour), `dd`, `DD` |
/// | month by its English name, in any case on read | `MMM`, `Mon`, `MON`; `MMMM`, `Month`, `MONTH` |
/// | one digit or two | `M`, `d`, `H`, `h`, `m`, `s` |
/// | hour of 24 | `HH`, `hh`, `HH24`, `hh24` |
/// | hour of 12, if the half of the day is there | `hh`, `HH`, `hh12`, `HH12` |
/// | half of the day | `a`, `AM`, `PM` |
/// | minute | `mm`, `MM` after an hour, `mi`, `MI` |
/// | second | `ss`, `SS` |
/// | fraction | `S` to `SSSSSSSSS` after `ss`; `FF`, `FF1` to `FF9`, `MS`, `US` |
/// | time zone by name, `UTC` on write | `VV`, `z`, `TZR`, `TZD` |
/// | offset from UTC | `X`, `XX`, `XXX`, `x`, `xx`, `xxx`, `TZH`, `TZM`, `'Z'` |
///
/// Everything else that is no letter from A to Z and no digit stands for itself, as does `T`, and
/// anything between single or double quotes. One thread reads by it; any may write.
public final class TemporalPattern {

  private static final int YEAR_MAX = 9999;
  private static final int CENTURY_YEARS = 100;

  private final String text;
  private final PatternPart[] parts;
  private final int lengthMax;

  private final int yearMin;
  private final int yearMax;
  private final boolean halves;
  private final ZoneNames zones = new ZoneNames();

  /// The smallest step in time that the pattern can tell.
  private final long stepMicros;

  TemporalPattern(String text, List<PatternPart> parts) {
    this.text = text;
    this.parts = parts.toArray(PatternPart[]::new);
    boolean isOfCentury = parts.stream().anyMatch(PatternPart::isOfCentury);
    yearMin = isOfCentury ? 1900 + PatternPart.PIVOT : 1;
    yearMax = isOfCentury ? yearMin + CENTURY_YEARS - 1 : YEAR_MAX;
    halves = parts.stream().anyMatch(part -> part.field() == PatternPart.Field.HALF);
    lengthMax = parts.stream().mapToInt(PatternPart::width).sum() + Digits.ROOM;
    stepMicros =
        parts.stream().mapToLong(PatternPart::stepMicros).min().orElse(Temporals.DAY_MICROS);
  }

  /// The most bytes that writing a value may change.
  int lengthMax() {
    return lengthMax;
  }

  /// Reads bytes that the pattern describes to the last one.
  ///
  /// @return microseconds from 2000-01-01 00:00, or from midnight if the pattern has no date; in
  ///   UTC if it has an offset; or {@link Dates#NONE}
  public long read(byte[] bytes, int start, int end) {
    long year = 2000;
    long month = 1;
    long day = 1;
    long clock = 0;
    long offset = 0;
    int zoneStart = -1;
    int zoneEnd = -1;
    int at = start;
    for (PatternPart part : parts) {
      int width = part.widthAt(bytes, at, end);
      if (end - at < width || width == 0) {
        return Dates.NONE;
      }
      long value = part.read(bytes, at, width);
      if (value == Dates.NONE) {
        return Dates.NONE;
      }
      switch (part.field()) {
        case YEAR -> year = value;
        case MONTH -> month = value;
        case DAY -> day = value;
        case HOUR, HALF_HOUR, HALF, MINUTE, SECOND, FRACTION -> clock += value;
        case OFFSET -> {
          offset = value;
          boolean isZone = part.shape() == PatternPart.Shape.ZONE;
          zoneStart = isZone ? at : -1;
          zoneEnd = at + width;
        }
        case LITERAL -> {}
      }
      at += width;
    }
    boolean isDay = year >= 1 && Calendar.isDay(year, (int) month, (int) day);
    if (at != end || !isDay || clock > Temporals.DAY_MICROS) {
      return Dates.NONE;
    }
    long days = Calendar.days(year, (int) month, (int) day);
    long micros = days * Temporals.DAY_MICROS + clock - offset;
    return zoneStart < 0 ? micros : zones.instant(micros, bytes, zoneStart, zoneEnd);
  }

  /// Whether the pattern tells the value whole: no year outside of four digits, no fraction lost.
  boolean carries(long date, long clock) {
    long year = Calendar.year(date);
    boolean isDay = !halves || clock < Temporals.DAY_MICROS;
    return year >= yearMin && year <= yearMax && isDay && clock % stepMicros == 0;
  }

  /// Writes a date and a time of day that the pattern {@link #carries}.
  int write(long date, long clock, byte[] out, int at) {
    int next = at;
    for (PatternPart part : parts) {
      next = part.write(date, clock, out, next);
    }
    return next;
  }

  /// What a formatter throws for a value that the pattern can't tell.
  ///
  /// @param what the value's kind and ISO spelling
  Fault.Data cannotSpell(String what) {
    return new Fault.Data(
        "The " + what + " can't be spelled as \"" + text + "\".",
        "Leave the format out to have it spelled as ISO 8601, or choose one with all its parts.",
        null);
  }
}
