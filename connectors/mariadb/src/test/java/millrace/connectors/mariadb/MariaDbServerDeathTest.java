package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of copies while their server dies.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MariaDbServerDeathTest {

  private static final Schema ROWS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED)),
          List.of("id"));

  private static final List<Mode> MODES = List.of(Mode.APPEND, Mode.CREATE, Mode.MERGE);

  private static final int ROW_COUNT = 20_000;

  /// As long as a server needs to come back.
  private static final RetryPolicy PATIENT =
      new RetryPolicy(
          Duration.ofMinutes(2), Duration.ZERO, Duration.ofMillis(200), Duration.ofSeconds(2));

  private static final Map<String, MySqlFamilyServer> SERVERS = new ConcurrentHashMap<>();

  @AfterAll
  static void stop() {
    SERVERS.values().forEach(MySqlFamilyServer::close);
  }

  /// Two moments, and as many more as the system property `millrace.kills` says, for a campaign
  /// (bench/kills).
  static Stream<Arguments> kills() {
    return Stream.of("mariadb", "mysql")
        .flatMap(scheme ->
            IntStream.range(0, 2 + Integer.getInteger("millrace.kills", 0))
                .mapToObj(seed -> Arguments.of(scheme, seed)));
  }

  /// Killed as by kill -9 while rows are loaded, and started again. Every other copy goes on by
  /// itself; the rest fail, and go on by --resume.
  @ParameterizedTest(name = "{0}, seed {1}")
  @MethodSource("kills")
  void rowsAreThereOnceIfTheServerIsKilled(String scheme, int seed) {
    Random random = new Random(seed);
    TestTables tables =
        new TestTables(scheme, SERVERS.computeIfAbsent(scheme, TestTables::ownServer));
    Mode mode = MODES.get(seed / 2 % MODES.size());
    if (mode != Mode.CREATE) {
      tables.run("CREATE TABLE w (id bigint PRIMARY KEY, name longtext)");
    }
    List<Row> rows =
        IntStream.range(0, ROW_COUNT).mapToObj(i -> Row.of((long) i, "row " + i)).toList();
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
                .lanes(2, 60_000),
            100);
    boolean resumes = seed % 2 == 1;
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(() -> run(resumes ? copy.patience(PATIENT) : copy, resumes));
    awaitRows(tables, running);
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(300)));
    tables.server.kill();
    tables.server.restart();
    running.join();
    copy.run();

    RowCheck.sameRows(ROWS, rows, read(tables));
    assertThat(tables.bare("SHOW TABLES")).containsExactlyInAnyOrder("millrace_journal", "w");
  }

  private static void run(ResumableCopy copy, boolean resumes) {
    try {
      copy.run();
    } catch (Fault.Transient e) {
      assertThat(resumes).as(e.getMessage()).isFalse();
      assertThat(e.getMessage()).containsAnyOf("The connection was lost", "server answers at");
    }
  }

  /// Returns once rows have been committed, or the copy has ended.
  private static void awaitRows(TestTables tables, CompletableFuture<Void> running) {
    String receipts =
        "SELECT count(*) FROM information_schema.tables t WHERE table_schema = database() AND"
            + " table_name = 'millrace_journal'";
    while (!running.isDone()
        && (tables.bare(receipts).contains("0")
            || tables.bare("SELECT count(*) > 3 FROM millrace_journal").contains("0"))) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
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
