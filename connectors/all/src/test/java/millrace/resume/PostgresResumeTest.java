package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.sql.Connection;
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
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.forwarding.ForwardingPlannedTarget;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.suite.ResumableCopy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What PostgreSQL alone makes of copies that were cut off: its locks, transactions, sequences and
/// staging tables. The rest is in the suite that all systems share.
class PostgresResumeTest extends OrdersInPostgres {

  @ParameterizedTest
  @CsvSource({
    "APPEND, ALTER COLUMN id TYPE float8",
    "REPLACE, ALTER COLUMN id TYPE float8",
    "REPLACE, ADD COLUMN more int"
  })
  void rowsThatWereStagedForOtherColumnsAreNotGoneOnWith(Mode mode, String change) {
    server.execute(database, "CREATE TABLE orders (id int8, name text)");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), mode, mode == Mode.APPEND, 2, 0);
    copy.cutBehindReceipt(20);
    server.execute(database, "ALTER TABLE orders " + change);
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("The columns of public.orders are others than when the copy began.");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo("0");
    copy.fresh().run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void aCopyWhoseJournalIsDroppedIsNotSaidToGoOn() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), Mode.APPEND);
    Ran run =
        copy.beforeTheEnd(() -> server.execute(database, "DROP TABLE millrace_journal"))
            .failing(Fault.External.class, "");
    assertThat(run.kept()).as("--resume would add all rows once more").isFalse();
    assertThat(run.leaves()).contains("public.millrace_journal", "would begin from the start");
    assertAllThereOnce("orders");
  }

  private void takeOver() {
    server.execute(
        database,
        """
        DO $$ BEGIN EXECUTE format(
          'WITH lost AS (DELETE FROM millrace_journal WHERE split = 0 RETURNING details::json)
           DELETE FROM %I WHERE id <= (SELECT (details #>> %L)::int FROM lost)',
          (SELECT relname FROM pg_class WHERE relname LIKE 'orders%' AND relkind = 'r'),
          '{taken,receipt,rows}');
        END $$
        """);
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
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), mode);
    Ran run =
        copy.beforeTheEnd(this::takeOver)
            .failing(Fault.Transient.class, "rows that the server had committed are gone");
    assertThat(run.leaves()).endsWith(" rows that had been committed are there still.");
    assertThat(run.kept()).isTrue();
    Ran again = copy.resumed().run();
    assertThat(again.meter().rows()).isLessThan(ROWS);
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
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
    ResumableCopy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    String before = value("SELECT count(*) FROM orders");
    Files.copy(folder.resolve("orders.csv"), folder.resolve("renamed.csv"));
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("orders.csv.gz")))) {
      Files.copy(folder.resolve("orders.csv"), packed);
    }
    Map<String, String> options = option == null ? Map.of() : Map.of(option, ",");
    ResumableCopy other = appends(file(name, options), atomic);
    assertThatThrownBy(() -> other.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("as it was, with --resume", "leave --resume out");
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(before);
    copy.resumed().run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void sequencesStandBehindRowsThatStayOfACopyThatFailsAndBehindAllOnceItHasGoneOn() {
    server.execute(database, "CREATE TABLE orders (id serial, name text)");
    ResumableCopy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    String isBehind = "SELECT nextval('orders_id_seq') > max(id) FROM orders";
    assertThat(value(isBehind)).isEqualTo("t");
    copy.resumed().run();
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
            "SELECT (details::json#>>'{begun,run,job}') || ' '"
                + " || (details::json#>>'{begun,details,target}')"
                + " FROM millrace_journal WHERE split = -1");
    long lock = Digest.of("millrace " + job).number();
    CompletableFuture<Ran> changed;
    try (Connection left = server.connect(database);
        Statement statement = left.createStatement()) {
      statement.execute("SELECT pg_advisory_lock_shared(" + lock + ")");
      changed =
          CompletableFuture.supplyAsync(() -> appends(file("orders.csv"), true).resumed().run());
      assertThatThrownBy(() -> changed.get(1, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
    }
    assertThatThrownBy(changed::get).hasMessageContaining("another one from the same source");
  }

  @Test
  void aCopyThatAnEarlierVersionBeganGoesOn() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    ResumableCopy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    server.execute(
        database,
        "UPDATE millrace_journal SET details = (details::jsonb #- '{begun,run,origins}')::text"
            + " WHERE split = -1 AND details LIKE '%\"origins\"%'");
    copy.resumed().run();
    assertAllThereOnce("orders");
  }

  @Test
  void aTableWithoutALogIsAnotherCopyThanOneThatHasOne() {
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), Mode.CREATE);
    copy.cutBehindReceipt(20);
    Endpoint unlogged =
        new Endpoint(
            "postgresql",
            server.location(database),
            Map.of("table", "orders", "unlogged", "true"),
            Secret.NONE);
    copy(file("orders.csv"), unlogged, Mode.CREATE).resumed().run();
    assertAllThereOnce("orders");
    assertThat(value("SELECT relpersistence FROM pg_class WHERE relname = 'orders'"))
        .isEqualTo("u");
  }

  @Test
  void rowsThatAnotherCopyHasRemovedAreNotToldAsCommitted() throws IOException {
    write(folder.resolve("others.csv"), "!");
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    ResumableCopy other = copy(file("others.csv"), table("orders"), Mode.TRUNCATE);
    Ran run =
        copy.beforeTheEnd(other::run)
            .failing(Fault.External.class, "another copy has emptied the table");
    assertThat(run.meter().rowsDurable()).isZero();
    assertThat(run.leaves()).contains("nobody can tell");
    assertThat(value("SELECT count(*) FROM orders WHERE name LIKE '%!'")).isEqualTo("" + ROWS);
  }

  /// Runs a copy whose target is begun when others have come as far.
  private static Ran runWith(CyclicBarrier others, ResumableCopy copy) {
    return copy.between(
            UnaryOperator.identity(),
            target ->
                new ForwardingTarget(target) {
                  @Override
                  protected PlannedTarget planned(PlannedTarget target) {
                    return new ForwardingPlannedTarget(target) {
                      @Override
                      public WriteSession open(WriteStart start) {
                        await(others);
                        return super.open(start);
                      }
                    };
                  }
                })
        .run();
  }

  private static void await(CyclicBarrier others) {
    try {
      others.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new AssertionError("the other copy did not come", e);
    }
  }

  /// Both wait for the lock that empties the table: which comes first does not matter, only that
  /// both have looked at what there is.
  @Test
  void ofTwoCopiesThatEmptyATableAtTheSameMomentOneStaysAlone() throws Exception {
    write(folder.resolve("others.csv"), "!");
    server.execute(
        database, "CREATE TABLE orders (id int, name text); INSERT INTO orders VALUES (0, 'old')");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    ResumableCopy other = copy(file("others.csv"), table("orders"), Mode.TRUNCATE);
    CyclicBarrier others = new CyclicBarrier(2);
    List<FutureTask<Ran>> both =
        List.of(
            new FutureTask<>(() -> runWith(others, copy)),
            new FutureTask<>(() -> runWith(others, other)));
    try (Connection reader = server.connect(database);
        Statement statement = reader.createStatement()) {
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
    for (FutureTask<Ran> one : both) {
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

  /// Rows that others delete one by one are theirs to know of; a partition that is emptied has
  /// another file.
  @Test
  void aPartitionThatIsEmptiedInTheMiddleIsMissedAtTheEnd() {
    server.execute(
        database,
        "CREATE TABLE orders (id int, name text) PARTITION BY RANGE (id); CREATE TABLE low"
            + " PARTITION OF orders FOR VALUES FROM (0) TO (500); CREATE TABLE high PARTITION OF"
            + " orders FOR VALUES FROM (500) TO (100000)");
    ResumableCopy copy = appends(file("orders.csv"), false);
    Ran run =
        copy.beforeTheEnd(() -> server.execute(database, "TRUNCATE low"))
            .failing(Fault.External.class, "or a partition of it, meanwhile");
    assertThat(run.kept()).as("--resume would add no row that is missing").isFalse();
    assertThat(value("SELECT count(*) FROM orders")).isEqualTo(String.valueOf(ROWS - 499));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE TABLE orders", "DELETE FROM orders"})
  void aTableThatWasEmptiedIsNotGoneOnWith(String emptying) {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    ResumableCopy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    server.execute(database, emptying);
    assertThatThrownBy(() -> copy.resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("public.orders is empty, though");
    copy.fresh().run();
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
    ResumableCopy copy = appends(file("orders.csv"), false);
    copy.cutBehindReceipt(20);
    copy.resumed().run();
    assertAllThereOnce("elsewhere");
  }

  @ParameterizedTest
  @CsvSource({"TRUNCATE, freeze", "APPEND, defer-indexes", "REPLACE, freeze"})
  void whatIsCommittedInPartsIsNotGoneOnWithInOneTransaction(Mode mode, String option) {
    server.execute(database, "CREATE TABLE orders (id int PRIMARY KEY, name text)");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), mode);
    copy.cutBehindReceipt(20);
    Endpoint at =
        new Endpoint(
            "postgresql",
            server.location(database),
            Map.of("table", "orders", option, "true"),
            Secret.NONE);
    ResumableCopy changed = copy(file("orders.csv"), at, mode, false, 1, 0).resumed();
    assertThatThrownBy(changed::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("in one transaction")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("Leave the option out", "--fresh");
    copy.resumed().run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void anAppendDoesNotComeBesideWhatATruncateHadBegun() {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    ResumableCopy copy = copy(file("orders.csv"), table("orders"), Mode.TRUNCATE);
    copy.cutBehindReceipt(20);
    assertThatThrownBy(() -> appends(file("orders.csv"), false).resumed().run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another one from the same source");
    copy.resumed().run();
    assertAllThereOnce("orders");
    assertNothingLeftBehind();
  }

  @Test
  void badRecordsOfACopyWhoseStagedRowsAreLostAreAsideOnce() throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i % 500 == 0 ? "x" : Integer.toString(i)).append(",n\n");
    }
    Files.writeString(folder.resolve("orders.csv"), text);
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Copying whole = copy(file("orders.csv"), table("orders"), Mode.APPEND, true, 1, 300).copying();
    Job.RejectPolicy aside = new Job.RejectPolicy(100, folder.resolve("bad.csv"));
    ResumableCopy copy = ResumableCopy.of(whole.rejects(aside), 100);
    copy.kill(ResumableCopy.Kill.AMONG_ROWS, 18, false);
    String staging = value("SELECT relname FROM pg_class WHERE relname LIKE 'orders_millrace%'");
    server.execute(database, "TRUNCATE " + staging);
    Ran run = copy.run();
    assertThat(run.notes())
        .satisfiesExactly(
            note -> assertThat(note).startsWith("5 bad records were set aside"),
            note -> assertThat(note).contains("lost, as by a crash"));
    assertThat(Files.readAllLines(folder.resolve("bad.csv")))
        .containsExactly("id,name", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n", "x,n");
    assertThat(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM orders"))
        .isEqualTo((ROWS - 8) + " " + (ROWS - 8));
    assertNothingLeftBehind();
  }
}
