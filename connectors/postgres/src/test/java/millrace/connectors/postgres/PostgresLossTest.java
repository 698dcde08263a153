package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntFunction;
import millrace.connectors.file.FileConnector;
import millrace.connectors.generate.GenerateConnector;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.text.Amount;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections that are lost while rows move, by the network or the server: every row comes once,
/// or the copy says why it ends.
class PostgresLossTest {

  private static final int ROWS = 60_000;

  private static final Endpoint MADE =
      new Endpoint("generate", "unload", Map.of("rows", Integer.toString(ROWS)), Secret.NONE);

  private static final Connector POSTGRES = new PostgresConnector();

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofHours(1), Duration.ZERO, Duration.ofNanos(1000), Duration.ofMillis(2));

  private static final RetryPolicy IMPATIENT =
      new RetryPolicy(Duration.ofHours(1), Duration.ofMillis(500), Duration.ZERO, Duration.ZERO);

  @TempDir private Path folder;

  private final TestDatabase database = TestDatabase.make();
  private final Endpoint rows = database.table("rows");

  @BeforeEach
  void fill() {
    made(rows).run();
  }

  private static Copying made(Endpoint to) {
    return Copying.of(new GenerateConnector(), MADE, POSTGRES, to);
  }

  private static Copying read(Endpoint from) {
    MemoryConnector memory = new MemoryConnector();
    return Copying.of(POSTGRES, from, memory, memory.endpoint("read"));
  }

  /// On two lanes, in small units.
  private static Ran copy(Copying copying) {
    Ran run =
        copying
            .units(new Amount(500, false), new Amount(4096, true), null)
            .lanes(2, 1 << 20)
            .patience(SOON)
            .run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    return run;
  }

  private Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  /// A proxy that harms connections by their numbers.
  private FaultyProxy proxy(IntFunction<ConnectionFault> faults) {
    return new FaultyProxy(database.server.host(), database.server.port(), faults);
  }

  /// The table behind a proxy.
  private Endpoint through(FaultyProxy proxy) {
    String location =
        "//" + database.server.user() + "@localhost:" + proxy.port() + "/" + database.name;
    return new Endpoint("postgresql", location, Map.of("table", "rows"), Secret.NONE);
  }

  /// The first connections of lanes are lost in the middle of a split. The very first is no lane's,
  /// and that of the counters moves too little to be lost.
  private static IntFunction<ConnectionFault> lostConnections(boolean byReset) {
    return number -> {
      long afterBytes = 50_000L * number;
      if (number == 0 || number > 5) {
        return new ConnectionFault.None();
      }
      return byReset ? new ConnectionFault.Reset(afterBytes) : new ConnectionFault.Cut(afterBytes);
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRowIsWrittenOnceIfConnectionsAreLost(boolean byReset) {
    database.sql("CREATE TABLE wanted AS TABLE rows; TRUNCATE rows");
    try (FaultyProxy proxy = proxy(lostConnections(byReset))) {
      Ran run = copy(made(through(proxy)).mode(Mode.APPEND));
      assertThat(proxy.harmed()).isBetween(2, 5);
      assertThat(run.meter().retries().stream().mapToLong(retry -> retry.count()).sum())
          .isGreaterThanOrEqualTo(proxy.harmed());
    }
    assertEveryRowOnce();
  }

  /// No journal could say what was committed, but nothing can have been before the COMMIT is sent.
  @Test
  void aConnectionLostAtTheEndOfASplitButBeforeItsCommitIsNoDoubt() {
    database.sql(
        """
        CREATE TABLE wanted AS TABLE rows;
        TRUNCATE rows;
        CREATE SEQUENCE ends;
        CREATE FUNCTION lose_the_third() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('ends') = 3 THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
          END IF;
          RETURN NULL;
        END $$;
        CREATE TRIGGER lose AFTER INSERT ON rows EXECUTE FUNCTION lose_the_third();
        """);
    Ran run = copy(made(rows).mode(Mode.APPEND));
    assertThat(run.meter().retries()).isNotEmpty();
    assertEveryRowOnce();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRowIsReadOnceIfConnectionsAreLost(boolean byReset) throws IOException {
    Connector files = new FileConnector();
    Copying.of(POSTGRES, rows, files, file("whole.csv")).run();
    try (FaultyProxy proxy = proxy(lostConnections(byReset))) {
      copy(Copying.of(POSTGRES, through(proxy), files, file("retried.csv")));
      assertThat(proxy.harmed()).isBetween(2, 5);
    }
    assertThat(folder.resolve("retried.csv")).hasSameBinaryContentAs(folder.resolve("whole.csv"));
  }

  @Test
  void aNetworkThatGoesSilentEndsTheRun() {
    IntFunction<ConnectionFault> silence =
        number -> number > 0 ? new ConnectionFault.Stall(300_000) : new ConnectionFault.None();
    try (FaultyProxy proxy = proxy(silence)) {
      assertThatThrownBy(() -> read(through(proxy)).patience(IMPATIENT).run())
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ");
    }
  }

  @Test
  void aLostSnapshotEndsTheRunRatherThanMixTwoMoments() {
    FaultyProxy[] made = new FaultyProxy[1];
    IntFunction<ConnectionFault> faults =
        number -> {
          if (number == 2) {
            made[0].resetAll();
          }
          return new ConnectionFault.None();
        };
    try (FaultyProxy proxy = proxy(faults)) {
      made[0] = proxy;
      assertThatThrownBy(() -> copy(read(through(proxy))))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("would see a later moment");
    }
  }

  @Test
  void whyASnapshotIsLostIsSaidInTheServersWords() {
    IntFunction<ConnectionFault> faults =
        number -> {
          if (number == 2) {
            database.sql(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
          }
          return new ConnectionFault.None();
        };
    try (FaultyProxy proxy = proxy(faults)) {
      assertThatThrownBy(() -> copy(read(through(proxy))))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("terminating connection due to administrator command");
    }
  }

  private void assertEveryRowOnce() {
    database.sql(
        """
        DO $$ BEGIN
          IF EXISTS (TABLE rows EXCEPT ALL TABLE wanted)
              OR EXISTS (TABLE wanted EXCEPT ALL TABLE rows) THEN
            RAISE 'the tables differ';
          END IF;
        END $$
        """);
  }

  /// As executors of a cluster do whose driver has lost its connection.
  @Test
  void whoOpensAStateThatIsHeldNoMoreIsToldToBeginAgain() {
    SharedSnapshot sharing = (SharedSnapshot) POSTGRES;
    Endpoint end;
    try (SharedSnapshot.Held held = sharing.hold(List.of(rows), 1, new OpenContext())) {
      end = Objects.requireNonNull(held.ends().getFirst());
      POSTGRES.source(end, Selection.ALL, new OpenContext()).close();
      database.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
              + " AND datname = current_database() AND state = 'idle in transaction'");
    }
    assertThatThrownBy(() -> POSTGRES.source(end, Selection.ALL, new OpenContext()))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault -> {
              assertThat(fault.endsRun()).isTrue();
              assertThat(fault.advice()).contains("--resume");
            })
        .hasMessageContaining("is gone: ")
        .hasMessageContaining("snapshot");
  }
}
