package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.oracle.PlannedFault;
import millrace.testkit.oracle.ServerCall;
import millrace.testkit.suite.ResumableCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The server carries out the last call of a process that was killed, and commits, however long
/// that takes: the run that goes on waits for it.
class OracleKilledCallTest {

  private static final int ROWS = 20_000;

  /// So many at a time: nearly all of it is waiting.
  private static final int AT_ONCE = 20;

  private static final Schema ITEMS =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED)),
          List.of("id"));

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(Row.of(i, "n" + i));
    }
    return rows;
  }

  /// A copy whose process is killed while the server carries out a call of its.
  ///
  /// @param method in which rows are sent
  /// @param before so many such calls go well
  /// @param late how long the call takes
  private record Killed(String method, Mode mode, ServerCall call, int before, Duration late) {

    static Killed drawn(long seed, Duration latest) {
      Random random = new Random(seed);
      boolean isNative = random.nextBoolean();
      return new Killed(
          isNative ? "native" : "direct",
          isNative || random.nextBoolean() ? Mode.CREATE : Mode.APPEND,
          isNative ? ServerCall.DIRECT_PATH_FINISH : ServerCall.COMMIT,
          isNative ? random.nextInt(4) : 4 + random.nextInt(3),
          Duration.ofMillis(random.nextLong(latest.toMillis())));
    }

    void isThereOnceAfterwards() {
      try (OracleServer server = OracleServer.start();
          FaultyProxy proxy =
              new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None())) {
        TestTables tables = new TestTables(server);
        if (mode == Mode.APPEND) {
          tables.run("CREATE TABLE items (id NUMBER(19), name VARCHAR2(100))");
        }
        ResumableCopy copy = copy(tables, proxy);
        server
            .faults()
            .add(new PlannedFault(call, "", before, new PlannedFault.Effect.Delay(late)));
        CompletableFuture<Ran> killed =
            CompletableFuture.supplyAsync(copy::run, run -> Thread.ofPlatform().start(run));
        while (!server.faults().haveHappened()) {
          assertThat(killed).as("it was not in that call").isNotDone();
          LockSupport.parkNanos(1_000_000);
        }
        proxy.refuse(true);
        proxy.resetAll();
        assertThatThrownBy(killed::join).hasCauseInstanceOf(Fault.class);
        proxy.refuse(false);
        copy.run();
        assertThat(tables.bare("SELECT count(*) || ' ' || count(DISTINCT id) FROM items"))
            .as("rows, and different ones, of %s", this)
            .containsExactly(ROWS + " " + ROWS);
      }
    }

    private ResumableCopy copy(TestTables tables, FaultyProxy proxy) {
      MemoryConnector memory = new MemoryConnector();
      memory.put("rows", ITEMS, rows());
      Endpoint end = tables.endpoint("table", "items", "method", method);
      String location = end.location().replace(":" + tables.server.port(), ":" + proxy.port());
      return ResumableCopy.of(
          Copying.of(
                  memory,
                  memory.endpoint("rows"),
                  new OracleConnector(_ -> null),
                  new Endpoint(end.scheme(), location, end.parameters(), end.secret()))
              .mode(mode)
              .lanes(1, 64 << 10),
          500);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "native, CREATE, DIRECT_PATH_FINISH, 0",
    "native, CREATE, DIRECT_PATH_FINISH, 1",
    "native, CREATE, DIRECT_PATH_FINISH, 3",
    "direct, CREATE, COMMIT, 4",
    "direct, CREATE, COMMIT, 6",
    "direct, APPEND, COMMIT, 6",
    "normal, CREATE, COMMIT, 4",
    "normal, CREATE, COMMIT, 6",
    "normal, APPEND, COMMIT, 6"
  })
  void rowsAreThereOnceIfTheServerEndsTheCall(
      String method, Mode mode, ServerCall call, int before) {
    new Killed(method, mode, call, before, Duration.ofSeconds(3)).isThereOnceAfterwards();
  }

  /// As many as the system property `millrace.kills` says, for a campaign (bench/kills): calls of
  /// up to a minute.
  @Test
  void rowsAreThereOnceIfTheServerEndsTheCallHoweverLate() {
    int count = Integer.getInteger("millrace.kills", 0);
    try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
      List<CompletableFuture<Void>> all =
          IntStream.range(0, count)
              .mapToObj(seed -> Killed.drawn(seed, Duration.ofMinutes(1)))
              .map(each -> CompletableFuture.runAsync(each::isThereOnceAfterwards, pool))
              .toList();
      all.forEach(CompletableFuture::join);
    }
  }
}
