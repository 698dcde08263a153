package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import millrace.connectors.Connectors;
import millrace.endpoint.Endpoints;
import millrace.fault.Fault;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;
import millrace.online.report.OnlineReport;
import millrace.online.report.OnlineReport.Criterion;
import millrace.online.report.OnlineReport.State;
import millrace.online.report.OnlineReport.Sum;
import millrace.online.report.Series.WindowRun;
import millrace.online.run.OnlineRun;
import millrace.online.run.OnlineStores;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/// Short online runs against real databases: the sums agree, also if a server is killed meanwhile.
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
final class OnlineDatabasesTest {

  private static final String JOB =
      """
      target: "%s"
      load:
        rows: 300
        clients: 3
        duration: %s
        clock: 2019-04-01 23:59:52
      windows:
        - {name: small, length: 2s, delay: 1s}
        - {name: middle, length: 4s, delay: 1s}
        - {name: large, length: 8s, delay: 1s}
      late: {share: 10 %%, delay: 2s, allowed: 4s, every: 1s}
      tables: {partition: %s, ahead: 20s}
      pass: {write_start: 1m, aggregate: 1m, bad_share: 100 %%, bad_run: 1h}
      """;

  @TempDir private Path folder;

  private static OnlineReport run(String job, Runnable meanwhile) {
    return run(job, one -> meanwhile.run());
  }

