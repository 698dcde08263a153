package millrace.connectors.sql.types;

import static millrace.connectors.sql.types.TypeTable.Getter.WITH_NANOSECONDS;

import java.sql.Types;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Check;
import millrace.connectors.sql.types.TypeTable.Getter;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Dates and times as objects of java.time, which every driver of JDBC 4.2 takes and gives: no time
/// zone of the machine changes them.
public final class JavaTimes {

  /// How they are got and set.
  public static final Cell CELL = new Cell(JavaTimes::getter, JavaTimes::setter, Types.OTHER);

  private static final LocalDateTime EPOCH =
      LocalDate.ofEpochDay(Temporals.EPOCH_DAYS).atStartOfDay();
  private static final int NANOS = 1_000;

  /// All of their microseconds fit a long.
  private static final int YEARS_MAX = 290_000;

  private static final int DATE_YEARS_MAX = 99_999_999;
  private static final String NO_YEAR = ", a year that Millrace does not have";

  private static final long GREGORIAN =
      ChronoUnit.MICROS.between(EPOCH, LocalDate.of(1582, 10, 15).atStartOfDay());

  private JavaTimes() {}

  /// Some drivers count older days by the Julian calendar: they come back as others.
  public static @Nullable String beforeGregorian(Vector from, int at) {
    return ((LongVector) from).values[at] < GREGORIAN
        ? "is before 1582-10-15, which the driver would move by days"
        : null;
  }

  private static Getter getter(Type type) {
    return (_, row, column, into, at) -> {
      int nanos = 0;
      long value;
      switch (type) {
        case Type.Date _ -> {
          LocalDate day = row.getObject(column, LocalDate.class);
          if (Math.abs(day.getYear()) > DATE_YEARS_MAX) {
            return "holds " + row.getString(column) + NO_YEAR;
          }
          value = day.toEpochDay() - Temporals.EPOCH_DAYS;
        }
        case Type.Time _ -> {
          LocalTime time = row.getObject(column, LocalTime.class);
          nanos = time.get(ChronoField.NANO_OF_SECOND);
          value = time.toNanoOfDay() / NANOS;
        }
        case Type _ -> {
          LocalDateTime time =
              type.equals(new Type.Timestamp(true))
                  ? LocalDateTime.ofInstant(
                      row.getObject(column, OffsetDateTime.class).toInstant(), ZoneOffset.UTC)
                  : row.getObject(column, LocalDateTime.class);
          if (Math.abs(time.getYear()) > YEARS_MAX) {
            return "holds " + row.getString(column) + NO_YEAR;
          }
          nanos = time.get(ChronoField.NANO_OF_SECOND);
          value = ChronoUnit.MICROS.between(EPOCH, time.truncatedTo(ChronoUnit.MICROS));
        }
      }
      ((LongVector) into).values[at] = value;
      return nanos % NANOS == 0 ? null : "holds " + row.getString(column) + WITH_NANOSECONDS;
    };
  }

  private static Setter setter(Type type) {
    Check calendar = Cells.inCalendar(type);
    return (statement, parameter, from, at) -> {
      String wrong = calendar.wrong(from, at);
      if (wrong != null) {
        return wrong;
      }
      long value = ((LongVector) from).values[at];
      Object time =
          switch (type) {
            case Type.Date _ -> LocalDate.ofEpochDay(value + Temporals.EPOCH_DAYS);
            case Type.Time _ -> LocalTime.ofNanoOfDay(value * NANOS);
            case Type.Timestamp(boolean zoned) when zoned ->
                EPOCH.plus(value, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
            default -> EPOCH.plus(value, ChronoUnit.MICROS);
          };
      statement.setObject(parameter, time);
      return null;
    };
  }
}
