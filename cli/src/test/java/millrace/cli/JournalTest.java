package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the command line says and does about the journal of a copy.
final class JournalTest {

  private static final String CLERK = "clerk_without_journal";

  @TempDir private Path home;
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  @BeforeEach
  void makeRows() throws IOException {
    server.execute(database, "CREATE TABLE orders (id int, name text)");
    Files.writeString(home.resolve("orders.csv"), "id,name\n1,one\n2,two\n");
  }

  private Cli.Result copy(String url, String... more) {
    String[] words = new String[more.length + 5];
    words[0] = "copy";
    words[1] = home.resolve("orders.csv").toString();
    words[2] = url;
    words[3] = "--mode";
    words[4] = "append";
    System.arraycopy(more, 0, words, 5, more.length);
    return new Cli(home).run(words);
  }

  private String orders() {
    return server.url(database) + "?table=orders";
  }

  /// Has the server do something when it has been told that a split's rows were taken.
  private void afterEachReceipt(String statements) {
    server.execute(
        database,
        """
        CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          %s
          RETURN NULL;
        END $$
        """
            .formatted(statements),
        "CREATE TRIGGER meanwhile AFTER INSERT ON millrace_journal FOR EACH ROW"
            + " WHEN (NEW.split >= 0) EXECUTE FUNCTION meanwhile()");
  }

  /// The table, for a user who may not make a journal beside it.
  private String clerksOrders() {
    server.execute(
        database,
        """
        DO $$ BEGIN
          CREATE ROLE %s LOGIN;
        EXCEPTION WHEN duplicate_object THEN
          NULL;
        END $$
        """
            .formatted(CLERK),
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "GRANT SELECT, INSERT ON orders TO " + CLERK);
    return "postgresql://"
        + CLERK
        + "@"
        + server.host()
        + ":"
        + server.port()
        + "/"
        + database
        + "?table=orders";
  }

  private int rows() throws IOException {
    Path all = home.resolve("all.csv");
    String[] words = {"copy", orders(), all.toString(), "--mode", "replace", "--quiet"};
    assertThat(new Cli(home).run(words).code()).isZero();
    return Files.readAllLines(all).size() - 1;
  }

