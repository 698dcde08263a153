package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import millrace.testkit.PostgresServer;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The command line against a real PostgreSQL: what works, what a user gets when it does not, and
/// that no password is ever printed or kept.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PostgresTest {

  private static final String PASSWORD = "s3cret-pa55word";
  private static final String CLERK = "clerk_without_rights";

  /// Within which somebody who watches a copy should hear of what it waits for.
  private static final Duration SOON = Duration.ofSeconds(20);

  private static final String USER = "needs_to_say";

  private PostgresServer server;
  private String database;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
    server.execute("postgres", "CREATE ROLE " + CLERK + " LOGIN");
    server.execute(
        "postgres",
        "CREATE ROLE "
            + USER
            + " LOGIN SUPERUSER PASSWORD '"
            + PASSWORD
            + "' IN ROLE "
            + PostgresServer.PASSWORD_ROLE);
  }

  @BeforeEach
  void makeDatabase() {
    database = server.newDatabase();
    server.execute(
        database,
        "CREATE TABLE orders (id int PRIMARY KEY, amount numeric(9,2), note text)",
        "INSERT INTO orders SELECT i, i / 4.0, 'note ' || i FROM generate_series(1, 1000) i");
  }

  private String url(String password, String rest) {
    return "postgresql://%s:%s@%s:%d/%s%s"
        .formatted(USER, password, server.host(), server.port(), database, rest);
  }

  private Cli cli() {
    return new Cli(home);
  }

  private static void assertFault(Cli.Result result, ExitCode code, String... said) {
    assertThat(result.err()).startsWith("millrace: ").contains(said);
    assertThat(result.err()).doesNotContain("\tat ", PASSWORD);
    assertThat(result.out()).isEmpty();
    assertThat(result.code()).isEqualTo(code.number());
  }

  @Test
  void aTableGoesToCsvAndBackAndIsTheSame() {
    String table = server.url(database) + "?table=orders";
    String csv = home.resolve("orders.csv").toString();
    assertThat(cli().run("copy", table, csv).code()).isZero();
    String back = server.url(database) + "?table=back";
    assertThat(cli().run("copy", csv, back, "--columns", "amount:decimal(9,2)").code()).isZero();
    Cli.Result same = cli().run("verify", table, back, "--key", "id");
    assertThat(same.out()).startsWith("same: 1,000 rows on both sides.");

    server.execute(
        database,
        "UPDATE back SET note = CASE id WHEN 7 THEN 'note 8' ELSE 'note 7' END WHERE id IN (7, 8)");
    Cli.Result swapped = cli().run("verify", table, back, "--key", "id");
    assertThat(swapped.code()).isEqualTo(1);
    assertThat(swapped.out())
        .contains("7: changed: note: note 7 -> note 8", "8: changed: note: note 8 -> note 7");
  }

  @Test
  void aPreviewThatIsStoppedEndsItsQueryInTheServer() {
    String query = server.url(database) + "?query=SELECT pg_sleep(60)";
    Stop stop = new Stop();
    CompletableFuture<Cli.Result> preview =
        CompletableFuture.supplyAsync(() -> cli().run(stop, "preview", query));
    awaitSleepers("EXISTS");
    Console console = new Console(System.out, System.err, Map.of(), 0, false);
    assertThat(stop.stop(console)).as("has come to its end").isTrue();
    assertThat(preview.join().code()).isEqualTo(ExitCode.STOPPED.number());
    assertThat(preview.join().err()).contains("millrace: Stopped.");
    awaitSleepers("NOT EXISTS");
  }

  private void awaitSleepers(String condition) {
    server.execute(
        database,
        """
        DO $$ BEGIN
          FOR tenths IN 1..200 LOOP
            PERFORM pg_stat_clear_snapshot();
            IF %s (SELECT FROM pg_stat_activity WHERE state = 'active'
                AND datname = current_database() AND query LIKE 'COPY%%pg_sleep%%') THEN
              RETURN;
            END IF;
            PERFORM pg_sleep(0.1);
          END LOOP;
          RAISE EXCEPTION 'waited in vain';
        END $$
        """
            .formatted(condition));
  }

  @Test
  void aVerifySaysThatRowsAreHiddenFromIt() {
    server.execute(
        database,
        "CREATE TABLE hidden AS SELECT n FROM generate_series(1, 10) AS n",
        "ALTER TABLE hidden ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY few ON hidden USING (n <= 3)",
        "GRANT SELECT ON hidden TO " + CLERK);
    String clerk =
        "postgresql://%s@%s:%d/%s".formatted(CLERK, server.host(), server.port(), database);
    String few = clerk + "?query=SELECT n FROM generate_series(1, 3) AS n";
    String hidden = clerk + "?table=hidden";
    String note =
        "note  row security: only those rows of public.hidden are read that its policies show to"
            + " this user";
    Cli.Result same = cli().run("verify", few, hidden);
    assertThat(same.outLines()).containsExactly("same: 3 rows on both sides.", note);
    assertThat(same.code()).isZero();
    Cli.Result other = cli().run("verify", server.url(database) + "?table=hidden", hidden);
    assertThat(other.out()).startsWith("different: 10 rows").contains(note);
    server.execute(database, "REVOKE SELECT ON hidden FROM " + CLERK);
  }

  @Test
  void whatALoadGivesUpForSpeedStandsInPlanAndReport() {
    String table = server.url(database) + "?table=fast";
    String[] copy = {
      "copy", "generate:unload?rows=1000", table, "--freeze", "--unlogged", "--lanes=2", "-v"
    };
    List<String> planned = new ArrayList<>(List.of(copy));
    planned.add("--dry-run");
    Cli.Result plan = cli().run(planned.toArray(String[]::new));
    String unlogged = "public.fast is not crash-safe: it is unlogged";
    assertThat(plan.out())
        .contains(
            "lanes    1 (2 lanes asked, 1 used: --freeze needs the table made or emptied in the"
                + " transaction that fills it)",
            "note     rows are stored frozen, in one transaction",
            "note     " + unlogged,
            "ddl      CREATE UNLOGGED TABLE");
    Cli.Result done = cli().run(copy);
    assertThat(done.code()).isZero();
    assertThat(done.err()).contains("note  " + unlogged, "2 lanes asked, 1 used: --freeze");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--lanes=2", "--freeze", "--defer-indexes"})
  void aTableIsNotTakenAwayFromACopyThatReadsIt(String option) {
    String table = server.url(database) + "?table=orders";
    assertFault(
        cli().run("copy", table, table, "--mode", "truncate", option),
        ExitCode.USER,
        "FROM and TO are both postgresql://",
        "--mode truncate takes away what is to be read.",
        "Use --mode replace, or truncate with --atomic");
    assertThat(cli().run("copy", table, "null:").err()).contains("1,000 rows");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--mode=replace",
        "--mode=replace --freeze",
        "--mode=replace --defer-indexes",
        "--mode=truncate --atomic",
        "--mode=truncate --atomic --defer-indexes"
      })
  void aTableIsWrittenAnewFromItself(String options) {
    String table = server.url(database) + "?table=orders";
    List<String> copy = new ArrayList<>(List.of("copy", table, table, "--lanes", "2"));
    copy.addAll(List.of(options.split(" ")));
    assertThat(cli().run("copy", table, server.url(database) + "?table=before").code()).isZero();
    Cli.Result same = cli().run(copy.toArray(String[]::new));
    assertThat(same.code()).as(same.err()).isZero();
    assertThat(same.err()).contains("what others write there meanwhile will be lost");
    String before = server.url(database) + "?table=before";
    assertThat(cli().run("verify", before, table).out()).startsWith("same: 1,000 rows");
    copy.addAll(List.of("--where", "id % 10 = 0"));
    Cli.Result fewer = cli().run(copy.toArray(String[]::new));
    assertThat(fewer.code()).as(fewer.err()).isZero();
    assertThat(cli().run("verify", before, table, "--where", "id % 10 = 0").out())
        .startsWith("same: 100 rows");
    assertThat(cli().run("copy", table, "null:").err()).contains("100 rows");
    assertThat(cli().run("preview", table).out()).containsPattern("id .*key");
  }

  @Test
  void whatTheServerWaitsForIsNamed() {
    server.execute(
        database,
        "CREATE VIEW slow AS SELECT id, pg_sleep(0.005)::text AS slept FROM orders ORDER BY id");
    Cli.Result result =
        cli()
            .run(
                "copy",
                server.url(database) + "?table=slow",
                home.resolve("slow.csv").toString(),
                "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .containsPattern(
            "waits {6}the source's server was at work \\d+ % of the time, waiting for"
                + " a function that sleeps \\(pg_sleep\\) \\(Timeout:PgSleep\\) \\d\\d+ %");
  }

  /// Runs a command line while somebody else holds all of table orders, who is gone once the
  /// command has asked for them.
  private Cli.Result whileOrdersAreLocked(String... args) throws SQLException {
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Cli.Result> result = CompletableFuture.supplyAsync(() -> cli().run(args));
      String requested =
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle'"
              + " AND query LIKE '%pg_blocking_pids(w.pid)%'";
      try (Connection watching = server.connect(database);
          Statement looking = watching.createStatement()) {
        long end = System.nanoTime() + SOON.toNanos();
        while (System.nanoTime() < end && !looking.executeQuery(requested).next()) {
          Thread.onSpinWait();
        }
      }
      other.rollback();
      return result.join();
    }
  }

  private String heldBySomebody() {
    return "a lock of the server's process \\d+ \\(user "
        + server.user()
        + ", [^)]*idle in transaction, its transaction began at \\d{4}-\\d\\d-\\d\\d [0-9:]{8}"
        + " UTC\\)";
  }

  @Test
  void whoHoldsTheLockThatKeepsASourceFromBeingOpenedIsSaidAtOnce() throws SQLException {
    String orders = server.url(database) + "?table=orders";
    String waits =
        "^millrace: \\S+ orders is being opened and waits for " + heldBySomebody() + "\\.\\n";
    Cli.Result copied = whileOrdersAreLocked("copy", orders, home.resolve("locked.csv").toString());
    assertThat(copied.code()).as(copied.err()).isZero();
    assertThat(copied.err()).containsPattern(waits).contains("1,000 rows");
    assertThat(whileOrdersAreLocked("verify", orders, orders).err()).containsPattern(waits);
    assertThat(whileOrdersAreLocked("preview", orders).err()).containsPattern(waits);
    assertThat(whileOrdersAreLocked("copy", orders, "null:", "--quiet").err()).isEmpty();
  }

  @Test
  void whoHoldsTheLockThatKeepsACopyFromBeingPlannedIsSaidAtOnce() throws SQLException {
    String made = "generate:unload?rows=10";
    String orders = server.url(database) + "?table=orders";
    Cli.Result refused = whileOrdersAreLocked("copy", made, orders);
    assertThat(refused.err())
        .containsPattern("^millrace: the copy is being planned and waits for " + heldBySomebody())
        .contains("holds rows already");
  }

  @Test
  void aSourceThatStaysLockedIsWaitedForAsLongAsTheUserWants() throws SQLException {
    String orders = server.url(database) + "?table=orders";
    try (Connection other = server.connect(database);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE orders IN ACCESS EXCLUSIVE MODE");
      String[] copy = {"copy", orders, "null:", "--stall-timeout", "2s", "--quiet"};
      Cli.Result ended =
          CompletableFuture.supplyAsync(() -> cli().run(copy))
              .orTimeout(SOON.toSeconds(), TimeUnit.SECONDS)
              .join();
      assertFault(ended, ExitCode.TRANSIENT, "millrace: No row has moved for 2 s: ");
      assertThat(ended.err())
          .containsPattern("orders is being opened and waits for " + heldBySomebody())
          .contains("--stall-timeout");
    }
  }

  @Test
  void whoSeesOnlySomeRowsIsToldSo() {
    server.execute(
        database,
        "GRANT SELECT ON orders TO " + CLERK,
        "ALTER TABLE orders ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY few ON orders USING (id <= 10)");
    String note = "note  row security: only those rows of public.orders are read";
    String csv = home.resolve("few.csv").toString();
    String clerks =
        "postgresql://%s@%s:%d/%s?table=orders"
            .formatted(CLERK, server.host(), server.port(), database);
    assertThat(cli().run("copy", clerks, csv).err()).contains(note, "10 rows");
    Cli.Result all = cli().run("copy", server.url(database) + "?table=orders", "null:");
    assertThat(all.err()).contains("1,000 rows").doesNotContain("row security");
  }

  @Test
  void optionsOfALoadAreTheTargetsAlone() {
    String from = server.url(database) + "?table=orders";
    String csv = home.resolve("orders.csv").toString();
    assertFault(
        cli().run("copy", from, csv, "--freeze"), ExitCode.USER, "--freeze means nothing to");
    assertThat(cli().run("copy", from, csv).code()).isZero();
    Cli.Result replaced =
        cli().run("copy", csv, from, "--mode=truncate", "--defer-indexes", "--freeze", "-v");
    assertThat(replaced.code()).isZero();
    assertThat(replaced.err())
        .contains(
            "note  made after the rows, by the same definitions: primary key orders_pkey",
            "make indexes");
    String copy = server.url(database) + "?table=copied";
    assertThat(cli().run("copy", from, copy, "--freeze").code()).isZero();
    assertThat(cli().run("verify", from, copy).out()).startsWith("same: 1,000 rows");
    assertFault(
        cli().run("copy", from + "&freeze", csv, "--mode", "replace"),
        ExitCode.USER,
        "freeze is for tables that are loaded");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--lanes=2", "--freeze"})
  void ceilingsAreMeasuredInAScratchTableThatIsGoneAfterwards(String option) {
    String target = server.url(database) + "?table=odd.copied";
    server.execute(database, "CREATE SCHEMA odd");
    Cli.Result result =
        cli().run("copy", server.url(database) + "?table=orders", target, "--ceilings", option);
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("source alone", "target alone", "1,000 rows");
    server.execute(
        database,
        "DO $$ BEGIN IF EXISTS (SELECT FROM pg_class WHERE relname LIKE 'millrace_probe%') THEN"
            + " RAISE 'a scratch table is left'; END IF; END $$");
  }

  @Test
  void lanesThatThereAreNoConnectionsForAreNotCountedAndTold() {
    String role = "two_lanes_" + database;
    server.execute(
        database,
        "CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 3",
        // A row to a block, and blocks enough for more splits than lanes.
        "CREATE TABLE blocks (n int, wide text) WITH (fillfactor = 10)",
        "INSERT INTO blocks SELECT n, repeat('x', 1000) FROM generate_series(1, 12000) AS n",
        "GRANT SELECT ON blocks TO " + role);
    String blocks =
        "postgresql://%s@%s:%d/%s?table=blocks"
            .formatted(role, server.host(), server.port(), database);
    Cli.Result result = cli().run("copy", blocks, "null:", "--lanes=4", "--verbose");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err())
        .containsPattern(
            "lanes      ([123]) \\(only \\1 of 4 could open: .* takes no connection now: too many"
                + " connections for role \""
                + role
                + "\"");
  }

  @Test
  void aSourceWithoutRowsIsCopiedAlthoughNothingCanBeMeasuredByIt() {
    String url = server.url(database);
    Cli.Result result =
        cli()
            .run(
                "copy",
                url + "?query=SELECT 1 AS n WHERE false",
                url + "?table=none",
                "--ceilings");
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("not measured: the target, because no rows could be sampled");
  }

  @Test
  void aTargetWhereNoTableMayBeMadeIsNotMeasuredAndLoadedAllTheSame() {
    server.execute(
        database,
        // Before version 15 everybody might.
        "REVOKE CREATE ON SCHEMA public FROM PUBLIC",
        "CREATE TABLE narrow (id int, amount numeric(9,2), note text)",
        "GRANT SELECT, INSERT ON narrow, orders TO " + CLERK);
    String end =
        "postgresql://%s@%s:%d/%s?table=".formatted(CLERK, server.host(), server.port(), database);
    Cli.Result result = cli().run("copy", end + "orders", end + "narrow", "--ceilings");
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("not measured: rows from memory into a scratch table");
  }

  @Test
  void aSweepCopiesBesideTheTableAndLeavesOnlyIt() {
    String to = server.url(database) + "?table=orders";
    Cli.Result swept =
        cli()
            .run(
                "sweep",
                "generate:tokens?rows=2000",
                to,
                "--mode=append",
                "--vary=commit-unit=500,2000",
                "--vary=unlogged=true,false",
                "--repeat=2");
    assertThat(swept.code()).as(swept.err()).isZero();
    assertThat(swept.out()).contains("commit-unit  unlogged", "best       ");
    server.execute(
        database,
        "DO $$ BEGIN IF (SELECT count(*) FROM pg_tables WHERE schemaname = 'public') <> 1"
            + " OR (SELECT count(*) FROM orders) <> 1000 THEN"
            + " RAISE 'something is left, or rows came in'; END IF; END $$");
  }

  @Test
  void aSweepWhoseServerGoesAwayNamesTheTableThatItLeaves() {
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None())) {
      proxy.after(
          5 << 20,
          () -> {
            proxy.refuse(true);
            proxy.resetAll();
          });
      Cli.Result swept =
          cli()
              .run(
                  "sweep",
                  "generate:tokens?rows=5000000",
                  through(proxy),
                  "--vary=lanes=1,2",
                  "--retry-for=0s");
      assertThat(swept.code()).isNotZero();
      Matcher drop = Pattern.compile("DROP TABLE .*;").matcher(swept.err());
      assertThat(drop.find()).as(swept.err()).isTrue();
      server.execute(database, drop.group());
    }
  }

  @Test
  void aSweepGoesOnWhereTheServerWasAwayAndLeavesNothing() {
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None())) {
      Executor later = CompletableFuture.delayedExecutor(5, TimeUnit.SECONDS);
      proxy.after(
          5 << 20,
          () -> {
            proxy.refuse(true);
            proxy.resetAll();
            later.execute(() -> proxy.refuse(false));
          });
      Cli.Result swept =
          cli()
              .run(
                  "sweep",
                  "generate:tokens?rows=500000",
                  through(proxy),
                  "--vary=lanes=1,2",
                  "--repeat=1",
                  "--retry-for=3s");
      assertThat(swept.code()).as(swept.err()).isZero();
      assertThat(swept.out()).contains("best       lanes=").doesNotContain("failed");
      server.execute(
          database,
          "DO $$ BEGIN IF (SELECT count(*) FROM pg_tables WHERE tablename LIKE '%millrace%') > 0"
              + " THEN RAISE 'something is left'; END IF; END $$");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void aCopyOfASweepThatHadToWaitIsMadeOnceMore(int lastToWait) throws Exception {
    Path copies = Files.createFile(home.resolve("copies"));
    AtomicReference<FaultyProxy> itself = new AtomicReference<>();
    // The first copy warms up; the lane's connection is lost once in the second, and in the third.
    IntFunction<ConnectionFault> faults =
        _ -> {
          long copy = copies.toFile().length() / 2;
          boolean isLost = copy <= lastToWait && itself.get().harmed() < copy - 1;
          return isLost ? new ConnectionFault.Reset(8_000_000) : new ConnectionFault.None();
        };
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), faults)) {
      itself.set(proxy);
      Cli.Result swept =
          cli()
              .run(
                  "sweep",
                  "generate:tokens?rows=2000000",
                  through(proxy),
                  "--lanes=1",
                  "--commit-unit=1GB",
                  "--vary=read-unit=1000,5000",
                  "--repeat=1",
                  "--before=echo x >> " + copies);
      assertThat(swept.code()).as(swept.err()).isZero();
      assertThat(proxy.harmed()).isEqualTo(lastToWait - 1);
      assertThat(Files.readAllLines(copies)).as("one to warm up, two, one once more").hasSize(4);
      assertThat(swept.out().contains(": a copy waited "))
          .as(swept.out())
          .isEqualTo(lastToWait == 3);
    }
  }

  /// All rows of the copy are less than that, and the plan is the one without it.
  @Test
  void aCommitUnitThatIsNeverReachedChangesNothing() throws IOException {
    Path file = Files.writeString(home.resolve("few.csv"), "id\n1\n2\n");
    server.execute(database, "CREATE TABLE fresh (id bigint)");
    List<String> words = List.of("copy", file.toString(), server.url(database) + "?table=fresh");
    List<String> plans = new ArrayList<>();
    for (List<String> more : List.of(List.<String>of(), List.of("--commit-unit=1GB"))) {
      List<String> all = new ArrayList<>(words);
      all.addAll(List.of("--lanes=1", "--dry-run"));
      all.addAll(more);
      Cli.Result plan = cli().run(all.toArray(String[]::new));
      assertThat(plan.code()).as(plan.err()).isZero();
      plans.add(plan.out() + plan.err());
    }
    assertThat(plans.getFirst()).contains("public.fresh, append");
    assertThat(plans.getLast()).isEqualTo(plans.getFirst());
  }

  @Test
  void connectionsNameTables() {
    Cli cli = cli().with("MILLRACE_SHOP", server.url(database));
    assertThat(cli.run("copy", "shop:public.orders", "null:").err()).contains("1,000 rows");
    assertThat(cli.run("copy", "SHOP?query=SELECT 1 AS one", "null:").err()).contains(": 1 rows");
    assertThat(cli.run("copy", "shop:orders", "null:", "--where", "amount < 2").err())
        .contains(": 7 rows");
  }

  @Test
  void aPreviewShowsBothStatements() {
    Cli.Result result = cli().run("preview", server.url(database) + "?table=orders", "--first=2");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains(
            "id      integer       not null, key",
            "note 2",
            "-- postgresql",
            "\"amount\" numeric(9,2)",
            "-- duckdb",
            "\"amount\" DECIMAL(9,2)")
        .doesNotContain("note 3");
  }

  @Test
  void aWrongPassword() {
    assertFault(
        cli().run("copy", url("wr0ng-one", "?table=orders"), "null:"),
        ExitCode.USER,
        "password",
        USER);
    assertThat(cli().run("copy", url("wr0ng-one", "?table=orders"), "null:").err())
        .doesNotContain("wr0ng-one");
  }

  @Test
  void noSuchTableOrDatabase() {
    assertFault(
        cli().run("copy", url(PASSWORD, "?table=public.ordres"), "null:"),
        ExitCode.USER,
        "ordres",
        "Did you mean 'public.orders'?");
    String nowhere = server.url("no_such_db") + "?table=orders";
    assertFault(cli().run("copy", nowhere, "null:"), ExitCode.USER, "no_such_db");
  }

  @Test
  void noTableNamed() {
    assertFault(cli().run("copy", server.url(database), "null:"), ExitCode.USER, "table=");
  }

  @Test
  void nobodyListens() {
    Cli.Result result =
        cli().run("copy", "postgresql://me@localhost:1/db?table=t", "null:", "--retry-for", "0");
    assertThat(result.code()).isEqualTo(ExitCode.TRANSIENT.number());
    assertThat(result.err())
        .contains("No PostgreSQL server answers at localhost:1.")
        .doesNotContain("\tat ");
  }

  @Test
  void aServerThatIsAboutToComeUpIsWaitedFor() throws IOException {
    Path csv = home.resolve("more.csv");
    Files.writeString(csv, "id,amount,note\n1001,1.5,more\n");
    try (FaultyProxy proxy =
        new FaultyProxy(server.host(), server.port(), _ -> new ConnectionFault.None())) {
      proxy.refuse(true);
      Thread starter =
          Thread.ofPlatform()
              .start(() -> {
                while (proxy.accepted() < 2) {
                  Thread.onSpinWait();
                }
                proxy.refuse(false);
              });
      Cli.Result result = cli().run("copy", csv.toString(), through(proxy), "--mode", "append");
      assertThat(result.code()).as(result.err()).isZero();
      assertThat(result.err()).contains("millrace: waiting 0.5 s: ", "(try 2)");
      assertThat(starter.isAlive()).isFalse();
    }
    assertHoldsRows(1001);
  }

  private String through(FaultyProxy proxy) {
    return "postgresql://"
        + server.user()
        + "@localhost:"
        + proxy.port()
        + "/"
        + database
        + "?table=orders";
  }

  private void assertHoldsRows(int count) throws IOException {
    Path all = home.resolve("all.csv");
    Cli.Result result =
        cli().run("copy", server.url(database) + "?table=orders", all.toString(), "--quiet");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(Files.readAllLines(all)).hasSize(count + 1);
  }

  /// While it connects, looks at the table, plans, and begins.
  @ParameterizedTest
  @ValueSource(longs = {0, 300, 1000, 3000, 5000, 8000, 11_000})
  void aConnectionThatIsLostBeforeRowsMoveIsMadeAgain(long bytes) throws IOException {
    Path csv = home.resolve("more.csv");
    Files.writeString(csv, "id,amount,note\n1001,1.5,more\n");
    ConnectionFault cut = new ConnectionFault.Reset(bytes);
    try (FaultyProxy proxy =
        new FaultyProxy(
            server.host(),
            server.port(),
            number -> number == 0 ? cut : new ConnectionFault.None())) {
      Cli.Result result = cli().run("copy", csv.toString(), through(proxy), "--mode", "append");
      assertThat(result.code()).as(result.err()).isZero();
    }
    assertHoldsRows(1001);
  }

  @Test
  void aBadRowLeavesNoTableBehind() throws IOException {
    Path csv = home.resolve("bad.csv");
    Files.writeString(csv, "id,day\n1,2026-01-01\n2,2026-02-30\n");
    assertFault(
        cli()
            .run(
                "copy",
                csv.toString(),
                server.url(database) + "?table=days",
                "--columns",
                "day:date"),
        ExitCode.DATA,
        "bad.csv",
        "line 3",
        "\"day\"",
        "2026-02-30",
        "No rows were committed.");
    assertFault(
        cli().run("copy", server.url(database) + "?table=days", "null:"), ExitCode.USER, "days");
  }

  @Test
  void rowsThatOnlyTheServerRefusesAreSetAsideMendedAndLoadedByTheSameCommand() throws IOException {
    server.execute(database, "CREATE TABLE keys (id int PRIMARY KEY, t text)");
    Path csv = home.resolve("twice.csv");
    Path bad = home.resolve("bad.csv");
    Path worse = home.resolve("worse.csv");
    Files.writeString(csv, "id;t\r\n1;a\r\n2;b\r\n1;\"c\r\nd\"\r\nx;e");
    String[] command = {
      "copy",
      csv.toString(),
      server.url(database) + "?table=keys",
      "--mode=append",
      "--delimiter=;",
      "--max-rejects=50%",
      "--rejects=" + bad
    };
    Cli.Result first = cli().run(command);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.err()).contains("2 rows and 2 rejects");
    assertThat(Files.readString(bad)).isEqualTo("id;t\r\nx;e\r\n1;\"c\r\nd\"\r\n");
    assertThat(Files.readString(home.resolve("bad.csv.reasons.jsonl")))
        .contains("keys_pkey", "(id)=(1)", "\"line\":4", "\"line\":6");

    Files.writeString(bad, Files.readString(bad).replace("\n1;", "\n3;").replace("x;", "4;"));
    command[1] = bad.toString();
    command[6] = "--rejects=" + worse;
    Cli.Result second = cli().run(command);
    assertThat(second.code()).as(second.err()).isZero();
    assertThat(worse).doesNotExist();
    Path loaded = home.resolve("loaded.csv");
    assertThat(cli().run("copy", server.url(database) + "?table=keys", loaded.toString()).code())
        .isZero();
    assertThat(Files.readAllLines(loaded))
        .containsExactlyInAnyOrder("id,t", "1,a", "2,b", "3,\"c", "d\"", "4,e");
  }

  @Test
  void aTableThatHoldsRowsIsNotTouchedWithoutAMode() {
    String table = server.url(database) + "?table=orders";
    assertFault(cli().run("copy", table, table), ExitCode.USER, "--mode");
  }

  @Test
  void noPasswordIsEverPrintedOrKept() throws IOException {
    String table = url(PASSWORD, "?table=orders");
    String asParameter =
        "postgresql://%s@%s:%d/%s?table=orders&password=%s"
            .formatted(USER, server.host(), server.port(), database, PASSWORD);
    Cli cli = cli().with("MILLRACE_SHOP", url(PASSWORD, "")).with("DB_PASSWORD", PASSWORD);
    Files.createDirectories(home.resolve(".config/millrace"));
    Files.writeString(
        home.resolve(".config/millrace/connections.yaml"),
        """
        connections:
          FILED:
            type: postgres
            host: %s
            port: %d
            user: %s
            password: ${DB_PASSWORD}
            database: %s
        """
            .formatted(server.host(), server.port(), USER, database));
    List<Cli.Result> results = new ArrayList<>();
    for (String end : List.of(table, asParameter, "shop:orders", "filed:orders")) {
      results.add(cli.run("copy", end, "null:"));
      results.add(cli.run("copy", end, "null:", "--json"));
      results.add(cli.run("copy", end, "null:", "--dry-run", "--debug"));
      results.add(cli.run("preview", end, "--to", end));
      results.add(cli.run("verify", end, end));
    }
    assertThat(results).allMatch(result -> result.code() == 0, "done");
    for (String end : List.of(table, asParameter, "shop:orders", "filed:orders")) {
      results.add(cli.run("copy", end, "null:", "--where", "nope > 1", "--debug"));
      results.add(cli.run("copy", end, "null:", "--select", "nope", "--debug"));
      results.add(cli.run("copy", end, end, "--debug"));
      results.add(cli.run("copy", end + "?nope=1", "null:", "--debug"));
      results.add(cli.run("copy", "generate:tokens", end, "--mode", "append", "--debug"));
    }
    results.add(cli.run("runs", "last", "--json"));
    results.add(cli.run("runs"));
    assertThat(results)
        .noneMatch(result -> (result.out() + result.err()).contains("s3cret"), "tells a password");
    try (Stream<Path> kept = Files.walk(home.resolve(".local/state"))) {
      for (Path file : kept.filter(Files::isRegularFile).toList()) {
        assertThat(file).content().doesNotContain("s3cret");
      }
    }
  }
}
