package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Ranges that are made as rows need them begin where the first does, a whole number of widths
/// before or after it: also for rows before the first, before 2000, before 1970 and below 0.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduRangeTest {

  private static final AtomicInteger TESTS = new AtomicInteger();

  private final MemoryConnector memory = new MemoryConnector();

  /// A column, how its ranges are cut, the values of some rows, and the ranges that these need:
  /// where each begins and ends.
  record KeyRangeOfTablet(Column column, String width, List<Long> values, List<String> ranges) {

    @Override
    public String toString() {
      return column.type().label() + ", " + width;
    }
  }

  static Stream<KeyRangeOfTablet> cuts() {
    return Stream.of(
        new KeyRangeOfTablet(
            key(new Type.Int(64)),
            "10 from 5",
            List.of(-16L, -15L, -6L, -5L, -1L, 0L, 4L, 5L, 14L, 15L),
            List.of("-25 -15", "-15 -5", "-5 5", "5 15", "15 25")),
        new KeyRangeOfTablet(
            key(new Type.Int(32)),
            "1000 from -500",
            List.of(-501L, -500L, 499L, -2_500L, -2_501L),
            List.of("-3500 -2500", "-2500 -1500", "-1500 -500", "-500 500")),
        new KeyRangeOfTablet(
            new Column("key", new Type.Int(16), false, new Native("kudu", "int8")),
            "20 from 0",
            List.of(-1L, 0L, -20L, -21L, 19L),
            List.of("-40 -20", "-20 0", "0 20")),
        times(
            "1 hour from 2000-01-01 00:30:00",
            List.of(
                "1999-12-31T23:29:59.999999",
                "1999-12-31T23:30",
                "2000-01-01T00:29:59.999999",
                "2000-01-01T00:30",
                "1969-12-31T23:59:59.999999",
                "1970-01-01T00:00",
                "1969-12-31T23:29:59.999999"),
            List.of(
                "1969-12-31T22:30 1969-12-31T23:30",
                "1969-12-31T23:30 1970-01-01T00:30",
                "1999-12-31T22:30 1999-12-31T23:30",
                "1999-12-31T23:30 2000-01-01T00:30",
                "2000-01-01T00:30 2000-01-01T01:30")),
        times(
            "7 days from 2018-01-03",
            List.of("1969-12-30T23:59:59.999999", "1969-12-31T00:00", "1970-01-06T23:59:59.999999"),
            List.of(
                "1969-12-24T00:00 1969-12-31T00:00",
                "1969-12-31T00:00 1970-01-07T00:00",
                "2018-01-03T00:00 2018-01-10T00:00")),
        times(
            "1 day from 1960-01-01 06:00:00.5",
            List.of("1960-01-01T06:00:00.499999", "1960-01-01T06:00:00.5"),
            List.of(
                "1959-12-31T06:00:00.500000Z 1960-01-01T06:00:00.500000Z",
                "1960-01-01T06:00:00.500000Z 1960-01-02T06:00:00.500000Z")),
        times(
            "1 month from 2018-01-31",
            List.of(
                "2017-12-30T23:59:59.999999",
                "2017-12-31T00:00",
                "2018-02-27T23:59:59",
                "2018-02-28T00:00"),
            List.of(
                "2017-11-30T00:00 2017-12-31T00:00",
                "2017-12-31T00:00 2018-01-31T00:00",
                "2018-01-31T00:00 2018-02-28T00:00",
                "2018-02-28T00:00 2018-03-31T00:00")),
        dates(
            "1 week from 2018-01-01",
            List.of(
                "2017-12-31", "2018-01-01", "2018-01-07", "2017-12-24", "1969-12-28", "1969-12-29"),
            List.of(
                "1969-12-22 1969-12-29",
                "1969-12-29 1970-01-05",
                "2017-12-18 2017-12-25",
                "2017-12-25 2018-01-01",
                "2018-01-01 2018-01-08")),
        dates(
            "100 years from 2000-01-01",
            List.of("0001-01-01", "1899-12-31", "1900-01-01", "1999-12-31"),
            List.of(
                "0001-01-01 0100-01-01",
                "1800-01-01 1900-01-01",
                "1900-01-01 2000-01-01",
                "2000-01-01 2100-01-01")));
  }

  private static Column key(Type type) {
    return new Column("key", type, false, null);
  }

  private static KeyRangeOfTablet times(String width, List<String> values, List<String> ranges) {
    LocalDateTime epoch = LocalDateTime.parse("2000-01-01T00:00");
    return new KeyRangeOfTablet(
        key(new Type.Timestamp(true)),
        width,
        values.stream()
            .map(value -> ChronoUnit.MICROS.between(epoch, LocalDateTime.parse(value)))
            .toList(),
        ranges);
  }

  private static KeyRangeOfTablet dates(String width, List<String> values, List<String> ranges) {
    long epoch = LocalDate.parse("2000-01-01").toEpochDay();
    return new KeyRangeOfTablet(
        key(new Type.Date()),
        width,
        values.stream().map(value -> LocalDate.parse(value).toEpochDay() - epoch).toList(),
        ranges);
  }

  /// Few rows come at a time, so that they need ranges that none before them did; in the second
  /// copy, when the table is there, the last come first.
  @ParameterizedTest
  @MethodSource("cuts")
  void rowsBeforeTheFirstRangeAndBefore1970HaveTheirRange(KeyRangeOfTablet cut) {
    String name = "ranges.t" + TESTS.incrementAndGet();
    Endpoint table =
        KuduServers.shared().table(name, Map.of("partition-by", "range(key) " + cut.width));
    Schema schema =
        new Schema(List.of(cut.column, Column.of("number", new Type.Int(32))), List.of("key"));
    List<Row> rows =
        IntStream.range(0, cut.values.size()).mapToObj(i -> Row.of(cut.values.get(i), i)).toList();
    List<Row> some = rows.subList(0, rows.size() / 2);
    copy(schema, some, table, Mode.CREATE);
    copy(schema, rows.subList(some.size(), rows.size()).reversed(), table, Mode.APPEND);
    assertThat(ranges(name)).containsExactlyInAnyOrderElementsOf(cut.ranges);
    memory.put("back", schema, List.of());
    Copying.of(new KuduConnector(), table, memory, memory.endpoint("back")).mode(Mode.APPEND).run();
    RowCheck.sameRows(schema, rows, memory.rows("back"));
  }

  private void copy(Schema schema, List<Row> rows, Endpoint table, Mode mode) {
    memory.put("rows", schema, rows);
    Ran run =
        Copying.of(
                memory,
                memory.endpoint("rows", Map.of("batch-rows", "2")),
                new KuduConnector(),
                table)
            .mode(mode)
            .run();
    assertThat(run.meter().rowsDurable()).isEqualTo(rows.size());
  }

  private static List<String> ranges(String name) {
    try {
      return KuduServers.shared()
          .client()
          .openTable(name)
          .getFormattedRangePartitions(10_000)
          .stream()
          // The client puts a minus before a fraction of a second before 1970.
          .map(range ->
              range.replace("<= VALUES < ", "").replace(":00.000000Z", "").replace(".-", "."))
          .toList();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
