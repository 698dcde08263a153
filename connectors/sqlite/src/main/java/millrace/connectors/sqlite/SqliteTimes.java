package millrace.connectors.sqlite;

import java.math.BigDecimal;
import java.sql.Types;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.types.Cells;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Row;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Dates and times that a column holds as numbers. SQLite has no type for them, so the user has to
/// say what the numbers count.
enum SqliteTimes {
  /// Seconds from 1970, also with a fraction.
  UNIX(1_000_000),
  /// Milliseconds from 1970.
  UNIXMS(1_000),
  /// Microseconds from 1970.
  UNIXUS(1),
  /// Julian days. SQLite counts in whole milliseconds.
  JULIAN(0);

  /// How users name them.
  static final List<String> WAYS =
      Arrays.stream(values()).map(way -> way.name().toLowerCase(Locale.ROOT)).toList();

  private static final String HELD_AS = " HELD AS ";
  private static final double DAY_MILLIS = 86_400_000.0;

  /// 1970-01-01 in milliseconds of Julian days.
  private static final long JULIAN_1970_MILLIS = 210_866_760_000_000L;

  private static final long FIRST_MICROS = micros(LocalDate.of(0, 1, 1));
  private static final long END_MICROS = micros(LocalDate.of(10_000, 1, 1));

  private final long unitMicros;

  SqliteTimes(long unitMicros) {
    this.unitMicros = unitMicros;
  }

  private static long micros(LocalDate day) {
    return day.toEpochDay() * Temporals.DAY_MICROS;
  }

  /// The name by which the type table knows a column of that type.
  static String declaration(Type type, String way) {
    return (type.label() + HELD_AS + way).toUpperCase(Locale.ROOT);
  }

  /// Rows of the type table, for reading alone.
  static Stream<Row> rows() {
    return Stream.of(new Type.Date(), new Type.Timestamp(false), new Type.Timestamp(true))
        .flatMap(type ->
            Arrays.stream(values())
                .map(way -> Row.of(declaration(type, way.name()), type, way.cell())));
  }

  private Cell cell() {
    return new Cell(this::getter, Cells.SPELLED.setter(), Types.VARCHAR, false);
  }

  private TypeTable.Getter getter(Type type) {
    long unit = type instanceof Type.Date ? Temporals.DAY_MICROS : 1;
    return (value, _, _, into, at) -> {
      Long micros = micros(value);
      if (micros == null || micros < FIRST_MICROS || micros >= END_MICROS || micros % unit != 0) {
        return "holds " + Cells.shown(value) + ", read as " + name().toLowerCase(Locale.ROOT);
      }
      ((LongVector) into).values[at] = (micros - Temporals.EPOCH_MICROS) / unit;
      return null;
    };
  }

  /// Microseconds from 1970; null if that is not what the value is exactly.
  private @Nullable Long micros(Object value) {
    BigDecimal number =
        switch (value) {
          case Long integer -> BigDecimal.valueOf(integer);
          case Integer integer -> BigDecimal.valueOf(integer);
          case Double real when Double.isFinite(real) -> BigDecimal.valueOf(real);
          case Object _ -> null;
        };
    if (number == null) {
      return null;
    }
    if (this == JULIAN) {
      long millis = Math.round(number.doubleValue() * DAY_MILLIS);
      boolean isExact = millis / DAY_MILLIS == number.doubleValue();
      boolean fits = Math.abs(millis) < 4 * JULIAN_1970_MILLIS;
      return isExact && fits ? (millis - JULIAN_1970_MILLIS) * 1_000 : null;
    }
    try {
      return number.multiply(BigDecimal.valueOf(unitMicros)).longValueExact();
    } catch (ArithmeticException _) {
      return null;
    }
  }

  /// What to do about a value that a column of dates or times holds; empty if nothing is known.
  ///
  /// @param name the column as the option columns names it
  static String advice(Type type, Object value, String name) {
    if (!(type instanceof Type.Date || type instanceof Type.Timestamp)) {
      return "";
    }
    if (value instanceof Number number) {
      SqliteTimes way = likely(Math.abs(number.doubleValue()), value instanceof Double);
      return "If the column holds times as numbers, say what they count: --columns '"
          + name
          + ":"
          + type.label()
          + "("
          + way.name().toLowerCase(Locale.ROOT)
          + ")'. Others are "
          + WAYS.stream()
              .filter(other -> !other.equals(way.name().toLowerCase(Locale.ROOT)))
              .collect(Collectors.joining(", "))
          + ".";
    }
    boolean hasZone =
        value instanceof String text
            && text.matches("\\d{4}-.*\\d:\\d\\d.*(Z|UTC|[+-]\\d\\d:?\\d*)");
    return hasZone && type.equals(new Type.Timestamp(false))
        ? "If the column holds times with a zone, say so: --columns '" + name + ":timestamptz'."
        : "";
  }

  /// What a number may count that is a time of these years.
  private static SqliteTimes likely(double number, boolean isReal) {
    if (isReal && number > 1e6 && number < 6e6) {
      return JULIAN;
    }
    return number < 1e11 ? UNIX : number < 1e14 ? UNIXMS : UNIXUS;
  }
}
