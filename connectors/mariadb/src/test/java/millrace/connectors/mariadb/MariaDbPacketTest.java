package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Rows and batches that are longer than the server's `max_allowed_packet`, which ends the
/// connection of whoever sends them. A load is a stream, which may be longer than a packet.
@Timeout(value = 90, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbPacketTest {

  private static final int COUNT = 50;
  private static final int BAD = 30;
  private static final int LIMIT = 1 << 20;
  private static final Job.RejectPolicy SET_ASIDE = new Job.RejectPolicy(10, null);

  /// Values of some length of each kind of column.
  enum Kind {
    TEXT("longtext"),
    BLOB("longblob"),
    JSON("json");

    private final String declared;

    Kind(String declared) {
      this.declared = declared;
    }

    private Type type() {
      return switch (this) {
        case TEXT -> Type.Text.UNLIMITED;
        case BLOB -> new Type.Bytes();
        case JSON -> new Type.Json();
      };
    }

    private String value(int length) {
      return switch (this) {
        case TEXT -> "x".repeat(length);
        case BLOB -> "7a".repeat(length);
        case JSON -> "\"" + "x".repeat(length - 2) + "\"";
      };
    }

    private int length(Row row) {
      return String.valueOf(row.value(1)).length() / (this == BLOB ? 2 : 1);
    }

    private Schema schema() {
      return Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("v", type())));
    }

    private List<Row> rows(int count, int length) {
      return IntStream.range(0, count).mapToObj(i -> Row.of(i, value(length))).toList();
    }

    private List<Row> withOne(int length) {
      List<Row> rows = new ArrayList<>(rows(COUNT, 9));
      rows.set(BAD, Row.of(BAD, value(length)));
      return rows;
    }

    private Copying copy(TestTables tables, List<Row> rows, Mode mode) {
      tables.memory.put("rows", schema(), rows);
      return Copying.of(
              tables.memory,
              tables.memory.endpoint("rows"),
              new MariaDbConnector(_ -> null),
              tables.endpoint("table", "w"))
          .mode(mode);
    }

    private TestTables table(String scheme, String options) {
      TestTables tables = new TestTables(scheme);
      tables.run("CREATE TABLE w (id int PRIMARY KEY, v " + declared + ") " + options);
      return tables;
    }
  }

  /// Sessions that begin meanwhile take no longer statements.
  private static void limited(TestTables tables, int limit, boolean loads, Runnable work) {
    tables.server.run(
        "SET GLOBAL max_allowed_packet = " + limit, "SET GLOBAL local_infile = " + (loads ? 1 : 0));
    try {
      work.run();
    } finally {
      tables.server.run("SET GLOBAL max_allowed_packet = 67108864", "SET GLOBAL local_infile = 1");
    }
  }

  /// Each row is there once, with all of its value.
  private static void assertArrived(TestTables tables, Kind kind, List<Row> rows, int without) {
    assertThat(tables.bare("SELECT concat(id, ' ', length(v)) FROM w ORDER BY id"))
        .isEqualTo(
            IntStream.range(0, rows.size())
                .filter(id -> id != without)
                .mapToObj(id -> id + " " + kind.length(rows.get(id)))
                .toList());
  }

  /// An insert can't have it, nor can a document that MySQL makes of a text.
  @ParameterizedTest
  @CsvSource({
    "mariadb,TEXT,false,APPEND",
    "mariadb,BLOB,false,APPEND",
    "mariadb,JSON,false,APPEND",
    "mariadb,TEXT,false,CREATE",
    "mariadb,TEXT,false,MERGE",
    "mariadb,TEXT,false,REPLACE",
    "mysql,TEXT,false,APPEND",
    "mysql,BLOB,false,APPEND",
    "mysql,JSON,false,APPEND",
    "mysql,JSON,true,APPEND",
    "mysql,TEXT,false,CREATE",
    "mysql,TEXT,false,MERGE",
    "mysql,TEXT,false,REPLACE",
    "mysql,JSON,true,MERGE"
  })
  void aRowThatIsTooLongIsABadRow(String scheme, Kind kind, boolean loads, Mode mode) {
    TestTables tables = kind.table(scheme, "");
    if (mode == Mode.CREATE) {
      tables.run("DROP TABLE w");
    }
    List<Row> rows = kind.withOne(3 * LIMIT);
    limited(
        tables,
        LIMIT,
        loads,
        () -> {
          Fault.Data fault =
              catchThrowableOfType(Fault.Data.class, () -> kind.copy(tables, rows, mode).run());
          assertThat(fault)
              .hasMessageContaining("row " + (BAD + 1))
              .hasMessageContaining("max_allowed_packet")
              .hasMessageContaining("Raise max_allowed_packet on the server");
          assertThat(tables.bare("SHOW TABLES LIKE 'w'")).hasSize(mode == Mode.CREATE ? 0 : 1);
          if (mode != Mode.CREATE) {
            assertThat(tables.bare("SELECT id FROM w")).isEmpty();
          }

          Ran run = kind.copy(tables, rows, mode).rejects(SET_ASIDE).run();
          assertThat(run.meter().rejects()).isEqualTo(1);
        });
    assertArrived(tables, kind, rows, BAD);
  }

  @ParameterizedTest
  @CsvSource({
    "mariadb,TEXT,APPEND",
    "mariadb,JSON,APPEND",
    "mariadb,BLOB,MERGE",
    "mysql,TEXT,MERGE",
    "mysql,TEXT,REPLACE",
    "mysql,BLOB,APPEND"
  })
  void aLoadTakesARowThatIsLongerThanAPacket(String scheme, Kind kind, Mode mode) {
    TestTables tables = kind.table(scheme, "");
    List<Row> rows = kind.withOne(3 * LIMIT);
    limited(tables, LIMIT, true, () -> kind.copy(tables, rows, mode).run());
    assertArrived(tables, kind, rows, -1);
  }

  /// The server may send what it does not take.
  @ParameterizedTest
  @CsvSource({"mariadb,TEXT", "mariadb,JSON", "mariadb,BLOB", "mysql,TEXT", "mysql,BLOB"})
  void aRowThatIsLongerThanAPacketIsRead(String scheme, Kind kind) {
    TestTables tables = kind.table(scheme, "");
    List<Row> rows = kind.withOne(3 * LIMIT);
    kind.copy(tables, rows, Mode.APPEND).run();
    limited(
        tables,
        LIMIT,
        true,
        () -> {
          tables.memory.put("back", kind.schema(), List.of());
          Copying.of(
                  new MariaDbConnector(_ -> null),
                  tables.endpoint("table", "w"),
                  tables.memory,
                  tables.memory.endpoint("back"))
              .mode(Mode.APPEND)
              .run();
        });
    assertThat(tables.memory.rows("back")).containsExactlyInAnyOrderElementsOf(rows);
  }

  /// Which row is bad does not hang on what stands beside it.
  @ParameterizedTest
  @CsvSource({"mariadb,true", "mariadb,false", "mysql,true", "mysql,false"})
  void aLongRowBesideABadOneArrives(String scheme, boolean isLongBad) {
    TestTables tables = Kind.TEXT.table(scheme, "");
    List<Row> rows = Kind.TEXT.withOne(3 * LIMIT);
    int bad = isLongBad ? BAD : 7;
    tables.run("INSERT INTO w VALUES (" + bad + ", 'old')");
    limited(
        tables,
        LIMIT,
        true,
        () -> {
          Ran run = Kind.TEXT.copy(tables, rows, Mode.APPEND).rejects(SET_ASIDE).run();
          assertThat(run.meter().rejects()).isEqualTo(1);
          tables.run("DELETE FROM w WHERE v = 'old'");
          assertArrived(tables, Kind.TEXT, rows, bad);
          tables.run("DELETE FROM w", "INSERT INTO w VALUES (" + bad + ", 'old')");
          assertThat(
                  catchThrowableOfType(
                      Fault.Data.class, () -> Kind.TEXT.copy(tables, rows, Mode.APPEND).run()))
              .hasMessageContaining("row " + (bad + 1))
              .hasMessageContaining("Duplicate entry '" + bad + "'");
        });
  }

  /// Rows that the server takes one by one, however many of them come at once, up to the longest.
  @ParameterizedTest
  @CsvSource({
    "mariadb,1024,200,200",
    "mariadb,1024,16000,20",
    "mariadb,65536,20000,200",
    "mariadb,65536,65484,20",
    "mariadb,1048576,1048524,4",
    "mysql,1024,200,200",
    "mysql,1024,16000,20",
    "mysql,65536,20000,200",
    "mysql,65536,65484,20",
    "mysql,1048576,1048524,4"
  })
  void rowsThatAreLongTogetherArriveOnce(String scheme, int limit, int length, int count) {
    TestTables tables = Kind.TEXT.table(scheme, "");
    List<Row> rows = Kind.TEXT.rows(count, length);
    for (boolean loads : List.of(true, false)) {
      limited(
          tables,
          limit,
          loads,
          () -> {
            Kind.TEXT.copy(tables, rows, Mode.TRUNCATE).run();
            assertArrived(tables, Kind.TEXT, rows, -1);
          });
    }
  }

  /// Sessions that begin when the copy is planned already go by their own limit.
  @ParameterizedTest
  @CsvSource({
    "mariadb,1048576,67108864,3145728,1",
    "mariadb,1048576,65536,20000,200",
    "mysql,1048576,67108864,3145728,1",
    "mysql,1048576,65536,20000,200"
  })
  void aLimitMayChangeMeanwhile(String scheme, int limit, int later, int length, int count) {
    TestTables tables = Kind.TEXT.table(scheme, "");
    List<Row> rows = new ArrayList<>(Kind.TEXT.rows(20, 9));
    for (int i = 0; i < count; i++) {
      rows.add(Row.of(rows.size(), "x".repeat(length)));
    }
    for (boolean loads : List.of(true, false)) {
      limited(
          tables,
          limit,
          loads,
          () ->
              Kind.TEXT
                  .copy(tables, rows, Mode.TRUNCATE)
                  .run(_ -> tables.server.run("SET GLOBAL max_allowed_packet = " + later)));
      assertArrived(tables, Kind.TEXT, rows, -1);
    }
  }

  /// Such tables get their rows by inserts, of which none is undone.
  @ParameterizedTest
  @CsvSource({"mariadb", "mysql"})
  void aRowThatIsTooLongForATableWithoutTransactionsIsABadRow(String scheme) {
    TestTables tables = Kind.TEXT.table(scheme, "ENGINE=MyISAM");
    List<Row> rows = Kind.TEXT.withOne(3 * LIMIT);
    limited(
        tables,
        LIMIT,
        true,
        () -> {
          Ran run = Kind.TEXT.copy(tables, rows, Mode.APPEND).rejects(SET_ASIDE).run();
          assertThat(run.meter().rejects()).isEqualTo(1);
        });
    assertArrived(tables, Kind.TEXT, rows, BAD);
  }
}
