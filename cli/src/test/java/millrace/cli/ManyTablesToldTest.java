package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What copies of many tables say before they begin, and of those that fail.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ManyTablesToldTest {

  private PostgresServer server;
  private String from;
  private String to;

  @TempDir private Path home;

  @BeforeAll
  void startServer() {
    server = PostgresServer.embedded();
  }

  @BeforeEach
  void makeDatabases() {
    from = server.newDatabase();
    to = server.newDatabase();
    server.execute(
        from,
        "CREATE TABLE node (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, up int DEFAULT 7)",
        "ALTER TABLE node ADD FOREIGN KEY (up) REFERENCES node (id)",
        "CREATE INDEX node_up ON node (up)",
        "INSERT INTO node (up) VALUES (NULL), (1)",
        "CREATE TABLE \"Odd, Name\" (a int)",
        "INSERT INTO \"Odd, Name\" VALUES (5)",
        "CREATE VIEW roots AS SELECT id FROM node WHERE up IS NULL");
  }

  private String url(String database, String table) {
    return server.url(database) + "?table=" + table;
  }

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private Cli.Result job(String text, String... more) throws IOException {
    Path file = Files.writeString(home.resolve("job.yaml"), text);
    String[] words = new String[more.length + 2];
    words[0] = "run";
    words[1] = file.toString();
    System.arraycopy(more, 0, words, 2, more.length);
    return run(words);
  }

  private String text(String database, String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDryRunShowsHowTablesAreMadeThatComeAlong() {
    Cli.Result result =
        run(
            "copy",
            url(from, "public.*"),
            url(to, "public.*"),
            "--definitions",
            "tables",
            "--dry-run");
    assertThat(result.out())
        .contains("\"id\" integer GENERATED ALWAYS AS IDENTITY", "DEFAULT 7")
        .contains("-- after its rows:\n", "CREATE INDEX \"node_up\" ON")
        .contains("-- after the rows of all tables:\n", "FOREIGN KEY (up) REFERENCES")
        .contains("Not copied:\n  1 view: public.")
        .doesNotContain("staged in");
    assertThat(result.code()).isZero();
  }

  /// Hooks that are not run may have made what is missing.
  @Test
  void aDryRunShowsThePlansBehindOneThatCanNotBeMade() throws IOException {
    Cli.Result result =
        job(
            """
            source: %s
            target: %s
            streams:
              public.node: {object: landing.node}
              'public."Odd, Name"': {object: public.odd}
            hooks:
              start: [{query: CREATE SCHEMA landing}]
              end: [{command: [echo, end]}]
            """
                .formatted(server.url(from), server.url(to)),
            "--dry-run");
    assertThat(result.err()).contains("no schema landing");
    assertThat(result.out()).contains("public.odd, create", "hook after the job");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
  }

  @Test
  void aDryRunOfAJobThatGoesOnNamesWhatIsDone() {
    assertThat(run("copy", url(from, "node*"), url(to, "public.*")).code()).isZero();
    Cli.Result result =
        run("copy", url(from, "node*"), url(to, "public.*"), "--resume", "--dry-run");
    assertThat(result.out()).contains("public.node:", "done before");
    assertThat(result.code()).isZero();
  }

  @Test
  void whatIsWrongWithSeveralTablesIsSaidOnce() {
    Cli.Result result =
        run("copy", url(from, "public.*"), file("{table}.csv"), "--where", "nowhere > 1");
    assertThat(result.err()).containsOnlyOnce("millrace: The condition is refused");
    assertThat(result.err()).contains("public.Odd, Name, public.node:\n");
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
  }

  private String file(String name) {
    return home.resolve(name).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{table}.csv",
        "{table}.jsonl.gz",
        "{table}.parquet",
        "{table}.db?table=t",
        "{table}.duckdb?table=t",
        "all.db?table={table}",
        "deep/er/{schema}.{table}.csv"
      })
  void aFolderThatIsNotThereIsToldOnceWithTheCommandThatMakesIt(String name) {
    String scheme = name.contains(".db?") ? "sqlite:" : name.contains("?") ? "duckdb:" : "";
    String folder = file(name.contains("/") ? "no where/deep/er" : "no where");
    String to = scheme + file("no where") + "/" + name;
    for (String more : List.of("--dry-run", "--quiet")) {
      Cli.Result result = run("copy", url(from, "public.*"), to, more);
      assertThat(result.out()).isEmpty();
      assertThat(result.err())
          .isEqualTo(
              "millrace: There is no folder %s.\n  Make it first:\n    mkdir -p '%s'\n"
                  .formatted(folder, folder));
      assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    }
    assertThat(home.resolve("no where")).doesNotExist();
  }

  @Test
  void severalFoldersThatAreNotThereAreToldAtOnce() {
    Cli.Result result =
        run(
            "copy",
            url(from, "public.*"),
            file("{schema}/{table}.csv"),
            "--max-rejects",
            "1",
            "--rejects",
            file("bad/{schema}.{table}"));
    assertThat(result.err())
        .startsWith("millrace: There are no folders ")
        .contains("\n    mkdir -p ", file("public"), file("bad"))
        .doesNotContain("tables:");
    assertThat(home.resolve("public")).doesNotExist();
  }

  @Test
  void aFileInThePlaceOfTheFolderIsToldOnce() throws IOException {
    Files.writeString(home.resolve("out"), "");
    for (String to : List.of("out/{table}.csv", "out/of/{table}.csv")) {
      Cli.Result result = run("copy", url(from, "public.*"), file(to));
      assertThat(result.err())
          .startsWith("millrace: " + file("out") + " is no folder")
          .doesNotContain("mkdir", "tables:");
      assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    }
  }

  @Test
  void aJobIsToldOfAFolderThatIsNotThereUnlessAHookMakesIt() throws IOException {
    String streams =
        """
        source: %s
        target: LOCAL
        streams:
          'public.*': {object: '%s'}
        """
            .formatted(server.url(from), file("made/{stream_table}.csv"));
    Cli.Result result = job(streams);
    assertThat(result.err()).containsOnlyOnce("There is no folder").contains("\n    mkdir -p ");
    assertThat(result.code()).isEqualTo(ExitCode.USER.number());
    String hook = "hooks: {start: [{command: [mkdir, '%s']}]}\n".formatted(file("made"));
    assertThat(job(hook + streams).code()).isZero();
    assertThat(home.resolve("made").resolve("node.csv")).exists();
  }

  @Test
  void anExclusionThatLeavesNothingOutIsTold() {
    Cli.Result result =
        run("copy", url(from, "public.*"), url(to, "public.*"), "--exclude", "nodes,odd*");
    assertThat(result.err()).contains("millrace: --exclude nodes leaves nothing out.");
    assertThat(result.err()).doesNotContain("--exclude odd");
    assertThat(result.code()).isZero();
  }

  @Test
  void aNameThatNeedsQuotesIsPartOfALongerOne() {
    Cli.Result result = run("copy", url(from, "public.*"), url(to, "public.old_{table}"));
    assertThat(result.err()).contains("2 tables: 2 ok");
    assertThat(text(to, "SELECT a FROM \"old_Odd, Name\"")).isEqualTo("5");
  }

  /// Indexes, keys and sequences have names of the whole schema.
  @Test
  void tablesAreCopiedBesideTheirOriginals() {
    server.execute(
        from,
        "CREATE TABLE s (id serial PRIMARY KEY, n int UNIQUE CHECK (n > 0))",
        "INSERT INTO s (n) VALUES (5), (6)",
        "CREATE INDEX s_n_idx ON s (n, id)");
    Cli.Result result = run("copy", url(from, "public.*"), url(from, "public.old_{table}"));
    assertThat(result.err()).contains("3 tables: 3 ok");
    assertThat(
            text(
                from,
                "SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class"
                    + " WHERE relname LIKE 'old%s\\_%'"))
        .isEqualTo("old_s_id_seq old_s_n_idx old_s_n_key old_s_pkey");
    assertThat(text(from, "INSERT INTO old_s (n) VALUES (7) RETURNING id")).isEqualTo("3");
    assertThat(
            text(
                from,
                "SELECT conname FROM pg_constraint"
                    + " WHERE contype = 'f' AND conrelid = 'old_node'::regclass"))
        .isEqualTo("old_node_up_fkey");
  }

  /// A view has no definition that comes along, and a table that is not there keeps no other from
  /// being copied.
  @Test
  void aJobCopiesAViewAndTellsATableThatIsNotThere() throws IOException {
    Cli.Result result =
        job(
            """
            source: %s
            target: %s
            defaults: {object: 'public.{stream_table}'}
            streams:
              roots:
              nodes:
              node:
            """
                .formatted(server.url(from), server.url(to)));
    assertThat(result.err()).contains("3 tables: 2 ok, 1 failed", "nodes:\nmillrace: ");
    assertThat(text(to, "SELECT id FROM roots")).isEqualTo("1");
    assertThat(result.code()).isEqualTo(ExitCode.PARTLY.number());
  }
}
