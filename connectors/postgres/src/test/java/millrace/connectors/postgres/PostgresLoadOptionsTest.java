package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import millrace.engine.meter.PhaseLog;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What a user gets who gives something up for speed: rows that are frozen, indexes that are made
/// last, tables without a log; and that nothing else is given up with it, whatever happens.
class PostgresLoadOptionsTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static final String ROWS = "SELECT n, n % 7 AS m, 1 AS p FROM generate_series(1, 5000) n";

  /// The 4000th of them ends the load.
  private static final String BAD_ROWS =
      "SELECT n, n % 7 AS m, 1 / (4000 - n) * 0 + 1 AS p FROM generate_series(1, 5000) n";

  private final String table = "lo" + NAMES.incrementAndGet();

  private Copying copy(String query, @Nullable Mode mode, boolean atomic, String options) {
    return copy(query, mode, atomic, target(options));
  }

  private static Copying copy(String query, @Nullable Mode mode, boolean atomic, Endpoint target) {
    List<String> key = mode == Mode.MERGE ? List.of("n") : List.of();
    return TestDatabase.copy(DATABASE.query(query), target)
        .landing(new WriteOptions(mode, atomic, key, false));
  }

  private Endpoint target(String options) {
    return DATABASE.endpoint(parameters(options));
  }

  private Map<String, String> parameters(String options) {
    Map<String, String> parameters = new HashMap<>(Map.of("table", table));
    for (String option : options.isEmpty() ? new String[0] : options.split(" ", -1)) {
      parameters.put(option, "true");
    }
    return parameters;
  }

  private String rows() {
    return String.valueOf(
        DATABASE.value(
            "SELECT format('%s rows from %s to %s', count(*), min(n), max(n)) FROM " + table));
  }

  /// A table with rows 101 to 103, keys, indexes of several kinds and a foreign key.
  private void makeIndexedTable() {
    DATABASE.sql(
        "CREATE TABLE " + table + "_parent (m int PRIMARY KEY)",
        "INSERT INTO " + table + "_parent SELECT generate_series(0, 10)",
        "CREATE TABLE "
            + table
            + " (n int, m int NOT NULL, p int NOT NULL CHECK (p > 0), CONSTRAINT \"Odd "
            + table
            + "\" PRIMARY KEY (n) INCLUDE (p), CONSTRAINT "
            + table
            + "_once UNIQUE (p, n) DEFERRABLE INITIALLY DEFERRED, FOREIGN KEY (m) REFERENCES "
            + table
            + "_parent (m) ON DELETE CASCADE)",
        "CREATE INDEX " + table + "_partial ON " + table + " (m DESC) WHERE p > 0",
        "CREATE INDEX \"" + table + " odd\" ON " + table + " USING hash (lower(n::text))",
        "CREATE UNIQUE INDEX " + table + "_u ON " + table + " (n, m) WITH (fillfactor = 70)",
        "INSERT INTO " + table + " SELECT n, 1, 1 FROM generate_series(101, 103) n");
  }

  /// Everything that the server knows of the table's indexes and constraints.
  private List<@Nullable String> definitions() {
    List<@Nullable String> all = new ArrayList<>();
    all.addAll(
        DATABASE.column(
            "SELECT format('%s %s %s %s', pg_get_indexdef(indexrelid), indisvalid, indisprimary,"
                + " indimmediate) FROM pg_index WHERE indrelid = '"
                + table
                + "'::regclass ORDER BY 1"));
    all.addAll(
        DATABASE.column(
            "SELECT format('%s %s %s', conname, pg_get_constraintdef(oid), convalidated) FROM"
                + " pg_constraint WHERE conrelid = '"
                + table
                + "'::regclass ORDER BY 1"));
    return all;
  }

  static Stream<Arguments> freezing() {
    return Stream.of(
        Arguments.of(null, false, "absent"),
        Arguments.of(Mode.CREATE, false, "absent"),
        Arguments.of(Mode.APPEND, false, "absent"),
        Arguments.of(Mode.APPEND, false, "empty"),
        Arguments.of(Mode.APPEND, true, "empty"),
        Arguments.of(Mode.TRUNCATE, false, "full"),
        Arguments.of(Mode.TRUNCATE, true, "full"),
        Arguments.of(Mode.REPLACE, false, "full"));
  }

  /// A transaction that began before the load must not see rows, unless they were frozen: so the
  /// server documents COPY FREEZE.
  @ParameterizedTest(name = "{0}, atomic {1}, table {2}")
  @MethodSource("freezing")
  void frozenRowsAreThereForTransactionsThatBeganBefore(
      @Nullable Mode mode, boolean atomic, String before) throws SQLException {
    for (String options : List.of("freeze", "freeze defer-indexes", "")) {
      DATABASE.sql("DROP TABLE IF EXISTS " + table + ", " + table + "_parent CASCADE");
      if (!before.equals("absent")) {
        makeIndexedTable();
      }
      if (before.equals("empty")) {
        DATABASE.sql("TRUNCATE " + table);
      }
      boolean frozen = options.startsWith("freeze");
      try (Connection other = DATABASE.server.connect(DATABASE.name);
          Statement statement = other.createStatement()) {
        statement.execute("BEGIN ISOLATION LEVEL REPEATABLE READ");
        statement.execute("SELECT txid_current()");
        copy(ROWS, mode, atomic, options).run();
        try (ResultSet seen = statement.executeQuery("SELECT count(*) FROM " + table)) {
          seen.next();
          assertThat(seen.getLong(1)).isEqualTo(frozen ? 5000 : 0);
        }
      }
      assertThat(rows()).isEqualTo("5000 rows from 1 to 5000");
    }
  }

  @Test
  void aPlanThatFreezesHasOneLaneAndSaysWhy() {
    Plan plan = copy(ROWS, null, false, "freeze").lanes(4, 1000).run().plan();
    assertThat(plan.lanes().first()).isEqualTo(1);
    assertThat(plan.target().lanes().why())
        .isEqualTo("--freeze needs the table made or emptied in the transaction that fills it");
    assertThat(plan.writePlan().notes()).anyMatch(note -> note.contains("began before its end"));
  }

  @Test
  void splitsAndCommitUnitsAreOneTransactionToo() {
    DATABASE.sql(
        "CREATE TABLE " + table + "_source AS SELECT n FROM generate_series(1, 50000) n",
        "CREATE TABLE " + table + " (n int)");
    millrace.text.Amount few = new millrace.text.Amount(1000, false);
    TestDatabase.copy(DATABASE.table(table + "_source"), target("freeze"))
        .mode(Mode.TRUNCATE)
        .lanes(2, 200_000)
        .units(few, few, few)
        .form("columns")
        .run();
    assertThat(rows()).isEqualTo("50000 rows from 1 to 50000");
    assertThat(DATABASE.value("SELECT count(DISTINCT xmin::text) FROM " + table)).isEqualTo("1");
  }

  static Stream<Arguments> optionsAndModes() {
    return Stream.of("defer-indexes", "freeze", "freeze defer-indexes")
        .flatMap(options ->
            Stream.of(
                    Arguments.of(options, Mode.APPEND, false),
                    Arguments.of(options, Mode.APPEND, true),
                    Arguments.of(options, Mode.TRUNCATE, false),
                    Arguments.of(options, Mode.TRUNCATE, true),
                    Arguments.of(options, Mode.REPLACE, false),
                    Arguments.of(options, Mode.MERGE, false))
                .filter(one ->
                    !options.startsWith("freeze")
                        || one.get()[1] == Mode.TRUNCATE
                        || one.get()[1] == Mode.REPLACE));
  }

  /// Rows that no row of the table shares a key with, if they are added.
  private static String fitting(Mode mode, String rows) {
    return mode == Mode.APPEND ? rows.replace("SELECT n,", "SELECT n + 103 AS n,") : rows;
  }

  private static String expected(Mode mode) {
    return mode == Mode.APPEND ? "5003 rows from 101 to 5103" : "5000 rows from 1 to 5000";
  }

  @ParameterizedTest(name = "{0}, {1}, atomic {2}")
  @MethodSource("optionsAndModes")
  void indexesAndConstraintsComeBackAsTheyWere(String options, Mode mode, boolean atomic) {
    makeIndexedTable();
    List<@Nullable String> before = definitions();
    Ran ran = copy(fitting(mode, ROWS), mode, atomic, options).run();
    assertThat(rows()).isEqualTo(expected(mode));
    if (mode == Mode.REPLACE) {
      // The new table has no foreign key, and the plan says so.
      before.removeIf(definition -> String.valueOf(definition).contains("FOREIGN KEY"));
    }
    assertThat(definitions()).isEqualTo(before);
    boolean madeLast = options.contains("defer") || mode == Mode.REPLACE;
    assertThat(ran.run().phaseLog().list().stream().map(PhaseLog.Phase::name))
        .satisfies(names -> assertThat(names.contains("make indexes")).isEqualTo(madeLast));
    if (mode != Mode.REPLACE) {
      String orphan = "SELECT 9999 AS n, 99 AS m, 1 AS p";
      assertThatThrownBy(() -> copy(orphan, Mode.APPEND, false, "").run())
          .hasMessageContaining("foreign key");
    }
  }

  @ParameterizedTest(name = "{0}, {1}, atomic {2}")
  @MethodSource("optionsAndModes")
  void aLoadThatFailsLeavesRowsAndIndexesAsTheyWere(String options, Mode mode, boolean atomic) {
    makeIndexedTable();
    List<@Nullable String> before = definitions();
    String twice = ROWS.replace("SELECT n,", "SELECT nullif(n, 4000) % 4999 AS n,");
    String orphans = ROWS.replace("n % 7", "n % 12");
    for (String rows : List.of(BAD_ROWS, twice, orphans)) {
      if (mode == Mode.REPLACE && rows.equals(orphans)) {
        continue;
      }
      assertThatThrownBy(() -> copy(fitting(mode, rows), mode, atomic, options).run())
          .isInstanceOf(Fault.Data.class);
      assertThat(rows()).isEqualTo("3 rows from 101 to 103");
      assertThat(definitions()).isEqualTo(before);
      assertThat(DATABASE.staged("")).isEqualTo("0");
    }
  }

  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "freeze, TRUNCATE",
    "defer-indexes, TRUNCATE",
    "defer-indexes, APPEND",
    "freeze, REPLACE",
    "freeze, CREATE"
  })
  void aRunWhoseConnectionDiesLeavesWhatWasThere(String options, Mode mode) throws SQLException {
    if (mode != Mode.CREATE) {
      makeIndexedTable();
    }
    List<@Nullable String> before = mode == Mode.CREATE ? List.of() : definitions();
    int lock = NAMES.incrementAndGet();
    String waiting =
        "SELECT n + 200 AS n, n % 7 AS m, CASE WHEN n = 290000 AND pg_advisory_lock_shared("
            + lock
            + ") IS NULL THEN 2 ELSE 1 END AS p FROM generate_series(1, 300000) n";
    CompletableFuture<Ran> ended;
    try (Connection other = DATABASE.server.connect(DATABASE.name);
        Statement statement = other.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(" + lock + ")");
      Copying copy = copy(waiting, mode, false, options);
      ended = CompletableFuture.supplyAsync(copy::run);
      DATABASE.awaitTrue(
          "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND"
              + " objid = "
              + lock
              + ")");
      DATABASE.awaitTrue(
          "SELECT count(pg_terminate_backend(pid)) = 1 FROM pg_stat_activity WHERE query LIKE 'COPY"
              + " %FROM STDIN%' AND pid <> pg_backend_pid() AND datname = current_database()");
    }
    assertThatThrownBy(ended::join).isInstanceOf(CompletionException.class);
    if (mode == Mode.CREATE) {
      assertThat(DATABASE.value("SELECT to_regclass('" + table + "')")).isNull();
    } else {
      assertThat(rows()).isEqualTo("3 rows from 101 to 103");
      assertThat(definitions()).isEqualTo(before);
    }
  }

  @Test
  void whatADefinitionDoesNotSayStaysAndThePlanNamesIt() {
    makeIndexedTable();
    DATABASE.sql(
        "COMMENT ON INDEX " + table + "_partial IS 'for the monthly report'",
        "ALTER TABLE " + table + " REPLICA IDENTITY USING INDEX " + table + "_u",
        "ALTER INDEX \"" + table + " odd\" ALTER COLUMN 1 SET STATISTICS 500",
        "CREATE TABLE " + table + "_child (n int REFERENCES " + table + ")",
        "ALTER TABLE "
            + table
            + " ADD CONSTRAINT unseen FOREIGN KEY (p) REFERENCES "
            + table
            + "_parent NOT VALID");
    List<@Nullable String> before = definitions();
    Plan plan = copy(fitting(Mode.APPEND, ROWS), Mode.APPEND, false, "defer-indexes").run().plan();
    assertThat(String.join("\n", plan.writePlan().notes()))
        .contains(
            "made after the rows, by the same definitions: unique key "
                + table
                + "_once, foreign key "
                + table
                + "_m_fkey\n",
            "the foreign keys lock public." + table + "_parent too",
            "primary key Odd "
                + table
                + " is kept up row by row, because something else depends on it",
            "index " + table + "_partial is kept up row by row, because it has a comment",
            "index " + table + "_u is kept up row by row, because it is the replica identity",
            "index " + table + " odd is kept up row by row, because it has a statistics target",
            "foreign key unseen is kept up row by row, because it is not validated");
    assertThat(plan.writePlan().details())
        .anyMatch(detail -> detail.contains("public." + table + " is locked until its end"));
    assertThat(definitions()).isEqualTo(before);
    assertThat(
            DATABASE.value("SELECT obj_description('" + table + "_partial'::regclass, 'pg_class')"))
        .isEqualTo("for the monthly report");
  }

  @Test
  void indexesOfATableThatTakesAnothersPlaceAreMadeOnSeveralConnections() {
    makeIndexedTable();
    List<@Nullable String> before = definitions();
    before.removeIf(definition -> String.valueOf(definition).contains("FOREIGN KEY"));
    DATABASE.sql("CREATE TABLE " + table + "_source AS " + ROWS);
    Ran ran =
        TestDatabase.copy(DATABASE.table(table + "_source"), target("defer-indexes"))
            .mode(Mode.REPLACE)
            .lanes(2, 50_000)
            .run();
    assertThat(ran.run().phaseLog().list())
        .filteredOn(phase -> phase.name().equals("make indexes"))
        .extracting(PhaseLog.Phase::concurrency)
        .containsExactly(2);
    assertThat(rows()).isEqualTo("5000 rows from 1 to 5000");
    assertThat(definitions()).isEqualTo(before);
  }

  @Test
  void aRowThatNoneOfTheIndexesMadeSideBySideTakesIsNamedAndTheOldTableStays() {
    makeIndexedTable();
    DATABASE.sql(
        "ALTER TABLE "
            + table
            + " DROP CONSTRAINT \"Odd "
            + table
            + "\", DROP CONSTRAINT "
            + table
            + "_once",
        "CREATE TABLE "
            + table
            + "_source AS SELECT 1 AS n, 1 AS m, 1 AS p FROM"
            + " generate_series(1, 5000)");
    List<@Nullable String> before = definitions();
    assertThatThrownBy(() ->
            TestDatabase.copy(DATABASE.table(table + "_source"), target("defer-indexes"))
                .mode(Mode.REPLACE)
                .lanes(2, 50_000)
                .run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("public." + table)
        .hasMessageContaining("\"" + table + "_u\"")
        .hasMessageContaining("(n, m)=(1, 1)");
    assertThat(rows()).isEqualTo("3 rows from 101 to 103");
    assertThat(definitions()).isEqualTo(before);
    assertThat(DATABASE.staged("")).isEqualTo("0");
  }

  static Stream<Arguments> unloggedLoads() {
    return Stream.of(
        Arguments.of("unlogged", null, "absent"),
        Arguments.of("unlogged", Mode.APPEND, "absent"),
        Arguments.of("unlogged", Mode.MERGE, "absent"),
        Arguments.of("unlogged", Mode.REPLACE, "full"),
        Arguments.of("unlogged freeze defer-indexes", Mode.REPLACE, "full"),
        Arguments.of("unlogged freeze", Mode.CREATE, "absent"));
  }

  @ParameterizedTest(name = "{0}, {1}, table {2}")
  @MethodSource("unloggedLoads")
  void aTableThatIsMadeHasNoLogWhereTheUserWantsNoneAndThePlanSaysWhatThatMeans(
      String options, @Nullable Mode mode, String before) {
    if (before.equals("full")) {
      makeIndexedTable();
    }
    Plan plan = copy(ROWS, mode, false, options).run().plan();
    assertThat(rows()).isEqualTo("5000 rows from 1 to 5000");
    assertThat(
            DATABASE.value(
                "SELECT relpersistence FROM pg_class WHERE oid = '" + table + "'::regclass"))
        .isEqualTo("u");
    assertThat(plan.writePlan().notes())
        .anyMatch(
            note -> note.startsWith("public." + table + " is not crash-safe: it is unlogged"));
  }

  static Stream<Arguments> refusals() {
    String full = "CREATE TABLE %1$s AS SELECT 1 AS n, 1 AS m, 1 AS p";
    String empty = "CREATE TABLE %1$s (n int PRIMARY KEY, m int, p int)";
    String partitioned =
        "CREATE TABLE %1$s (n int PRIMARY KEY, m int, p int) PARTITION BY RANGE (n)";
    String partition = "; CREATE TABLE %1$s_1 PARTITION OF %1$s DEFAULT";
    String foreign =
        "CREATE FOREIGN DATA WRAPPER w_%1$s; CREATE SERVER s_%1$s FOREIGN DATA WRAPPER w_%1$s;"
            + " CREATE FOREIGN TABLE %1$s (n int, m int, p int) SERVER s_%1$s";
    return Stream.of(
        Arguments.of("freeze", Mode.APPEND, full, "it holds rows"),
        Arguments.of("freeze", Mode.MERGE, empty, "a merge inserts and updates"),
        Arguments.of("freeze", Mode.MERGE, "SELECT 1", "a merge inserts and updates"),
        Arguments.of(
            "freeze",
            Mode.APPEND,
            empty + "; CREATE TABLE %1$s_child (n int CONSTRAINT down REFERENCES %1$s)",
            "foreign key down of %1$s_child"),
        Arguments.of("freeze", Mode.TRUNCATE, partitioned + partition, "it is a partitioned table"),
        Arguments.of("freeze", Mode.TRUNCATE, foreign, "it is a foreign table"),
        Arguments.of(
            "defer-indexes", Mode.TRUNCATE, partitioned + partition, "it is a partitioned table"),
        Arguments.of("unlogged", Mode.APPEND, full, "exists and stays as it is"),
        Arguments.of("unlogged", Mode.TRUNCATE, full, "exists and stays as it is"),
        Arguments.of("unlogged freeze", Mode.TRUNCATE, full, "exists and stays as it is"));
  }

  @ParameterizedTest(name = "{0}, {1}: {3}")
  @MethodSource("refusals")
  void whatCannotBeDoneIsRefusedBeforeAnythingIsTouched(
      String options, Mode mode, String make, String why) {
    DATABASE.sql(make.formatted(table));
    assertThatThrownBy(() -> copy(ROWS, mode, false, options).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessageContaining("--" + options.split(" ", -1)[0])
                  .hasMessageContaining("public." + table)
                  .hasMessageContaining(why.formatted(table));
              assertThat(fault.advice()).contains("Leave --");
            });
  }

  @Test
  void whoDoesNotOwnATableIsToldBeforeItsIndexesAreTouched() {
    makeIndexedTable();
    DATABASE.sql(
        "CREATE ROLE " + table + "_clerk LOGIN",
        "GRANT ALL ON " + table + " TO " + table + "_clerk");
    Endpoint target = DATABASE.as(table + "_clerk", Secret.NONE, parameters("defer-indexes"));
    assertThatThrownBy(() -> copy(ROWS, Mode.APPEND, false, target).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("only its owner may take its indexes away");
    DATABASE.sql("DROP OWNED BY " + table + "_clerk", "DROP ROLE " + table + "_clerk");
  }

  @Test
  void aSourceTakesNoneOfTheOptions() {
    makeIndexedTable();
    assertThatThrownBy(
            () -> TestDatabase.copy(target("freeze"), DATABASE.table(table + "_other")).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("freeze is for tables that are loaded");
  }

  private List<String> rowCosts(String options) {
    return copy(ROWS, Mode.APPEND, false, options).plan().writePlan().rowCosts().stream()
        .map(rowCost -> rowCost.what() + ": " + rowCost.help())
        .toList();
  }

  @Test
  void whatIsDoneForEachRowIsKnownToTheReport() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int PRIMARY KEY, m bigint, p int)",
        "CREATE FUNCTION "
            + table
            + "_f() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN RETURN NEW; END'");
    assertThat(rowCosts(""))
        .containsExactly(
            "The table's index is kept up row by row: --defer-indexes makes it after the rows.");
    DATABASE.sql(
        "CREATE INDEX ON " + table + " (m)",
        "ALTER TABLE " + table + " ADD CONSTRAINT parent FOREIGN KEY (p) REFERENCES " + table,
        "CREATE TRIGGER looks AFTER INSERT ON "
            + table
            + " FOR EACH ROW EXECUTE FUNCTION "
            + table
            + "_f()",
        "CREATE TRIGGER other AFTER UPDATE ON "
            + table
            + " FOR EACH ROW EXECUTE FUNCTION "
            + table
            + "_f()");
    String triggers =
        "The table's triggers run for each row (looks): disable those that the copy does not need"
            + " (ALTER TABLE … DISABLE TRIGGER).";
    assertThat(rowCosts(""))
        .containsExactly(
            "The table's 2 indexes are kept up row by row: --defer-indexes makes them after the"
                + " rows.",
            "The table's foreign keys are checked row by row (parent): --defer-indexes checks them"
                + " after the rows.",
            triggers);
    assertThat(rowCosts("defer-indexes")).containsExactly(triggers);
  }
}