  @Test
  void aCompleteCopyIsNotRepeatedUntilTheUserSaysSo() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    for (int i = 0; i < 2; i++) {
      Cli.Result again = copy(orders(), "--resume");
      assertThat(again.code()).as(again.err()).isZero();
      assertThat(again.err())
          .containsPattern(
              "^complete since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d, nothing to do")
          .contains("--fresh loads it again");
    }
    assertThat(copy(orders(), "--resume", "--json").out())
        .contains("{\"event\":\"complete\",\"complete\":{\"since\":\"");
    assertThat(copy(orders(), "--resume", "--dry-run").out()).contains("nothing to do");
    assertThat(rows()).isEqualTo(2);
    Files.writeString(home.resolve("orders.csv"), "id,name\n3,three\n");
    for (String option : new String[] {"--dry-run", "--quiet"}) {
      Cli.Result changed = copy(orders(), "--resume", option);
      assertThat(changed.code()).as(changed.err()).isEqualTo(2);
      assertThat(changed.err()).contains("complete since", "orders.csv had", "--fresh");
    }
    assertThat(copy(orders(), "--fresh").code()).isZero();
    assertThat(rows()).isEqualTo(3);
    assertThat(copy(orders(), "--resume").err()).startsWith("complete since");
    assertThat(rows()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "TRUNCATE orders, public.orders is empty",
    "DROP TABLE orders, public.orders is not there any more",
    "ALTER TABLE orders RENAME TO old; CREATE TABLE orders (LIKE old), is another table by now",
  })
  void aCompleteCopyWhoseRowsAreGoneIsNotMadeAgainUnasked(String statement, String told)
      throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, statement);
    Cli.Result again = copy(orders(), "--resume");
    assertThat(again.code()).as(again.err()).isEqualTo(2);
    assertThat(again.err()).contains("complete since", told, "--fresh");
    assertThat(copy(orders(), "--fresh").code()).isZero();
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aDryRunOfACopyThatWasCutOffSaysThatItGoesOn() throws IOException {
    refuseInserts();
    assertThat(copy(orders(), "--atomic").code()).isEqualTo(4);
    server.execute(database, "DROP TRIGGER refuses ON orders");
    for (int i = 0; i < 2; i++) {
      Cli.Result dry = copy(orders(), "--atomic", "--resume", "--dry-run");
      assertThat(dry.code()).as(dry.err()).isZero();
      assertThat(dry.out())
          .contains("resume   resumes the copy begun at", "2 rows in")
          .doesNotContain("DROP TABLE", "another copy", "begins from the start");
    }
    Cli.Result without = copy(orders(), "--atomic", "--dry-run");
    assertThat(without.code()).isZero();
    assertThat(without.out()).doesNotContain("DROP TABLE");
    assertThat(stagingTables()).isEqualTo("1");
    assertThat(copy(orders(), "--atomic", "--resume").err()).contains("resumes the copy");
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void theJournalIsListedAndPrunedByHandAndByAge() throws IOException {
    Cli cli = new Cli(home);
    assertThat(cli.run("journal", orders()).out()).contains("No copy is known.");
    assertThat(copy(orders(), "--resume").code()).isZero();
    refuseInserts();
    assertThat(copy(orders(), "--atomic").code()).isEqualTo(4);
    server.execute(database, "DROP TRIGGER refuses ON orders");
    Cli.Result listed = cli.run("journal", orders());
    assertThat(listed.code()).as(listed.err()).isZero();
    assertThat(listed.out()).contains("complete since", "not complete", "orders.csv");
    assertThat(cli.run("journal", orders(), "--json").outLines()).hasSize(2);
    assertThat(cli.run("journal", orders(), "--prune").out()).contains("Removed: 1 mark.");
    assertThat(cli.run("journal", orders()).out())
        .contains("not complete")
        .doesNotContain("complete since");
    assertThat(copy(orders(), "--atomic", "--resume").err()).contains("resumes the copy");
    server.execute(
        database,
        "UPDATE millrace_journal SET details ="
            + " regexp_replace(details, '\"complete\":\\{\"at\":\"[^\"]*\"',"
            + " '\"complete\":{\"at\":\"2020-03-14T09:26:53Z\"')");
    Files.writeString(home.resolve("other.csv"), "id,name\n3,three\n");
    String[] other = {
      "copy", home.resolve("other.csv").toString(), orders(), "--mode", "append", "--resume"
    };
    assertThat(cli.run(other).code()).isZero();
    assertThat(cli.run("journal", orders()).out())
        .contains("other.csv")
        .doesNotContain("orders.csv");
  }

  @Test
  void aCopyGoesOnByOtherNamesOfItsFileAndTable() throws IOException {
    refuseInserts();
    assertThat(copy(orders(), "--atomic").code()).isEqualTo(4);
    server.execute(database, "DROP TRIGGER refuses ON orders");
    Path link = Files.createSymbolicLink(home.resolve("link.csv"), home.resolve("orders.csv"));
    Path fromHere = Path.of("").toAbsolutePath().relativize(home.resolve("orders.csv"));
    String there = server.url(database) + "?table=public.ORDERS";
    for (String name : new String[] {link.toString(), fromHere.toString()}) {
      Cli.Result rest =
          new Cli(home).run("copy", name, there, "--mode", "append", "--atomic", "--resume");
      assertThat(rest.code()).as(rest.err()).isZero();
      assertThat(rest.err()).containsAnyOf("resumes the copy", "complete since");
    }
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aCopyThatCanNotGoOnIsNotSaidToHaveCommittedNothing() throws IOException {
    Path parts = Files.createDirectory(home.resolve("parts"));
    Files.writeString(parts.resolve("1.csv"), "id,name\n1,one\n");
    // Told by the server, when the rows of the first file have been committed.
    Files.writeString(parts.resolve("2.csv"), "id,name\n-2,two\n");
    server.execute(database, "ALTER TABLE orders ADD CHECK (id > 0)");
    String[] copy = {
      "copy",
      parts.toString(),
      orders(),
      "--mode=append",
      "--lanes=1",
      "--commit-unit=1",
      "--resume"
    };
    Cli.Result cut = new Cli(home).run(copy);
    assertThat(cut.err()).contains("1 rows had been committed before, and stay.");
    Files.writeString(parts.resolve("1.csv"), "id,name\n1,one\n3,three\n");
    Cli.Result refused = new Cli(home).run(copy);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err())
        .contains("can't be resumed", "rows that it has committed stay.")
        .doesNotContain("No rows were committed.");
    assertThat(rows()).isEqualTo(1);
  }

  @Test
  void aTableThatChangedSinceItWasAddedToAFileIsNotAddedOnceMore() throws IOException {
    server.execute(database, "INSERT INTO orders VALUES (1, 'one')");
    Path file = home.resolve("all.csv");
    String[] copy = {"copy", orders(), file.toString(), "--mode", "append", "--resume"};
    assertThat(new Cli(home).run(copy).code()).isZero();
    server.execute(database, "INSERT INTO orders VALUES (2, 'two')");
    Cli.Result again = new Cli(home).run(copy);
    assertThat(again.err()).contains("complete since", "Say --fresh to load all of it again");
    assertThat(again.code()).isEqualTo(2);
    assertThat(file).hasContent("id,name\n1,one\n");
  }

  /// @param connections how many are lost at the very end
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aConnectionLostWhenAllIsDoneIsNoReasonToCopyAgain(int connections) throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(
        database,
        "TRUNCATE orders, millrace_journal",
        "CREATE SEQUENCE deletions",
        """
        CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF nextval('deletions') <= %d THEN
            PERFORM pg_terminate_backend(pg_backend_pid());
          END IF;
          RETURN NULL;
        END $$
        """
            .formatted(connections),
        "CREATE TRIGGER lose BEFORE DELETE ON millrace_journal EXECUTE FUNCTION lose()");
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isZero();
    if (connections > 1) {
      assertThat(result.err())
          .contains("the copy is complete, but its journal could not be removed");
    }
    assertThat(rows()).isEqualTo(2);
    assertThat(copy(orders(), "--resume").code()).isZero();
  }

  @Test
  void whoMayNotKeepAJournalCopiesAndIsToldThatItCanNotGoOn() throws IOException {
    Cli.Result result = copy(clerksOrders());
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .contains("a run that is cut off can't be resumed: the user may not make the table")
        .contains("millrace_journal");
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void whoMayNotReadTheJournalDoesNotAddRowsTwiceInsteadOfGoingOn() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    Cli.Result result = copy(clerksOrders(), "--resume");
    assertThat(result.code()).as(result.err()).isEqualTo(2);
    assertThat(result.err())
        .contains(
            "Nobody can tell whether there is such a copy to resume: the user may not write to"
                + " public.millrace_journal",
            "leave --resume out");
    assertThat(rows()).isEqualTo(2);
    assertThat(copy(clerksOrders()).code()).isZero();
    assertThat(rows()).isEqualTo(4);
  }

  @Test
  void aTruncateThatFailsSaysThatTheOldRowsAreGone() throws IOException {
    assertThat(copy(orders()).code()).isZero();
    Path bad = home.resolve("bad.csv");
    Files.writeString(bad, "id,name\n1,one\ntwo,two\n");
    Cli.Result result = new Cli(home).run("copy", bad.toString(), orders(), "--mode", "truncate");
    assertThat(result.code()).as(result.err()).isEqualTo(3);
    assertThat(result.err()).contains("public.orders was emptied first: what it held is gone.");
    assertThat(rows()).isZero();
  }

  @Test
  void aCopyIntoATableWithoutALogEndsWhereACrashOfTheServerHasEmptiedIt() throws IOException {
    server.execute(database, "ALTER TABLE orders SET UNLOGGED");
    assertThat(copy(orders(), "--resume").code()).isZero();
    assertThat(copy(orders(), "--resume").err()).contains("complete since");
    server.execute(
        database,
        """
        CREATE FUNCTION as_a_crash_does() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          DELETE FROM millrace_journal_unlogged;
          RETURN NULL;
        END $$
        """,
        "CREATE TRIGGER crash BEFORE INSERT ON orders EXECUTE FUNCTION as_a_crash_does()");
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("The server has crashed meanwhile")
        .doesNotContain("Go on with");
  }

  /// The connection is lost when the commit has been sent and not been answered.
  @Test
  void stagedRowsWhoseCommitWasNotAnsweredAreNotTakenForTooMany() throws Exception {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt("PERFORM pg_advisory_xact_lock_shared(1);");
    try (FaultyProxy proxy =
            new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None());
        Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(1)");
      String after =
          "postgresql://%s@localhost:%d/%s?table=orders"
              .formatted(server.user(), proxy.port(), database);
      CompletableFuture<Cli.Result> copying =
          CompletableFuture.supplyAsync(() -> copy(after, "--atomic"));
      String waits =
          "SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 1 AND NOT granted"
              + " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
      while (!copying.isDone() && !statement.executeQuery(waits).next()) {
        Thread.onSpinWait();
      }
      proxy.resetAll();
      statement.execute("SELECT pg_advisory_unlock(1)");
      Cli.Result result = copying.join();
      assertThat(result.code()).as(result.err()).isZero();
    }
    assertThat(rows()).isEqualTo(2);
  }

  /// A server that restarts can't be reached for some time after it has ended all connections.
  @Test
  void whatCouldNotBeUndoneBeforeRowsMovedIsWhenTheyAreTriedAgain() throws Exception {
    try (FaultyProxy proxy =
            new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None());
        Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders IN ACCESS SHARE MODE");
      String[] words = {"copy", home.resolve("orders.csv").toString(), "", "--mode", "truncate"};
      words[2] =
          "postgresql://%s@localhost:%d/%s?table=orders"
              .formatted(server.user(), proxy.port(), database);
      CompletableFuture<Cli.Result> copying =
          CompletableFuture.supplyAsync(() -> new Cli(home).run(words));
      String waits = "SELECT FROM pg_locks WHERE relation = 'orders'::regclass AND NOT granted";
      while (!copying.isDone() && !statement.executeQuery(waits).next()) {
        Thread.onSpinWait();
      }
      proxy.refuse(true);
      proxy.resetAll();
      // Whoever looks for locks tries as well, then what undoes it, then the next copy.
      for (int enough = proxy.accepted() + 4; !copying.isDone() && proxy.accepted() < enough; ) {
        Thread.onSpinWait();
      }
      proxy.refuse(false);
      other.rollback();
      Cli.Result result = copying.join();
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.err()).contains("millrace: waiting 0.5 s: ", "(try 2)");
    }
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void withoutAJournalALostConnectionMayHaveBeenSuchACrash() throws IOException {
    String clerks = clerksOrders();
    server.execute(
        database,
        "ALTER TABLE orders SET UNLOGGED",
        """
        CREATE FUNCTION as_a_crash_does() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE usename = current_user AND pid <> pg_backend_pid();
          RETURN NULL;
        END $$
        """,
        "CREATE TRIGGER crash BEFORE INSERT ON orders EXECUTE FUNCTION as_a_crash_does()");
    Cli.Result result = copy(clerks, "--lanes", "1");
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err()).contains("no journal tells");
  }

  @Test
  void aCopyWhoseStagedRowsACrashHasTakenSaysSoAndLeavesNothingBehind() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt(
        """
        EXECUTE 'DELETE FROM ' || (
          SELECT oid::regclass FROM pg_class WHERE relname LIKE 'orders@_millrace@_%' ESCAPE '@');
        """);
    Cli.Result result = copy(orders(), "--atomic");
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("holds 0 rows, not 2: a crash of the server", "Copy again from the start")
        .doesNotContain("--resume");
    assertThat(stagingTables()).isEqualTo("0");
    assertThat(copy(orders(), "--atomic").code()).isZero();
    assertThat(rows()).isEqualTo(2);
  }

  private String stagingTables() throws IOException {
    Path count = home.resolve("count.csv");
    String query =
        "SELECT count(*) AS n FROM pg_class WHERE starts_with(relname::text, 'orders_m')";
    String[] words = {
      "copy", server.url(database) + "?query=" + query, count.toString(), "--mode", "replace"
    };
    assertThat(new Cli(home).run(words).code()).isZero();
    return Files.readAllLines(count).getLast();
  }

  /// As a disk that fails at the end of a copy with `--atomic`, which keeps what is staged.
  private void refuseInserts() {
    server.execute(
        database,
        """
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION USING errcode = '58030', message = 'no disk';
        END $$
        """,
        "CREATE TRIGGER refuses BEFORE INSERT ON orders EXECUTE FUNCTION refuse()");
  }

  @Test
  void aCopyThatWasCutOffAndWhoseStagedRowsACrashHasTakenBeginsFromTheStart() throws IOException {
    refuseInserts();
    Cli.Result cut = copy(orders(), "--atomic");
    assertThat(cut.code()).as(cut.err()).isEqualTo(4);
    assertThat(cut.err()).contains("--resume");
    server.execute(
        database,
        "DROP TRIGGER refuses ON orders",
        """
        DO $$ BEGIN
          EXECUTE 'TRUNCATE ' || (SELECT oid::regclass FROM pg_class
            WHERE relname LIKE 'orders@_millrace@_%' ESCAPE '@' AND relkind = 'r');
        END $$
        """);
    Cli.Result again = copy(orders(), "--atomic", "--resume");
    assertThat(again.err()).contains("had staged is lost", "begins from the start");
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(rows()).isEqualTo(2);
    assertThat(stagingTables()).isEqualTo("0");
  }

  @Test
  void aTableThatSomebodyEmptiesMeanwhileLacksRowsAndTheCopySaysSo() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt("TRUNCATE orders;");
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("public.orders holds 0 rows, and this copy alone has committed 2")
        .doesNotContain("Go on with");
  }

  @Test
  void aTableThatIsDroppedMeanwhileIsNotSaidToBeKept() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt("DROP TABLE orders;");
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isNotZero();
    assertThat(result.err()).doesNotContain("Go on with");
  }

  /// Two commits of a row each, or one at the end of all: the second one finds it changed.
  private Cli.Result whileSomebodyDoes(String statement, String... more) {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt(statement + ";");
    String[] words = Arrays.copyOf(more, more.length + 3);
    System.arraycopy(
        new String[] {"--lanes=1", "--read-unit=1", "--commit-unit=1"}, 0, words, more.length, 3);
    Cli.Result result = copy(orders(), words);
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--method=native", "--method=normal", "--atomic"})
  void aColumnThatSomebodyDropsMeanwhileIsToldAsThat(String option) {
    assertThat(whileSomebodyDoes("ALTER TABLE orders DROP COLUMN IF EXISTS name", option).err())
        .contains(
            "The columns of public.orders are not what they were: somebody has changed them while"
                + " rows were copied (column \"name\" of relation \"orders\" does not exist).",
            "Give the table its columns back");
  }

  @ParameterizedTest
  @CsvSource({
    "DROP TABLE IF EXISTS orders, --method=native",
    "DROP TABLE IF EXISTS orders, --method=direct",
    "DROP TABLE IF EXISTS orders, --atomic",
    "ALTER TABLE IF EXISTS orders RENAME TO elsewhere, --method=native",
  })
  void aTableThatSomebodyTakesAwayMeanwhileIsToldAsThat(String statement, String option) {
    assertThat(whileSomebodyDoes(statement, option).err())
        .contains(
            "public.orders is not there any more: somebody has dropped or renamed it while rows"
                + " were copied.");
  }

  @Test
  void aColumnThatIsGivenBackLetsTheCopyGoOn() throws IOException {
    whileSomebodyDoes("ALTER TABLE orders DROP COLUMN IF EXISTS name");
    server.execute(
        database, "DROP TRIGGER meanwhile ON millrace_journal", "ALTER TABLE orders ADD name text");
    Cli.Result rest = copy(orders(), "--lanes=1", "--read-unit=1", "--commit-unit=1", "--resume");
    assertThat(rest.code()).as(rest.err()).isZero();
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aFrozenCopyThatFailsLeavesNoJournal() throws IOException {
    server.execute(database, "ALTER TABLE orders ADD CHECK (id < 2)");
    Cli.Result result = copy(orders(), "--freeze");
    assertThat(result.code()).as(result.err()).isEqualTo(3);
    server.execute(database, "CREATE TABLE millrace_journal ()");
  }

  @Test
  void whatACopyByAnotherCommandHasLeftIsToldOf() throws IOException {
    refuseInserts();
    assertThat(copy(orders(), "--atomic").code()).isEqualTo(4);
    server.execute(database, "DROP TRIGGER refuses ON orders");
    String left = "and cut off, has left public.orders_millrace_";
    Cli.Result other = copy(orders(), "--atomic", "--select", "id,name");
    assertThat(other.code()).as(other.err()).isZero();
    assertThat(other.err()).contains("another copy, begun at", left);
    Cli.Result same = copy(orders(), "--atomic", "--resume");
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.err()).doesNotContain(left);
    assertThat(rows()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--resume", "--fresh", "--quiet"})
  void rowsThatAnotherUserHasStagedAreSaidToBeThat(String option) throws IOException {
    refuseInserts();
    String clerks = clerksOrders();
    assertThat(copy(orders(), "--atomic").code()).isEqualTo(4);
    server.execute(
        database,
        "GRANT CREATE ON SCHEMA public TO " + CLERK,
        "GRANT ALL ON millrace_journal TO " + CLERK);
    Cli.Result result = copy(clerks, "--atomic", option);
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("its staging table public.orders_millrace_")
        .contains("belongs to user " + server.user())
        .contains("DROP TABLE");
    server.execute(database, "DROP TRIGGER refuses ON orders");
    assertThat(copy(orders(), "--atomic", "--resume").code()).isZero();
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aRightToTheJournalThatIsTakenAwayMeanwhileIsToldAsThat() throws IOException {
    String clerks = clerksOrders();
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(
        database, "TRUNCATE orders, millrace_journal", "GRANT ALL ON millrace_journal TO " + CLERK);
    afterEachReceipt("REVOKE ALL ON millrace_journal FROM " + CLERK + ";");
    server.execute(database, "ALTER FUNCTION meanwhile() SECURITY DEFINER");
    Cli.Result result = copy(clerks, "--lanes", "1");
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("permission denied for table millrace_journal")
        .doesNotContain("gone");
    server.execute(
        database,
        "DROP TRIGGER meanwhile ON millrace_journal",
        "GRANT ALL ON millrace_journal TO " + CLERK);
    assertThat(copy(clerks, "--resume").code()).isZero();
    assertThat(rows()).isEqualTo(2);
  }

  @Test
  void aTableThatAnotherOneReplacesMeanwhileLacksRowsAndTheCopySaysSo() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE millrace_journal");
    afterEachReceipt(
        """
        ALTER TABLE orders RENAME TO orders_old;
        CREATE TABLE orders (LIKE orders_old);
        """);
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("Somebody has put another table in the place of")
        .doesNotContain("Go on with");
    assertThat(rows()).isZero();
  }

  @Test
  void aColumnThatBecomesOfAnotherTypeMeanwhileIsToldOf() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    server.execute(database, "TRUNCATE orders, millrace_journal");
    afterEachReceipt("ALTER TABLE orders ALTER id TYPE real, ADD more text;");
    Cli.Result result = copy(orders());
    assertThat(result.code()).as(result.err()).isEqualTo(4);
    assertThat(result.err())
        .contains("The columns of public.orders were changed while rows were copied")
        .doesNotContain("Go on with");
    server.execute(database, "DROP TRIGGER meanwhile ON millrace_journal");
    assertThat(copy(orders(), "--fresh").code()).isZero();
  }

  @Test
  void aTableThatGetsAColumnMeanwhileIsNotReplacedByOneWithout() throws IOException {
    assertThat(copy(orders(), "--resume").code()).isZero();
    afterEachReceipt("ALTER TABLE orders ADD more text DEFAULT 'kept';");
    String[] replace = {
      "copy", home.resolve("orders.csv").toString(), orders(), "--mode", "replace"
    };
    Cli.Result result = new Cli(home).run(replace);
    assertThat(result.code()).as(result.err()).isEqualTo(2);
    assertThat(result.err())
        .contains("The columns of public.orders were changed while rows were loaded");
    server.execute(database, "SELECT more FROM orders");
    assertThat(rows()).isEqualTo(2);
  }
}
