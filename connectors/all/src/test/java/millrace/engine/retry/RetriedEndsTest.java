package millrace.engine.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import millrace.connectors.Connectors;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultPlan.Kind;
import millrace.testkit.faulty.FaultPlan.Site;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.network.Harm;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;

/// Lanes that fail between real ends and are tried again: every row arrives once.
class RetriedEndsTest {

  private static final int ROWS = 60_000;
  private static final long SPLIT_BYTES = 1 << 20;

  private static final Endpoint MADE =
      new Endpoint("generate", "unload", Map.of("rows", Integer.toString(ROWS)), Secret.NONE);

  private static final WriteOptions APPEND = new WriteOptions(Mode.APPEND, false, List.of(), false);

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofHours(1), Duration.ZERO, Duration.ofNanos(1000), Duration.ofMillis(2));

  private static final RetryPolicy IMPATIENT =
      new RetryPolicy(Duration.ofHours(1), Duration.ofMillis(500), Duration.ZERO, Duration.ZERO);

  @TempDir private Path folder;

  private static Connector connector(Endpoint end) {
    return Connectors.ALL.of(end);
  }

  private static Run copy(
      Connector reading, Endpoint from, Endpoint to, WriteOptions writeOptions, int lanes) {
    return copy(reading, from, connector(to), to, writeOptions, lanes, SOON);
  }

  private static Run copy(
      Connector reading,
      Endpoint from,
      Connector writing,
      Endpoint to,
      WriteOptions writeOptions,
      int lanes,
      RetryPolicy retryPolicy) {
    Amount readUnit = new Amount(500, false);
    Amount writeUnit = new Amount(4096, true);
    Job job =
        new Job(
            from,
            to,
            Selection.ALL,
            writeOptions,
            new Job.Tuning(lanes, false, readUnit, writeUnit, null),
            Job.RejectPolicy.NONE);
    try (Source source = reading.source(from, Selection.ALL, new OpenContext());
        Target target = writing.target(to, writeOptions, new OpenContext())) {
      Run run =
          new Run(
              Planner.plan(job, source, target).with(Lanes.fixed(lanes, ""), SPLIT_BYTES),
              source,
              target,
              retryPolicy);
      run.execute();
      assertThat(run.meter().rows()).isEqualTo(ROWS);
      return run;
    }
  }

  private static FaultyConnector readsThatFail(long seed) {
    FaultPlan random = FaultPlan.random(seed, 0.04, List.of(Kind.TRANSIENT));
    return new FaultyConnector(
        connector(MADE),
        (site, split, call) -> site == Site.READ ? random.decide(site, split, call) : null);
  }

  private Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  private Map<String, byte[]> files(String under) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(folder.resolve(under))) {
      for (Path path : paths.toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  @ParameterizedTest
  @CsvSource({"rows.csv, one", "rows.csv.gz, one", "rows.csv.zst, 300kB", "rows.csv, per-split"})
  void filesHoldEveryRowOnceAndInOrder(String name, String files) throws IOException {
    for (String under : List.of("whole", "retried")) {
      Files.createDirectory(folder.resolve(under));
    }
    Map<String, String> parameters = Map.of("files", files);
    copy(connector(MADE), MADE, file("whole/" + name, parameters), WriteOptions.DEFAULT, 1);
    FaultyConnector failing = readsThatFail(name.length());
    Run run = copy(failing, MADE, file("retried/" + name, parameters), WriteOptions.DEFAULT, 3);
    assertThat(run.meter().retries()).isNotEmpty();
    assertThat(files("retried")).containsExactlyEntriesOf(files("whole"));
  }

  @Test
  void whatAStreamHasGivenAwayIsNotGivenTwice() {
    Endpoint stream = new Endpoint("file", "/dev/null", Map.of(), Secret.NONE);
    refusesToWriteAgain(stream);
  }

  @Test
  void rowsThatDuckDbHasTakenAreNotGivenTwice() {
    String database = folder.resolve("d.db").toString();
    refusesToWriteAgain(new Endpoint("duckdb", database, Map.of("table", "t"), Secret.NONE));
  }

  private void refusesToWriteAgain(Endpoint to) {
    FaultyConnector failing =
        new FaultyConnector(connector(to), FaultPlan.at(Site.WRITE, 0, 1, Kind.TRANSIENT));
    assertThatThrownBy(
            () -> copy(connector(MADE), MADE, failing, to, WriteOptions.DEFAULT, 2, SOON))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault -> assertThat(fault.advice()).contains("can't be taken back"));
  }

  /// The table behind a proxy that harms connections by their numbers.
  private static Endpoint behind(FaultyProxy proxy, PostgresServer server, String database) {
    String location = "//" + server.user() + "@localhost:" + proxy.port() + "/" + database;
    return new Endpoint("postgresql", location, Map.of("table", "rows"), Secret.NONE);
  }

  private static Endpoint direct(PostgresServer server, String database) {
    return new Endpoint(
        "postgresql", server.location(database), Map.of("table", "rows"), Secret.NONE);
  }

  /// Some connections of lanes are lost in the middle of their first split; never the first, which
  /// is no lane's.
  private static IntFunction<Harm> lostConnections(boolean byReset) {
    return number -> {
      long afterBytes = 50_000L * number;
      if (number == 0 || number > 6 || number % 3 == 0) {
        return new Harm.None();
      }
      return byReset ? new Harm.Reset(afterBytes) : new Harm.Cut(afterBytes);
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void postgresGetsEveryRowOnceWhereConnectionsAreLost(boolean byReset) {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    server.execute(database, "CREATE TABLE wanted AS TABLE rows; TRUNCATE rows");
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), lostConnections(byReset))) {
      Run run = copy(connector(MADE), MADE, behind(proxy, server, database), APPEND, 2);
      assertThat(proxy.harmed()).isBetween(2, 4);
      assertThat(run.meter().retries().stream().mapToLong(retry -> retry.count()).sum())
          .isGreaterThanOrEqualTo(proxy.harmed());
    }
    assertEveryRowOnce(server, database);
  }

  private static void assertEveryRowOnce(PostgresServer server, String database) {
    server.execute(
        database,
        """
        DO $$ BEGIN
          IF EXISTS (TABLE rows EXCEPT ALL TABLE wanted)
              OR EXISTS (TABLE wanted EXCEPT ALL TABLE rows) THEN
            RAISE 'the tables differ';
          END IF;
        END $$
        """);
  }

  /// No journal could say what was committed, but nothing can have been before the COMMIT is sent.
  @Test
  void aConnectionLostAtTheEndOfASplitButBeforeItsCommitIsNoDoubt() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    server.execute(
        database,
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
    Run run = copy(connector(MADE), MADE, direct(server, database), APPEND, 2);
    assertThat(run.meter().retries()).isNotEmpty();
    assertEveryRowOnce(server, database);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRowOfPostgresComesOnceWhereConnectionsAreLost(boolean byReset) throws IOException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    Endpoint whole = file("whole.csv", Map.of());
    Endpoint retried = file("retried.csv", Map.of());
    Endpoint table = direct(server, database);
    copy(connector(table), table, whole, WriteOptions.DEFAULT, 1);
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), lostConnections(byReset))) {
      copy(connector(table), behind(proxy, server, database), retried, WriteOptions.DEFAULT, 2);
      assertThat(proxy.harmed()).isBetween(2, 4);
    }
    assertThat(folder.resolve("retried.csv")).hasSameBinaryContentAs(folder.resolve("whole.csv"));
  }

  @Test
  void aNetworkThatGoesSilentEndsTheRun() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    Endpoint nowhere = new Endpoint("null", "", Map.of(), Secret.NONE);
    IntFunction<Harm> silence = number -> number == 1 ? new Harm.Stall(300_000) : new Harm.None();
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), silence)) {
      Endpoint table = behind(proxy, server, database);
      assertThatThrownBy(() ->
              copy(
                  connector(table),
                  table,
                  connector(nowhere),
                  nowhere,
                  WriteOptions.DEFAULT,
                  1,
                  IMPATIENT))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ");
    }
  }

  /// Others are named, so that somebody can be asked to let go.
  @ParameterizedTest
  @CsvSource({"TRUNCATE, prepared", "REPLACE, completed"})
  void aTargetThatWaitsForALockOfOthersEndsTheRun(Mode mode, String being) throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    Endpoint to = direct(server, database);
    copy(connector(MADE), MADE, to, WriteOptions.DEFAULT, 1);
    server.execute(database, "CREATE TABLE wanted AS TABLE rows");
    WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN ACCESS SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      assertThatThrownBy(
              () -> copy(connector(MADE), MADE, connector(to), to, writeOptions, 1, IMPATIENT))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ")
          .hasMessageContaining("the target is being " + being + " and waits for a lock of")
          .hasMessageContaining("process " + holder + " (user " + server.user())
          .hasMessageContaining("idle in transaction");
    }
    assertEveryRowOnce(server, database);
  }

  @Test
  void lanesThatWaitForALockOfOthersNameThemAsTheyEndTheRun() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    Endpoint to = direct(server, database);
    copy(connector(MADE), MADE, to, WriteOptions.DEFAULT, 1);
    server.execute(database, "CREATE TABLE wanted AS TABLE rows");
    WriteOptions append = new WriteOptions(Mode.APPEND, false, List.of(), false);
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      assertThatThrownBy(() -> copy(connector(MADE), MADE, connector(to), to, append, 1, IMPATIENT))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining(": the target waits for a lock of the server's process " + holder);
    }
    assertEveryRowOnce(server, database);
  }

  /// Who wants a table for himself waits for the snapshot of the copy, and its lanes wait for him.
  @Test
  void lanesThatReadBehindAWaiterNameHimAsTheyEndTheRun() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    Endpoint from = direct(server, database);
    copy(connector(MADE), MADE, from, WriteOptions.DEFAULT, 1);
    Endpoint nowhere = new Endpoint("null", "", Map.of(), Secret.NONE);
    Job job =
        new Job(from, nowhere, Selection.ALL, APPEND, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
    CompletableFuture<Void> waiter;
    try (Source source = connector(from).source(from, Selection.ALL, new OpenContext());
        Target target = connector(nowhere).target(nowhere, APPEND, new OpenContext())) {
      waiter =
          CompletableFuture.runAsync(
              () -> server.execute(database, "ALTER TABLE rows ADD more int"));
      try (Connection looking = server.connect(database);
          Statement statement = looking.createStatement()) {
        String waits = "SELECT FROM pg_locks WHERE relation = 'rows'::regclass AND NOT granted";
        while (!waiter.isDone() && !statement.executeQuery(waits).next()) {
          Thread.onSpinWait();
        }
      }
      Run run = new Run(Planner.plan(job, source, target), source, target, IMPATIENT);
      assertThatThrownBy(run::execute)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining(": the source waits for a lock of the server's process ")
          .hasMessageContaining("(user " + server.user());
    }
    waiter.join();
  }

  /// While it waits, so that nobody takes it for slow.
  @ParameterizedTest
  @CsvSource({"TRUNCATE, prepare target", "REPLACE, complete target"})
  void aStepThatWaitsForALockOfOthersSaysSo(Mode mode, String step) throws SQLException {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    Endpoint to = direct(server, database);
    copy(connector(MADE), MADE, to, WriteOptions.DEFAULT, 1);
    WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
    Job job =
        new Job(MADE, to, Selection.ALL, writeOptions, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement();
        Source source = connector(MADE).source(MADE, Selection.ALL, new OpenContext());
        Target target = connector(to).target(to, writeOptions, new OpenContext())) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN ACCESS SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      RetryPolicy retryPolicy = RetryPolicy.of(Duration.ZERO, Duration.ofMinutes(10));
      Run run = new Run(Planner.plan(job, source, target), source, target, retryPolicy);
      CompletableFuture<Void> ended = CompletableFuture.runAsync(run::execute);
      String waits = step + " and waits for a lock of the server's process " + holder + " (";
      while (!ended.isDone() && !run.stepAside().startsWith(waits)) {
        Thread.onSpinWait();
      }
      assertThat(ended).isNotDone();
      other.rollback();
      ended.join();
      assertThat(run.stepAside()).isEmpty();
    }
  }

  @Test
  void aLostSnapshotEndsTheRunRatherThanMixTwoMoments() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    Endpoint nowhere = new Endpoint("null", "", Map.of(), Secret.NONE);
    FaultyProxy[] made = new FaultyProxy[1];
    IntFunction<Harm> harms =
        number -> {
          if (number == 2) {
            made[0].resetAll();
          }
          return new Harm.None();
        };
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), harms)) {
      made[0] = proxy;
      Endpoint table = behind(proxy, server, database);
      assertThatThrownBy(() -> copy(connector(table), table, nowhere, WriteOptions.DEFAULT, 2))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("would see a later moment");
    }
  }

  @Test
  void whyASnapshotIsLostIsSaidInTheServersWords() {
    PostgresServer server = PostgresServer.shared();
    String database = server.newDatabase();
    copy(connector(MADE), MADE, direct(server, database), WriteOptions.DEFAULT, 1);
    Endpoint nowhere = new Endpoint("null", "", Map.of(), Secret.NONE);
    IntFunction<Harm> harms =
        number -> {
          if (number == 2) {
            server.execute(
                database,
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE datname = current_database() AND pid <> pg_backend_pid()");
          }
          return new Harm.None();
        };
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), harms)) {
      Endpoint table = behind(proxy, server, database);
      assertThatThrownBy(() -> copy(connector(table), table, nowhere, WriteOptions.DEFAULT, 2))
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("terminating connection due to administrator command");
    }
  }
}
