package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a table that takes another's place has of it, what it has not, and which ones nothing can
/// take the place of.
class PostgresReplaceTest {

  private static final TestDatabase DATABASE = TestDatabase.make();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final String table = "r" + NAMES.incrementAndGet();

  /// All that is known of the table and of what belongs to it, but for numbers that the server
  /// gives out and how many rows there are.
  private static final String DESCRIPTION =
      """
      WITH its AS (
        SELECT oid FROM pg_class WHERE oid = '%1$s'::regclass
        UNION ALL SELECT indexrelid FROM pg_index WHERE indrelid = '%1$s'::regclass
        UNION ALL SELECT objid FROM pg_depend
          WHERE classid = 'pg_class'::regclass AND refobjid = '%1$s'::regclass
            AND deptype IN ('a', 'i')
            AND objid IN (SELECT oid FROM pg_class WHERE relkind = 'S')
        UNION ALL SELECT reltoastrelid FROM pg_class WHERE oid = '%1$s'::regclass)
      SELECT concat_ws(' ', relkind, CASE relkind WHEN 't' THEN 'toast' ELSE relname END,
        reloptions::text, relreplident, relowner::regrole, relacl::text, spcname, amname,
        obj_description(c.oid, 'pg_class'))
      FROM pg_class c LEFT JOIN pg_tablespace t ON t.oid = c.reltablespace
      LEFT JOIN pg_am am ON am.oid = c.relam
      WHERE c.oid IN (SELECT oid FROM its)
      UNION ALL
      SELECT concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod),
        attnotnull, attstorage, attstattarget, attoptions::text, attcollation, attidentity,
        attgenerated, attacl::text, col_description(attrelid, attnum),
        pg_get_expr(d.adbin, d.adrelid))
      FROM pg_attribute LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
      WHERE attrelid IN (SELECT oid FROM its) AND attnum > 0
        AND attrelid <> (SELECT reltoastrelid FROM pg_class WHERE oid = '%1$s'::regclass)
      UNION ALL
      SELECT concat_ws(' ', conname, pg_get_constraintdef(oid), convalidated,
        obj_description(oid, 'pg_constraint'))
      FROM pg_constraint WHERE conrelid = '%1$s'::regclass
      UNION ALL
      SELECT concat_ws(' ', pg_get_indexdef(indexrelid), indisclustered, indisreplident,
        indimmediate)
      FROM pg_index WHERE indrelid = '%1$s'::regclass
      UNION ALL
      SELECT concat_ws(' ', seqrelid::regclass, seqstart, seqincrement, seqmax,
        pg_sequence_last_value(seqrelid))
      FROM pg_sequence WHERE seqrelid IN (SELECT oid FROM its)
      UNION ALL
      SELECT concat_ws(' ', pg_get_statisticsobjdef(oid), stxowner::regrole,
        to_jsonb(s) ->> 'stxstattarget', obj_description(oid, 'pg_statistic_ext'))
      FROM pg_statistic_ext s WHERE stxrelid = '%1$s'::regclass
      ORDER BY 1
      """;

  private static Copying query(String query, String into) {
    return TestDatabase.copy(DATABASE.query(query), DATABASE.table(into)).mode(Mode.REPLACE);
  }

  private @Nullable String found() {
    return DATABASE.value(
        "SELECT format('%s rows from %s to %s', count(*), min(n), max(n)) FROM " + table);
  }

