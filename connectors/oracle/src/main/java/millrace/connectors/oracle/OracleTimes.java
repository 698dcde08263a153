package millrace.connectors.oracle;

import java.sql.ResultSet;
import java.sql.Types;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import oracle.jdbc.OracleTypes;
import oracle.sql.DATE;
import oracle.sql.Datum;
import oracle.sql.TIMESTAMP;
import oracle.sql.TIMESTAMPTZ;

/// Dates and times as the bytes that Oracle keeps: no calendar, zone or language of this machine
/// has a say in them.
///
/// A date is century and year of the century, both plus 100, month, day, and hour, minute and
/// second plus 1. A fraction is 4 bytes more, a zone 2 behind those of the same instant in UTC.
final class OracleTimes {

  private static final int CENTURY = 100;
  private static final int DATE_BYTES = 7;
  private static final int FRACTION_BYTES = 11;
  private static final int ZONED_BYTES = 13;
  private static final int NANOS = 1_000;
  private static final long SECOND_MICROS = 1_000_000;
  private static final int ZONE_HOUR = 20;
  private static final int ZONE_MINUTE = 60;

  /// Days and times to the second.
  static final Cell DATE_CELL = cell(Types.DATE, 0);

  private OracleTimes() {}

  /// Columns of TIMESTAMP with so many digits behind the second, with a zone if their type has one.
  static Cell timestamps(boolean zoned, int digits) {
    return cell(zoned ? OracleTypes.TIMESTAMPTZ : Types.TIMESTAMP, digits);
  }

  private static Cell cell(int nullType, int digits) {
    Cell plain =
        new Cell(OracleTimes::getter, type -> setter(type, nullType == Types.DATE), nullType)
            .getting(ResultSet::getBytes, OracleTimes::getter);
    return plain.checked(Cells.fraction(digits));
  }

  private static Setter setter(Type type, boolean isDate) {
    Check calendar = Cells.inCalendar(type);
    boolean zoned = type instanceof Type.Timestamp(boolean hasZone) && hasZone;
    long unit = type instanceof Type.Date ? Temporals.DAY_MICROS : 1;
    return (row, parameter, from, at) -> {
      String wrong = calendar.wrong(from, at);
      if (wrong == null) {
        long micros = ((LongVector) from).values[at] * unit;
        row.setObject(parameter, datum(micros, zoned, isDate));
      }
      return wrong;
    };
  }

  private static Datum datum(long micros, boolean zoned, boolean isDate) {
    if (zoned) {
      return new TIMESTAMPTZ(bytes(micros, ZONED_BYTES));
    }
    if (isDate) {
      return new DATE(bytes(micros, DATE_BYTES));
    }
    boolean isWholeSecond = micros % SECOND_MICROS == 0;
    return new TIMESTAMP(bytes(micros, isWholeSecond ? DATE_BYTES : FRACTION_BYTES));
  }

  /// A time in the years from 1 to 9999 in Oracle's bytes.
  ///
  /// @param micros since 2000-01-01
  /// @param length 7, 11 with a fraction, or 13 with the zone UTC
  static byte[] bytes(long micros, int length) {
    long day = Math.floorDiv(micros, Temporals.DAY_MICROS);
    long inDay = Math.floorMod(micros, Temporals.DAY_MICROS);
    LocalDate date = LocalDate.ofEpochDay(day + Temporals.EPOCH_DAYS);
    int second = (int) (inDay / SECOND_MICROS);
    byte[] bytes = new byte[length];
    bytes[0] = (byte) (date.getYear() / CENTURY + CENTURY);
    bytes[1] = (byte) (date.getYear() % CENTURY + CENTURY);
    bytes[2] = (byte) date.getMonthValue();
    bytes[3] = (byte) date.getDayOfMonth();
    bytes[4] = (byte) (second / 3600 + 1);
    bytes[5] = (byte) (second / 60 % 60 + 1);
    bytes[6] = (byte) (second % 60 + 1);
    if (length > DATE_BYTES) {
      int nanos = (int) (inDay % SECOND_MICROS) * NANOS;
      for (int i = 0; i < Integer.BYTES; i++) {
        bytes[DATE_BYTES + i] = (byte) (nanos >>> (24 - 8 * i));
      }
    }
    if (length == ZONED_BYTES) {
      bytes[FRACTION_BYTES] = ZONE_HOUR;
      bytes[FRACTION_BYTES + 1] = ZONE_MINUTE;
    }
    return bytes;
  }

  private static Getter getter(Type type) {
    boolean isDay = type instanceof Type.Date;
    return (value, row, column, into, at) -> {
      byte[] bytes = (byte[]) value;
      long micros;
      try {
        micros = micros(bytes);
      } catch (DateTimeException _) {
        return "holds a time that the Gregorian calendar does not have, " + row.getString(column);
      }
      ((LongVector) into).values[at] = isDay ? micros / Temporals.DAY_MICROS : micros;
      if (isDay && micros % Temporals.DAY_MICROS != 0) {
        return "holds " + row.getString(column) + ", with a time of day";
      }
      return nanos(bytes) % NANOS == 0
          ? null
          : "holds " + row.getString(column) + Getter.WITH_NANOSECONDS;
    };
  }

  /// Microseconds since 2000-01-01 of Oracle's bytes, in UTC if they have a zone.
  ///
  /// @throws DateTimeException if the day is one of the Julian calendar only, or there is no such
  ///   time of day
  static long micros(byte[] bytes) {
    int year = ((bytes[0] & 0xFF) - CENTURY) * CENTURY + (bytes[1] & 0xFF) - CENTURY;
    // Oracle has no year 0: the year before 1 is -1.
    LocalDate date = LocalDate.of(year < 0 ? year + 1 : year, bytes[2], bytes[3]);
    LocalTime time = LocalTime.of(bytes[4] - 1, bytes[5] - 1, bytes[6] - 1, nanos(bytes));
    return (date.toEpochDay() - Temporals.EPOCH_DAYS) * Temporals.DAY_MICROS
        + time.toNanoOfDay() / NANOS;
  }

  private static int nanos(byte[] bytes) {
    int nanos = 0;
    for (int i = DATE_BYTES; i < Math.min(bytes.length, FRACTION_BYTES); i++) {
      nanos = (nanos << 8) | (bytes[i] & 0xFF);
    }
    return nanos;
  }
}
