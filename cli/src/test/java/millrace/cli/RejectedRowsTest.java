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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rows of tables that are set aside, along the steps of docs/rejects.md, as a user takes them.
final class RejectedRowsTest {

  @TempDir private Path home;
  private Path rejects;
  private String target;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  private List<String> sql(String url, String... statements) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        if (!statement.execute(each)) {
          continue;
        }
        ResultSet found = statement.getResultSet();
        while (found.next()) {
          rows.add(found.getString(1) + "|" + found.getString(2) + "|" + found.getString(3));
        }
      }
    }
    return rows;
  }

  @BeforeEach
  void makeTarget() throws SQLException {
    rejects = home.resolve("bad.csv");
    Path file = home.resolve("target.duckdb");
    target = "duckdb:" + file + "?table=t";
    sql(
        "jdbc:duckdb:" + file,
        "CREATE TABLE t (id BIGINT, customer VARCHAR CHECK (length(customer) < 8), n SMALLINT)");
  }

  private List<String> inTarget() throws SQLException {
    return sql(
        "jdbc:duckdb:" + home.resolve("target.duckdb"), "SELECT id, customer, n FROM t ORDER BY 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sqlite:s.db?table=t", "duckdb:s.duckdb?table=t", "s.parquet"})
  void badRowsAreMendedAndLoadedAgain(String place) throws IOException, SQLException {
    Path csv = home.resolve("s.csv");
    Files.writeString(
        csv,
        "id,customer,n\n"
            + "1,fine,1\n"
            + "2,\"too, \"\"long\"\"\",2\n"
            + "3,\"\",99999\n"
            + "4,,4\n"
            + "5,much too long,\n");
    String source = place.replaceAll("s\\.(db|duckdb|parquet)", home + "/s.$1");
    assertThat(run("copy", csv + "?columns=id:bigint,n:bigint", source).code()).isZero();

    Cli.Result copied =
        run("copy", source, target, "--mode=append", "--max-rejects=9", "--rejects=" + rejects);
    assertThat(copied.err()).contains("2 rows and 3 rejects");
    assertThat(Files.readAllLines(rejects))
        .containsExactlyInAnyOrder(
            "id,customer,n", "2,\"too, \"\"long\"\"\",2", "3,\"\",99999", "5,much too long,");
    assertThat(run("verify", source, target, "--rejects=" + rejects).out())
        .startsWith("same: 2 rows on both sides.");

    String mended =
        Files.readString(rejects)
            .replace("too, \"\"long", "to, \"\"o")
            .replace("99999", "9")
            .replace("much too long", "short");
    Files.writeString(rejects, mended);
    assertThat(run("copy", rejects.toString(), target, "--mode=append").code()).isZero();
    assertThat(inTarget())
        .containsExactly("1|fine|1", "2|to, \"o\"|2", "3||9", "4|null|4", "5|short|null");
  }

  @Test
  void aValueThatIsNoneOfItsColumnsTypeIsSetAsideAsItIs() throws IOException, SQLException {
    Path file = home.resolve("loose.db");
    sql(
        "jdbc:sqlite:" + file,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, customer TEXT, n INTEGER)",
        "INSERT INTO t VALUES (1, 'a', 1), (7, 'b', 'three'), (8, 'c', x'00ff')");
    String source = "sqlite:" + file + "?table=t";
    assertThat(run("copy", source, target, "--mode=append").err()).contains("key id = 7");
    run("copy", source, target, "--mode=append", "--max-rejects=9", "--rejects=" + rejects);
    assertThat(rejects).hasContent("id,customer,n\n7,b,three\n8,c,\\x00ff\n");
    assertThat(run("verify", source, target, "--rejects=" + rejects).code()).isZero();
    Path lines = home.resolve("bad.jsonl");
    run("copy", source, target, "--mode=append", "--max-rejects=9", "--rejects=" + lines);
    assertThat(lines)
        .hasContent(
            """
            {"id":7,"customer":"b","n":"three"}
            {"id":8,"customer":"c","n":"\\\\x00ff"}
            """);
  }

  @Test
  void rowsThatAreAlikeAreSetAsideAndLeftOutAsOftenAsTheyAreThere()
      throws IOException, SQLException {
    Path file = home.resolve("keyless.duckdb");
    sql(
        "jdbc:duckdb:" + file,
        "CREATE TABLE t (id BIGINT, customer VARCHAR, n BIGINT)",
        "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 70000), (2, 'b', 70000), (3, 'too long', 3),"
            + " (3, 'too long', 3)");
    String source = "duckdb:" + file + "?table=t";
    run("copy", source, target, "--mode=append", "--max-rejects=9", "--rejects=" + rejects);
    assertThat(Files.readAllLines(rejects))
        .containsExactlyInAnyOrder(
            "id,customer,n", "2,b,70000", "2,b,70000", "3,too long,3", "3,too long,3");
    assertThat(run("verify", source, target, "--rejects=" + rejects).out())
        .startsWith("same: 1 row");
  }
}
