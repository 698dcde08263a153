package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Ran;
import org.junit.jupiter.api.Test;

/// What a database, or a role in it, has set and made for itself changes no value and leaves out no
/// row. Each test has a database of its own.
class PostgresSettingsTest {

  private final TestDatabase database = TestDatabase.make();
  private final String table = "kept";
  private final String copy = "taken";

  private Ran copy(Endpoint from) {
    return TestDatabase.copy(from, database.table(copy)).run();
  }

  @Test
  void anIndexLeavesOutNoRowsWhateverTheDatabaseHasSet() {
    database.sql(
        "CREATE TABLE " + table + " AS SELECT n, ARRAY[1, n] AS a FROM generate_series(1, 9000) n",
        "CREATE INDEX ON " + table + " USING gin (a)",
        "ALTER DATABASE " + database.name + " SET gin_fuzzy_search_limit = 10",
        "ALTER DATABASE " + database.name + " SET enable_seqscan = off");
    copy(database.query("SELECT n FROM " + table + " WHERE a @> '{1}'"));
    assertThat(database.value("SELECT count(*) FROM " + copy)).isEqualTo("9000");
  }

  @Test
  void namesInValuesAreSpelledTheSameWhateverTheDatabaseHasSet() {
    database.sql(
        "CREATE TABLE " + table + " AS SELECT 'pg_catalog.pg_class'::regclass AS c",
        "CREATE TABLE " + copy + " (c text)",
        "ALTER DATABASE " + database.name + " SET quote_all_identifiers = on");
    copy(database.table(table));
    assertThat(database.value("SELECT c FROM " + copy)).isEqualTo("pg_class");
  }

  @Test
  void aTypeOfTheUsersIsNotTakenForOneOfTheServersOfThatName() {
    database.sql(
        "CREATE TYPE public.point AS ENUM ('here')", "CREATE TYPE public.int4 AS ENUM ('one')");
    copy(
        database.query(
            "SELECT 'here'::public.point AS e, 'one'::public.int4 AS i, 2::int AS n,"
                + " '(1,2)'::pg_catalog.point AS p"));
    assertThat(
            database.value(
                "SELECT concat_ws(' ', t, pg_typeof(e), pg_typeof(i), pg_typeof(n), pg_typeof(p))"
                    + " FROM "
                    + copy
                    + " AS t"))
        .isEqualTo("(here,one,2,\"(1,2)\") public.point public.int4 integer point");
  }

  @Test
  void aNameInAValueMeansTheSameWhateverTheSearchPathOfWhoReadsItAndWhoWritesIt() {
    database.sql(
        "CREATE SCHEMA " + table + "_a",
        "CREATE SCHEMA " + table + "_b",
        "CREATE TABLE " + table + "_a.named (n int)",
        "CREATE TABLE " + table + "_b.named (n int)",
        "CREATE TABLE " + table + " AS SELECT '" + table + "_a.named'::regclass AS c",
        "CREATE TABLE " + copy + " (c regclass)",
        "CREATE ROLE " + table + "_r LOGIN SUPERUSER",
        "CREATE ROLE " + table + "_w LOGIN SUPERUSER",
        "ALTER ROLE " + table + "_r SET search_path = " + table + "_a, public",
        "ALTER ROLE " + table + "_w SET search_path = " + table + "_b, public");
    TestDatabase.copy(
            database.as(table + "_r", Secret.NONE, Map.of("table", table)),
            database.as(table + "_w", Secret.NONE, Map.of("table", copy)))
        .run();
    assertThat(database.value("SELECT c FROM " + copy)).isEqualTo(table + "_a.named");
    database.sql("DROP ROLE " + table + "_r", "DROP ROLE " + table + "_w");
  }

  /// As where Oracle's types and functions are imitated.
  private void hideTheServersOwn() {
    database.sql(
        "CREATE SCHEMA hides",
        "CREATE DOMAIN hides.date AS timestamp(0)",
        "CREATE DOMAIN hides.text AS varchar(5)",
        "CREATE FUNCTION hides.quote_ident(text) RETURNS text LANGUAGE sql AS $$SELECT 'hidden'$$",
        "CREATE FUNCTION hides.lower(text) RETURNS text LANGUAGE sql IMMUTABLE AS $$SELECT"
            + " 'hidden'$$",
        "ALTER DATABASE " + database.name + " SET search_path = hides, public, pg_catalog");
  }

  @Test
  void schemasBeforeTheServersOwnChangeNoTypeOfANewTable() {
    hideTheServersOwn();
    for (Mode mode : Mode.values()) {
      TestDatabase.copy(
              database.query(
                  "SELECT pg_catalog.date '2024-02-29' AS d, 'longer than five'::pg_catalog.text AS"
                      + " t"),
              database.table("public." + copy))
          .landing(
              new WriteOptions(mode, false, mode == Mode.MERGE ? List.of("d") : List.of(), false))
          .run();
      assertThat(
              database.value(
                  "SELECT concat_ws(' ', d, t, pg_typeof(d), pg_typeof(t)) FROM public." + copy))
          .as(mode.toString())
          .isEqualTo("2024-02-29 longer than five date text");
      database.sql("DROP TABLE public." + copy);
    }
  }

  @Test
  void schemasBeforeTheServersOwnMeanInTheUsersWordsWhatTheyMeanToHim() {
    hideTheServersOwn();
    copy(
        database.query(
            "SELECT quote_ident('a') AS q, pg_typeof(d)::text AS t FROM (SELECT now()::date AS d)"
                + " AS n"));
    assertThat(database.value("SELECT q FROM hides." + copy)).isEqualTo("hidden");
    TestDatabase.copy(database.table(copy), database.table("chosen"))
        .select(new Selection(List.of(), "quote_ident('a') = 'hidden'", Long.MAX_VALUE))
        .run();
    assertThat(database.value("SELECT count(*) FROM hides.chosen")).isEqualTo("1");
  }

  @Test
  void schemasBeforeTheServersOwnChangeNoIndexThatIsMadeAgain() {
    hideTheServersOwn();
    database.sql(
        "CREATE TABLE public." + copy + " (t varchar)",
        "CREATE INDEX ON public." + copy + " (pg_catalog.lower(t))",
        "INSERT INTO public." + copy + " VALUES ('A')");
    String index =
        "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'public."
            + copy
            + "'::regclass";
    String before = database.value(index);
    TestDatabase.copy(database.query("SELECT 'B'::varchar AS t"), database.table("public." + copy))
        .mode(Mode.REPLACE)
        .run();
    assertThat(database.value(index)).isEqualTo(before);
    TestDatabase.copy(
            database.query("SELECT 'C'::varchar AS t"),
            database.endpoint(Map.of("table", "public." + copy, "defer-indexes", "true")))
        .mode(Mode.APPEND)
        .run();
    assertThat(database.value(index)).isEqualTo(before);
  }
}
