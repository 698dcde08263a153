package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What becomes of a copy whose server has no room left. All tables share files that may not grow.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbFullDiskTest {

  private static final Schema ROWS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED)),
          List.of("id"));

  /// The first file has the size that a new server gives it.
  private static final String[] BOUNDED = {
    "--innodb-file-per-table=0", "--innodb-data-file-path=ibdata1:12M;ibdata2:40M"
  };

  private static final int ROW_COUNT = 20_000;
  private static final int ROW_BYTES = 1_000;
  private static final int OTHERS_MEGABYTES = 24;
  private static final int TRIES = 20;
  private static final long BETWEEN_NANOS = 500_000_000;

  private static final Map<String, MySqlFamilyServer> SERVERS = new ConcurrentHashMap<>();

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(MySqlFamilyServer::close);
  }

  /// Others have taken most of the room. They drop their table, and the copy goes on.
  @ParameterizedTest
  @CsvSource({"mariadb,APPEND", "mysql,APPEND", "mariadb,CREATE", "mysql,CREATE"})
  void aCopyGoesOnOnceThereIsRoom(String scheme, Mode mode) {
    TestTables tables =
        new TestTables(
            scheme, SERVERS.computeIfAbsent(scheme, each -> TestTables.ownServer(each, BOUNDED)));
    tables.run("CREATE TABLE others (data longblob)");
    for (int i = 0; i < OTHERS_MEGABYTES; i++) {
      tables.run("INSERT INTO others VALUES (repeat('x', 1000000))");
    }
    if (mode == Mode.APPEND) {
      tables.run("CREATE TABLE w (id bigint PRIMARY KEY, name longtext)");
    }
    List<Row> rows =
        IntStream.range(0, ROW_COUNT)
            .mapToObj(i -> Row.of((long) i, i + " " + "r".repeat(ROW_BYTES)))
            .toList();
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", ROWS, rows);
    ResumableCopy copy =
        ResumableCopy.of(
            Copying.of(
                    memory,
                    memory.endpoint("rows"),
                    new MariaDbConnector(_ -> null),
                    tables.endpoint("table", "w"))
                .mode(mode)
                .lanes(2, 1_000_000),
            500);

    Fault.External fault = catchThrowableOfType(Fault.External.class, copy::run);
    assertThat(fault).hasMessageContaining("is full");
    assertThat(fault.advice()).contains("Make room on the server's disk");
    assertThat(tables.bare("SELECT count(*) > 0 FROM millrace_journal")).containsExactly("1");

    tables.run("DROP TABLE others");
    resume(copy);

    RowCheck.sameRows(ROWS, rows, read(tables));
    assertThat(tables.bare("SHOW TABLES")).containsExactlyInAnyOrder("millrace_journal", "w");
    tables.run("DROP TABLE w");
  }

  /// The server gives the room of a table that is dropped back a little later: until then the copy
  /// fails as before, and goes on all the same.
  private static void resume(ResumableCopy copy) {
    for (int tries = 1; tries < TRIES; tries++) {
      try {
        copy.run();
        return;
      } catch (Fault.External e) {
        assertThat(e).hasMessageContaining("is full");
        LockSupport.parkNanos(BETWEEN_NANOS);
      }
    }
    copy.run();
  }

  private static List<Row> read(TestTables tables) {
    MemoryConnector memory = new MemoryConnector();
    memory.put("back", Schema.of(ROWS.columns()), List.of());
    Copying.of(
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "w"),
            memory,
            memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back");
  }
}