  @Test
  void viewsAreNamedBesideForeignKeysIfTheyBlockAReplace() {
    DATABASE.sql(
        "CREATE TABLE %s (n int PRIMARY KEY)".formatted(table),
        "CREATE TABLE %1$s_ref (r int CONSTRAINT %1$s_fk REFERENCES %1$s)".formatted(table),
        "CREATE VIEW %1$s_view AS SELECT n FROM %1$s".formatted(table));
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessage(
                      "public.%1$s can't be replaced: foreign key %1$s_fk of %1$s_ref, view %1$s_view would lose it."
                          .formatted(table));
              assertThat(fault.advice()).contains("drop all of these");
            });
  }

  @Test
  void aTableOfMoreColumnsThanThereCanBeIsRefusedWithTheirNumberAndAWayOut() {
    assertThatThrownBy(() -> wide(1_700).run())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessage(
                      "public.%s would have 1,700 columns, and a table of PostgreSQL has 1,600 at most."
                          .formatted(table));
              assertThat(fault.advice()).contains("--select");
            });
  }

  private Copying wide(int width) {
    MemoryConnector memory = new MemoryConnector();
    List<Column> columns =
        IntStream.range(0, width).mapToObj(i -> Column.of("c" + i, new Type.Int(32))).toList();
    memory.put("wide", Schema.of(columns), List.of());
    return Copying.of(
        memory, memory.endpoint("wide"), new PostgresConnector(), DATABASE.table(table));
  }

  private static String number(String setting) {
    return String.valueOf(DATABASE.value("SHOW " + setting));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "freeze", "defer-indexes"})
  void aReplacedTableOfTheSameColumnsStaysWhereAndAsItWas(String option) {
    String reader = table + "_reader";
    String owner = table + "_owner";
    DATABASE.sql(
        "CREATE ROLE " + reader,
        "CREATE ROLE " + owner,
        "GRANT CREATE ON SCHEMA public TO " + owner,
        """
        CREATE TABLE %1$s (
          id bigint GENERATED BY DEFAULT AS IDENTITY (START 7 INCREMENT 3),
          n serial, t text COLLATE "C" NOT NULL DEFAULT 'x', u int, v int, b box,
          g int GENERATED ALWAYS AS (n * 2) STORED,
          CONSTRAINT %1$s_key PRIMARY KEY (id) WITH (fillfactor=60),
          CONSTRAINT %1$s_late UNIQUE (u, v) INCLUDE (t) DEFERRABLE INITIALLY DEFERRED,
          CONSTRAINT %1$s_check CHECK (u > 0),
          CONSTRAINT %1$s_apart EXCLUDE USING gist (b WITH &&) WITH (fillfactor=70) WHERE (u > 5)
        ) WITH (fillfactor=50, toast.autovacuum_enabled=false)
        """
            .formatted(table),
        "CREATE INDEX \"%1$s Odd\" ON %1$s (lower(t) DESC, u) WITH (fillfactor=77) WHERE v > 3"
            .formatted(table),
        "CREATE UNIQUE INDEX %1$s_twice ON %1$s (t, n)".formatted(table),
        "ALTER TABLE %1$s REPLICA IDENTITY USING INDEX %1$s_twice, CLUSTER ON %1$s_twice,"
                .formatted(table)
            + " ALTER u SET STATISTICS 500, ALTER v SET (n_distinct=-0.5), ALTER t SET STORAGE"
            + " EXTERNAL",
        "ALTER INDEX \"%s Odd\" ALTER COLUMN 1 SET STATISTICS 77".formatted(table),
        "CREATE STATISTICS %1$s_stat (ndistinct) ON u, v FROM %1$s".formatted(table),
        "CREATE STATISTICS \"%1$s More\" ON t, u FROM %1$s".formatted(table),
        "COMMENT ON STATISTICS %1$s_stat IS 'it''s'".formatted(table),
        "COMMENT ON TABLE %s IS E'It''s \\\\ ours'".formatted(table),
        "COMMENT ON COLUMN %s.u IS 'units'".formatted(table),
        "COMMENT ON INDEX \"%s Odd\" IS 'odd'".formatted(table),
        "COMMENT ON INDEX %s_key IS 'index'".formatted(table),
        "COMMENT ON CONSTRAINT %1$s_key ON %1$s IS 'key'".formatted(table),
        "COMMENT ON CONSTRAINT %1$s_apart ON %1$s IS 'apart'".formatted(table),
        "COMMENT ON CONSTRAINT %1$s_check ON %1$s IS 'check'".formatted(table),
        "COMMENT ON SEQUENCE %s_id_seq IS 'numbers'".formatted(table),
        "GRANT SELECT, INSERT (u) ON %s TO %s WITH GRANT OPTION".formatted(table, reader),
        "GRANT DELETE ON %s TO PUBLIC".formatted(table),
        "GRANT USAGE ON SEQUENCE %s_id_seq TO %s".formatted(table, reader),
        "ALTER TABLE %s OWNER TO %s".formatted(table, owner),
        "INSERT INTO %s (t, u, v) SELECT 'old', i, i FROM generate_series(1, 9) AS i"
            .formatted(table));
    if (Integer.parseInt(number("server_version_num")) >= 130000) {
      DATABASE.sql("ALTER STATISTICS %s_stat SET STATISTICS 44".formatted(table));
    }
    List<@Nullable String> before = DATABASE.column(DESCRIPTION.formatted(table));
    Map<String, String> into =
        option.isEmpty() ? Map.of("table", table) : Map.of("table", table, option, "true");
    Plan plan =
        TestDatabase.copy(
                DATABASE.query(
                    "SELECT i::bigint AS id, i AS n, 'new' AS t, i AS u, i AS v, NULL::box AS b"
                        + " FROM generate_series(1, 3) AS i"),
                DATABASE.endpoint(into))
            .mode(Mode.REPLACE)
            .run()
            .plan();
    assertThat(DATABASE.column(DESCRIPTION.formatted(table)))
        .isEqualTo(before)
        .hasSizeGreaterThan(25);
    assertThat(plan.writePlan().notes()).noneMatch(note -> note.contains("will not have"));
    DATABASE.sql("INSERT INTO " + table + " (u) VALUES (10)");
    assertThat(
            DATABASE.column(
                "SELECT format('%s %s %s %s', id, n, t, g) FROM " + table + " ORDER BY u"))
        .containsExactly("1 1 new 2", "2 2 new 4", "3 3 new 6", "34 10 x 20");
    DATABASE.sql(
        "DROP TABLE " + table,
        "DROP OWNED BY " + reader + ", " + owner,
        "DROP ROLE " + reader,
        "DROP ROLE " + owner);
  }

  @Test
  void aReplacedTableStaysInItsTablespaceAndThePlanSaysWhereTheUserMayNotUseIt() {
    assumeTrue(Integer.parseInt(number("server_version_num")) >= 150000, "in-place tablespaces");
    String user = table + "_user";
    DATABASE.sql(
        "SET allow_in_place_tablespaces = on",
        "CREATE TABLESPACE " + table + "_space LOCATION ''",
        "CREATE ROLE " + user + " LOGIN",
        "GRANT CREATE ON SCHEMA public TO " + user,
        "CREATE TABLE %1$s (n int PRIMARY KEY USING INDEX TABLESPACE %1$s_space)".formatted(table)
            + " TABLESPACE %s_space".formatted(table),
        "CREATE INDEX %1$s_more ON %1$s (n)".formatted(table));
    String where =
        "SELECT string_agg(coalesce(spcname, '-'), ' ' ORDER BY relname) FROM pg_class c LEFT JOIN"
            + " pg_tablespace s ON s.oid = reltablespace WHERE c.oid = '%1$s'::regclass OR c.oid IN"
            + " (SELECT indexrelid FROM pg_index WHERE indrelid = '%1$s'::regclass)";
    Plan plan = query("SELECT 1 AS n", table).run().plan();
    assertThat(DATABASE.value(where.formatted(table)))
        .isEqualTo("%1$s_space - %1$s_space".formatted(table));
    assertThat(plan.writePlan().notes()).noneMatch(note -> note.contains("TABLESPACE"));
    DATABASE.sql("ALTER TABLE " + table + " OWNER TO " + user);
    plan =
        TestDatabase.copy(
                DATABASE.query("SELECT 1 AS n"),
                DATABASE.as(user, Secret.NONE, Map.of("table", table)))
            .mode(Mode.REPLACE)
            .run()
            .plan();
    assertThat(DATABASE.value(where.formatted(table))).isEqualTo("- - -");
    assertThat(plan.writePlan().notes())
        .contains(
            "the new table will not have the old one's setting TABLESPACE %s_space"
                .formatted(table));
  }

  @Test
  void aTableThatOthersDependOnIsNotReplacedAndTheyAreNamed() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n int PRIMARY KEY)",
        "CREATE VIEW \"Odd view\" AS SELECT n FROM " + table,
        "CREATE TABLE " + table + "_child (n int CONSTRAINT to_parent REFERENCES " + table + ")");
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("view \"Odd view\"")
        .hasMessageContaining("foreign key to_parent of " + table + "_child")
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--mode merge");
    DATABASE.sql("DROP TABLE " + table + "_child");
    assertThatThrownBy(() -> query("SELECT 1 AS n", table).run())
        .extracting(fault -> ((Fault) fault).advice())
        .asString()
        .contains("--mode truncate");
    DATABASE.sql("DROP VIEW \"Odd view\"");
    query("SELECT 1 AS n", table).run();
    assertThat(found()).isEqualTo("1 rows from 1 to 1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "function {t}_f({t}) | CREATE FUNCTION {t}_f({t}) RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "column x of table {t}_x | CREATE TABLE {t}_x (x {t})",
        "materialized view {t}_m | CREATE MATERIALIZED VIEW {t}_m AS SELECT * FROM {t}",
        "view {t}_v | CREATE VIEW {t}_v AS SELECT n, u FROM {t} GROUP BY n",
        "policy p on table kept | CREATE POLICY p ON kept USING (n IN (SELECT n FROM {t}))",
      })
  void whateverTheServerWouldNotDropItForIsNamedBeforeARowMoves(String dependent, String made) {
    DATABASE.sql(
        "CREATE TABLE IF NOT EXISTS kept (n int)",
        "CREATE TABLE " + table + " (n int PRIMARY KEY, u int)",
        "INSERT INTO " + table + " VALUES (7)",
        made.replace("{t}", table));
    for (String columns : List.of("1 AS n, 2 AS u", "1 AS n")) {
      assertThatThrownBy(() -> query("SELECT " + columns, table).run())
          .isInstanceOf(Fault.User.class)
          .hasMessage(
              "public."
                  + table
                  + " can't be replaced: "
                  + dependent.replace("{t}", table)
                  + " would lose it.");
    }
    assertThat(found()).isEqualTo("1 rows from 7 to 7");
  }

  @Test
  void aSequenceThatOthersUseTooIsInTheWayOnlyWhereItWouldGo() {
    DATABASE.sql(
        "CREATE TABLE " + table + " (n serial, u int)",
        "CREATE TABLE %1$s_x (n int DEFAULT nextval('%1$s_n_seq'))".formatted(table));
    query("SELECT 1 AS n, 2 AS u", table).run();
    DATABASE.sql("INSERT INTO " + table + "_x DEFAULT VALUES");
    assertThat(found()).isEqualTo("1 rows from 1 to 1");
    assertThatThrownBy(() -> query("SELECT 2 AS n", table).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("default value for column n of table " + table + "_x would lose it");
  }

  @ParameterizedTest
  @CsvSource({"REPLACE, false, ''", "REPLACE, false, freeze", "TRUNCATE, true, ''"})
  void aTableCanBeWrittenAnewFromItself(Mode mode, boolean atomic, String option) {
    DATABASE.sql("CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 100) AS n");
    Map<String, String> into =
        option.isEmpty() ? Map.of("table", table) : Map.of("table", table, option, "true");
    TestDatabase.copy(
            DATABASE.query("SELECT n * 2 AS n FROM " + table + " WHERE n > 50"),
            DATABASE.endpoint(into))
        .landing(new WriteOptions(mode, atomic, List.of(), false))
        .run();
    assertThat(found()).isEqualTo("50 rows from 102 to 200");
  }

  @Test
  void aTableThatIsEmptiedBeforeItIsReadIsRefusedAsItsOwnSource() {
    DATABASE.sql("CREATE TABLE " + table + " AS SELECT n FROM generate_series(1, 100) AS n");
    assertThatThrownBy(() ->
            query("SELECT n FROM " + table, table)
                .mode(Mode.TRUNCATE)
                .patience(Duration.ZERO, Duration.ofMinutes(30))
                .run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("would wait for each other for ever");
    assertThat(found()).isEqualTo("100 rows from 1 to 100");
  }

  @Test
  void aForeignKeyThatAReplaceLosesIsSaidInThePlan() {
    DATABASE.sql(
        "CREATE TABLE " + table + "_parent (n int PRIMARY KEY)",
        "CREATE TABLE " + table + " (n int CONSTRAINT up REFERENCES " + table + "_parent)");
    Plan plan = query("SELECT 1 AS n", table).run().plan();
    assertThat(plan.writePlan().notes())
        .contains("the new table will not have the old one's foreign key up");
  }

  @Test
  void rulesAndSettingsThatAReplaceLosesAreSaidInThePlan() {
    DATABASE.sql(
        "CREATE UNLOGGED TABLE " + table + " (n int)",
        "ALTER TABLE " + table + " ENABLE ROW LEVEL SECURITY",
        "CREATE RULE kept AS ON DELETE TO " + table + " DO INSTEAD NOTHING");
    Plan plan = query("SELECT 1 AS n", table).run().plan();
    assertThat(plan.writePlan().notes())
        .contains("the new table will not have the old one's rule kept")
        .contains(
            "the new table will not have the old one's setting ENABLE ROW LEVEL SECURITY,"
                + " UNLOGGED");
  }

  @Test
  void whatATableOfOtherColumnsLosesIsSaidInThePlan() {
    DATABASE.sql(
        "CREATE TABLE "
            + table
            + " (n int PRIMARY KEY, u int CONSTRAINT positive CHECK (u > 0), v text DEFAULT 'x')"
            + " WITH (fillfactor=50, toast.autovacuum_enabled=false)",
        "GRANT SELECT ON " + table + " TO PUBLIC",
        "COMMENT ON TABLE " + table + " IS 'all'",
        "COMMENT ON COLUMN " + table + ".u IS 'one'",
        "ALTER TABLE " + table + " REPLICA IDENTITY FULL",
        "CREATE INDEX %1$s_u ON %1$s (u)".formatted(table),
        "CREATE STATISTICS %1$s_stat ON u, v FROM %1$s".formatted(table));
    Copying copy = query("SELECT 1 AS n", table);
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessage(
            ("public.%1$s can't be replaced as it is: primary key (n), setting REPLICA IDENTITY,"
                    + " fillfactor=50, toast.autovacuum_enabled=false, index %1$s_u, check"
                    + " positive, statistics object %1$s_stat, default of v, grants to PUBLIC,"
                    + " comments on the table, u would be lost, because the source has no column"
                    + " u, v.")
                .formatted(table));
    Plan plan =
        copy.landing(
                new WriteOptions(Mode.REPLACE, false, List.of(), false, WriteOptions.Types.SOURCE))
            .run()
            .plan();
    assertThat(plan.writePlan().notes())
        .contains(
            "the new table will not have the old one's column u, v",
            "the new table will not have the old one's primary key " + table + "_pkey",
            "the new table will not have the old one's index " + table + "_u",
            "the new table will not have the old one's check positive",
            "the new table will not have the old one's statistics object " + table + "_stat",
            "the new table will not have the old one's setting REPLICA IDENTITY, fillfactor=50,"
                + " toast.autovacuum_enabled=false");
  }
}
