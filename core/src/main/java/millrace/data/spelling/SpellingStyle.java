package millrace.data.spelling;

import org.jspecify.annotations.Nullable;

/// How the user wants dates and times spelled; each null for the spelling of ISO 8601 and
/// PostgreSQL. {@link TemporalPattern} says what a pattern may be made of.
///
/// @param dateFormat for example `dd.MM.yyyy`
/// @param timeFormat for example `HHmmss`
/// @param timestampFormat for example `yyyymmddhhmmss` or `YYYY-MM-DD HH24:MI:SS`
public record SpellingStyle(
    @Nullable String dateFormat, @Nullable String timeFormat, @Nullable String timestampFormat) {

  /// What a target writes and a source expects when nobody says otherwise.
  public static final SpellingStyle ISO = new SpellingStyle(null, null, null);
}
