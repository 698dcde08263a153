package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ReadSession;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.memory.MemoryConnector;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a load does to a table of PostgreSQL, what others see of it meanwhile, and what it leaves
/// to the server.
class PostgresWriteTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final String table = "w" + NAMES.incrementAndGet();

  private static Copying query(String query, String into) {
    return TestDatabase.copy(DATABASE.query(query), DATABASE.table(into));
  }

  private static WriteOptions landing(@Nullable Mode mode, boolean atomic, String... key) {
    return new WriteOptions(mode, atomic, List.of(key), false);
  }

  /// A mode, and the rows that others find while rows move and afterwards, of a table that held 1,
  /// 2 and 3 when 3 to 20000 were loaded.
  static Stream<Arguments> modes() {
    return Stream.of(
        Arguments.of(Mode.CREATE, false, null, "19998 rows from 3 to 20000"),
        Arguments.of(Mode.REPLACE, false, "3 rows from 1 to 3", "19998 rows from 3 to 20000"),
        Arguments.of(Mode.APPEND, false, "3 rows from 1 to 3", "20001 rows from 1 to 20000"),
        Arguments.of(Mode.APPEND, true, "3 rows from 1 to 3", "20001 rows from 1 to 20000"),
        Arguments.of(Mode.TRUNCATE, false, "0 rows from  to ", "19998 rows from 3 to 20000"),
        Arguments.of(Mode.TRUNCATE, true, "3 rows from 1 to 3", "19998 rows from 3 to 20000"),
        Arguments.of(Mode.MERGE, false, "3 rows from 1 to 3", "20000 rows from 1 to 20000"));
  }

  private @Nullable String found() {
    String exists = DATABASE.value("SELECT to_regclass('" + table + "') IS NOT NULL");
    return "t".equals(exists)
        ? DATABASE.value(
            "SELECT format('%s rows from %s to %s', count(*), min(n), max(n)) FROM " + table)
        : null;
  }

  /// Rows 3 to 20000, of which the 15000th waits until nobody holds the lock of that number.
  private Copying waitingCopy(Mode mode, boolean atomic, int lock) {
    if (mode != Mode.CREATE) {
      DATABASE.sql("CREATE TABLE " + table + " AS SELECT generate_series(1, 3) AS n");
    }
    String rows =
        "SELECT CASE WHEN n = 15000 AND pg_advisory_lock_shared("
            + lock
            + ") IS NULL THEN 0 ELSE n END AS n FROM generate_series(3, 20000) AS n";
    return query(rows, table).landing(landing(mode, atomic, "n"));
  }

  /// Waits until a session of this database waits for a lock.
  private static void awaitWaiting() {
    DATABASE.awaitTrue(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND"
            + " database = (SELECT oid FROM pg_database WHERE datname = current_database()))");
  }

  @ParameterizedTest(name = "{0}, atomic {1}")
  @MethodSource("modes")
  void othersSeeWhatTheModePromisesWhileRowsMove(
      Mode mode, boolean atomic, @Nullable String meanwhile, String afterwards)
      throws SQLException {
    int lock = NAMES.incrementAndGet();
    Copying copy = waitingCopy(mode, atomic, lock);
    CompletableFuture<Void> ended;
    try (Connection other = DATABASE.server.connect(DATABASE.name);
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + lock + ")");
      ended = CompletableFuture.runAsync(copy::run);
      awaitWaiting();
      assertThat(found()).isEqualTo(meanwhile);
    }
    ended.join();
    assertThat(found()).isEqualTo(afterwards);
    assertThat(DATABASE.staged(table)).isEqualTo("0");
  }

  @ParameterizedTest(name = "{0}, atomic {1}")
  @MethodSource("modes")
  void aRunThatIsStoppedLeavesWhatOthersSawMeanwhile(
      Mode mode, boolean atomic, @Nullable String meanwhile, String afterwards)
      throws SQLException {
    int lock = NAMES.incrementAndGet();
    Copying copy = waitingCopy(mode, atomic, lock);
    CompletableFuture<Run> running = new CompletableFuture<>();
    try (Connection other = DATABASE.server.connect(DATABASE.name);
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + lock + ")");
      CompletableFuture<Ran> ended =
          CompletableFuture.supplyAsync(() -> copy.run(running::complete));
      awaitWaiting();
      running.join().cancel("stopped by the test");
      assertThatThrownBy(ended::join)
          .isInstanceOf(CompletionException.class)
          .cause()
          .isInstanceOf(Fault.Cancelled.class);
    }
    assertThat(found()).isEqualTo(meanwhile).isNotEqualTo(afterwards);
  }

  @Test
  void rowsAppearPieceByPieceIfACommitUnitSaysSo() {
    DATABASE.sql("CREATE TABLE " + table + " (n int)");
    MemoryConnector memory = new MemoryConnector();
    List<Row> rows = IntStream.range(0, 8_000).mapToObj(Row::of).toList();
    memory.put("rows", Schema.of(List.of(Column.of("n", new Type.Int(32)))), rows);
    FaultyConnector fails =
        new FaultyConnector(
            memory, FaultPlan.at(FaultPlan.Site.READ, 0, 70, FaultPlan.Kind.EXTERNAL));
    Amount hundred = new Amount(100, false);
    Copying copy =
        Copying.of(fails, memory.endpoint("rows"), new PostgresConnector(), DATABASE.table(table))
            .mode(Mode.APPEND)
            .units(hundred, null, hundred);
    assertThatThrownBy(copy::run).hasMessageContaining("injected");
    assertThat(DATABASE.value("SELECT count(*) > 0 AND count(*) <= 7000 FROM " + table))
        .isEqualTo("t");
  }

  @ParameterizedTest
  @CsvSource({"APPEND, false", "APPEND, true", "TRUNCATE, false", "MERGE, false", "REPLACE, false"})
  void defaultsIdentityAndGeneratedColumnsAreLeftToTheServer(Mode mode, boolean atomic) {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " (a int GENERATED ALWAYS AS IDENTITY (START 50), b int GENERATED BY DEFAULT AS"
            + " IDENTITY (START 70), s serial, g int GENERATED ALWAYS AS (v * 2) STORED,"
            + " d text DEFAULT 'as usual', t timestamptz DEFAULT now(), v int PRIMARY KEY)",
        "INSERT INTO " + table + " (v) VALUES (1)");
    if (mode == Mode.REPLACE) {
      // Of other columns than the old table, so that nothing is left but what the source has.
      WriteOptions anew =
          new WriteOptions(mode, false, List.of(), false, WriteOptions.Types.SOURCE);
      query("SELECT 5 AS v", table).landing(anew).run();
      assertThat(DATABASE.column("SELECT w::text FROM " + table + " AS w")).containsExactly("(5)");
      return;
    }
    Plan plan = query("SELECT 5 AS v", table).landing(landing(mode, atomic)).run().plan();
    assertThat(plan.writePlan().notes())
        .contains(
            "the source has nothing for columns a, b, s, d, t: new rows get the default there, a"
                + " trigger's value, or null");
    assertThat(
            DATABASE.value(
                "SELECT (a, b, s, g, d, t IS NOT NULL, v)::text FROM " + table + " WHERE v = 5"))
        .isEqualTo("(51,71,2,10,\"as usual\",t,5)");
  }

  @ParameterizedTest
  @CsvSource({
    "a int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, generate, an identity column",
    "a int GENERATED ALWAYS AS (v * 2) STORED PRIMARY KEY, keep, a generated column"
  })
  void aMergeByAColumnThatTheServerMakesIsRefusedAsThat(
      String column, String identity, String what) {
    DATABASE.sql("CREATE TABLE " + table + " (" + column + ", v int)");
    Endpoint target = DATABASE.endpoint(Map.of("table", table, "identity", identity));
    Endpoint source = DATABASE.query("SELECT 900 AS a, 5 AS v");
    assertThatThrownBy(() -> TestDatabase.copy(source, target).mode(Mode.MERGE).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("Column a of public." + table + " is " + what)
        .hasMessageContaining("can't be merged by it");
  }

  /// Of types without an equality, of a domain, of a partitioned table; and by a key without index.
  @ParameterizedTest
  @CsvSource({
    "'(a int PRIMARY KEY, j json, d w_domain, p point, n numeric)'",
    "'(a int, j json, d w_domain, p point, n numeric)'",
    "'(a int PRIMARY KEY, j json, d w_domain, p point, n numeric) PARTITION BY RANGE (a)'"
  })
  void aMergeLeavesRowsAsTheyAreWhoseValuesAreTheSame(String columns) {
    DATABASE.sql(
        "DROP DOMAIN IF EXISTS w_domain CASCADE",
        "CREATE DOMAIN w_domain AS varchar(5)",
        "CREATE TABLE " + table + columns);
    if (columns.contains("PARTITION")) {
      DATABASE.sql("CREATE TABLE %1$s_all PARTITION OF %1$s DEFAULT".formatted(table));
    }
    DATABASE.sql(
        "INSERT INTO %s VALUES (1, '{}', 'x', '(1,2)', 1.0), (2, NULL, 'y', NULL, 1.0)"
            .formatted(table));
    String first = DATABASE.value("SELECT ctid FROM %s WHERE a = 1".formatted(table));
    String rows =
        "SELECT * FROM (VALUES (1, '{}'::json, 'x'::w_domain, '(1,2)'::point, 1.0),"
            + " (2, NULL, 'y', NULL, 1.00), (3, NULL, NULL, NULL, NULL)) AS q(a, j, d, p, n)";
    Ran ran = query(rows, table).landing(landing(Mode.MERGE, false, "a")).run();
    assertThat(ran.merged()).isEqualTo(new MergeCounts(1, 1, 1, 0));
    assertThat(DATABASE.value("SELECT ctid FROM %s WHERE a = 1".formatted(table))).isEqualTo(first);
    assertThat(DATABASE.column("SELECT n FROM %s ORDER BY a".formatted(table)))
        .containsExactly("1.0", "1.00", null);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "normal", "direct"})
  void aRowWithoutAKeyIsNotMergedAndTheMessageSaysWhichColumnLacksIt(String method) {
    DATABASE.sql("CREATE TABLE " + table + " (a int, b int, v int)");
    Endpoint target = DATABASE.endpoint(Map.of("table", table, "method", method));
    WriteOptions byKey = new WriteOptions(Mode.MERGE, false, List.of("a", "b"), false);
    Endpoint source =
        DATABASE.query(
            "SELECT 1 AS a, CASE WHEN v < 30 THEN v END AS b, v"
                + " FROM generate_series(1, 40) AS v");
    assertThatThrownBy(() -> TestDatabase.copy(source, target).landing(byKey).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageStartingWith("public." + table)
        .hasMessageContaining("a row to be merged has no value in column b, which is of the key")
        .hasMessageNotContaining("millrace");
  }

  @Test
  void aMergeWhoseRowsPoliciesHideSaysSoWhereNoIndexTells() {
    secured();
    Endpoint target = secured(Map.of());
    Plan plan =
        TestDatabase.copy(DATABASE.query("SELECT n FROM generate_series(1, 4) n"), target)
            .landing(landing(Mode.MERGE, false, "n"))
            .run()
            .plan();
    assertThat(plan.writePlan().notes())
        .anyMatch(note -> note.startsWith("row security: where policies of public." + table));
    assertThat(DATABASE.column("SELECT n::text FROM " + table + " ORDER BY n"))
        .containsExactly("1", "2", "2", "3", "3", "4");
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  @Test
  void aTableWithPoliciesForTheUserIsLoadedByInsertOrStagedAndCopyIsRefusedInThePlan() {
    secured();
    Copying copy =
        TestDatabase.copy(DATABASE.query("SELECT 7 AS n"), secured(Map.of())).mode(Mode.APPEND);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessage(
            "Row security of public."
                + table
                + " applies to this user, and PostgreSQL takes no COPY into such a table.");
    copy.landing(landing(Mode.APPEND, true)).run();
    TestDatabase.copy(DATABASE.query("SELECT 8 AS n"), secured(Map.of("method", "direct")))
        .mode(Mode.APPEND)
        .run();
    assertThat(DATABASE.column("SELECT n::text FROM " + table + " ORDER BY n"))
        .containsExactly("1", "2", "3", "7", "8");
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  /// A table of 1, 2 and 3, of which a user sees 1 alone and may add any.
  private void secured() {
    DATABASE.sql(
        "CREATE ROLE " + table + "_u LOGIN",
        "GRANT CREATE ON SCHEMA public TO " + table + "_u",
        "CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 3) AS n",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY sees ON " + table + " FOR SELECT USING (n < 2)",
        "CREATE POLICY adds ON " + table + " FOR INSERT WITH CHECK (true)",
        "GRANT ALL ON " + table + " TO " + table + "_u");
  }

  private Endpoint secured(Map<String, String> parameters) {
    Map<String, String> all = new HashMap<>(parameters);
    all.put("table", table);
    return DATABASE.as(table + "_u", Secret.NONE, all);
  }

  @ParameterizedTest
  @CsvSource({"CREATE, false", "APPEND, false", "APPEND, true", "REPLACE, false", "MERGE, false"})
  void aNewTableGetsKeyAndNotNullFromTheSource(Mode mode, boolean atomic) {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + "_from (a int, b text, c date NOT NULL, d int, PRIMARY KEY (b, a))",
        "INSERT INTO " + table + "_from VALUES (1, 'x', '2026-01-01', NULL)");
    TestDatabase.copy(DATABASE.table(table + "_from"), DATABASE.table(table))
        .landing(landing(mode, atomic))
        .run();
    String columns =
        "SELECT string_agg(attname || CASE WHEN attnotnull THEN '!' ELSE '' END, ' ' ORDER BY"
            + " attnum) FROM pg_attribute WHERE attnum > 0 AND attrelid = '"
            + table
            + "'::regclass";
    assertThat(DATABASE.value(columns)).isEqualTo("a! b! c! d");
    assertThat(
            DATABASE.value(
                "SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE"
                    + " contype = 'p' AND conrelid = '"
                    + table
                    + "'::regclass"))
        .isEqualTo(table + "_pkey PRIMARY KEY (b, a)");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("1");
  }

  @Test
  void aPartitionedTableThatRefersToItselfIsTruncated() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int PRIMARY KEY, up int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_1 PARTITION OF " + table + " DEFAULT",
        "ALTER TABLE " + table + " ADD FOREIGN KEY (up) REFERENCES " + table,
        "INSERT INTO " + table + " VALUES (7, 7)");
    query("SELECT 1 AS n, 1 AS up", table).mode(Mode.TRUNCATE).run();
    assertThat(found()).isEqualTo("1 rows from 1 to 1");
  }

  @ParameterizedTest
  @CsvSource({
    "TRUNCATE, false, truncated",
    "TRUNCATE, true, truncated",
    "REPLACE, false, replaced"
  })
  void aTableThatOthersReferToIsRefusedByTheirNamesBeforeAnythingIsTried(
      Mode mode, boolean atomic, String what) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int PRIMARY KEY)",
        "CREATE TABLE " + table + "_child (n int CONSTRAINT up REFERENCES " + table + ")",
        "INSERT INTO " + table + " VALUES (7)");
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).landing(landing(mode, atomic)).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(
            table + " can't be " + what + ": foreign key up of " + table + "_child")
        .extracting(fault -> ((Fault) fault).advice())
        .isEqualTo(
            "Use --mode merge, or drop the foreign keys and make them again after the copy.");
    assertThat(found()).isEqualTo("1 rows from 7 to 7");
  }

  @Test
  void whoMayChangeNothingIsToldBeforeAnythingIsTried() {
    String user = "reads_only";
    DATABASE.sql(
        "CREATE ROLE " + user + " LOGIN SUPERUSER",
        "ALTER ROLE " + user + " SET default_transaction_read_only = on");
    Endpoint target = DATABASE.as(user, Secret.NONE, Map.of("table", "unwritten"));
    assertThatThrownBy(
            () -> new PostgresConnector().target(target, WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("lets user reads_only change nothing")
        .hasMessageContaining("default_transaction_read_only");
  }

  @Test
  void aTableWithoutColumnsIsSaidToHaveNone() {
    DATABASE.sql("CREATE TABLE hollow ()", "CREATE TABLE for_hollow AS SELECT 1 AS n");
    Copying copy = TestDatabase.copy(DATABASE.table("for_hollow"), DATABASE.table("hollow"));
    assertThatThrownBy(() -> copy.mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessage("public.hollow has no columns.");
  }

  @Test
  void whatIsNoTableIsNotLoaded() {
    DATABASE.sql("CREATE VIEW " + table + " AS SELECT 1 AS n");
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(table + " is a view");
    assertThatThrownBy(() -> query("SELECT 1 AS n", "no_schema." + table).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no schema no_schema")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("CREATE SCHEMA");
  }

  @Test
  void rowsOfAPartitionedTableGoToTheirPartitionsOrAreRefused() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_low PARTITION OF " + table + " FOR VALUES FROM (0) TO (100)",
        "CREATE TABLE "
            + table
            + "_high PARTITION OF "
            + table
            + " FOR VALUES FROM (100) TO (200)");
    for (boolean atomic : List.of(false, true)) {
      query("SELECT generate_series(50, 149) AS n", table)
          .landing(landing(Mode.APPEND, atomic))
          .run();
      assertThatThrownBy(() ->
              query("SELECT generate_series(150, 250) AS n", table)
                  .landing(landing(Mode.APPEND, atomic))
                  .run())
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("no partition")
          .hasMessageContaining(table)
          .hasMessageContaining("(200)");
    }
    assertThat(DATABASE.value("SELECT count(*) FROM " + table + "_low")).isEqualTo("100");
    assertThat(DATABASE.value("SELECT count(*) FROM " + table + "_high")).isEqualTo("100");
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).mode(Mode.REPLACE).run())
        .hasMessageContaining("partitioned table, which can't be replaced");
  }

  @ParameterizedTest(name = "{0}, atomic {1}")
  @CsvSource({"APPEND, false", "APPEND, true", "TRUNCATE, true", "MERGE, false"})
  void triggersRunAndThePlanSaysSo(Mode mode, boolean atomic) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int)",
        "CREATE FUNCTION "
            + table
            + "_f() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN IF NEW.n % 2 = 0 THEN RETURN NULL; END IF; RETURN NEW; END'",
        "CREATE TRIGGER odd BEFORE INSERT ON "
            + table
            + " FOR EACH ROW EXECUTE FUNCTION "
            + table
            + "_f()");
    Ran run =
        query("SELECT generate_series(1, 10) AS n", table)
            .landing(landing(mode, atomic, "n"))
            .run();
    assertThat(run.plan().writePlan().notes())
        .anyMatch(note -> note.startsWith("triggers of the table run"));
    if (mode != Mode.MERGE) {
      assertThat(run.meter().rows()).isEqualTo(5);
      assertThat(run.notes()).contains("5 rows were ignored by triggers of the table.");
    }
    assertThat(found()).isEqualTo("5 rows from 1 to 9");
  }

  @Test
  void rowsThatARuleWouldLeaveOutOfAnInsertionEndItOrAreSaidInThePlan() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int PRIMARY KEY)",
        "CREATE RULE odd AS ON INSERT TO " + table + " WHERE NEW.n % 2 = 0 DO INSTEAD NOTHING");
    Copying copy = query("SELECT generate_series(1, 10) AS n", table);
    assertThatThrownBy(() -> copy.landing(landing(Mode.APPEND, true)).run())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("The server took 5 of 10 rows into public." + table);
    assertThat(found()).isEqualTo("0 rows from  to ");
    assertThat(copy.mode(Mode.MERGE).run().plan().writePlan().notes())
        .anyMatch(note -> note.startsWith("rules of the table apply"));
  }

  @Test
  void theLongestNamesAreTakenAndLongerOnesRefused() {
    String longest = "表".repeat(21);
    for (Mode mode : List.of(Mode.CREATE, Mode.REPLACE, Mode.MERGE)) {
      query("SELECT 1 AS n", longest).landing(landing(mode, false, "n")).run();
    }
    assertThat(DATABASE.value("SELECT n FROM \"" + longest + "\"")).isEqualTo("1");
    assertThatThrownBy(() -> query("SELECT 1 AS n", longest + "x").run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("63 bytes, not 64");
    DATABASE.sql("DROP TABLE \"" + longest + "\"");
  }

  @Test
  void typesOfTheUserThatTheTargetLacksAreSaidInThePlanAndKeptAsText() {
    DATABASE.sql(
        "CREATE SCHEMA " + table,
        "CREATE TYPE " + table + ".colour AS ENUM ('red', 'blue')",
        "CREATE DOMAIN " + table + ".share AS numeric(5,2) CHECK (VALUE <= 100)",
        "CREATE TABLE " + table + ".t (c " + table + ".colour, s " + table + ".share)",
        "INSERT INTO " + table + ".t VALUES ('red', 12.50), (NULL, NULL)");
    TestDatabase other = TestDatabase.make();
    Plan plan = TestDatabase.copy(DATABASE.table(table + ".t"), other.table("t")).run().plan();
    assertThat(plan.writePlan().notes())
        .anyMatch(note -> note.contains("no type " + table + ".colour in this database"))
        .anyMatch(note -> note.contains("no type " + table + ".share in this database"));
    assertThat(other.column("SELECT t::text FROM t")).containsExactly("(red,12.50)", "(,)");

    other.sql(
        "CREATE SCHEMA " + table,
        "CREATE TYPE " + table + ".colour AS ENUM ('blue', 'red', 'green')",
        "CREATE DOMAIN " + table + ".share AS numeric(5,2) CHECK (VALUE <= 100)");
    TestDatabase.copy(DATABASE.table(table + ".t"), other.table("u")).run();
    assertThat(other.column("SELECT pg_typeof(c) || ' ' || pg_typeof(s) FROM u"))
        .containsOnly(table + ".colour " + table + ".share");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "('a','b')::part",
        "ARRAY[('a','b')]::part[]",
        "ROW(('a','b')::part)::whole",
        "('a','b')::part_domain"
      })
  void aRowTypeWhoseMembersStandInAnotherOrderElsewhereIsRefused(String value) {
    String makeTypes =
        "CREATE TYPE part AS (%s text, %s text); CREATE TYPE whole AS (p part);"
            + " CREATE DOMAIN part_domain AS part";
    TestDatabase here = TestDatabase.make();
    here.sql(makeTypes.formatted("street", "city").split(";"));
    here.sql("CREATE TABLE t AS SELECT 1 AS n, " + value + " AS v");
    TestDatabase alike = TestDatabase.make();
    alike.sql(makeTypes.formatted("street", "city").split(";"));
    TestDatabase.copy(here.table("t"), alike.table("t")).run();
    assertThat(alike.column("SELECT v::text FROM t"))
        .isEqualTo(here.column("SELECT v::text FROM t"));
    TestDatabase other = TestDatabase.make();
    other.sql(makeTypes.formatted("city", "street").split(";"));
    other.sql("CREATE TABLE there (n int, v " + value.substring(value.lastIndexOf(':') + 1) + ")");
    for (String table : List.of("t", "there")) {
      assertThatThrownBy(() -> TestDatabase.copy(here.table("t"), other.table(table)).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("column \"v\"")
          .hasMessageContaining("(\"street\",\"city\")")
          .hasMessageContaining("(\"city\",\"street\")");
    }
    // Without the column it goes, and so it does in the other order of a query's own.
    TestDatabase.copy(here.query("SELECT n FROM t"), other.table("t")).run();
  }

  @Test
  void namesInTheSearchPathOfTheUserAreFound() {
    DATABASE.sql(
        "CREATE SCHEMA " + table + "_s",
        "CREATE ROLE " + table + "_u LOGIN SUPERUSER",
        "ALTER ROLE " + table + "_u SET search_path = " + table + "_s, public");
    TestDatabase.copy(
            DATABASE.query("SELECT 1 AS n"),
            DATABASE.as(table + "_u", millrace.spi.Secret.NONE, java.util.Map.of("table", table)))
        .run();
    assertThat(DATABASE.value("SELECT n FROM " + table + "_s." + table)).isEqualTo("1");
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  @Test
  void aSchemaOfTemporaryTablesIsRefusedBeforeAnythingIsMade() {
    DATABASE.sql(
        "CREATE ROLE " + table + "_u LOGIN SUPERUSER",
        "ALTER ROLE " + table + "_u SET search_path = pg_temp, public");
    for (String name : List.of(table, "pg_temp." + table, "pg_temp_1." + table)) {
      assertThatThrownBy(() ->
              TestDatabase.copy(
                      DATABASE.query("SELECT 1 AS n"),
                      DATABASE.as(table + "_u", Secret.NONE, Map.of("table", name)))
                  .run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is in a schema of temporary tables");
    }
    DATABASE.sql("DROP ROLE " + table + "_u");
  }

  /// Else a lane that finds the log of its pages unwritten waits for the disk, and others for it.
  @Test
  void theServerIsAskedToWriteItsLogWhileRowsGoIn() throws SQLException {
    int lock = NAMES.incrementAndGet();
    String rows =
        "SELECT n, CASE WHEN n = 40000 AND pg_advisory_lock_shared("
            + lock
            + ") IS NULL THEN '' ELSE repeat('x', 1000) END AS v FROM generate_series(1, 40000) n";
    CompletableFuture<Ran> ended;
    try (Connection other = DATABASE.server.connect(DATABASE.name);
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + lock + ")");
      ended = CompletableFuture.supplyAsync(query(rows, table)::run);
      DATABASE.awaitTrue(
          "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE query LIKE '%txid_current()' AND"
              + " datname = current_database() AND pid <> pg_backend_pid())");
    }
    ended.join();
    assertThat(found()).isEqualTo("40000 rows from 1 to 40000");
  }

  @Test
  void aServerThatHasNoConnectionLeftForThatTakesTheRowsAllTheSame() {
    String role = "few_" + DATABASE.name;
    DATABASE.sql(
        "CREATE ROLE " + role + " LOGIN CONNECTION LIMIT 2",
        "CREATE TABLE " + table + " (n int, v text)",
        "GRANT ALL ON " + table + " TO " + role,
        "GRANT CREATE ON SCHEMA public TO " + role);
    String rows = "SELECT n, repeat('x', 1000) AS v FROM generate_series(1, 40000) n";
    Endpoint target = DATABASE.as(role, Secret.NONE, Map.of("table", table));
    TestDatabase.copy(DATABASE.query(rows), target).mode(Mode.APPEND).run();
    assertThat(found()).isEqualTo("40000 rows from 1 to 40000");
  }

  /// Copies three rows into the table, and does something when all are committed.
  private void thenBeforeTheEnd(String statement) {
    Endpoint three = DATABASE.query("SELECT n FROM generate_series(1, 3) AS n");
    TestDatabase.copy(three, DATABASE.table(table))
        .mode(Mode.APPEND)
        .between(
            read ->
                new ForwardingSource(read) {
                  @Override
                  protected ReadSession opened(ReadSession session) {
                    return new ForwardingReadSession(session) {
                      @Override
                      public void allRead() {
                        super.allRead();
                        DATABASE.sql(statement.formatted(table));
                      }
                    };
                  }
                },
            UnaryOperator.identity())
        .run();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TRUNCATE %s | holds 0 rows, and this copy alone has committed 3",
        "TRUNCATE %1$s_low | holds 0 rows, and this copy alone has committed 3",
        "DROP TABLE %1$s_low | holds 0 rows, and this copy alone has committed 3",
        "DROP TABLE %s | is not there any more: somebody has dropped or renamed it",
        "ALTER TABLE %1$s RENAME TO %1$s_old | is not there any more",
        "DROP TABLE %1$s; CREATE TABLE %1$s (n int) | Somebody has put another table in the place"
      })
  void rowsThatSomebodyTakesAwayBeforeTheEndAreMissed(String statement, String told) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_low PARTITION OF " + table + " FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE " + table + "_high PARTITION OF " + table + " DEFAULT");
    assertThatThrownBy(() -> thenBeforeTheEnd(statement))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining(told);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "VACUUM FULL %s",
        "TRUNCATE %s_high",
        "CREATE TABLE %1$s_more PARTITION OF %1$s FOR VALUES FROM (100) TO (200)",
        "ALTER TABLE %1$s DETACH PARTITION %1$s_high"
      })
  void whatTakesNoRowsAwayIsNoMatter(String statement) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_low PARTITION OF " + table + " FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE " + table + "_high PARTITION OF " + table + " FOR VALUES FROM (10) TO (20)");
    thenBeforeTheEnd(statement);
    assertThat(DATABASE.value("SELECT count(*) FROM " + table)).isEqualTo("3");
  }
}
