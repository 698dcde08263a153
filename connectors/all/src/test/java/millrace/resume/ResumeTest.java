package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.Connectors;
import millrace.engine.Plug;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy into PostgreSQL that is cut off goes on where it was, loses no row and brings none twice.
class ResumeTest {

  private static final int ROWS = 4000;
  private static final int BATCH_ROWS = 100;
  private static final long SPLIT_BYTES = 8 << 10;

  @TempDir private Path folder;

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  @BeforeEach
  void makeRows() throws IOException {
    write(folder.resolve("orders.csv"), "");
  }

  private static void write(Path file, String mark) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",\"name\n").append(i).append(mark).append("\"\n");
    }
    Files.writeString(file, text);
  }

  private static WriteOptions landing(@Nullable Mode mode, boolean atomic) {
    return new WriteOptions(mode, atomic, List.of(), false);
  }

  private Endpoint table(String name) {
    return new Endpoint(
        "postgresql", server.location(database), Map.of("table", name), Secret.NONE);
  }

  private Endpoint file(String name) {
    return file(name, Map.of());
  }

  private Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  private String value(String query) {
    try (java.sql.Connection connection = server.connect(database);
        java.sql.Statement statement = connection.createStatement();
        java.sql.ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (java.sql.SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  /// A copy.
  ///
  /// @param commitRows how many rows to commit at a time, 0 for whole splits
  private record Copy(
      Endpoint from,
      Endpoint to,
      WriteOptions writeOptions,
      int lanes,
      int commitRows,
      ResumeState.Choice choice,
      Selection selection,
      Job.RejectPolicy rejects) {

    Copy(
        Endpoint from,
        Endpoint to,
        WriteOptions writeOptions,
        int lanes,
        int commitRows,
        ResumeState.Choice choice) {
      this(from, to, writeOptions, lanes, commitRows, choice, Selection.ALL, Job.RejectPolicy.NONE);
    }

    Copy(Endpoint from, Endpoint to, @Nullable Mode mode) {
      this(from, to, ResumeTest.landing(mode, false), 2, 0, ResumeState.Choice.NONE);
    }

    Copy with(ResumeState.Choice other) {
      return new Copy(from, to, writeOptions, lanes, commitRows, other, selection, rejects);
    }

    Run run() {
      return run(Plug.never(), true, _ -> {});
    }

    /// A run that is stopped before it has begun.
    void runStopped(Consumer<Run> watch) {
      assertThatThrownBy(() -> run(Plug.never(), true, watch.andThen(run -> run.cancel("stop"))))
          .isInstanceOf(Fault.Cancelled.class);
    }

    /// A run that is killed between its last commit and the word to the user.
    Run runUntold() {
      return run(Plug.never(), false, _ -> {});
    }

    private Run run(Plug plug, boolean told, Consumer<Run> watch) {
      try (Source source = plug.of(Connectors.ALL.of(from).source(from, selection));
          Target target = plug.of(Connectors.ALL.of(to).target(to, writeOptions))) {
        Run run = run(job(), source, target);
        watch.accept(run);
        run.execute();
        if (told) {
          run.acknowledge();
        }
        return run;
      }
    }

    private Job job() {
      Amount commits = commitRows == 0 ? null : new Amount(commitRows, false);
      Amount reads = new Amount(BATCH_ROWS, false);
      Job.Tuning tuning = new Job.Tuning(lanes, false, reads, null, commits);
      return new Job(from, to, selection, writeOptions, tuning, rejects);
    }

    private Run run(Job job, Source source, Target target) {
      ResumeState resumeState =
          ResumeState.of(target, JobIdentity.of(job, source, Connectors.ALL.of(to)), choice);
      Plan plan = Planner.plan(job, source, target).with(Lanes.fixed(lanes, ""), SPLIT_BYTES);
      return new Run(plan, source, target, resumeState, RetryPolicy.NONE);
    }

    /// Is cut off after so many batches, whatever has become of them.
    void cut(int batches) {
      cut(new Plug(batches, 0));
    }

    /// Is cut off when so many batches were read and rows of some have a receipt.
    void cutBehindReceipt(int batches) {
      cut(new Plug(batches, 1));
    }

    /// Is cut off as a process that is killed, which undoes nothing.
    void kill(Plug plug) {
      try (Source source = plug.of(Connectors.ALL.of(from).source(from, selection));
          Target target = plug.of(Connectors.ALL.of(to).target(to, writeOptions))) {
        Target killed =
            new ForwardingTarget(target) {
              @Override
              public boolean keep() {
                return true;
              }

              @Override
              public void abandon() {}
            };
        assertThatThrownBy(() -> run(job(), source, killed).execute()).hasMessage(Plug.PULLED);
      }
    }

    private void cut(Plug plug) {
      assertThatThrownBy(() -> run(plug, true, _ -> {})).hasMessage(Plug.PULLED);
    }
  }

  private void assertAllThereOnce(String table) {
    assertThat(
            value("SELECT count(*) || ' ' || count(DISTINCT id) || ' ' || sum(id) FROM " + table))
        .isEqualTo(ROWS + " " + ROWS + " " + (long) ROWS * (ROWS + 1) / 2);
    assertThat(value("SELECT count(*) FROM " + table + " WHERE name <> E'name\\n' || id"))
        .isEqualTo("0");
  }

  /// But marks of complete copies.
  private void assertNothingLeftBehind() {
    assertThat(
            value(
                "SELECT coalesce(string_agg(relname, ' '), '') FROM pg_class WHERE relname LIKE"
                    + " '%millrace%' AND relname NOT LIKE 'millrace_journal%'"))
        .isEmpty();
    if (value("SELECT to_regclass('millrace_journal') IS NOT NULL").equals("t")) {
      assertThat(
              value(
                  "SELECT count(*) FROM millrace_journal WHERE split = -1"
                      + " AND details NOT LIKE '%\"complete\":true%'"))
          .isEqualTo("0");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 20, 33, 45})
  void anAppendGoesOnBehindEverySplit(int batches) {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.cut(batches);
    copy.with(ResumeState.Choice.RESUME).cut(3);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "REPLACE", "TRUNCATE", "MERGE"})
  void everyModeGoesOn(Mode mode) {
    if (mode != Mode.CREATE) {
      server.execute(
          database,
          "CREATE TABLE orders (id int PRIMARY KEY, name text);"
              + " INSERT INTO orders VALUES (1, 'old')");
    }
    Copy copy = new Copy(file("orders.csv"), table("orders"), mode);
    copy.cutBehindReceipt(20);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertThat(run.meter().rows()).as("rows copied once more").isLessThan(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @CsvSource({
    "APPEND, ALTER COLUMN id TYPE float8",
    "REPLACE, ALTER COLUMN id TYPE float8",
    "REPLACE, ADD COLUMN more int"
  })
  void rowsThatWereStagedForOtherColumnsAreNotGoneOnWith(Mode mode, String change) {
    server.execute(database, "CREATE TABLE orders (id int8, name text)");
    Copy copy =
        new Copy(
            file("orders.csv"),
            table("orders"),
            landing(mode, mode == Mode.APPEND),
            2,
            0,
            ResumeState.Choice.NONE);
    copy.cutBehindReceipt(20);
    server.execute(database, "ALTER TABLE orders " + change);
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("the columns of public.orders are not what they were");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo("0");
    copy.with(ResumeState.Choice.FRESH).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void anAtomicAppendGoesOn() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy =
        new Copy(
            file("orders.csv"),
            table("orders"),
            landing(Mode.APPEND, true),
            2,
            0,
            ResumeState.Choice.NONE);
    copy.cutBehindReceipt(20);
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo("0");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @ValueSource(strings = {"orders.csv", "orders.csv.gz"})
  void oneSplitGoesOnBehindItsLastCommit(String name) throws IOException {
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("orders.csv.gz")))) {
      Files.copy(folder.resolve("orders.csv"), packed);
    }
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy =
        new Copy(
            file(name),
            table("orders"),
            landing(Mode.APPEND, false),
            1,
            300,
            ResumeState.Choice.NONE);
    copy.cutBehindReceipt(12);
    long before = Long.parseLong(value("SELECT count(*) FROM orders"));
    assertThat(before).isPositive();
    copy.with(ResumeState.Choice.RESUME).cutBehindReceipt(12);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertThat(run.meter().rows()).isLessThan(ROWS - before);
    assertNothingLeftBehind();
  }

  @Test
  void aCopyWhoseJournalIsDroppedIsNotSaidToGoOn() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    try (Source source = Connectors.ALL.of(copy.from()).source(copy.from(), copy.selection());
        Target target = Connectors.ALL.of(copy.to()).target(copy.to(), copy.writeOptions())) {
      Target dropped =
          new ForwardingTarget(target) {
            @Override
            public void complete(PhaseTimer steps) {
              server.execute(database, "DROP TABLE millrace_journal");
              super.complete(steps);
            }
          };
      Run run = copy.run(copy.job(), source, dropped);
      assertThatThrownBy(run::execute).isInstanceOf(Fault.External.class);
      assertThat(run.kept()).as("--resume would add all rows once more").isFalse();
      assertThat(run.leaves()).contains("public.millrace_journal", "would begin from the start");
    }
    assertAllThereOnce("orders");
  }

  /// A standby server that takes over has neither the rows nor the receipt of a commit that had not
  /// reached it.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND"})
  void commitsThatTheServerHasLostAreMissedAtTheEndAndMadeAgain(Mode mode) {
    if (mode == Mode.APPEND) {
      server.execute(database, "CREATE TABLE orders (id int, name text)");
    }
    Copy copy = new Copy(file("orders.csv"), table("orders"), mode);
    try (Source source = Connectors.ALL.of(copy.from()).source(copy.from(), copy.selection());
        Target target = Connectors.ALL.of(copy.to()).target(copy.to(), copy.writeOptions())) {
      Target takenOver =
          new ForwardingTarget(target) {
            @Override
            public void complete(PhaseTimer steps) {
              server.execute(
                  database,
                  """
                  DO $$ BEGIN EXECUTE format(
                    'WITH lost AS (DELETE FROM millrace_journal WHERE split = 0 RETURNING rows)
                     DELETE FROM %I WHERE id <= (SELECT rows FROM lost)',
                    (SELECT relname FROM pg_class WHERE relname LIKE 'orders%' AND relkind = 'r'));
                  END $$
                  """);
              super.complete(steps);
            }
          };
      Run run = copy.run(copy.job(), source, takenOver);
      assertThatThrownBy(run::execute)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining("rows that the server had committed are gone");
      assertThat(run.leaves()).endsWith(" rows that had been committed are there still.");
      assertThat(run.kept()).isTrue();
    }
    Run again = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(again.meter().rows()).isLessThan(ROWS);
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  private Copy appends(Endpoint from, boolean atomic) {
    return new Copy(
        from, table("orders"), landing(Mode.APPEND, atomic), 2, 0, ResumeState.Choice.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "orders.csv, 'delimiter', false",
    "renamed.csv, , false",
    "orders.csv.gz, , false",
    "orders.csv, , true"
  })
  void aCommandThatWasChangedDoesNotAddRowsTwiceInsteadOfGoingOn(
      String name, @Nullable String option, boolean atomic) throws IOException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    Files.copy(folder.resolve("orders.csv"), folder.resolve("renamed.csv"));
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("orders.csv.gz")))) {
      Files.copy(folder.resolve("orders.csv"), packed);
    }
    Map<String, String> options = option == null ? Map.of() : Map.of(option, ",");
    Copy other = appends(file(name, options), atomic);
    assertThatThrownBy(() -> other.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("as it was, with --resume", "leave --resume out");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void sequencesStandBehindRowsThatStayOfACopyThatFailsAndBehindAllOnceItHasGoneOn() {
    server.execute(database, "CREATE TABLE orders (id serial, name text)");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    String isBehind = "SELECT nextval('orders_id_seq') > max(id) FROM orders";
    assertThat(value(isBehind)).isEqualTo("t");
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(value(isBehind)).isEqualTo("t");
    assertAllThereOnce("orders");
  }

  /// A killed process leaves connections behind that the server has not ended yet.
  @Test
  void aCommandThatWasChangedWaitsForWhatAKilledOneHasUnderWay() throws Exception {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    appends(file("orders.csv"), false).cutBehindReceipt(20);
    String job =
        value(
            "SELECT (details::json->'run'->>'job') || ' ' || (details::json->>'target')"
                + " FROM millrace_journal WHERE split = -1");
    long lock = Digest.of("millrace " + job).number();
    CompletableFuture<Run> changed;
    try (java.sql.Connection left = server.connect(database);
        Statement statement = left.createStatement()) {
      statement.execute("SELECT pg_advisory_lock_shared(" + lock + ")");
      changed =
          CompletableFuture.supplyAsync(
              () -> appends(file("orders.csv"), true).with(ResumeState.Choice.RESUME).run());
      assertThatThrownBy(() -> changed.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
    }
    assertThatThrownBy(changed::get).hasMessageContaining("another one from the same source");
  }

  @ParameterizedTest
  @ValueSource(strings = {"link.csv", "../here/orders.csv", "orders.csv"})
  void aFileIsTheSameByWhateverNameItIsReached(String name) throws IOException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    appends(file("orders.csv"), false).cutBehindReceipt(20);
    Files.createSymbolicLink(folder.resolve("link.csv"), folder.resolve("orders.csv"));
    Files.createSymbolicLink(folder.resolveSibling(folder.getFileName() + "-here"), folder);
    String spelled = name.replace("../here", "../" + folder.getFileName() + "-here");
    Run run = appends(file(spelled), false).with(ResumeState.Choice.RESUME).run();
    Files.delete(folder.resolveSibling(folder.getFileName() + "-here"));
    assertThat(run.meter().rows()).as("rows copied once more").isLessThan(ROWS);
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void aTableIsTheSameSourceByWhateverNameItIsReached() {
    assumeTablesAreReadInParts();
    server.execute(
        database,
        "CREATE TABLE source AS SELECT id, E'name\\n' || id AS name FROM generate_series(1, "
            + ROWS
            + ") AS id; CREATE TABLE orders (id int, name text)");
    appends(table("source"), false).cutBehindReceipt(20);
    Run run = appends(table("public.SOURCE"), false).with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).as("rows copied once more").isLessThan(ROWS);
    assertAllThereOnce("orders");
  }

  @Test
  void aCopyThatAnEarlierVersionBeganGoesOn() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    server.execute(
        database,
        "UPDATE millrace_journal SET details = (details::jsonb #- '{run,origins}')::text"
            + " WHERE split = -1 AND details LIKE '%\"origins\"%'");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
  }

  @Test
  void copiesFromOtherSourcesDoNotStandInEachOthersWay() throws IOException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    Files.writeString(folder.resolve("other.csv"), "id,name\n0,other\n");
    appends(file("other.csv"), false).with(ResumeState.Choice.RESUME).run();
    server.execute(database, "DELETE FROM orders WHERE id = 0");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
  }

  @Test
  void aRunFromTheStartWouldAddRowsTwiceAndIsRefused() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.cutBehindReceipt(20);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--resume")
        .contains("--fresh");
    server.execute(database, "TRUNCATE orders");
    copy.with(ResumeState.Choice.FRESH).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @ValueSource(strings = {"public.orders", "ORDERS", "\"public\".\"orders\""})
  void aTableIsTheSameByWhateverNameItIsReached(String spelling) {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.cutBehindReceipt(20);
    Copy again = new Copy(file("orders.csv"), table(spelling), Mode.APPEND);
    assertThatThrownBy(again::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when");
    again.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void aTableWithoutALogIsAnotherCopyThanOneThatHasOne() {
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.CREATE);
    copy.cutBehindReceipt(20);
    Endpoint unlogged =
        new Endpoint(
            "postgresql",
            server.location(database),
            Map.of("table", "orders", "unlogged", "true"),
            Secret.NONE);
    new Copy(file("orders.csv"), unlogged, Mode.CREATE).with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertThat(value("SELECT relpersistence FROM pg_class WHERE relname = 'orders'"))
        .isEqualTo("u");
  }

  @Test
  void theSameRowsIntoAnotherTableAreAnotherCopy() {
    server.execute(
        database, "CREATE TABLE orders (id int, name text); CREATE TABLE copies (LIKE orders)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.cutBehindReceipt(20);
    Run other =
        new Copy(file("orders.csv"), table("copies"), Mode.APPEND)
            .with(ResumeState.Choice.RESUME)
            .run();
    assertThat(other.notes()).anyMatch(note -> note.contains("no such copy to go on with"));
    assertAllThereOnce("copies");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void anotherRunOfACreateBeginsAfreshAndDropsWhatWasStaged() {
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.CREATE);
    copy.cutBehindReceipt(20);
    copy.run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void aSourceThatChangedIsRefused() throws IOException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.cutBehindReceipt(20);
    write(folder.resolve("orders.csv"), "x");
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("orders.csv had")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--fresh");
  }

  @Test
  void twoCopiesIntoOneTableDoNotMix() throws IOException {
    write(folder.resolve("others.csv"), "!");
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    Copy other = new Copy(file("others.csv"), table("orders"), Mode.APPEND);
    copy.cutBehindReceipt(20);
    other.cut(9);
    other.with(ResumeState.Choice.RESUME).run();
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(
            value("SELECT count(*) FROM (SELECT id FROM orders GROUP BY id HAVING count(*) = 2) t"))
        .isEqualTo(Integer.toString(ROWS));
    assertNothingLeftBehind();
  }

  @Test
  void rowsThatAnotherCopyHasRemovedAreNotToldAsCommitted() throws IOException {
    write(folder.resolve("others.csv"), "!");
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    Copy other = new Copy(file("others.csv"), table("orders"), Mode.TRUNCATE);
    try (Source source = Connectors.ALL.of(copy.from()).source(copy.from(), copy.selection());
        Target target = Connectors.ALL.of(copy.to()).target(copy.to(), copy.writeOptions())) {
      Target overtaken =
          new ForwardingTarget(target) {
            @Override
            public void complete(PhaseTimer steps) {
              other.run();
              super.complete(steps);
            }
          };
      Run run = copy.run(copy.job(), source, overtaken);
      assertThatThrownBy(run::execute)
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("another copy has emptied the table");
      assertThat(run.meter().rowsDurable()).isZero();
      assertThat(run.leaves()).contains("nobody can tell");
    }
    assertThat(value("SELECT count(*) FROM orders WHERE name LIKE '%!'")).isEqualTo("" + ROWS);
  }

  /// A copy whose target is begun when others have come as far.
  private static void runWith(CyclicBarrier others, Copy copy) {
    try (Source source = Connectors.ALL.of(copy.from()).source(copy.from(), copy.selection());
        Target target = Connectors.ALL.of(copy.to()).target(copy.to(), copy.writeOptions())) {
      Target waiting =
          new ForwardingTarget(target) {
            @Override
            public void begin(int lanes) {
              try {
                others.await(30, TimeUnit.SECONDS);
              } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
                throw new AssertionError("the other copy did not come", e);
              }
              super.begin(lanes);
            }
          };
      Run run = copy.run(copy.job(), source, waiting);
      run.execute();
      run.acknowledge();
    }
  }

  /// Both wait for the lock that empties the table: which comes first does not matter, only that
  /// both have looked at what there is.
  @Test
  void ofTwoCopiesThatEmptyATableAtTheSameMomentOneStaysAlone() throws Exception {
    write(folder.resolve("others.csv"), "!");
    server.execute(
        database, "CREATE TABLE orders (id int, name text); INSERT INTO orders VALUES (0, 'old')");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    Copy other = new Copy(file("others.csv"), table("orders"), Mode.TRUNCATE);
    CyclicBarrier others = new CyclicBarrier(2);
    List<FutureTask<Boolean>> both =
        List.of(
            new FutureTask<>(() -> runWith(others, copy), true),
            new FutureTask<>(() -> runWith(others, other), true));
    try (java.sql.Connection reader = server.connect(database);
        java.sql.Statement statement = reader.createStatement()) {
      reader.setAutoCommit(false);
      statement.execute("SELECT * FROM orders");
      both.forEach(Thread::startVirtualThread);
      String waiting =
          "SELECT count(*) FROM pg_locks WHERE relation = 'orders'::regclass"
              + " AND mode = 'AccessExclusiveLock' AND NOT granted";
      while (!value(waiting).equals("2")) {
        assertThat(both).as("a copy that has ended").noneMatch(FutureTask::isDone);
        Thread.sleep(10);
      }
    }
    List<Throwable> failures = new ArrayList<>();
    for (FutureTask<Boolean> one : both) {
      try {
        one.get();
      } catch (ExecutionException e) {
        failures.add(e.getCause());
      }
    }
    assertThat(failures)
        .singleElement()
        .isInstanceOf(Fault.External.class)
        .asString()
        .contains("another copy has emptied the table");
    assertThat(value("SELECT count(*) || ' ' || count(DISTINCT right(name, 1) = '!') FROM orders"))
        .as("rows of one of them, and all of those")
        .isEqualTo(ROWS + " 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE TABLE orders", "DELETE FROM orders"})
  void aTableThatWasEmptiedIsNotGoneOnWith(String emptying) {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    server.execute(database, emptying);
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("public.orders is empty, though");
    copy.with(ResumeState.Choice.FRESH).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void aTableWhoseTriggersPutRowsElsewhereIsGoneOnWith() {
    server.execute(
        database,
        "CREATE TABLE orders (id int, name text); CREATE TABLE elsewhere (LIKE orders);"
            + " CREATE FUNCTION put() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN INSERT INTO elsewhere VALUES (NEW.*); RETURN NULL; END';"
            + " CREATE TRIGGER put BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION put()");
    Copy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("elsewhere");
  }

  @ParameterizedTest
  @CsvSource({"TRUNCATE, freeze", "APPEND, defer-indexes", "REPLACE, freeze"})
  void whatIsCommittedInPartsIsNotGoneOnWithInOneTransaction(Mode mode, String option) {
    server.execute(database, "CREATE TABLE orders (id int PRIMARY KEY, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), mode);
    copy.cutBehindReceipt(20);
    Endpoint at =
        new Endpoint(
            "postgresql",
            server.location(database),
            Map.of("table", "orders", option, "true"),
            Secret.NONE);
    Copy changed =
        new Copy(file("orders.csv"), at, landing(mode, false), 1, 0, ResumeState.Choice.RESUME);
    assertThatThrownBy(changed::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("in one transaction")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("Leave the option out", "--fresh");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void anAppendDoesNotComeBesideWhatATruncateHadBegun() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    copy.cutBehindReceipt(20);
    assertThatThrownBy(
            () -> appends(file("orders.csv"), false).with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source");
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void withNothingToGoOnWithAllIsCopied() {
    Copy copy = new Copy(file("orders.csv"), table("orders"), (Mode) null);
    copy.with(ResumeState.Choice.RESUME).run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void badDataLeavesNothingOfACreateBehind() throws IOException {
    Files.writeString(
        folder.resolve("orders.csv"), "x,y\n", java.nio.file.StandardOpenOption.APPEND);
    Endpoint typed =
        new Endpoint(
            "file",
            folder.resolve("orders.csv").toString(),
            Map.of("columns", "id:int,name:text"),
            Secret.NONE);
    Copy copy = new Copy(typed, table("orders"), Mode.CREATE);
    assertThatThrownBy(copy::run).isInstanceOf(Fault.Data.class);
    assertNothingLeftBehind();
  }

  @Test
  void aLimitedCopyIsNotGoneOnWithSinceItWouldBringTooMany() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy =
        new Copy(
            file("orders.csv"),
            table("orders"),
            landing(Mode.APPEND, false),
            1,
            300,
            ResumeState.Choice.NONE,
            new Selection(List.of(), null, ROWS - 1),
            Job.RejectPolicy.NONE);
    copy.cutBehindReceipt(20);
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a limit counts rows from the start of a run");
  }

  /// Of a file of which every 500th record is bad.
  private Copy copyOfBadRecords(boolean atomic, int commitRows) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i % 500 == 0 ? "x" : Integer.toString(i)).append(",n\n");
    }
    Files.writeString(folder.resolve("orders.csv"), text);
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    return new Copy(
        file("orders.csv"),
        table("orders"),
        landing(Mode.APPEND, atomic),
        1,
        commitRows,
        ResumeState.Choice.NONE,
        Selection.ALL,
        new Job.RejectPolicy(100, folder.resolve("bad.csv")));
  }

  private void assertBadRecordsAreAsideOnce() throws IOException {
    assertThat(Files.readAllLines(folder.resolve("bad.csv")))
        .containsExactly("id,name", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n");
    assertThat(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM orders"))
        .isEqualTo((ROWS - 8) + " " + (ROWS - 8));
  }

  @Test
  void badRecordsOfBothRunsAreInOneFileEachOnce() throws IOException {
    Copy copy = copyOfBadRecords(false, 300);
    copy.cutBehindReceipt(18);
    assertThat(Files.readAllLines(folder.resolve("bad.csv"))).hasSizeGreaterThan(2);
    copy.with(ResumeState.Choice.RESUME).run();
    assertBadRecordsAreAsideOnce();
  }

  @Test
  void badRecordsOfACopyThatWasKilledBeforeItsFirstCommitAreAsideOnce() throws IOException {
    Copy copy = copyOfBadRecords(false, 0);
    copy.kill(new Plug(6, 0));
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo("0");
    assertThat(folder.resolve("bad.csv")).exists();
    copy.with(ResumeState.Choice.RESUME).run();
    assertBadRecordsAreAsideOnce();
    assertNothingLeftBehind();
  }

  @Test
  void badRecordsOfACopyWhoseStagedRowsAreLostAreAsideOnce() throws IOException {
    Copy copy = copyOfBadRecords(true, 300);
    copy.kill(new Plug(18, 1));
    String staging = value("SELECT relname FROM pg_class WHERE relname LIKE 'orders_millrace%'");
    server.execute(database, "TRUNCATE " + staging);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes())
        .satisfiesExactly(
            note -> assertThat(note).startsWith("5 bad records were set aside"),
            note -> assertThat(note).contains("lost, as by a crash"));
    assertBadRecordsAreAsideOnce();
    assertNothingLeftBehind();
  }

  @Test
  void aCompleteCopyIsToldOnceAndNotRepeated() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copy copy = new Copy(file("orders.csv"), table("orders"), Mode.APPEND);
    copy.runUntold();
    Run again = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(again.notes()).singleElement().asString().contains("complete since");
    assertThat(again.meter().rows()).isZero();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  /// A table of blocks that each make a split, and an empty one to copy into. Versions before 14
  /// read a table as a whole, so that there is nothing to go on with.
  private void assumeTablesAreReadInParts() {
    assumeThat(Integer.parseInt(value("SHOW server_version_num"))).isGreaterThan(140_000);
  }

  private Copy copyOfTable(Mode mode) {
    assumeTablesAreReadInParts();
    server.execute(
        database,
        "CREATE TABLE others AS SELECT i AS id, 'name' || chr(10) || i AS name"
            + " FROM generate_series(1, "
            + ROWS
            + ") i; CREATE TABLE orders (id int, name text)");
    return new Copy(table("others"), table("orders"), mode);
  }

  private void assertSameAsOthers() {
    assertThat(
            value(
                "SELECT count(*) FROM ((TABLE orders EXCEPT ALL TABLE others)"
                    + " UNION ALL (TABLE others EXCEPT ALL TABLE orders)) t"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 41})
  void aTableGoesOnWhereWhatWasCopiedIsUnchanged(int batches) {
    Copy copy = copyOfTable(Mode.APPEND);
    copy.cut(batches);
    long before = Long.parseLong(value("SELECT count(*) FROM orders"));
    // What lies behind may change as it likes: the copy is of the later moment as a whole.
    server.execute(
        database,
        "DELETE FROM others WHERE id = "
            + ROWS
            + "; INSERT INTO others SELECT -i, 'more' FROM generate_series(1, 3000) i");
    copy.with(ResumeState.Choice.RESUME).cut(4);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsOthers();
    assertThat(run.meter().rows()).isLessThanOrEqualTo(ROWS - 1 + 3000 - before);
    if (before > 0) {
      assertThat(run.notes().toString()).contains("were read again to see that they are unchanged");
    }
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "REPLACE", "TRUNCATE"})
  void aTableGoesOnInEveryMode(Mode mode) {
    Copy copy = copyOfTable(mode);
    if (mode == Mode.CREATE) {
      server.execute(database, "DROP TABLE orders");
    }
    copy.cutBehindReceipt(20);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsOthers();
    assertThat(run.meter().rows()).as("rows copied once more").isLessThan(ROWS);
    assertNothingLeftBehind();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE others SET name = 'x' WHERE id % 10 = 7",
        "DELETE FROM others WHERE id % 10 = 7",
        "CREATE TABLE copy AS SELECT * FROM others ORDER BY id DESC; TRUNCATE others;"
            + " INSERT INTO others SELECT * FROM copy",
        "ALTER TABLE others ALTER COLUMN id TYPE bigint"
      })
  void aTableWhoseCopiedRowsChangedIsRefusedAndNothingIsWritten(String change) {
    Copy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    server.execute(database, change);
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageMatching("(?s).*can't go on: (rows that were copied|its columns).*")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--fresh");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
  }

  /// Its end says how to go on.
  @Test
  void aCopyThatIsStoppedWhileItReadsAgainStaysAsItWas() {
    Copy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    AtomicReference<Run> stopped = new AtomicReference<>();
    copy.with(ResumeState.Choice.RESUME).runStopped(stopped::set);
    assertThat(stopped.get().kept()).isTrue();
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
    copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsOthers();
  }

  @Test
  void rowsThatAreWrittenElsewhereAreNoChangeWhereTheySayTheSame() {
    Copy copy = copyOfTable(Mode.APPEND);
    copy.cutBehindReceipt(20);
    server.execute(database, "UPDATE others SET id = id WHERE id = " + ROWS);
    copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsOthers();
  }

  @Test
  void aViewIsCopiedWholeOrFromTheStart() {
    Copy copy = copyOfTable(Mode.APPEND);
    server.execute(database, "CREATE VIEW seen AS SELECT * FROM others");
    Copy ofView = new Copy(table("seen"), copy.to, Mode.APPEND);
    ofView.cut(5);
    ofView.with(ResumeState.Choice.RESUME).runUntold();
    assertSameAsOthers();
    Run run = ofView.with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes().toString()).contains("complete since");
    assertSameAsOthers();
    assertNothingLeftBehind();
  }

  @Test
  void aCompleteCopyOfATableIsNotRepeatedWhereItsEndWasNotTold() {
    Copy copy = copyOfTable(Mode.APPEND);
    copy.runUntold();
    Run run = copy.with(ResumeState.Choice.RESUME).runUntold();
    assertThat(run.notes().toString())
        .contains("complete since")
        .contains("4,000 rows of it were read again");
    assertSameAsOthers();
    server.execute(database, "INSERT INTO others VALUES (0, 'later')");
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is complete since");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(Integer.toString(ROWS));
  }

  @ParameterizedTest
  @CsvSource({"parquet, 300000", "duckdb, 30000"})
  void whatDuckDbReadsGoesOnWhileItsFileIsTheSame(String system, int rows) {
    Path file = folder.resolve("made." + system);
    Endpoint made =
        new Endpoint(
            system,
            file.toString(),
            system.equals("duckdb") ? Map.of("table", "t") : Map.of(),
            Secret.NONE);
    Endpoint source =
        new Endpoint("generate", "tokens", Map.of("rows", Integer.toString(rows)), Secret.NONE);
    new Copy(source, made, Mode.CREATE).run();
    Copy copy =
        new Copy(made, table("copied"), landing(Mode.APPEND, false), 1, 0, ResumeState.Choice.NONE);
    copy.cutBehindReceipt(rows / 150);
    String before = value("SELECT count(*) FROM copied");
    assertThat(before).isNotEqualTo("0");
    Copy more =
        new Copy(
            made, table("copied"), landing(Mode.APPEND, false), 3, 0, ResumeState.Choice.RESUME);
    Run run = more.run();
    assertThat(run.meter().rows()).isEqualTo(rows - Long.parseLong(before));
    assertThat(value("SELECT count(*) FROM copied")).isEqualTo(Integer.toString(rows));
    copy.cutBehindReceipt(rows / 150);
    new Copy(source, made, Mode.REPLACE).run();
    assertThatThrownBy(more::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("can't go on: " + file);
  }
}
