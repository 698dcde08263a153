package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.PostgresServer;
import millrace.testkit.oracle.OracleServer;
import millrace.testkit.server.MariaDbServer;
import millrace.testkit.server.MySqlFamilyServer;
import millrace.testkit.server.MySqlServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Comments on tables and columns that go from one system to another.
final class CommentsTest {

  private static final String TABLE = "What's sold \\ \"today\"; -- 日本";
  private static final String COLUMN = "cents, not 'euros' \\n";

  @TempDir private Path home;

  private Cli.Result copy(String from, String to, String... more) {
    List<String> words = new ArrayList<>(List.of("copy", from, to));
    words.addAll(List.of(more));
    Cli.Result result = new Cli(home).run(words.toArray(String[]::new));
    assertThat(result.code()).as(result.err()).isZero();
    return result;
  }

  private static List<String> requested(Connection open, String query) throws SQLException {
    try (open;
        Statement statement = open.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return List.of(String.valueOf(rows.getString(1)), String.valueOf(rows.getString(2)));
    }
  }

  private String made(PostgresServer server, String database) {
    server.execute(
        database,
        "CREATE TABLE sales (id int PRIMARY KEY, amount numeric(9,2), note text)",
        "INSERT INTO sales VALUES (1, 2.50, 'x')",
        "COMMENT ON TABLE sales IS $$" + TABLE + "$$",
        "COMMENT ON COLUMN sales.amount IS $$" + COLUMN + "$$");
    return server.url(database) + "?table=public.sales";
  }

  private static List<String> ofPostgres(PostgresServer server, String database, String table)
      throws SQLException {
    return requested(
        server.connect(database),
        "SELECT obj_description('%1$s'::regclass), col_description('%1$s'::regclass, 2)"
            .formatted(table));
  }

  private static List<String> ofMySql(MySqlFamilyServer server, String database)
      throws SQLException {
    return requested(
        server.connect(database),
        "SELECT table_comment, column_comment FROM information_schema.tables t"
            + " JOIN information_schema.columns c USING (table_schema, table_name)"
            + " WHERE table_schema = '"
            + database
            + "' AND table_name = 'sales' AND column_name = 'amount'");
  }

  @Test
  void commentsGoFromPostgresToOthersAndBack() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String from = made(server, database);
    Path file = home.resolve("all.db");
    copy(from, "duckdb:" + file + "?table=sales");
    assertThat(
            requested(
                DriverManager.getConnection("jdbc:duckdb:" + file),
                "SELECT t.comment, c.comment FROM duckdb_tables() t JOIN duckdb_columns() c"
                    + " USING (table_name) WHERE column_name = 'amount'"))
        .containsExactly(TABLE, COLUMN);
    copy("duckdb:" + file + "?table=sales", server.url(database) + "?table=public.back_1");
    assertThat(ofPostgres(server, database, "back_1")).containsExactly(TABLE, COLUMN);
    for (MySqlFamilyServer other : List.of(MariaDbServer.shared(), MySqlServer.shared())) {
      String into = other.newDatabase();
      String url = other.url("root", "", into) + "?table=sales";
      copy(from, url);
      assertThat(ofMySql(other, into)).containsExactly(TABLE, COLUMN);
      String back = "back_" + (other instanceof MariaDbServer ? 2 : 3);
      copy(url, server.url(database) + "?table=public." + back, "--mode", "create");
      assertThat(ofPostgres(server, database, back)).containsExactly(TABLE, COLUMN);
    }
  }

  @Test
  void commentsFollowRenamedColumnsAndASwap() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String from = made(server, database);
    String to = server.url(database) + "?table=public.other";
    copy(from, to, "--rename", "note=text", "--drop", "id", "--atomic");
    assertThat(
            requested(
                server.connect(database),
                "SELECT obj_description('other'::regclass), col_description('other'::regclass, 1)"))
        .containsExactly(TABLE, COLUMN);
  }

  @Test
  void commentsGoToOracleAndBack() throws SQLException {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String from = made(server, database);
    try (OracleServer oracle = OracleServer.start()) {
      String end =
          "oracle://%s:%s@%s:%d/%s?table=sales"
              .formatted(
                  oracle.user(), oracle.password(), oracle.host(), oracle.port(), oracle.service());
      copy(from, end);
      copy(end, server.url(database) + "?table=public.back");
      assertThat(ofPostgres(server, database, "back")).containsExactly(TABLE, COLUMN);
    }
  }

  @Test
  void aDatabaseWithoutCommentsIsToldToKeepNone() {
    PostgresServer server = PostgresServer.embedded();
    String database = server.newDatabase();
    String from = made(server, database);
    assertThat(copy(from, "sqlite:" + home.resolve("all.sqlite") + "?table=sales").err())
        .contains("comments on the table and its columns do not come");
  }
}
