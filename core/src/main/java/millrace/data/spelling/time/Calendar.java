package millrace.data.spelling.time;

import millrace.data.Temporals;

/// Days since 2000-01-01 to year, month and day of the proleptic Gregorian calendar, and back.
///
/// By arithmetic over years that begin on 1 March, so that the leap day is a year's last. There:
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (2013), `days_from_civil`, here
/// without its eras of 400 years. Back: Cassio Neri and Lorenz Schneider, "Euclidean affine
/// functions and their application to calendar algorithms" (2022), figure 12. Year 0 is 1 BC.
final class Calendar {

  /// Later and earlier than every date that has at most nine digits of year.
  static final long YEAR_LIMIT = 1_000_000_000;

  /// More days than there are in that many years.
  static final long DAYS_LIMIT = 366 * YEAR_LIMIT;

  private static final long ERA_DAYS = 146_097;

  /// Eras of 400 years, as many as make every date's number positive.
  private static final long ERAS = YEAR_LIMIT / 400 + 1;

  /// Days from 0000-03-01 to 2000-01-01.
  private static final long SHIFT = 719_468 + Temporals.EPOCH_DAYS;

  private static final byte[] MONTH_DAYS = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

  /// Days from 1 March to the first of each month.
  private static final short[] MONTH_STARTS = {
    0, 306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275
  };

  private Calendar() {}

  /// Whether there is such a day.
  static boolean isDay(long year, int month, int day) {
    if (month < 1 || month > 12 || day < 1) {
      return false;
    }
    return day <= MONTH_DAYS[month] || (month == 2 && day == 29 && isLeap(year));
  }

  private static boolean isLeap(long year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /// The days of a date that exists.
  static long days(long year, int month, int day) {
    long y = month <= 2 ? year - 1 : year;
    long century = Math.floorDiv(y, 100);
    long leapDays = (y >> 2) - century + (century >> 2);
    return y * 365 + leapDays + MONTH_STARTS[month] + day - 1 - SHIFT;
  }

  /// The date of a day, packed so that nothing is allocated: see {@link #year}, {@link #month},
  /// {@link #day}.
  static long date(long days) {
    long quarters = 4 * (days + SHIFT + ERAS * ERA_DAYS) + 3;
    long century = quarters / ERA_DAYS;
    long dayOfCentury = (quarters - century * ERA_DAYS) >> 2;
    long yearAndRest = (4 * dayOfCentury + 3) * 2_939_745;
    int dayOfYear = (int) ((yearAndRest & 0xFFFFFFFFL) / (4 * 2_939_745));
    int monthAndRest = 2_141 * dayOfYear + 197_913;
    int monthFromZero = monthAndRest >> 16;
    int day = (monthAndRest & 0xFFFF) / 2_141 + 1;
    // January and February, thirteenth and fourteenth month here, are of the year that follows.
    int next = dayOfYear >= 306 ? 1 : 0;
    int month = monthFromZero - 12 * next;
    long year = 100 * century + (yearAndRest >> 32) + next - 400 * ERAS;
    return year << 16 | (long) month << 8 | day;
  }

  static long year(long date) {
    return date >> 16;
  }

  static int month(long date) {
    return (int) (date >> 8) & 0xFF;
  }

  static int day(long date) {
    return (int) date & 0xFF;
  }
}
