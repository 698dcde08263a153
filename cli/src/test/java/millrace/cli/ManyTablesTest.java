package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Copies of many tables in one command.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ManyTablesTest {

  private PostgresServer server;
  private String from;
  private String to;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeDatabases() throws IOException {
    from = server.newDatabase();
    to = server.newDatabase();
    server.execute(
        from,
        "CREATE TABLE orders (id int PRIMARY KEY, note text)",
        "INSERT INTO orders SELECT i, 'note ' || i FROM generate_series(1, 1000) i",
        "CREATE TABLE items (sku text, n int)",
        "INSERT INTO items VALUES ('a', 1), ('b', 2)",
        "CREATE TABLE \"Mixed Case\" (\"A b\" int)",
        "INSERT INTO \"Mixed Case\" VALUES (7)",
        "CREATE VIEW seen AS SELECT * FROM items",
        "CREATE SCHEMA other",
        "CREATE TABLE other.orders (x int)");
    Files.createDirectories(home.resolve("out"));
  }

  private String url(String database, String table) {
    return server.url(database) + "?table=" + table;
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private String out(String name) {
    return home.resolve("out").resolve(name).toString();
  }

  private long rows(String table) {
    return Long.parseLong(text(to, "SELECT count(*) FROM " + table));
  }

  @Test
  void everyTableOfASchemaGoesToAFileOfItsOwn() throws IOException {
    Cli.Result result = run("copy", url(from, "public.*"), out("{table}.csv"));
    assertThat(result.err())
        .contains("public.orders", "public.items", "public.Mixed Case")
        .contains("3 tables: 3 ok; 1,003 rows", "all tables as they were at one moment.")
        .doesNotContain("other.orders", "seen");
    assertThat(result.code()).isZero();
    assertThat(Files.readAllLines(Path.of(out("orders.csv")))).hasSize(1001);
    assertThat(Files.readString(Path.of(out("Mixed Case.csv")))).isEqualTo("A b\n7\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite:%s?table={table}", "duckdb:%s?table={table}"})
  void everyTableGoesIntoOneFile(String target) {
    String file = target.formatted(out("all.db"));
    assertThat(run("copy", url(from, "public.*"), file).err()).contains("3 tables: 3 ok");
    Cli.Result listed = run("tables", file.replace("{table}", "*"));
    assertThat(listed.out()).contains("orders", "items", "Mixed Case").doesNotContain("millrace");
    Cli.Result back = run("copy", file.replace("{table}", "*"), url(to, "public.*"));
    assertThat(back.err()).contains("3 tables: 3 ok; 1,003 rows");
    assertThat(rows("orders")).isEqualTo(1000);
    assertThat(rows("\"Mixed Case\"")).isEqualTo(1);
  }

  @Test
  void everyFileGoesToATableOfItsOwn() throws IOException {
    Files.writeString(Path.of(out("a.csv")), "id\n1\n");
    Files.writeString(Path.of(out("b-2.csv")), "id\n1\n2\n");
    Cli.Result result = run("copy", out("*.csv"), url(to, "public.{stem}"));
    assertThat(result.err()).contains("2 tables: 2 ok; 3 rows");
    assertThat(rows("a")).isEqualTo(1);
    assertThat(rows("\"b-2\"")).isEqualTo(2);
  }

  @Test
  void tablesAreExcludedAndListed() throws IOException {
    assertThat(run("copy", url(from, "*"), out("{table}.csv"), "--exclude", "ord*,mixed*").err())
        .contains("1 table: 1 ok; 2 rows");
    Path list = Files.writeString(home.resolve("list.txt"), "# of report b\npublic.orders\n");
    assertThat(run("copy", url(from, "*"), url(to, "{table}"), "--tables", list.toString()).err())
        .contains("1 table: 1 ok; 1,000 rows");
  }

  /// One that is bad stops no other, and the same command with --resume makes up for it.
  @Test
  void aTableThatFailsStopsNoOtherAndIsGoneOnWith() {
    server.execute(to, "CREATE TABLE items (sku int, n int)");
    String[] copy = {"copy", url(from, "public.*"), url(to, "public.*")};
    Cli.Result failed = run(copy);
    assertThat(failed.code()).isEqualTo(ExitCode.PARTLY.number());
    assertThat(failed.err()).contains("2 ok, 1 failed", "public.items:\nmillrace: ", "--resume");
    assertThat(rows("orders")).isEqualTo(1000);
    assertThat(rows("items")).isZero();

    server.execute(to, "DROP TABLE items");
    Cli.Result gone = run(copy[0], copy[1], copy[2], "--resume");
    assertThat(gone.err()).contains("1 ok, 2 done before");
    assertThat(gone.code()).isZero();
    assertThat(rows("orders")).isEqualTo(1000);
    assertThat(rows("items")).isEqualTo(2);

    Cli.Result again = run(copy[0], copy[1], copy[2], "--resume");
    assertThat(again.err()).contains("3 tables: 3 done before");
    assertThat(again.code()).isZero();
    assertThat(rows("items")).isEqualTo(2);
  }

  @Test
  void theFirstThatFailsStopsTheOthersIfItIsAskedTo() {
    server.execute(to, "CREATE TABLE items (sku int, n int)");
    Cli.Result failed = run("copy", url(from, "*"), url(to, "*"), "--fail-fast", "--lanes", "1");
    assertThat(failed.err()).contains("1 failed").doesNotContain("3 ok");
    assertThat(failed.code()).isNotZero();
  }

  /// All tables are read as they were when the first was: what is written meanwhile is in none.
  @Test
  void aSnapshotIsNamedByTheUserToo() {
    assertThat(run("copy", url(from, "orders"), out("o.csv"), "--snapshot", "0-0-0").err())
        .contains("snapshot");
  }

  @Test
  void rejectsGoToAFileForEachTable() throws IOException {
    server.execute(to, "CREATE TABLE items (sku text CHECK (sku <> 'a'), n int)");
    String[] copy = {"copy", url(from, "*"), url(to, "*"), "--max-rejects", "5"};
    Cli.Result one = run(copy[0], copy[1], copy[2], copy[3], copy[4], "--rejects", out("bad.csv"));
    assertThat(one.err()).contains("is one file for many tables", "bad-{table}.csv");
    assertThat(one.code()).isEqualTo(ExitCode.USER.number());
    Cli.Result each =
        run(copy[0], copy[1], copy[2], copy[3], copy[4], "--rejects", out("bad-{table}.csv"));
    assertThat(each.err()).contains("3 tables: 3 ok; 1,002 rows");
    assertThat(Files.readString(Path.of(out("bad-items.csv")))).isEqualTo("sku,n\na,1\n");
    assertThat(Path.of(out("bad-orders.csv"))).doesNotExist();
  }

  private String text(String database, String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /// All that PostgreSQL says of the tables of a schema.
  private String definition(String database) {
    return text(
        database,
        """
        SELECT string_agg(line, E'\\n' ORDER BY line) FROM (
          SELECT pg_get_constraintdef(oid) || ' ' || conname || conrelid::regclass
            FROM pg_constraint WHERE connamespace = 'public'::regnamespace
          UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index
            WHERE indrelid::regclass::text !~ '^pg_|\\.'
          UNION ALL SELECT concat_ws(' ', table_name, column_name, ordinal_position, data_type,
              column_default, is_nullable, collation_name, is_identity, identity_generation,
              identity_increment, generation_expression, numeric_scale,
              character_maximum_length, col_description(table_name::regclass, ordinal_position))
            FROM information_schema.columns WHERE table_schema = 'public'
              AND table_name IN ('person', 'account', 'node')
          UNION ALL SELECT obj_description('person'::regclass, 'pg_class')
        ) AS each(line) WHERE line NOT LIKE '%millrace_journal%'
        """);
  }

  private void makeFamily() {
    server.execute(
        from,
        "DROP VIEW seen",
        "DROP TABLE orders, items, \"Mixed Case\"",
        """
        CREATE TABLE person (
          id serial PRIMARY KEY,
          name varchar(40) COLLATE "C" NOT NULL DEFAULT 'it''s \\ me',
          born date CHECK (born > '1900-01-01'),
          twice int GENERATED ALWAYS AS (length(name) * 2) STORED,
          CONSTRAINT one_a_day UNIQUE (name, born) DEFERRABLE INITIALLY DEFERRED)\
        """,
        "COMMENT ON TABLE person IS 'who''s there'",
        "COMMENT ON COLUMN person.born IS 'the day'",
        "CREATE INDEX \"Odd Name\" ON person (lower(name) DESC) INCLUDE (born) WHERE id > 3",
        """
        CREATE TABLE account (
          id bigint GENERATED ALWAYS AS IDENTITY (INCREMENT BY 10) PRIMARY KEY,
          owner int REFERENCES person ON DELETE CASCADE,
          during int4range, EXCLUDE USING gist (during WITH &&))\
        """,
        "CREATE TABLE node (id int PRIMARY KEY, next int REFERENCES node, person int)",
        "ALTER TABLE node ADD FOREIGN KEY (person) REFERENCES person",
        "ALTER TABLE person ADD node int REFERENCES node",
        "INSERT INTO person (name, born) SELECT 'n' || i, '2000-01-01' FROM generate_series(1, 9)"
            + " i",
        "INSERT INTO node VALUES (1, 1, 1), (2, 1, 9)",
        "UPDATE person SET node = 2",
        "INSERT INTO account (owner) SELECT 1 + i % 9 FROM generate_series(1, 50) i");
  }

  /// Keys in a circle too, and the next row that somebody inserts gets a number of its own.
  @Test
  void whatBelongsToATableComesAlong() {
    makeFamily();
    Cli.Result result = run("copy", url(from, "public.*"), url(to, "public.*"));
    assertThat(result.err()).contains("3 tables: 3 ok; 61 rows").doesNotContain("Not copied");
    assertThat(definition(to)).isEqualTo(definition(from)).contains("one_a_day", "who's there");
    assertThat(text(to, "INSERT INTO person (name) VALUES ('x') RETURNING id")).isEqualTo("10");
    assertThat(text(to, "INSERT INTO account (owner) VALUES (1) RETURNING id")).isEqualTo("501");
  }

  @Test
  void whatDoesNotComeAlongIsNamedWithTheCommandsThatBringIt() {
    server.execute(
        from,
        "CREATE FUNCTION touch() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN new; END'",
        "CREATE TRIGGER touching BEFORE INSERT ON items FOR EACH ROW EXECUTE FUNCTION touch()",
        "ALTER TABLE items ADD FOREIGN KEY (n) REFERENCES orders");
    Cli.Result result =
        run("copy", url(from, "public.*"), url(to, "public.*"), "--exclude", "orders");
    assertThat(result.err())
        .contains(
            "1 function: public.touch",
            "1 view: public.seen",
            "1 trigger: touching of public.items",
            "items_n_fkey (to public.orders, which is not copied) of public.items",
            "pg_dump --section=pre-data",
            "pg_dump --section=post-data");
    assertThat(result.code()).isZero();
  }

  /// What could not be made behind the rows is owed, and made by the same command with --resume.
  @Test
  void anIndexThatCanNotBeMadeIsMadeUpFor() {
    makeFamily();
    server.execute(to, "CREATE TABLE other (x int)", "CREATE INDEX \"Odd Name\" ON other (x)");
    String[] copy = {"copy", url(from, "public.*"), url(to, "public.*")};
    Cli.Result failed = run(copy);
    assertThat(failed.err()).contains("public.person:\nmillrace: ", "Odd Name", "--resume");
    assertThat(failed.code()).isEqualTo(ExitCode.PARTLY.number());
    server.execute(to, "DROP TABLE other");
    Cli.Result gone = run(copy[0], copy[1], copy[2], "--resume");
    assertThat(gone.err()).contains("3 done before");
    assertThat(gone.code()).isZero();
    assertThat(definition(to)).isEqualTo(definition(from));
  }

  /// So is a foreign key, whatever the table that it names has lacked.
  @Test
  void aForeignKeyThatCanNotBeMadeIsMadeUpFor() {
    server.execute(
        from,
        "CREATE TABLE kin_parent (id int PRIMARY KEY)",
        "CREATE TABLE kin_child (id int PRIMARY KEY, parent int REFERENCES kin_parent)",
        "INSERT INTO kin_parent VALUES (1), (2)",
        "INSERT INTO kin_child VALUES (7, 1)");
    server.execute(to, "CREATE TABLE kin_parent (id int)");
    String[] copy = {"copy", url(from, "public.kin_*"), url(to, "public.*")};
    Cli.Result failed = run(copy);
    assertThat(failed.err()).contains("public.kin_child:\nmillrace: ", "--resume");
    assertThat(failed.code()).isNotZero();
    server.execute(to, "ALTER TABLE kin_parent ADD PRIMARY KEY (id)");
    Cli.Result gone = run(copy[0], copy[1], copy[2], "--resume");
    assertThat(gone.err()).contains("2 done before");
    assertThat(gone.code()).isZero();
    assertThat(
            text(
                to,
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint"
                    + " WHERE contype = 'f' AND conrelid = 'kin_child'::regclass"))
        .isEqualTo("FOREIGN KEY (parent) REFERENCES kin_parent(id)");
  }

  /// A table that was made and lacks its keys still gets them, if the next run begins anew and in
  /// another mode.
  @Test
  void whatIsOwedToATableIsMadeByARunThatBeginsAnew() {
    makeFamily();
    server.execute(to, "CREATE TABLE other (x int)", "CREATE INDEX \"Odd Name\" ON other (x)");
    assertThat(run("copy", url(from, "public.*"), url(to, "public.*")).code()).isNotZero();
    server.execute(to, "DROP TABLE other");
    Cli.Result anew = run("copy", url(from, "public.*"), url(to, "public.*"), "--mode", "replace");
    assertThat(anew.err()).contains("3 tables: 3 ok");
    assertThat(definition(to)).isEqualTo(definition(from));
  }

  /// So it does if a run between fails again.
  @ParameterizedTest
  @CsvSource({
    "--mode replace,                --mode replace",
    "--mode truncate,               --mode replace",
    "--mode replace,                --mode replace --resume",
  })
  void whatIsOwedToATableOutlivesARunThatBeginsAnew(String between, String last) {
    makeFamily();
    String function = "CREATE FUNCTION f(int) RETURNS int IMMUTABLE AS 'SELECT $1' LANGUAGE sql";
    server.execute(
        from,
        function,
        "CREATE INDEX by_f ON node (f(id))",
        // It would be made, and no table to which one points is replaced.
        "ALTER TABLE account DROP CONSTRAINT account_owner_fkey");
    assertThat(runAll("").err()).contains("public.node:\nmillrace: ", "by_f");
    Cli.Result again = runAll(between);
    assertThat(again.code()).as(again.err()).isNotZero();
    server.execute(to, function);
    Cli.Result made = runAll(last);
    assertThat(made.code()).as(made.err()).isZero();
    assertThat(definition(to)).isEqualTo(definition(from));
  }

  private Cli.Result runAll(String options) {
    List<String> words =
        new ArrayList<>(
            List.of("copy", url(from, "public.*"), url(to, "public.*"), "--definitions", "tables"));
    words.addAll(options.isEmpty() ? List.of() : List.of(options.split(" ", -1)));
    return run(words.toArray(String[]::new));
  }

  @Test
  void aTableThatIsThereKeepsItsDefinition() {
    makeFamily();
    server.execute(to, "CREATE TABLE person (id int, name text, born date, node int, twice int)");
    assertThat(run("copy", url(from, "person*"), url(to, "*")).err()).contains("1 table: 1 ok");
    assertThat(text(to, "SELECT count(*) FROM pg_constraint WHERE conrelid = 'person'::regclass"))
        .isEqualTo("0");
  }

  @Test
  void aDryRunPrintsAllPlansAndChangesNothing() {
    Cli.Result result = run("copy", url(from, "*"), out("{table}.csv"), "--dry-run");
    assertThat(result.out()).contains("public.orders:", "public.items:", "orders.csv");
    assertThat(home.resolve("out")).isEmptyDirectory();
  }

  @Test
  void programsGetALineForTheJob() {
    Cli.Result result = run("copy", url(from, "*"), out("{table}.csv"), "--json");
    assertThat(result.outLines().getLast())
        .contains("\"event\":\"job\"", "\"table\":\"public.items\"", "\"rows\":2");
  }

  @Test
  void manyTablesAreCompared() {
    run("copy", url(from, "public.*"), url(to, "public.*"));
    Cli.Result same = run("verify", url(from, "public.*"), url(to, "public.*"));
    assertThat(same.out()).contains("3 of 3 tables are the same.");
    assertThat(same.code()).isZero();
    server.execute(to, "UPDATE items SET n = 5 WHERE sku = 'a'", "DROP TABLE \"Mixed Case\"");
    Cli.Result different =
        run("verify", url(from, "public.*"), url(to, "*"), "--exclude", "mixed*");
    assertThat(different.out()).contains("1 of 2 tables", "public.items:\ndifferent: 2 rows in");
    assertThat(different.code()).isEqualTo(ExitCode.DIFFERENT.number());
    Cli.Result missing = run("verify", url(from, "public.*"), url(to, "*"));
    assertThat(missing.err()).contains("public.Mixed Case:\nmillrace: ");
    assertThat(missing.code()).isEqualTo(ExitCode.PARTLY.number());
  }

  @Test
  void aJobFileNamesSomeTablesAndTheOthersByAWildcard() throws IOException {
    Path job =
        Files.writeString(
            home.resolve("job.yaml"),
            """
            source: '%s'
            target: '%s'
            defaults: {object: 'public.{stream_table}', mode: full-refresh}
            streams:
              'public.*':
              public.items: {where: n > 1}
              few: {sql: SELECT * FROM orders WHERE id < 4}
            """
                .formatted(server.url(from), server.url(to)));
    Cli.Result result = run("run", job.toString());
    assertThat(result.err()).contains("4 tables: 4 ok; 1,005 rows");
    assertThat(rows("items")).isEqualTo(1);
    assertThat(rows("few")).isEqualTo(3);
    assertThat(rows("orders")).isEqualTo(1000);
    assertThat(rows("\"Mixed Case\"")).isEqualTo(1);
  }

  @Test
  void tablesAreListedWithTheirKeys() {
    Cli.Result result = run("tables", url(from, "public.*"));
    assertThat(result.outLines()).anyMatch(line -> line.matches("public.orders .* id"));
    assertThat(run("tables", url(from, "public.nope*")).err()).contains("No table of");
    assertThat(run("tables", "generate:orders").err()).contains("can't be asked");
  }

  @Test
  void whatIsForManyTablesIsRefusedForOne() {
    for (String option : List.of("--fail-fast", "--exclude=x")) {
      Cli.Result result = run("copy", url(from, "orders"), out("o.csv"), option);
      assertThat(result.err()).contains("is for many tables");
      assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    }
    assertThat(run("copy", url(from, "*"), out("all.csv")).err())
        .contains("would both go to", "{table}");
    assertThat(run("copy", url(from, "*"), out("{tabel}.csv")).err())
        .contains("{tabel} is no variable");
    assertThat(run("copy", url(from, "*"), "-").err()).contains("one stream");
  }
}
