package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.CreateTableOptions;
import org.apache.kudu.client.KuduException;
import org.apache.kudu.client.KuduSession;
import org.apache.kudu.client.KuduTable;
import org.apache.kudu.client.OperationResponse;
import org.apache.kudu.client.SessionConfiguration.FlushMode;
import org.apache.kudu.client.Upsert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What is special about tables of Kudu: how they are cut, which rows they refuse and how that is
/// told, and what their types do.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduTest {

  private static final AtomicInteger TESTS = new AtomicInteger();
  private static final long HOUR = 3_600_000_000L;

  /// 2018-01-01 00:00 in microseconds since 2000.
  private static final long YEAR_2018 = 6_575L * 24 * HOUR;

  private static final Schema METERS =
      new Schema(
          List.of(
              new Column("device", new Type.Int(32), false, null),
              new Column("time", new Type.Timestamp(false), false, null),
              Column.of("load", new Type.Int(64))),
          List.of("device", "time"));

  private final String database = "k" + TESTS.incrementAndGet();
  private final MemoryConnector memory = new MemoryConnector();

  @TempDir Path folder;

  private Endpoint table(Map<String, String> parameters) {
    return KuduServers.shared().table(database + ".t", parameters);
  }

  private KuduTable opened() {
    try {
      return KuduServers.shared().client().openTable(database + ".t");
    } catch (KuduException e) {
      throw new AssertionError(e);
    }
  }

  private Copying into(Schema schema, List<Row> rows, Endpoint table) {
    memory.put("rows", schema, rows);
    return Copying.of(memory, memory.endpoint("rows"), new KuduConnector(), table);
  }

  private List<Row> read(Schema schema, Map<String, String> parameters) {
    memory.put("back", Schema.of(schema.columns()), List.of());
    Copying.of(new KuduConnector(), table(parameters), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back");
  }

  private static List<Row> hours(int from, int count) {
    return IntStream.range(from, from + count)
        .mapToObj(i -> Row.of(i % 5, YEAR_2018 + i * HOUR / 2, i))
        .toList();
  }

  private List<String> ranges() {
    try {
      return opened().getFormattedRangePartitions(10_000);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aTableIsCutAsTheUserSays() {
    Endpoint table =
        table(
            Map.of(
                "partition-by", "hash(device) 3; range(time) 1 day from 2018-01-01 to 2018-01-04"));
    Copying copying = into(METERS, hours(0, 100), table).mode(Mode.CREATE);
    assertThat(copying.plan().writePlan().ddl())
        .contains("hash (device) partitions 3", "range (time) of 1 day from 2018-01-01");
    copying.run();
    assertThat(ranges()).hasSize(3);
    assertThat(opened().getPartitionSchema().getHashBucketSchemas()).hasSize(1);
    RowCheck.sameRows(METERS, hours(0, 100), read(METERS, Map.of()));
  }

  /// Its journal is none of the user's tables.
  @Test
  void tablesAreListedByAPatternAndReadAlone() {
    into(METERS, hours(0, 10), table(Map.of())).mode(Mode.CREATE).run();
    into(METERS, hours(0, 3), KuduServers.shared().table(database + ".u", Map.of()))
        .mode(Mode.CREATE)
        .run();
    Endpoint pattern = KuduServers.shared().table(database + ".*", Map.of());
    assertThat(TablePattern.isIn(pattern)).isTrue();
    KuduConnector connector = new KuduConnector();
    List<TableEntry> list = connector.tables(pattern, new OpenContext());
    assertThat(list)
        .extracting(TableEntry::label)
        .containsExactly(database + ".t", database + ".u");
    memory.put("back", Schema.of(METERS.columns()), List.of());
    Copying.of(connector, list.getLast().end(), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    RowCheck.sameRows(METERS, hours(0, 3), memory.rows("back"));
  }

  @Test
  void rangesMayHaveBucketsOfTheirOwn() {
    Endpoint table =
        table(
            Map.of(
                "partition-by",
                "hash(device) 2; range(time) 1 day from 2018-01-01 to 2018-01-02;"
                    + " range(time) 6 hours from 2018-01-02 with hash(device) 3"));
    Copying copying = into(METERS, hours(0, 100), table).mode(Mode.CREATE);
    assertThat(copying.plan().writePlan().ddl())
        .contains("range (time) of 1 day from 2018-01-01 00:00:00 to 2018-01-02 00:00:00,")
        .contains("of 6 hours from 2018-01-02 00:00:00 with hash (device) partitions 3");
    copying.run();
    // Two hours are left of the fourth day.
    assertThat(ranges())
        .hasSize(1 + 5)
        .first()
        .asString()
        .contains("2018-01-01T00:00")
        .doesNotContain("PARTITIONS 3");
    assertThat(opened().getPartitionSchema().getRangesWithHashSchemas()).hasSize(5);
    RowCheck.sameRows(METERS, hours(0, 100), read(METERS, Map.of()));
  }

  @Test
  void rangesAreMadeAsRowsNeedThemAndSomeAhead() {
    Endpoint table =
        table(
            Map.of("partition-by", "range(time) 6 hours from 2018-01-01", "partition-ahead", "2"));
    // One hour of the first day, and one of the third.
    List<Row> rows = new ArrayList<>(hours(0, 2));
    rows.addAll(hours(100, 2));
    into(METERS, rows, table).mode(Mode.CREATE).run();
    assertThat(ranges()).hasSize(1 + 1 + 2);
    RowCheck.sameRows(METERS, rows, read(METERS, Map.of()));
    into(METERS, hours(106, 2), table).mode(Mode.APPEND).run();
    assertThat(ranges()).hasSize(1 + 1 + 2);
  }

  @Test
  void aTableIsEmptiedByItsRangesOrRowByRow() {
    Map<String, String> ranges =
        Map.of("partition-by", "hash(device) 2; range(time) 1 day from 2018-01-01 to 2018-01-04");
    for (Map<String, String> each : List.of(ranges, Map.<String, String>of())) {
      into(METERS, hours(0, 100), table(each)).mode(Mode.CREATE).run();
      List<String> before = ranges();
      Copying copying = into(METERS, hours(3, 5), table(Map.of())).mode(Mode.TRUNCATE);
      assertThat(copying.plan().writePlan().details())
          .anyMatch(detail -> detail.contains(each.isEmpty() ? "row by row" : "at once"));
      copying.run();
      RowCheck.sameRows(METERS, hours(3, 5), read(METERS, Map.of()));
      assertThat(ranges()).isEqualTo(before);
      KuduServers.shared().drop(database + ".t");
    }
  }

  @Test
  void aRowThatNoRangeCoversIsSetAsideWithItsValue() throws IOException {
    Endpoint table =
        table(Map.of("partition-by", "range(time) 1 day from 2018-01-01 to 2018-01-02"));
    List<Row> rows = new ArrayList<>(hours(0, 40));
    rows.add(7, Row.of(1, YEAR_2018 + 400 * 24 * HOUR, 7));
    Path aside = folder.resolve("bad.csv");
    Ran run =
        into(METERS, rows, table).mode(Mode.CREATE).rejects(new Job.RejectPolicy(1, aside)).run();
    assertThat(run.meter().rejects()).isEqualTo(1);
    assertThat(run.meter().rowsDurable()).isEqualTo(40);
    assertThat(Files.readString(Job.RejectPolicy.reasons(aside)))
        .contains("No range partition covers time = 2019-02-05 00:00:00");
    RowCheck.sameRows(METERS, hours(0, 40), read(METERS, Map.of()));
  }

  @Test
  void aKeyThatIsThereIsARejectOrLeftOrUpdatedAsTheUserSays() {
    into(METERS, hours(0, 10), table(Map.of())).mode(Mode.CREATE).run();
    List<Row> changed =
        hours(8, 4).stream().map(row -> Row.of(row.value(0), row.value(1), 0)).toList();
    assertThatThrownBy(() -> into(METERS, changed, table(Map.of())).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("The key is there already: device = 3, time = 2018-01-01 04:00:00");
    Ran ignoring =
        into(METERS, changed, table(Map.of("write", "insert-ignore"))).mode(Mode.APPEND).run();
    // The copy that failed has written the two that were new.
    assertThat(ignoring.meter().rows()).isZero();
    assertThat(ignoring.notes()).contains("4 rows were ignored because their keys were there.");
    List<Row> ignored = new ArrayList<>(hours(0, 10));
    ignored.addAll(changed.subList(2, 4));
    RowCheck.sameRows(METERS, ignored, read(METERS, Map.of()));
    Ran upserting = into(METERS, changed, table(Map.of("write", "upsert"))).mode(Mode.APPEND).run();
    assertThat(upserting.meter().rows()).isEqualTo(4);
    assertThat(upserting.plan().writePlan().notes())
        .contains("a row whose key is there updates the one that is there, and counts as a row");
    List<Row> updated = new ArrayList<>(hours(0, 8));
    updated.addAll(changed);
    RowCheck.sameRows(METERS, updated, read(METERS, Map.of()));
  }

  @Test
  void tabletServersLookAtTheCondition() {
    into(METERS, hours(0, 1_000), table(Map.of())).mode(Mode.CREATE).run();
    String where =
        "time >= '2018-01-01 12:00:00' AND (time < '2018-01-01 18:00:00') AND device IN (1, 2)"
            + " AND load BETWEEN 0 AND 5000.5 AND load IS NOT NULL AND NOT load = 25";
    Selection selection = new Selection(List.of(), where, Long.MAX_VALUE);
    try (Source source = new KuduConnector().source(table(Map.of()), selection, new OpenContext());
        ReadSession session =
            Reading.open(source.describe(new ColumnRequest.Typed()), Long.MAX_VALUE)) {
      List<Row> rows = Reading.rows(session, Reading.splits(session), null);
      RowCheck.sameRows(
          METERS,
          hours(24, 12).stream().filter(row -> List.of(1L, 2L).contains(row.value(0))).toList(),
          rows);
    }
  }

  @Test
  void theMasterAndTheTabletServersTellWhatTheyCount() {
    into(METERS, hours(0, 10), table(Map.of())).mode(Mode.CREATE).run();
    KuduServers servers = KuduServers.shared();
    Endpoint table = servers.table(database + ".t", Map.of("web", servers.web()));
    try (Source source = new KuduConnector().source(table, Selection.ALL, new OpenContext())) {
      Counters counters = ((HasCounters) source).counters();
      assertThat(counters.read().counts())
          .filteredOn(count -> count.value() > 0)
          .extracting(count -> count.group() + " " + count.name())
          .contains("tablets rows_inserted", "tablet servers cpu_utime", "master cpu_utime");
      counters.close();
    }
  }

  @Test
  void aColumnThatMayHoldLongValuesIsToldOf() {
    Schema schema =
        new Schema(
            List.of(
                new Column("id", new Type.Int(32), false, null),
                Column.of("note", new Type.Text(100_000))),
            List.of("id"));
    assertThat(into(schema, List.of(), table(Map.of())).mode(Mode.CREATE).plan().notes())
        .contains(
            "Values of note may be longer than 64 KiB, which servers refuse unless"
                + " --max_cell_size_bytes says otherwise.");
  }

  @Test
  void timesWithoutAZoneComeBackWithoutOne() {
    into(METERS, hours(0, 3), table(Map.of())).mode(Mode.CREATE).run();
    assertThat(typeOfTime(Map.of())).isEqualTo(new Type.Timestamp(false));
    assertThat(typeOfTime(Map.of("timestamps", "instant"))).isEqualTo(new Type.Timestamp(true));
  }

  private Type typeOfTime(Map<String, String> parameters) {
    try (Source source =
        new KuduConnector().source(table(parameters), Selection.ALL, new OpenContext())) {
      Schema schema = source.describe(new ColumnRequest.Typed()).description().schema();
      return schema.column(1).type();
    }
  }

  @Test
  void allTypesThatOnlyKuduHasKeepTheirValuesOrRefuseThem() throws KuduException {
    List<ColumnSchema> columns =
        List.of(
            new ColumnSchema.ColumnSchemaBuilder("id", org.apache.kudu.Type.INT8).key(true).build(),
            new ColumnSchema.ColumnSchemaBuilder("short", org.apache.kudu.Type.VARCHAR)
                .typeAttributes(org.apache.kudu.util.CharUtil.typeAttributes(3))
                .nullable(true)
                .build());
    KuduServers.shared()
        .client()
        .createTable(
            database + ".t",
            new org.apache.kudu.Schema(columns),
            new CreateTableOptions().setRangePartitionColumns(List.of()).setNumReplicas(1));
    Schema schema =
        Schema.of(
            List.of(
                new Column("id", new Type.Int(16), false, null),
                Column.of("short", Type.Text.UNLIMITED)));
    List<Row> good = List.of(Row.of(-128, "abc"), Row.of(127, "a  "), Row.of(0, null));
    into(schema, good, table(Map.of())).mode(Mode.APPEND).run();
    RowCheck.sameRows(schema, good, read(schema, Map.of()));
    assertThatThrownBy(
            () -> into(schema, List.of(Row.of(128, "x")), table(Map.of())).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("id")
        .hasMessageContaining("128 is not from -128 to 127");
    assertThatThrownBy(
            () -> into(schema, List.of(Row.of(1, "abcd")), table(Map.of())).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("short")
        .hasMessageContaining("it has 4 ");
  }

  @Test
  void aTableWithoutAKeyOfItsOwnSaysWhatItCan() {
    Schema noKey = Schema.of(METERS.columns());
    List<Row> rows = List.of(Row.of(1, YEAR_2018, 1), Row.of(1, YEAR_2018, 1));
    Copying copying = into(noKey, rows, table(Map.of())).mode(Mode.CREATE);
    assertThat(copying.plan().notes()).anyMatch(note -> note.contains("--primary-key"));
    copying.run();
    RowCheck.sameRows(METERS, rows, read(METERS, Map.of()));
    Schema nullable = Schema.of(List.of(Column.of("a", new Type.Int(32))));
    assertThatThrownBy(() ->
            into(nullable, List.of(), KuduServers.shared().table(database + ".u", Map.of()))
                .mode(Mode.CREATE)
                .run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("needs a primary key");
              assertThat(fault.advice()).contains("--primary-key a.");
            });
  }

  @Test
  void whatCanNotBeAPartitionOrAKeyIsRefusedBeforeAnythingIsMade() {
    for (Map.Entry<String, String> each :
        Map.of(
                "hash(load) 4", "no column of the key",
                "range(time) 1 day", "is not understood",
                "range(time) 1 day from 2018-01-01; range(time) 1 hour from 2019-01-01",
                    "have no end",
                "range(time) 1 day from 2018-01-01 to 2018-01-02; range(device) 1 from 1",
                    "ranges go by time and by device",
                "range(time) 1 day from 2018-01-01 with hash(load) 2", "no column of the key",
                "range(time) 5 from 2018-01-01", "do not fit",
                "range(device) 1 hour from 0", "do not fit",
                "range(time) 1 day from yesterday", "is no value of column",
                "range(time) 1 minute from 1900-01-01 to 2100-01-01", "ranges of 1 minute")
            .entrySet()) {
      assertThatThrownBy(() ->
              into(METERS, List.of(), table(Map.of("partition-by", each.getKey())))
                  .mode(Mode.CREATE)
                  .run())
          .as(each.getKey())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(each.getValue());
    }
    assertThatThrownBy(
            () -> into(METERS, List.of(), table(Map.of("primary-key", "device,nothing"))).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("\"nothing\" does not come from the source");
  }

  /// What lanes that were stopped leave: rows handed over and not sent, of a table that is deleted.
  @Test
  void aCopyThatWasStoppedClosesThoughItsTableIsGone() throws KuduException, InterruptedException {
    into(METERS, hours(0, 10), table(Map.of())).mode(Mode.CREATE).run();
    Endpoint table = table(Map.of());
    KuduCluster cluster = KuduCluster.open(KuduAddress.of(table), table, new OpenContext(), null);
    KuduTable opened = cluster.client().openTable(database + ".t");
    KuduSession stopped = handOver(cluster, opened);
    KuduServers.shared().drop(database + ".t");
    // The tablet server takes rows until the master has told it; after a row that it refuses, the
    // client knows no tablet of the table.
    while (handOver(cluster, opened).flush().stream().noneMatch(OperationResponse::hasRowError)) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
    KuduCalls.end(stopped);
    cluster.close();
  }

  private static KuduSession handOver(KuduCluster cluster, KuduTable table) throws KuduException {
    KuduSession session = cluster.client().newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    Upsert upsert = table.newUpsert();
    upsert.getRow().addInt("device", 100);
    upsert.getRow().addLong("time", 0);
    session.apply(upsert);
    return session;
  }
}
