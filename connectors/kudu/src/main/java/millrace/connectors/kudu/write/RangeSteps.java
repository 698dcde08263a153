package millrace.connectors.kudu.write;

import java.sql.Date;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import millrace.fault.Fault;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.Schema;
import org.apache.kudu.Type;
import org.apache.kudu.client.AlterTableOptions;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.client.RangePartitionBound;
import org.apache.kudu.client.RangePartitionWithCustomHashSchema;

/// The bounds of ranges of one width, counted from the first, 0; below it they are negative. Values
/// are those of the column: microseconds or days since 1970, or the whole number itself.
///
/// @param first where range 0 starts
/// @param count how many ranges there are from 0 on; -1 if there is no end
/// @param hashes their own buckets; empty if they have those of the table
record RangeSteps(
    ColumnSchema column,
    PartitionBy.Width width,
    long first,
    long count,
    List<PartitionBy.Hash> hashes) {

  private static final long MICROS = 1_000_000;
  private static final int COUNT_MAX = 10_000;

  /// Understands what the user has written.
  ///
  /// @throws Fault.User if bounds are none of the column's, or there are too many ranges
  static RangeSteps of(PartitionBy.Range range, ColumnSchema column) {
    boolean isTime = column.getType() == Type.UNIXTIME_MICROS || column.getType() == Type.DATE;
    boolean isNumber =
        switch (column.getType()) {
          case INT8, INT16, INT32, INT64 -> true;
          default -> false;
        };
    if (isTime == range.width().unit().isEmpty() || !(isTime || isNumber)) {
      throw new Fault.User(
          "--partition-by: ranges of "
              + range.width().label()
              + " do not fit column \""
              + column.getName()
              + "\", which is "
              + column.getType().getName()
              + ".",
          isNumber
              ? "Write for example: range(id) 1000 from 0"
              : "Write for example: range(time) 1 day from 2026-01-01");
    }
    RangeSteps endless =
        new RangeSteps(column, range.width(), value(range.start(), column), -1, range.hashes());
    String end = range.end();
    if (end == null) {
      return endless;
    }
    long last = value(end, column);
    long steps = endless.indexOf(last);
    long count = endless.bound(steps) < last ? steps + 1 : steps;
    if (count < 1 || count > COUNT_MAX) {
      throw new Fault.User(
          "--partition-by: there would be " + count + " ranges of " + range.width().label() + ".",
          "Make them wider, or leave the end out: then they are made as rows need them.");
    }
    return new RangeSteps(column, range.width(), endless.first, count, range.hashes());
  }

  private static long value(String text, ColumnSchema column) {
    try {
      return switch (column.getType()) {
        case UNIXTIME_MICROS -> micros(moment(text));
        case DATE -> moment(text).toLocalDate().toEpochDay();
        default -> Long.parseLong(text);
      };
    } catch (DateTimeParseException | NumberFormatException _) {
      throw new Fault.User(
          "--partition-by: \"" + text + "\" is no value of column \"" + column.getName() + "\".",
          "Write for example 2026-01-01, or 2026-01-01 06:00:00.");
    }
  }

  private static LocalDateTime moment(String text) {
    String full = text.length() <= 10 ? text + "T00:00:00" : text.replace(' ', 'T');
    return LocalDateTime.parse(full.endsWith("Z") ? full.substring(0, full.length() - 1) : full);
  }

  private static long micros(LocalDateTime moment) {
    return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), moment);
  }

  private LocalDateTime moment(long value) {
    return column.getType() == Type.DATE
        ? LocalDate.ofEpochDay(value).atStartOfDay()
        : LocalDateTime.ofEpochSecond(
            Math.floorDiv(value, MICROS),
            (int) Math.floorMod(value, MICROS) * 1_000,
            ZoneOffset.UTC);
  }

  /// Where a range starts, and the one before ends.
  long bound(long index) {
    if (width.unit().isEmpty()) {
      return first + index * width.count();
    }
    LocalDateTime start = moment(first);
    LocalDateTime moved =
        switch (width.unit()) {
          case "second" -> start.plusSeconds(index * width.count());
          case "minute" -> start.plusMinutes(index * width.count());
          case "hour" -> start.plusHours(index * width.count());
          case "day" -> start.plusDays(index * width.count());
          case "week" -> start.plusWeeks(index * width.count());
          case "month" -> start.plusMonths(index * width.count());
          default -> start.plusYears(index * width.count());
        };
    return column.getType() == Type.DATE ? moved.toLocalDate().toEpochDay() : micros(moved);
  }

  /// Which range a value belongs to.
  long indexOf(long value) {
    if (width.unit().isEmpty()) {
      return Math.floorDiv(value - first, width.count());
    }
    ChronoUnit unit =
        switch (width.unit()) {
          case "second" -> ChronoUnit.SECONDS;
          case "minute" -> ChronoUnit.MINUTES;
          case "hour" -> ChronoUnit.HOURS;
          case "day" -> ChronoUnit.DAYS;
          case "week" -> ChronoUnit.WEEKS;
          case "month" -> ChronoUnit.MONTHS;
          default -> ChronoUnit.YEARS;
        };
    long index = Math.floorDiv(unit.between(moment(first), moment(value)), width.count());
    while (bound(index) > value) {
      index--;
    }
    while (bound(index + 1) <= value) {
      index++;
    }
    return index;
  }

  /// Has a range made with a table.
  void add(long index, Schema schema, CreateTableOptions options) {
    if (hashes.isEmpty()) {
      options.addRangePartition(row(index, schema), row(index + 1, schema));
    } else {
      options.addRangePartition(withBuckets(index, schema));
    }
  }

  /// Has a range made in a table that is there.
  void add(long index, Schema schema, AlterTableOptions options) {
    if (hashes.isEmpty()) {
      options.addRangePartition(row(index, schema), row(index + 1, schema));
    } else {
      options.addRangePartition(withBuckets(index, schema));
    }
  }

  private RangePartitionWithCustomHashSchema withBuckets(long index, Schema schema) {
    RangePartitionWithCustomHashSchema range =
        new RangePartitionWithCustomHashSchema(
            row(index, schema),
            row(index + 1, schema),
            RangePartitionBound.INCLUSIVE_BOUND,
            RangePartitionBound.EXCLUSIVE_BOUND);
    hashes.forEach(hash -> range.addHashPartitions(hash.columns(), hash.buckets(), 0));
    return range;
  }

  /// A bound as a row of the table.
  PartialRow row(long index, Schema schema) {
    return row(schema, column, bound(index));
  }

  /// A row that holds that value of a column.
  static PartialRow row(Schema schema, ColumnSchema column, long value) {
    PartialRow row = schema.newPartialRow();
    int position = schema.getColumnIndex(column.getName());
    switch (column.getType()) {
      case INT8 -> row.addByte(position, (byte) value);
      case INT16 -> row.addShort(position, (short) value);
      case INT32 -> row.addInt(position, (int) value);
      case DATE -> row.addDate(position, Date.valueOf(LocalDate.ofEpochDay(value)));
      default -> row.addLong(position, value);
    }
    return row;
  }

  /// A value as a user reads it.
  String shown(long value) {
    return Keys.shown(value, column.getType());
  }

  /// How many ranges are made at first.
  long firstCount() {
    return count < 0 ? 1 : count;
  }
}
