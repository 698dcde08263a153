package millrace.connectors.sql;

import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import millrace.connectors.sql.TypeTable.Cell;
import millrace.connectors.sql.TypeTable.Check;
import millrace.connectors.sql.TypeTable.Getter;
import millrace.connectors.sql.TypeTable.Setter;
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
  private static final Instant EPOCH_INSTANT = EPOCH.toInstant(ZoneOffset.UTC);
  private static final int NANOS = 1_000;

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
        case Type.Date _ ->
            value = row.getObject(column, LocalDate.class).toEpochDay() - Temporals.EPOCH_DAYS;
        case Type.Time _ -> {
          LocalTime time = row.getObject(column, LocalTime.class);
          nanos = time.get(ChronoField.NANO_OF_SECOND);
          value = time.toNanoOfDay() / NANOS;
        }
        case Type.Timestamp(boolean zoned) when zoned -> {
          Instant time = row.getObject(column, OffsetDateTime.class).toInstant();
          nanos = time.get(ChronoField.NANO_OF_SECOND);
          value = ChronoUnit.MICROS.between(EPOCH_INSTANT, time);
        }
        default -> {
          LocalDateTime time = row.getObject(column, LocalDateTime.class);
          nanos = time.get(ChronoField.NANO_OF_SECOND);
          value = ChronoUnit.MICROS.between(EPOCH, time);
        }
      }
      ((LongVector) into).values[at] = value;
      return nanos % NANOS == 0 ? null : "holds " + row.getString(column) + ", with nanoseconds";
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
