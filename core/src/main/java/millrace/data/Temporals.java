package millrace.data;

import java.time.LocalDate;

/// How dates and times are held: counted from 2000-01-01, as PostgreSQL counts them, because its
/// range (4713 BC to 294276 AD in microseconds) is the one that a count from 1970 could not hold.
///
/// Dates are days, timestamps microseconds. {@link #INFINITY} and {@link #MINUS_INFINITY} stand for
/// the infinities that PostgreSQL and DuckDB have for both. The calendar is the proleptic Gregorian
/// one, as in ISO 8601, PostgreSQL, DuckDB and java.time.
public final class Temporals {

  /// Later than every date and timestamp.
  public static final long INFINITY = Long.MAX_VALUE;

  /// Earlier than every date and timestamp.
  public static final long MINUS_INFINITY = Long.MIN_VALUE;

  /// Days from 1970-01-01 to 2000-01-01.
  public static final long EPOCH_DAYS = LocalDate.of(2000, 1, 1).toEpochDay();

  /// Microseconds in a day.
  public static final long DAY_MICROS = 86_400_000_000L;

  /// Microseconds from 1970-01-01 to 2000-01-01.
  public static final long EPOCH_MICROS = EPOCH_DAYS * DAY_MICROS;

  private Temporals() {}
}
