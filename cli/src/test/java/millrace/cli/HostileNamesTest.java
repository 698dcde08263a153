package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import millrace.testkit.HostileNames;
import millrace.testkit.PostgresServer;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/// Names in headers and URLs are names, whatever is in them: a file goes through PostgreSQL and
/// DuckDB and is the same, or is refused in words; no other table is made or lost on the way.
class HostileNamesTest {

  private static final String KEPT = "kept";
  private static final int POSTGRES_BYTES_MAX = 63;

  /// Columns that every table of PostgreSQL has.
  private static final Set<String> SYSTEM_COLUMNS =
      Set.of("ctid", "xmin", "xmax", "cmin", "cmax", "tableoid");

  private final PostgresServer server = PostgresServer.shared();

  @Provide
  Arbitrary<String> names() {
    return HostileNames.any();
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void aFileOfAnyNamesGoesThroughBothDatabasesOrIsRefused(
      @ForAll("names") String schema,
      @ForAll("names") String table,
      @ForAll("names") String key,
      @ForAll("names") String column)
      throws IOException, SQLException {
    Path home = Files.createTempDirectory("millrace-names");
    try {
      String second = column.equalsIgnoreCase(key) ? column + "2" : column;
      new Trial(home, server, schema, table, List.of(key, second)).run();
    } finally {
      delete(home);
    }
  }

  /// Java and DuckDB have other small letters for a capital I with a dot.
  @Example
  void theJournalFindsANameWhoseSmallLettersAreNotOneForOne() throws IOException, SQLException {
    Path home = Files.createTempDirectory("millrace-names");
    try {
      new Trial(home, server, "main", "\u0130'x", List.of("k", "v")).run();
    } finally {
      delete(home);
    }
  }

  /// The name that a server would cut to that of a table which exists is no name of that table.
  @Example
  void aNameThatIsTooLongIsNotCut() throws IOException, SQLException {
    String cut = "n".repeat(POSTGRES_BYTES_MAX);
    Path home = Files.createTempDirectory("millrace-names");
    String database = server.newDatabase();
    server.execute(database, "CREATE TABLE " + cut + " AS SELECT 1 AS n");
    try {
      Path csv = Files.writeString(home.resolve("in.csv"), "n\n2\n");
      String url = server.url(database) + "?table=" + cut + "x";
      for (String mode : List.of("create", "append", "truncate", "replace")) {
        Cli.Result result = new Cli(home).run("copy", csv.toString(), url, "--mode", mode);
        assertThat(result.code()).as(mode).isEqualTo(ExitCode.USER.number());
        assertThat(result.err()).contains("63 bytes");
      }
      assertThat(new Cli(home).run("copy", url, "null:").code()).isEqualTo(ExitCode.USER.number());
      try (Connection connection = server.connect(database)) {
        assertThat(texts(connection, "SELECT n::text FROM " + cut)).containsExactly("1");
      }
    } finally {
      delete(home);
    }
  }

  /// One set of names on its way.
  private record Trial(
      Path home, PostgresServer server, String schema, String table, List<String> columns) {

    void run() throws IOException, SQLException {
      String database = server.newDatabase();
      server.execute(database, "CREATE TABLE kept AS SELECT 1 AS n");
      if (isPostgresName(schema)) {
        server.execute(database, "CREATE SCHEMA " + quoted(schema));
      }
      Path duck = home.resolve("test.db");
      try (Connection connection = duck(duck);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE kept AS SELECT 1 AS n");
      }
      Path csv = home.resolve("in.csv");
      Files.writeString(csv, csv());

      String place = "?table=" + encoded(quoted(schema) + "." + quoted(table));
      boolean inPostgres =
          goesThereAndBack(csv, server.url(database) + place, takenByPostgres(), "postgres.csv");
      boolean inDuck =
          goesThereAndBack(csv, "duckdb:" + duck + place, takenByDuckDb(), "duckdb.csv");

      try (Connection connection = server.connect(database)) {
        assertThat(texts(connection, "SELECT n::text FROM kept")).containsExactly("1");
        assertThat(
                texts(
                    connection,
                    "SELECT table_schema || ' ' || table_name FROM information_schema.tables WHERE"
                        + " table_schema NOT IN ('pg_catalog', 'information_schema')"))
            .containsExactlyInAnyOrderElementsOf(tables("public", inPostgres));
      }
      try (Connection connection = duck(duck)) {
        assertThat(texts(connection, "SELECT n::text FROM kept")).containsExactly("1");
        assertThat(
                texts(
                    connection,
                    "SELECT schema_name || ' ' || table_name FROM duckdb_tables() UNION ALL SELECT"
                        + " 'a view ' || view_name FROM duckdb_views() WHERE NOT internal"))
            .containsExactlyInAnyOrderElementsOf(tables("main", inDuck));
      }
    }

    private List<String> tables(String usual, boolean taken) {
      List<String> tables = new ArrayList<>(List.of(usual + " " + KEPT));
      if (taken) {
        tables.add(schema + " " + table);
      }
      return tables;
    }

    /// Values as hostile as the names are.
    private String csv() {
      String header = cell(columns.get(0)) + "," + cell(columns.get(1)) + "\n";
      String hostile = (schema + table).replace("\0", "");
      return header + "1," + cell("'); DROP TABLE kept; --") + "\n2," + cell(hostile) + "\n3,x\n";
    }

    private static String cell(String text) {
      return quoted(text);
    }

    /// Copies the file in and out again, and compares.
    ///
    /// @param mayBeRefused why no such table can be made there, or empty
    /// @return whether the table was made
    private boolean goesThereAndBack(Path csv, String url, String mayBeRefused, String back) {
      Cli cli = new Cli(home);
      Cli.Result in =
          cli.run("copy", csv.toString(), url, "--header=true", "--newline=LF", "--mode=create");
      if (!mayBeRefused.isEmpty()) {
        assertThat(in.code()).as("%s\n%s", this, in.err()).isEqualTo(ExitCode.USER.number());
        assertThat(in.err()).startsWith("millrace: ").doesNotContain("\tat ");
        return false;
      }
      assertThat(in.code()).as("%s\n%s", this, in.err()).isZero();
      String out = home.resolve(back).toString();
      Cli.Result unloaded = cli.run("copy", url, out, "--ordered");
      assertThat(unloaded.code()).as("%s\n%s", this, unloaded.err()).isZero();
      for (String other : List.of(url, out)) {
        Cli.Result same = cli.run("verify", csv.toString(), other, "--header=true", "--newline=LF");
        assertThat(same.code()).as("%s\n%s%s", this, same.out(), same.err()).isZero();
        assertThat(same.out()).startsWith("same: 3 rows");
      }
      return true;
    }

    private String takenByPostgres() {
      boolean all =
          Stream.concat(Stream.of(schema, table), columns.stream())
              .allMatch(HostileNamesTest::isPostgresName);
      boolean system = columns.stream().anyMatch(SYSTEM_COLUMNS::contains);
      return all && !system ? "" : "not a name of PostgreSQL's";
    }

    private String takenByDuckDb() {
      boolean all =
          Stream.concat(Stream.of(schema, table), columns.stream())
              .noneMatch(name -> name.indexOf('\0') >= 0);
      boolean system = Set.of("temp", "system").contains(schema.toLowerCase(Locale.ROOT));
      return all && !system ? "" : "not a name of DuckDB's";
    }
  }

  private static boolean isPostgresName(String name) {
    return name.indexOf('\0') < 0
        && name.getBytes(StandardCharsets.UTF_8).length <= POSTGRES_BYTES_MAX
        && !name.startsWith("pg_");
  }

  private static String quoted(String name) {
    return "\"" + String.join("\"\"", name.split("\"", -1)) + "\"";
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Connection duck(Path file) throws SQLException {
    return DriverManager.getConnection("jdbc:duckdb:" + file);
  }

  private static List<String> texts(Connection connection, String query) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(one);
      }
    }
  }
}
