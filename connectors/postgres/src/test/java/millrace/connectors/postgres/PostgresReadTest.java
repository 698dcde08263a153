package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.copy.EndOpener;
import millrace.copy.SharedMoment;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Blockable;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Reading;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is read of tables, views and queries of PostgreSQL, in how many parts, and while others
/// write.
class PostgresReadTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  /// Two blocks, so that little data has many splits.
  private static final long SPLIT_BYTES = 16_384;

  private final String table = "r" + NAMES.incrementAndGet();
  private final String copy = table + "_copy";

  private Plan copyOf(Endpoint from) {
    return TestDatabase.copy(from, DATABASE.table(copy)).lanes(4, SPLIT_BYTES).run().plan();
  }

  private static Source open(Endpoint from) {
    return new PostgresConnector().source(from, Selection.ALL, new OpenContext());
  }

  private static SourceDescription describe(Endpoint from) {
    try (Source source = open(from)) {
      return source.describe(new ColumnRequest.Typed()).description();
    }
  }

  private static ReadPlan plan(int lanes) {
    return ReadPlan.of(new ColumnRequest.Typed(), SPLIT_BYTES, lanes);
  }

  private static List<String> resources(Endpoint from, int lanes) {
    try (Source source = open(from);
        ReadSession reading = source.describe(new ColumnRequest.Typed()).open(plan(lanes));
        Splits splits = reading.splits()) {
      List<String> resources = new ArrayList<>();
      for (Split split = splits.next(); split != null; split = splits.next()) {
        resources.add(split.resource());
      }
      return resources;
    }
  }

  private String rowsOf(String from) {
    return String.valueOf(
        DATABASE.value(
            "SELECT format('%s rows %s', count(*), md5(string_agg(t::text, ' ' ORDER BY t::text)))"
                + " FROM "
                + from
                + " AS t"));
  }

  /// Puts slices of the rows in other places under another round's number, one transaction each,
  /// until told to stop: at every moment each row is there once, and a slice has one round.
  private CompletableFuture<Integer> disturb(AtomicBoolean enough) {
    return CompletableFuture.supplyAsync(() -> {
      int round = 0;
      try (Connection connection = DATABASE.server.connect(DATABASE.name);
          Statement statement = connection.createStatement()) {
        while (!enough.get()) {
          round++;
          String slice = " WHERE n % 10 = " + round % 10;
          statement.execute(
              "BEGIN; UPDATE "
                  + table
                  + " SET round = -1"
                  + slice
                  + "; DELETE FROM "
                  + table
                  + slice
                  + "; INSERT INTO "
                  + table
                  + " SELECT n, "
                  + round
                  + " FROM generate_series(1, 20000) AS n"
                  + slice
                  + "; COMMIT");
        }
      } catch (SQLException e) {
        throw new AssertionError("the other session fails", e);
      }
      return round;
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgresql-binary", "postgresql-text", "columns"})
  void everyRowOfOneMomentIsReadOnceWhileOthersWrite(String form) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int, round int)",
        "INSERT INTO " + table + " SELECT n, 0 FROM generate_series(1, 20000) AS n");
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<Integer> other = disturb(enough);
    try {
      for (int i = 0; i < 3; i++) {
        String to = copy + i;
        TestDatabase.copy(DATABASE.table(table), DATABASE.table(to))
            .form(form)
            .lanes(4, SPLIT_BYTES)
            .run();
        String found =
            "SELECT format('%s rows, %s of them different, rounds of a slice: %s', count(*),"
                + " count(DISTINCT n), (SELECT max(c) FROM (SELECT count(DISTINCT round) AS c FROM "
                + to
                + " GROUP BY n % 10) AS q)) FROM "
                + to;
        assertThat(DATABASE.value(found))
            .isEqualTo("20000 rows, 20000 of them different, rounds of a slice: 1");
      }
    } finally {
      enough.set(true);
    }
    assertThat(other.join()).isPositive();
  }

  @Test
  void aTableIsDividedByBlocksAndRowsAreNumberedFromItsStart() {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " AS SELECT n, repeat('x', 100) AS t FROM generate_series(1, 9000) AS n");
    try (Source source = open(DATABASE.table(table));
        ReadSession reading = source.describe(new ColumnRequest.Typed()).open(plan(64));
        Splits splits = reading.splits()) {
      long expected = 0;
      for (Split split = splits.next(); split != null; split = splits.next()) {
        assertThat(split.from()).isEqualTo(expected);
        assertThat(split.firstRow()).isEqualTo(expected == 0 ? 1 : 0);
        expected = split.to();
      }
      assertThat(expected).isEqualTo(Long.MAX_VALUE);
    }
    assertThat(resources(DATABASE.table(table), 64)).hasSizeGreaterThan(30);
    copyOf(DATABASE.table(table));
    assertThat(rowsOf(copy)).isEqualTo(rowsOf(table));
  }

  @Test
  void partitionsAreReadOneAfterTheOtherAtAnyDepth() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int, t text) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_b PARTITION OF " + table + " FOR VALUES FROM (0) TO (5000)",
        "CREATE TABLE "
            + table
            + "_a PARTITION OF "
            + table
            + " FOR VALUES FROM (5000) TO (9000) PARTITION BY LIST (t)",
        "CREATE TABLE \"" + table + " Odd; %s\" PARTITION OF " + table + "_a FOR VALUES IN ('1')",
        "CREATE TABLE " + table + "_rest PARTITION OF " + table + "_a DEFAULT",
        "CREATE TABLE "
            + table
            + "_empty PARTITION OF "
            + table
            + " FOR VALUES FROM (9000) TO (9001)",
        // Of other columns in another order than its parent.
        "CREATE TABLE " + table + "_late (t text, gone int, n int)",
        "ALTER TABLE " + table + "_late DROP COLUMN gone",
        "ALTER TABLE "
            + table
            + " ATTACH PARTITION "
            + table
            + "_late FOR VALUES FROM (9001) TO (MAXVALUE)",
        "INSERT INTO "
            + table
            + " SELECT n, n % 3 FROM generate_series(0, 12000) AS n WHERE n <> 9000");
    Plan plan = copyOf(DATABASE.table(table));
    assertThat(plan.lanes().first()).isEqualTo(4);
    assertThat(rowsOf(copy)).isEqualTo(rowsOf(table));
    assertThat(resources(DATABASE.table(table), 4).stream().distinct())
        .containsExactly(
            "\"public\".\"" + table + " Odd; %s\"",
            "\"public\".\"" + table + "_b\"",
            "\"public\".\"" + table + "_empty\"",
            "\"public\".\"" + table + "_late\"",
            "\"public\".\"" + table + "_rest\"");
  }

  @Test
  void rowsOfInheritingTablesAreReadWithTheColumnsOfTheirParent() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int, t text)",
        "CREATE TABLE " + table + "_child (more int) INHERITS (" + table + ")",
        "CREATE TABLE "
            + table
            + "_grandchild (t text, n int, x int) INHERITS ("
            + table
            + "_child)",
        "CREATE TABLE " + table + "_twice () INHERITS (" + table + "_child, " + table + ")",
        "INSERT INTO " + table + " SELECT n, 'own' FROM generate_series(1, 3000) AS n",
        "INSERT INTO " + table + "_child SELECT n, 'child', n FROM generate_series(1, 3000) AS n",
        "INSERT INTO "
            + table
            + "_grandchild (n, t) SELECT n, 'grand' FROM generate_series(1, 3000) AS n",
        "INSERT INTO "
            + table
            + "_twice (n, t) SELECT n, 'twice' FROM generate_series(1, 3000) AS n");
    copyOf(DATABASE.table(table));
    assertThat(rowsOf(copy))
        .startsWith("12000 rows")
        .isEqualTo(rowsOf("(SELECT n, t FROM " + table + ")"));
  }

  @Test
  void whatHasNoBlocksIsReadByOneLaneAndThePlanSaysWhy() {
    DATABASE.sql(
        "CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 5000) AS n",
        "CREATE VIEW " + table + "_v AS SELECT n FROM " + table + " WHERE n % 2 = 0",
        "CREATE MATERIALIZED VIEW " + table + "_m AS SELECT n FROM " + table);
    assertOneLane(DATABASE.table(table + "_v"), "a view has no blocks to divide");
    assertOneLane(DATABASE.query("SELECT n FROM " + table), "a query has no blocks to divide");
    assertThat(describe(DATABASE.table(table + "_m")).lanes().why()).isEmpty();
    Plan plan = copyOf(DATABASE.table(table + "_v"));
    assertThat(plan.lanes().first()).isEqualTo(1);
    assertThat(rowsOf(copy)).isEqualTo(rowsOf(table + "_v"));
    TestDatabase.copy(DATABASE.table(table + "_m"), DATABASE.table(copy + "_m"))
        .lanes(4, SPLIT_BYTES)
        .run();
    assertThat(rowsOf(copy + "_m")).isEqualTo(rowsOf(table));
  }

  private static void assertOneLane(Endpoint from, String why) {
    SourceDescription description = describe(from);
    assertThat(description.lanes().max()).isEqualTo(1);
    assertThat(description.lanes().why()).isEqualTo(why);
  }

  @Test
  void aForeignTableIsReadByOneLane() {
    DATABASE.sql(
        "CREATE EXTENSION IF NOT EXISTS file_fdw",
        "CREATE SERVER IF NOT EXISTS files FOREIGN DATA WRAPPER file_fdw",
        "CREATE TABLE "
            + table
            + "_from AS SELECT n, 'é' || n AS t FROM generate_series(1, 1000) AS n",
        "COPY " + table + "_from TO '/tmp/" + DATABASE.name + ".csv' (FORMAT csv)",
        "CREATE FOREIGN TABLE "
            + table
            + " (n int, t text) SERVER files OPTIONS (filename '/tmp/"
            + DATABASE.name
            + ".csv', format 'csv')");
    try {
      assertOneLane(DATABASE.table(table), "a foreign table has no blocks to divide");
      copyOf(DATABASE.table(table));
      assertThat(rowsOf(copy)).isEqualTo(rowsOf(table + "_from"));
    } finally {
      DATABASE.sql("COPY (SELECT) TO PROGRAM 'rm /tmp/" + DATABASE.name + ".csv'");
    }
  }

  @Test
  void aTablePartitionedOverHeapAndForeignTablesIsReadWhole() {
    DATABASE.sql(
        "CREATE EXTENSION IF NOT EXISTS file_fdw",
        "CREATE SERVER IF NOT EXISTS files FOREIGN DATA WRAPPER file_fdw",
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_heap PARTITION OF " + table + " FOR VALUES FROM (0) TO (5000)",
        "CREATE FOREIGN TABLE "
            + table
            + "_far PARTITION OF "
            + table
            + " FOR VALUES FROM (5000) TO (6000) SERVER files OPTIONS (program 'seq 5000 5999')",
        "INSERT INTO " + table + " SELECT generate_series(0, 4999)");
    copyOf(DATABASE.table(table));
    assertThat(rowsOf(copy)).startsWith("6000 rows").isEqualTo(rowsOf(table));
  }

  @Test
  void generatedColumnsAreReadAndDroppedOnesAreNot() {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " (gone int, a int, g int GENERATED ALWAYS AS (a * 2) STORED, \"also gone\" text, z"
            + " text)",
        "INSERT INTO " + table + " (a, z) SELECT n, n FROM generate_series(1, 100) AS n",
        "ALTER TABLE "
            + table
            + " DROP COLUMN gone, DROP COLUMN \"also gone\", ADD COLUMN d int"
            + " DEFAULT 7");
    assertThat(describe(DATABASE.table(table)).schema().names())
        .containsExactly("a", "g", "z", "d");
    copyOf(DATABASE.table(table));
    assertThat(rowsOf(copy)).isEqualTo(rowsOf(table));
  }

  @Test
  void emptyTablesHaveNoRowsAndTheirColumns() {
    DATABASE.sql("CREATE TABLE " + table + " (n int NOT NULL, t text)");
    copyOf(DATABASE.table(table));
    assertThat(DATABASE.column("SELECT n FROM " + copy)).isEmpty();
    assertThat(describe(DATABASE.table(copy)).schema().names()).containsExactly("n", "t");
    DATABASE.sql("CREATE TABLE " + table + "_bare ()");
    assertThatThrownBy(() -> describe(DATABASE.table(table + "_bare")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has no columns");
  }

  @Test
  void valuesThatLieOutsideTheirRowsAreReadWhole() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int, compressed text, plain text, small text)",
        "ALTER TABLE " + table + " ALTER plain SET STORAGE EXTERNAL",
        "INSERT INTO "
            + table
            + " SELECT n, repeat('abc' || n, 50000), repeat('水' || n, 20000), NULL FROM"
            + " generate_series(1, 40) AS n");
    copyOf(DATABASE.table(table));
    assertThat(rowsOf(copy)).isEqualTo(rowsOf(table));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 AS a, 'x;y' AS b; ",
        "SELECT 1 AS a, 'x' AS b -- and a comment",
        "WITH q AS (SELECT 1 AS a) SELECT a, '?' AS b FROM q WHERE a <> 2",
        "VALUES (1, 'two')",
        "SELECT 1::numeric(5,2) AS a, '{fn x}' AS b /* {d '1'} */",
        "TABLE pg_catalog.pg_am",
      })
  void aQueryIsReadAsItStands(String query) {
    Plan plan = copyOf(DATABASE.query(query));
    List<String> names = plan.source().schema().names();
    String columns = names.stream().map(PostgresSql::name).collect(Collectors.joining(", "));
    String wanted = query.strip();
    wanted = wanted.endsWith(";") ? wanted.substring(0, wanted.length() - 1) : wanted;
    assertThat(
            DATABASE.column("SELECT t::text FROM (SELECT " + columns + " FROM " + copy + ") AS t"))
        .isEqualTo(DATABASE.column("SELECT t::text FROM (" + wanted + "\n) AS t"))
        .isNotEmpty();
  }

  @Test
  void aQueryKeepsTypesOfOddNamesAndWithLimits() {
    DATABASE.sql(
        "CREATE SCHEMA \"" + table + " s\"",
        "CREATE TYPE \"" + table + " s\".\"E;\"\"%\" AS ENUM ('one')");
    copyOf(
        DATABASE.query(
            "SELECT 'one'::\""
                + table
                + " s\".\"E;\"\"%\" AS e, 1.5::numeric(9,3) AS n, 'x'::varchar(7) AS v,"
                + " 'y'::char(3)"
                + " AS c, B'101'::bit(3) AS b, '10:00'::time AS t"));
    assertThat(
            DATABASE.column(
                "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attnum > 0 AND"
                    + " attrelid = '"
                    + copy
                    + "'::regclass ORDER BY attnum"))
        .startsWith(
            "\"" + table + " s\".\"E;\"\"%\"",
            "numeric(9,3)",
            "character varying(7)",
            "character(3)");
    assertThat(DATABASE.value("SELECT q::text FROM " + copy + " AS q"))
        .isEqualTo("(one,1.500,x,\"y  \",101,10:00:00)");
  }

  @Test
  void aQueryReadsColumnsThatASequenceFills() {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " (a smallserial, b serial, c bigserial, d int GENERATED ALWAYS AS IDENTITY,"
            + " e bigint GENERATED BY DEFAULT AS IDENTITY, f text)",
        "INSERT INTO " + table + " (f) VALUES ('x')");
    Plan plan = copyOf(DATABASE.query("SELECT * FROM " + table));
    assertThat(plan.source().schema().columns().stream().map(Column::type).toList())
        .containsExactly(
            new Type.Int(16),
            new Type.Int(32),
            new Type.Int(64),
            new Type.Int(32),
            new Type.Int(64),
            Type.Text.UNLIMITED);
    assertThat(DATABASE.value("SELECT q::text FROM " + copy + " AS q")).isEqualTo("(1,1,1,1,1,x)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1 AS a) AS q; DROP TABLE kept; SELECT * FROM (SELECT 1 AS a",
        "DELETE FROM kept RETURNING 1 AS a",
        "WITH d AS (DELETE FROM kept RETURNING 1 AS a) SELECT a FROM d",
        "SELECT 1 AS a, 2 AS a",
        "SELEC 1",
        "SELECT nothing FROM kept",
      })
  void aQueryThatIsNoneIsRefusedAndChangesNothing(String query) {
    DATABASE.sql("DROP TABLE IF EXISTS kept", "CREATE TABLE kept AS SELECT 1 AS n");
    assertThatThrownBy(() -> copyOf(DATABASE.query(query))).isInstanceOf(Fault.User.class);
    assertThat(DATABASE.value("SELECT n FROM kept")).isEqualTo("1");
  }

  @Test
  void whatTheServerHintsAtStandsApart() {
    assertThatThrownBy(() -> copyOf(DATABASE.query("SELECT nowhere_to_be_found(1)")))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("does not exist (hint: No function matches");
  }

  @Test
  void aConditionIsTheServersAndAWrongOneIsRefusedBeforeAnyRow() {
    DATABASE.sql("CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 5000) AS n");
    Copying some =
        TestDatabase.copy(DATABASE.table(table), DATABASE.table(copy)).lanes(3, SPLIT_BYTES);
    some.select(new Selection(List.of(), "n % 7 = 0 OR n < 3 -- even so", Long.MAX_VALUE)).run();
    assertThat(rowsOf(copy))
        .isEqualTo(rowsOf("(SELECT n FROM " + table + " WHERE n % 7 = 0 OR n < 3)"));
    for (String wrong :
        List.of(
            "m > 1",
            "n = 'one'",
            "n > 1) OR (1",
            "n > 1) OR (n = 1",
            "n",
            "1 = 1; DROP TABLE " + table)) {
      assertThatThrownBy(() -> some.select(new Selection(List.of(), wrong, Long.MAX_VALUE)).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("condition is refused");
    }
    TestDatabase.copy(DATABASE.table(table), DATABASE.table(copy + "_limited"))
        .select(new Selection(List.of(), "n > 10", 17))
        .lanes(3, SPLIT_BYTES)
        .run();
    assertThat(rowsOf(copy + "_limited")).startsWith("17 rows");
  }

  @Test
  void aRowThatTheServerCantGiveIsNamedByItsNumber() {
    DATABASE.sql("CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 9) AS n");
    Copying failing =
        TestDatabase.copy(
            DATABASE.query("SELECT 1 / (n - 5) AS n FROM " + table), DATABASE.table(copy));
    assertThatThrownBy(failing::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(" query, row 5: ")
        .hasMessageContaining("division by zero");
  }

  @Test
  void textThatIsNoUtf8OfADatabaseWithoutEncodingIsToldWithAWayToReadIt() {
    DATABASE.sql(
        "DROP DATABASE IF EXISTS bytes_alone",
        "CREATE DATABASE bytes_alone ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'"
            + " TEMPLATE template0");
    DATABASE.server.execute(
        "bytes_alone",
        "CREATE TABLE t AS SELECT n, CASE n WHEN 2 THEN convert_from('\\x636166e9', 'SQL_ASCII')"
            + " ELSE 'ok' END AS s FROM generate_series(1, 3) AS n");
    Endpoint all = bytesAlone("table", "t");
    assertThatThrownBy(() -> TestDatabase.copy(all, DATABASE.table(copy)).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"t\", row 2: ")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("SQL_ASCII");
    Endpoint told =
        bytesAlone(
            "query",
            "SELECT convert_from(convert(convert_to(s, 'SQL_ASCII'), 'LATIN1', 'UTF8'),"
                + " 'SQL_ASCII') AS s FROM t WHERE n = 2");
    TestDatabase.copy(told, DATABASE.table(copy)).run();
    assertThat(DATABASE.value("SELECT s FROM " + copy)).isEqualTo("caf\u00e9");
  }

  private static Endpoint bytesAlone(String parameter, String value) {
    return new Endpoint(
        "postgresql",
        DATABASE.server.location("bytes_alone"),
        Map.of(parameter, value),
        Secret.NONE);
  }

  @Test
  void aMaterializedViewWithoutDataIsRefusedWithTheServersAdvice() {
    DATABASE.sql(
        "CREATE MATERIALIZED VIEW " + table + "_m AS SELECT 1 AS n WITH NO DATA",
        "CREATE VIEW " + table + "_v AS SELECT n FROM " + table + "_m");
    for (Endpoint from : List.of(DATABASE.table(table + "_m"), DATABASE.table(table + "_v"))) {
      assertThatThrownBy(() -> copyOf(from))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(table + "_m\" has not been populated")
          .hasMessageContaining("REFRESH MATERIALIZED VIEW");
    }
  }

  @Test
  void rowSecurityBelowAViewHoldsForItsOwner() {
    String owner = table + "_o";
    String user = table + "_u";
    boolean hasInvokers = DATABASE.server.version() >= 150_000;
    String asInvoker = hasInvokers ? " WITH (security_invoker=on)" : "";
    DATABASE.sql(
        "CREATE ROLE " + owner + " LOGIN",
        "CREATE ROLE " + user + " LOGIN",
        "CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 10) AS n",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY few ON " + table + " USING (n <= 3)",
        "CREATE VIEW " + table + "_all AS SELECT * FROM " + table,
        "CREATE VIEW " + table + "_v AS SELECT * FROM " + table,
        "CREATE VIEW " + table + "_w AS SELECT v.n FROM " + table + "_v v WHERE n < 99",
        "CREATE VIEW " + table + "_i" + asInvoker + " AS SELECT * FROM " + table,
        "CREATE MATERIALIZED VIEW " + table + "_m AS SELECT * FROM " + table,
        "ALTER VIEW " + table + "_v OWNER TO " + owner,
        "GRANT SELECT ON " + table + " TO " + owner + ", " + user,
        "GRANT SELECT ON " + String.join(", ", table + "_all", table + "_v") + " TO " + user,
        "GRANT SELECT ON " + String.join(", ", table + "_w", table + "_i") + " TO " + user,
        "GRANT SELECT ON " + table + "_m TO " + user);
    String few =
        "row security: only those rows of public." + table + " are read that its policies show to ";
    assertThat(notesOf("_all", user)).isEmpty();
    assertThat(notesOf("_m", user)).isEmpty();
    assertThat(notesOf("_v", user)).containsExactly(few + owner + ", who owns a view of them");
    assertThat(notesOf("_w", user)).containsExactly(few + owner + ", who owns a view of them");
    assertThat(notesOf("_v", owner)).containsExactly(few + "this user");
    assertThat(notesOf("_i", user)).isEqualTo(hasInvokers ? List.of(few + "this user") : List.of());
    assertThat(describe(DATABASE.table(table + "_i")).reading().notes())
        .as("of a superuser")
        .isEmpty();
    copyOf(DATABASE.as(user, Secret.NONE, Map.of("table", table + "_w")));
    assertThat(rowsOf(copy)).startsWith("3 rows");
    String joined = "SELECT t.n FROM " + table + " t JOIN generate_series(1, 9) g ON t.n = g";
    assertThat(notesOfQuery(joined, user))
        .singleElement()
        .asString()
        .startsWith("row security: only those rows are read that policies show (")
        .contains("\"" + table + "\"");
    assertThat(notesOfQuery("SELECT n FROM " + table + "_all", user)).isEmpty();
    assertThat(notesOfQuery("SELECT n FROM " + table + "_v", user)).hasSize(1);
    DATABASE.sql("ALTER TABLE " + table + " OWNER TO " + owner);
    assertThat(notesOf("_v", user)).as("of the table's owner").isEmpty();
    DATABASE.sql("ALTER TABLE " + table + " FORCE ROW LEVEL SECURITY");
    assertThat(notesOf("_v", user)).containsExactly(few + owner + ", who owns a view of them");
    DATABASE.sql(
        "DROP TABLE " + table + " CASCADE",
        "DROP OWNED BY " + owner + ", " + user + " CASCADE",
        "DROP ROLE " + owner + ", " + user);
  }

  private List<String> notesOf(String view, String user) {
    return describe(DATABASE.as(user, Secret.NONE, Map.of("table", table + view)))
        .reading()
        .notes();
  }

  private List<String> notesOfQuery(String query, String user) {
    return describe(DATABASE.as(user, Secret.NONE, Map.of("query", query))).reading().notes();
  }

  @Test
  void rowSecurityOfAPartitionedTableHoldsForItsPartitions() {
    DATABASE.sql(
        "CREATE ROLE " + table + "_u LOGIN",
        "CREATE TABLE " + table + " (n int, who text) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_p PARTITION OF " + table + " FOR VALUES FROM (0) TO (9000)",
        "INSERT INTO "
            + table
            + " SELECT n, CASE WHEN n % 2 = 0 THEN '"
            + table
            + "_u' END FROM"
            + " generate_series(1, 4000) AS n",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY own ON " + table + " USING (who = current_user)",
        "GRANT SELECT ON " + table + ", " + table + "_p TO " + table + "_u");
    Endpoint asUser = DATABASE.as(table + "_u", Secret.NONE, Map.of("table", table));
    assertThat(describe(asUser).lanes().why()).contains("row security");
    copyOf(asUser);
    assertThat(rowsOf(copy)).startsWith("2000 rows");
    DATABASE.sql(
        "ALTER TABLE " + table + " DISABLE ROW LEVEL SECURITY",
        "REVOKE SELECT ON " + table + "_p FROM " + table + "_u");
    assertThat(describe(asUser).lanes().why()).contains("not its partitions by themselves");
    DATABASE.sql("REVOKE SELECT ON " + table + " FROM " + table + "_u");
    assertThatThrownBy(() -> describe(asUser))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("permission denied");
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  @Test
  void whoMayReadSomeColumnsOfATableReadsAllItsRows() {
    DATABASE.sql(
        "CREATE ROLE " + table + "_u LOGIN",
        "CREATE TABLE " + table + " AS SELECT n, 'x' AS t FROM generate_series(1, 4000) AS n",
        "GRANT SELECT (n) ON " + table + " TO " + table + "_u");
    TestDatabase.copy(
            DATABASE.as(table + "_u", Secret.NONE, Map.of("table", table)), DATABASE.table(copy))
        .select(new Selection(List.of("n"), null, Long.MAX_VALUE))
        .lanes(4, SPLIT_BYTES)
        .run();
    assertThat(rowsOf(copy)).startsWith("4000 rows");
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  @Test
  void rowSecurityOfAPartitionByItselfHidesNothingOfItsTable() {
    DATABASE.sql(
        "CREATE ROLE " + table + "_u LOGIN",
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_p PARTITION OF " + table + " FOR VALUES FROM (0) TO (9000)",
        "INSERT INTO " + table + " SELECT generate_series(1, 4000)",
        "ALTER TABLE " + table + "_p ENABLE ROW LEVEL SECURITY",
        "GRANT SELECT ON " + table + ", " + table + "_p TO " + table + "_u");
    copyOf(DATABASE.as(table + "_u", Secret.NONE, Map.of("table", table)));
    assertThat(rowsOf(copy)).startsWith("4000 rows");
    assertThat(describe(DATABASE.table(table)).lanes().why()).as("of a superuser").isEmpty();
    DATABASE.sql("DROP OWNED BY " + table + "_u CASCADE", "DROP ROLE " + table + "_u");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TRUNCATE %1$s; INSERT INTO %1$s SELECT 2 FROM generate_series(1, 5000)",
        "DROP TABLE %1$s; CREATE TABLE %1$s AS SELECT 2 AS n FROM generate_series(1, 5000)",
        "ALTER TABLE %1$s RENAME TO %1$s_old; CREATE TABLE %1$s AS SELECT 2 AS n FROM %1$s_old",
        "ALTER TABLE %1$s ALTER n TYPE bigint USING 2",
      })
  void aTableThatWasLockedToBeWrittenAnewIsReadAsItIsThen(String change) throws SQLException {
    for (boolean byQuery : List.of(false, true)) {
      String to = copy + byQuery;
      String from = table + byQuery;
      DATABASE.sql("CREATE TABLE " + from + " AS SELECT 1 AS n FROM generate_series(1, 5000)");
      Endpoint source = byQuery ? DATABASE.query("SELECT * FROM " + from) : DATABASE.table(from);
      try (Connection connection = DATABASE.server.connect(DATABASE.name);
          Statement statement = connection.createStatement()) {
        statement.execute("BEGIN; " + change.formatted(from));
        CompletableFuture<Ran> reading =
            CompletableFuture.supplyAsync(
                () -> TestDatabase.copy(source, DATABASE.table(to)).run());
        awaitWaitingForTable(reading);
        statement.execute("COMMIT");
        reading.join();
      }
      assertThat(DATABASE.value("SELECT count(*) || ' of ' || min(n) FROM " + to))
          .isEqualTo("5000 of 2");
    }
  }

  /// A snapshot does not keep others from emptying a table, the locks of whoever holds it do.
  @ParameterizedTest
  @ValueSource(strings = {"TRUNCATE %s_2", "DROP TABLE %s_2"})
  void aPartitionThatNobodyKeptAnyMoreIsNotReadAsIfItHadNoRows(String change) {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int) PARTITION BY RANGE (n)",
        "CREATE TABLE " + table + "_1 PARTITION OF " + table + " FOR VALUES FROM (0) TO (10)",
        "CREATE TABLE " + table + "_2 PARTITION OF " + table + " FOR VALUES FROM (10) TO (20)",
        "INSERT INTO " + table + " SELECT generate_series(0, 19)");
    try (Source source = open(DATABASE.table(table));
        ReadSession reading = source.describe(new ColumnRequest.Typed()).open(plan(2))) {
      List<Split> splits = Reading.splits(reading);
      try (Reader reader = reading.reader(Reading.context(null))) {
        reader.start(splits.getFirst());
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          batch.release();
        }
        DATABASE.sql(
            """
            DO $$ DECLARE keeper int; BEGIN
              SELECT pid INTO keeper FROM pg_stat_activity
              WHERE datname = current_database() AND state = 'idle in transaction'
              ORDER BY backend_start LIMIT 1;
              PERFORM pg_terminate_backend(keeper);
              WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = keeper) LOOP
                PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
              END LOOP;
            END $$
            """,
            change.formatted(table));
        assertThatThrownBy(() -> reader.start(splits.getLast()))
            .isInstanceOf(Fault.Transient.class)
            .hasMessageContaining(
                "is lost (terminating connection due to administrator command): a new one would"
                    + " see a later moment");
      }
    }
  }

  /// Others can join the state as long as the process that has taken it keeps it. What they have
  /// open by then they go on reading.
  @Test
  void aMomentThatIsOverIsJoinedByNobody() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int)",
        "INSERT INTO " + table + " SELECT generate_series(1, 5000)");
    EndOpener opener =
        new EndOpener(
            new ConnectorRegistry(List.of(new PostgresConnector())), RetryPolicy.NONE, _ -> {});
    SharedMoment moment = opener.moment(DATABASE.table(table));
    try (Source source = open(moment.end());
        ReadSession reading = source.describe(new ColumnRequest.Typed()).open(plan(2))) {
      List<Split> splits = Reading.splits(reading);
      moment.close();
      DATABASE.sql("UPDATE " + table + " SET n = -n");
      assertThat(Reading.rows(reading, splits, null))
          .hasSize(5_000)
          .allMatch(row -> row.value(0) instanceof Long number && number > 0);
      assertThatThrownBy(() -> open(moment.end()).close())
          .isInstanceOf(Fault.class)
          .hasMessageContaining("snapshot");
    }
  }

  /// He waits for the connection that keeps the snapshot, which stays until the lanes are done; the
  /// server can't know that, and calls it no deadlock.
  @Test
  void whoWaitsForTheCopyThatWaitsForHimIsNamedAsThat() {
    DATABASE.sql("CREATE TABLE " + table + " AS SELECT 1 AS n");
    CompletableFuture<Void> emptying;
    try (Source source = open(DATABASE.table(table));
        ReadSession reading = source.describe(new ColumnRequest.Typed()).open(plan(2))) {
      Split split = Reading.splits(reading).getFirst();
      // The common pool may have one thread alone.
      Executor waiting = Thread::startVirtualThread;
      emptying = CompletableFuture.runAsync(this::empty, waiting);
      awaitWaitingForTable(emptying);
      try (Reader reader = reading.reader(Reading.context(null))) {
        CompletableFuture<Void> lane =
            CompletableFuture.runAsync(() -> reader.start(split), waiting);
        String waitsFor = null;
        while (waitsFor == null) {
          assertThat(lane).as("waits for the table").isNotDone();
          waitsFor = Blockable.of(source).waitsFor();
        }
        assertThat(waitsFor)
            .containsPattern(
                "process (\\d+) .*, which waits for this copy itself, so that neither goes on: end"
                    + " it with SELECT pg_cancel_backend\\(\\1\\)");
        reader.cancel();
        assertThatThrownBy(lane::join).isInstanceOf(CompletionException.class);
      }
    }
    emptying.join();
  }

  /// On a connection of its own, since it waits.
  private void empty() {
    try (Connection connection = DATABASE.server.connect(DATABASE.name);
        Statement statement = connection.createStatement()) {
      statement.execute("TRUNCATE " + table);
    } catch (SQLException e) {
      throw new CompletionException(e);
    }
  }

  private static void awaitWaitingForTable(CompletableFuture<?> reading) {
    String waiting =
        "SELECT count(*) FROM pg_locks WHERE locktype = 'relation' AND NOT granted AND database ="
            + " (SELECT oid FROM pg_database WHERE datname = current_database())";
    while ("0".equals(DATABASE.value(waiting))) {
      assertThat(reading).as("waits for the table").isNotDone();
    }
  }
}
