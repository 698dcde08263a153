package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user reads of rows that went into a table that was there: merged, or in its place.
final class MergeTest {

  private static final String COUNTS =
      "1 rows inserted, 1 updated, 1 unchanged; 1 superseded by later rows of the same key";

  @TempDir private Path home;

  private Cli.Result copy(String rows, String... options) throws IOException {
    Path file = Files.writeString(home.resolve("rows.csv"), rows);
    String[] args = new String[options.length + 3];
    args[0] = "copy";
    args[1] = file.toString();
    args[2] = "duckdb:" + home.resolve("shop.duckdb") + "?table=t";
    System.arraycopy(options, 0, args, 3, options.length);
    return new Cli(home).run(args);
  }

  @BeforeEach
  void makeTable() throws IOException {
    assertThat(copy("id,n\n1,5\n2,6\n").code()).isZero();
  }

  @Test
  void aMergeTellsWhatItMadeOfTheRowsAndSoDoesRunsLast() throws IOException {
    String rows = "id,n\n1,5\n2,7\n3,8\n3,9\n";
    assertThat(copy(rows, "--mode=merge", "--key=id").toString()).contains(COUNTS);
    assertThat(new Cli(home).run("runs", "last").out()).contains(COUNTS);
  }

  @Test
  void jsonHasTheSameFigures() throws IOException {
    Cli.Result result = copy("id,n\n1,5\n2,7\n", "--mode=merge", "--key=id", "--json");
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    JsonNode merged = last.path("report").path("merged");
    assertThat(merged.path("inserted").asInt(-1)).isZero();
    assertThat(merged.path("updated").asInt()).isEqualTo(1);
    assertThat(merged.path("unchanged").asInt()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"source", "SOURCE"})
  void aReplaceTakesTheSourcesTypesIfThatIsSaid(String whose) throws IOException {
    Cli.Result refused = copy("id,n\n1,half\n", "--mode=replace");
    assertThat(refused.code()).isEqualTo(3);
    assertThat(refused.err())
        .contains("The type of column n is that of the old table.", "--types source");
    assertThat(copy("id,n\n1,half\n", "--mode=replace", "--types=" + whose).code()).isZero();
  }

  @Test
  void typesWithoutAReplaceAndOtherWordsAreRefused() throws IOException {
    assertThat(copy("id,n\n1,5\n", "--mode=append", "--types=source").err())
        .contains("Add --mode replace");
    assertThat(copy("id,n\n1,5\n", "--mode=replace", "--types=old").err())
        .contains("--types old is neither source nor target.");
  }

  /// Of a table that is read by ranges of its keys, nobody knows how many rows stand before one.
  @ParameterizedTest
  @CsvSource({
    "part?.csv, 'part2.csv, line 4, row 2: '",
    "part2.csv, 'part2.csv, line 4, row 2: '",
    "sqlite:s.db?table=s, '/s.db table s: '"
  })
  void aRowThatTheTableRefusesIsNamedByItsPlace(String source, String place)
      throws IOException, SQLException {
    Files.writeString(home.resolve("part1.csv"), "id,v\n2,x\n3,y\n");
    Files.writeString(home.resolve("part2.csv"), "id,v\n4,\"a\nb\"\n5,taken\n");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + home + "/s.db");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE)");
      statement.execute("INSERT INTO t VALUES (1, 'taken')");
      statement.execute("CREATE TABLE s (id INTEGER PRIMARY KEY, v TEXT)");
      statement.execute("INSERT INTO s VALUES (8, 'fine'), (9, 'taken')");
    }
    String from = source.startsWith("sqlite:") ? "sqlite:" + home + "/" : home + "/";
    Cli.Result result =
        new Cli(home)
            .run(
                "copy",
                from + source.replace("sqlite:", ""),
                "sqlite:" + home + "/s.db?table=t",
                "--mode=merge",
                "--key=id");
    assertThat(result.err()).contains(place + "UNIQUE constraint failed: t.v.");
  }
}