  private static OnlineReport run(String job, Consumer<OnlineRun> meanwhile) {
    OnlineJob parsed = JobFile.parse("job.yaml", job);
    Endpoints endpoints = new Endpoints(Connectors.ALL.all(), Map.of());
    try (OnlineStores stores =
        OnlineStores.open(Connectors.ALL.all(), endpoints.parse(parsed.target()), parsed)) {
      OnlineRun run =
          new OnlineRun(
              parsed,
              stores.store(),
              stores.aggregator(),
              new OnlineRun.Listener(null, _ -> {}, _ -> {}));
      CompletableFuture<OnlineReport> report =
          CompletableFuture.supplyAsync(run::execute, task -> Thread.ofPlatform().start(task));
      while (!report.isDone() && run.report().series().seconds().size() < 2) {
        pause(20);
      }
      meanwhile.accept(run);
      return report.join();
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertThatSumsAgree(OnlineReport report) {
    assertThat(report.sums()).as("%s", report.notes()).isNotEmpty().allMatch(Sum::agrees);
    assertThat(report.sums())
        .extracting(Sum::place)
        .contains("sent", "raw", "small", "middle", "large");
    assertThat(report.sums().getFirst().rows()).isPositive();
  }

  /// All of it holds, but for what so short a run does not tell.
  private static void assertHoldsButForItsLength(OnlineReport report) {
    assertThat(report.outcome().state()).as("%s", report).isEqualTo(State.UNTESTED);
    assertThat(report.outcome().criteria())
        .filteredOn(each -> !each.holds())
        .extracting(Criterion::name)
        .containsExactly("the backlog does not grow");
  }

  private static List<String> failed(OnlineReport report) {
    return report.outcome().criteria().stream()
        .filter(Criterion::isBroken)
        .map(Criterion::name)
        .toList();
  }

  @Test
  void sumsInDuckDbAgree() {
    String target = "duckdb:" + folder.resolve("meters.duckdb");
    OnlineReport report = run(JOB.formatted(target, "11s", "0"), () -> {});
    assertThatSumsAgree(report);
    assertHoldsButForItsLength(report);
    assertThat(report.series().windows()).anyMatch(each -> each.again());
  }

  @Test
  void sumsInPostgresWithPartitionsAgree() {
    PostgresServer server = PostgresServer.embedded();
    String target = server.url(server.newDatabase());
    OnlineReport report = run(JOB.formatted(target, "11s", "3s"), () -> {});
    assertThatSumsAgree(report);
    assertHoldsButForItsLength(report);
    assertThat(report.series().switches()).hasSizeGreaterThan(1);
  }

  /// Kills it with its helpers, as the system does if memory runs out. They write nothing more.
  private static void kill(PostgresServer server) {
    try {
      Path file = server.dataFolder().resolve("postmaster.pid");
      long pid = Long.parseLong(Files.readAllLines(file).getFirst().strip());
      ProcessHandle postmaster = ProcessHandle.of(pid).orElseThrow();
      List<ProcessHandle> helpers = postmaster.descendants().toList();
      postmaster.destroyForcibly();
      helpers.forEach(ProcessHandle::destroyForcibly);
      // Who has inherited dead processes may take a minute to notice; a server would wait for it.
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void sumsAgreeAlthoughPostgresIsKilledInMidRun() {
    PostgresServer server = PostgresServer.another();
    String target = server.url(server.newDatabase());
    OnlineReport report =
        run(
            JOB.formatted(target, "9s", "3s"),
            () -> {
              kill(server);
              pause(2_000);
              server.startAgain();
            });
    assertThatSumsAgree(report);
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report))
        .contains("no write error")
        .isSubsetOf("no write error", "no aggregate error", "writes start on time");
    assertThat(report.series().seconds()).anyMatch(each -> each.errors() > 0);
  }

  private static Criterion criterion(OnlineReport report, String name) {
    return report.outcome().criteria().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /// However busy this machine is, it is not why an aggregate waits for a lock.
  @Test
  void anAggregateThatWaitsForTheLockOfAnotherSessionIsReportedInFull() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String job =
        JOB.formatted(server.url(database), "11s", "0")
            .replace("aggregate: 1m, bad_share: 100 %", "aggregate: 1s, bad_share: 0 %");
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      OnlineReport report =
          run(
              job,
              run -> {
                execute(statement, "LOCK TABLE load_per_sec_small IN EXCLUSIVE MODE");
                while (run.report().series().windows().stream()
                    .noneMatch(window -> window.running() && window.seconds() > 3)) {
                  pause(20);
                }
                execute(statement, "COMMIT");
              });
      assertThatSumsAgree(report);
      Criterion finishes = criterion(report, "aggregates finish on time");
      assertThat(finishes.isBroken()).as("%s", finishes).isTrue();
      assertThat(finishes.measured()).contains(" of small took longer than ", " window of 2 s (");
    }
  }

  private static void execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// What was added up before is right, and is not blamed for it.
  @Test
  void rowsThatSomebodyDeletesAreMissingWhereTheyWereAlone() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String job =
        JOB.formatted(server.url(database), "7s", "0").replace("share: 10 %", "share: 0 %");
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      OnlineReport report =
          run(
              job,
              run -> {
                while (run.report().series().windows().stream()
                    .noneMatch(window -> window.window().endsWith(":52") && !window.running())) {
                  pause(20);
                }
                execute(
                    statement,
                    "DELETE FROM load_per_sec WHERE time_stamp = '2019-04-01 23:59:52'"
                        + " AND device_id < 7 AND floor_id = 0 AND building_id = 0");
              });
      assertThat(report.sums())
          .filteredOn(sum -> !sum.agrees())
          .extracting(Sum::place, Sum::differing)
          .containsExactly(tuple("raw", 7L));
      assertThat(criterion(report, "the sums agree").measured())
          .isEqualTo("not in raw (7 rows differ)");
    }
  }

  /// The server's words of a full disk, by a trigger that uses them.
  @Test
  void aFullDiskOfTheServerIsNamedFirst() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String job = JOB.formatted(server.url(database), "6s", "0");
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      OnlineReport report =
          run(
              job,
              run -> {
                execute(
                    statement,
                    """
                    CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                      RAISE EXCEPTION 'could not extend file "base/5/16391": No space left on device'
                        USING ERRCODE = '53100';
                    END $$;
                    CREATE TRIGGER is_full BEFORE INSERT ON load_per_sec
                      EXECUTE FUNCTION full_disk();
                    """);
                while (run.report().series().seconds().stream()
                    .noneMatch(second -> second.errors() > 0)) {
                  pause(20);
                }
                execute(statement, "DROP TRIGGER is_full ON load_per_sec");
              });
      assertThatSumsAgree(report);
      assertThat(failed(report)).contains("no write error");
      assertThat(report.notes().getFirst())
          .isEqualTo("The target's disk is full. Make room there, and run it again.");
    }
  }

  /// Sums windows by a statement of the user's, and keeps it as the user wrote it.
  private static String engine(String jdbc, String statement) {
    return """
    engine:
      jdbc: "%s"
      statement: >
        %s
    """
        .formatted(jdbc, statement);
  }

  private static final String ADDS =
      "INSERT INTO {target} SELECT building_id, floor_id, device_id, timestamp '{start}',"
          + " sum(device_load), max(device_type) FROM {source}"
          + " WHERE time_stamp >= '{start}' AND time_stamp < '{end}'"
          + " GROUP BY building_id, floor_id, device_id"
          + " ON CONFLICT (building_id, floor_id, device_id, time_stamp)"
          + " DO UPDATE SET device_load = excluded.device_load";

  private static String jdbc(PostgresServer server, String database) {
    return "jdbc:postgresql://%s:%d/%s?user=%s&password=s3cret"
        .formatted(server.host(), server.port(), database, server.user());
  }

  @Test
  void anotherEngineAddsWindowsUpByTheUsersStatement() {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String job =
        JOB.formatted(server.url(database), "6s", "0") + engine(jdbc(server, database), ADDS);
    OnlineReport report = run(job, () -> {});
    assertThatSumsAgree(report);
    assertHoldsButForItsLength(report);
    assertThat(report.series().windows()).anyMatch(each -> each.rows() == 300);
  }

  /// A window that met a connection which was gone is added up by another one.
  @Test
  void anEngineWhoseConnectionsAreCutOffGoesOn() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String jdbc = jdbc(server, database) + "&ApplicationName=engine";
    String job = JOB.formatted(server.url(database), "6s", "0") + engine(jdbc, ADDS);
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      OnlineReport report =
          run(
              job,
              run -> {
                while (run.report().series().windows().stream().allMatch(WindowRun::running)) {
                  pause(20);
                }
                execute(
                    statement,
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                        + " WHERE application_name = 'engine' AND datname = current_database()");
              });
      assertThat(failed(report)).contains("no aggregate error").doesNotContain("the sums agree");
      assertThatSumsAgree(report);
    }
  }

  @Test
  void aStatementThatIsWrongIsCountedAndShowsNoPassword() {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String wrong = ADDS.replace("sum(device_load)", "sum(device_lode)");
    String job =
        JOB.formatted(server.url(database), "4s", "0") + engine(jdbc(server, database), wrong);
    OnlineReport report = run(job, () -> {});
    assertThat(report.outcome().state()).isEqualTo(State.FAILED);
    assertThat(failed(report)).contains("no aggregate error", "the sums agree");
    assertThat(report.notes()).anyMatch(note -> note.contains("SQLSTATE 42703"));
    assertThat(report.toString()).doesNotContain("s3cret");
  }

  @Test
  void aStatementThatGoesOnForLongIsCancelledWithTheRun() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String sleeps = ADDS.replace("{source} WHERE", "{source}, pg_sleep(300) WHERE");
    String job =
        JOB.formatted(server.url(database), "60s", "0") + engine(jdbc(server, database), sleeps);
    try (Connection looking = server.connect(database)) {
      OnlineReport report =
          run(
              job,
              run -> {
                while (sleeping(looking) == 0) {
                  pause(50);
                }
                run.stop();
              });
      assertThat(report.outcome().state()).isEqualTo(State.STOPPED);
      assertThat(sleeping(looking)).isZero();
    }
  }

  private static int sleeping(Connection looking) {
    try (Statement statement = looking.createStatement();
        ResultSet count =
            statement.executeQuery(
                "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                    + " AND datname = current_database()")) {
      count.next();
      return count.getInt(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aDriverThatIsMissingIsRefused() {
    String job = JOB.formatted("null:", "4s", "0") + engine("jdbc:x:y", ADDS);
    String driver = job.replace("engine:", "engine:\n  driver: no-such.jar");
    assertThat(catchThrowable(() -> run(driver, () -> {})))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no-such.jar");
  }
}
