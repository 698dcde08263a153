package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lists and structs are the same values in PostgreSQL, DuckDB, Parquet and JSON Lines.
final class NestedValuesTest {

  private static final PostgresServer SERVER = PostgresServer.shared();

  private static final String COLUMNS =
      "(id int, a address, b address[], grid int[][], docs json[], raw bytea[], flags boolean[])";

  private static final String FIELDS = "?fields=id,a,b,grid,docs,raw,flags";

  @TempDir private Path home;
  private String database = "";

  @BeforeEach
  void makeTable() {
    database = SERVER.newDatabase();
    SERVER.execute(
        database,
        "CREATE TYPE place AS (lat float8, lon numeric(9,4), \"Seen at\" timestamptz)",
        "CREATE TYPE address AS (street text, \"no, (\"\"x'\" int, at place, tags text[],"
            + " ok boolean, born date, key uuid, raw bytea, doc json, cells int[][])",
        "CREATE TABLE n " + COLUMNS,
        """
        INSERT INTO n VALUES
          (1, NULL, NULL, NULL, NULL, NULL, NULL),
          (2, ROW(NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL), '{}', '{}', '{}', '{}', '{}'),
          (3, ROW('', -1, ROW('NaN', 12.5000, '2024-02-29 10:00+09'),
              ARRAY['', 'NULL', NULL, 'a,b', 'q"\\)(', '{x}', '[y]', ' z ', E'new\\nline', '''s'],
              true, '0044-01-01', '80000000-0000-0000-0000-0000000000ff', '\\x00ff5c61',
              '{"k": [1, "\\"x"]}', '{{1,2},{3,4}}'),
            ARRAY[ROW('a"b\\c', 1, NULL, '{}', false, 'infinity', NULL, '\\x', 'null', NULL),
              NULL]::address[],
            '{{1,NULL},{3,4},{5,6}}', ARRAY['{"a": [1, null]}', '"s"', NULL]::json[],
            ARRAY['\\x00ff', '\\x', NULL]::bytea[], '{t,f,NULL}'),
          (4, ROW('(,)', NULL, ROW(NULL, NULL, NULL), NULL, NULL, NULL, NULL, NULL, NULL, '{}'),
            '{}', '{{7}}', NULL, NULL, NULL)\
        """);
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private void copies(String from, String to, String... options) {
    List<String> args = new ArrayList<>(List.of("copy", from, to));
    args.addAll(List.of(options));
    Cli.Result result = run(args.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
  }

  private void areSame(String from, String to) {
    Cli.Result result = run("verify", from, to, "--select", "id,a,b,grid,docs,raw,flags");
    assertThat(result.code()).as(result.err() + result.out()).isZero();
  }

  private String postgres(String table) {
    return SERVER.url(database) + "?table=" + table;
  }

  private String duckdb(String table) {
    return "duckdb:" + home.resolve("n.db") + "?table=" + table;
  }

  private static List<String> rows(Connection connection, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (connection;
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      while (row.next()) {
        rows.add(row.getString(1));
      }
    }
    return rows;
  }

  /// What PostgreSQL itself makes of its values, without the text that crosses.
  private List<String> inPostgres(String table) throws SQLException {
    return rows(
        SERVER.connect(database), "SELECT to_json(n)::text FROM " + table + " n ORDER BY id");
  }

  private List<String> inDuckDb(String query) throws SQLException {
    return rows(DriverManager.getConnection("jdbc:duckdb:" + home.resolve("n.db")), query);
  }

  /// What DuckDB itself makes of its values, without the text that crosses.
  private List<String> wholeInDuckDb(String table) throws SQLException {
    return inDuckDb("SELECT to_json(n)::VARCHAR FROM " + table + " n ORDER BY id");
  }

  private void makeSame(String table) {
    SERVER.execute(database, "CREATE TABLE " + table + " " + COLUMNS);
  }

  @Test
  void theyGoThroughDuckDbAndBack() throws SQLException {
    copies(postgres("n"), duckdb("n"));
    assertThat(inDuckDb("SELECT typeof(a) FROM n"))
        .allMatch(
            type -> type.startsWith("STRUCT(street VARCHAR, \"no, (\"\"x'\" INTEGER, \"at\""));
    assertThat(inDuckDb("SELECT concat_ws('|', typeof(grid), typeof(docs), typeof(raw)) FROM n"))
        .containsOnly("INTEGER[][]|JSON[]|BLOB[]");
    assertThat(inDuckDb("SELECT a IS NULL FROM n ORDER BY id"))
        .containsExactly("true", "false", "false", "false");
    assertThat(inDuckDb("SELECT a.tags[5] FROM n WHERE id = 3")).containsExactly("q\"\\)(");
    areSame(postgres("n"), duckdb("n"));
    makeSame("back");
    copies(duckdb("n"), postgres("back"), "--mode", "append");
    assertThat(inPostgres("back")).isEqualTo(inPostgres("n")).hasSize(4);
  }

  @Test
  void theyGoThroughParquetAndBack() throws SQLException {
    String file = home.resolve("n.parquet").toString();
    copies(postgres("n"), file);
    areSame(postgres("n"), file);
    makeSame("back");
    copies(file, postgres("back"), "--mode", "append");
    assertThat(inPostgres("back")).isEqualTo(inPostgres("n"));
    copies(file, duckdb("n"));
    copies(duckdb("n"), home.resolve("again.parquet").toString());
    copies(home.resolve("again.parquet").toString(), duckdb("back"));
    assertThat(wholeInDuckDb("back")).isEqualTo(wholeInDuckDb("n")).hasSize(4);
    areSame(duckdb("n"), duckdb("back"));
  }

  @Test
  void theyGoThroughJsonLinesAndBack() throws SQLException, IOException {
    SERVER.execute(database, "UPDATE n SET a.at.lat = 0.5 WHERE id = 3");
    Path file = home.resolve("n.jsonl");
    copies(postgres("n"), file.toString());
    assertThat(Files.readString(file))
        .contains(
            "\"grid\":[[1,null],[3,4],[5,6]]",
            "\"flags\":[true,false,null]",
            "\"at\":{\"lat\":0.5,");
    makeSame("back");
    copies(file + FIELDS, postgres("back"), "--mode", "append", "--drop", "doc");
    assertThat(inPostgres("back")).isEqualTo(inPostgres("n"));
    copies(postgres("n"), duckdb("n"));
    copies(duckdb("n"), home.resolve("again.jsonl").toString());
    copies(duckdb("n"), duckdb("back"));
    String again = home.resolve("again.jsonl") + FIELDS;
    copies(again, duckdb("back"), "--mode", "truncate", "--drop", "doc");
    assertThat(wholeInDuckDb("back")).isEqualTo(wholeInDuckDb("n"));
    areSame(duckdb("n"), again);
  }
}
