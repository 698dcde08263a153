package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `millrace verify`, from what a user types to what a user reads.
final class VerifyTest {

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  @Test
  void twoSidesThatAreTheSame() {
    Cli.Result result = run("verify", "generate:postal?rows=50", "generate:postal?rows=50");
    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("same: 50 rows on both sides." + System.lineSeparator());
  }

  /// A type that one side has counts for both, whichever it is.
  @Test
  void aFileIsTheSameWithTypesAndWithout() throws IOException {
    Path file = home.resolve("t.csv");
    Files.writeString(file, "id,t,n,d\n1,2015-10-30 13:40:09,1.50,2024-02-29\n");
    String typed = file + "?columns=t:timestamp,n:decimal(9,3)";
    assertThat(run("verify", file.toString(), typed).out()).startsWith("same: 1 row");
    assertThat(run("verify", typed, file + "?columns=d:date,id:int").out())
        .startsWith("same: 1 row");
  }

  @Test
  void aValueThatIsNoneOfTheOtherSidesTypeIsShownAsADifference() throws IOException {
    Path file = home.resolve("t.csv");
    Files.writeString(file, "id,t\n1,2015-10-30\n2,soon\n");
    Path other = home.resolve("o.csv");
    Files.writeString(other, "id,t\n1,2015-10-30\n2,2015-10-31\n");
    Cli.Result result = run("verify", file.toString(), other + "?columns=t:date", "--key=id");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "different: 2 rows in " + file,
            "line 3, byte 18",
            "'soon' is no date",
            "2: only in " + other + ": 2, 2015-10-31");
  }

  /// A whole number that the column can't hold is not the same as what it would become there.
  @Test
  void aNumberThatAFloatDoesNotHoldIsNotTheSame() throws IOException {
    Path file = home.resolve("t.csv");
    Files.writeString(file, "id,n\n1,9007199254740993\n2,0.1\n");
    Path other = home.resolve("o.csv");
    Files.writeString(other, "id,n\n1,9007199254740992\n2,0.10\n");
    String to = "duckdb:" + home.resolve("t.duckdb") + "?table=t";
    assertThat(run("copy", other.toString(), to, "--columns", "n:float64").code()).isZero();
    assertThat(run("verify", other.toString(), to, "--key=id").out()).startsWith("same: 2 rows");
    Cli.Result result = run("verify", file.toString(), to, "--key=id");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains("line 2, byte 5", "'9007199254740993' is no float64", "1: only in");
    assertThat(run("copy", file.toString(), to, "--mode", "append").code()).isNotZero();
  }

  @Test
  void whatACopySetAsideIsLeftOut() throws IOException {
    Path file = home.resolve("bad.csv");
    Files.writeString(file, "id,n\n1,10\nx,20\n3,30\n4,1,2\n5,50\n");
    String from = file + "?columns=id:int,n:int";
    Path to = home.resolve("to.parquet");
    Path rejects = home.resolve("rejects.csv");
    Cli.Result copied =
        run("copy", from, to.toString(), "--max-rejects=9", "--rejects", rejects.toString());
    assertThat(copied.code()).isZero();
    assertThat(run("verify", from, to.toString()).code()).isEqualTo(1);
    Cli.Result without = run("verify", from, to.toString(), "--rejects", rejects.toString());
    assertThat(without.out())
        .startsWith("same: 3 rows on both sides.")
        .contains("note  2 bad records of " + file + " are left out");
    assertThat(
            run("verify", file.toString(), to.toString(), "--rejects", rejects.toString()).code())
        .isZero();
    Path other = home.resolve("other.csv");
    Files.writeString(other, "id,n\n1,10\n3,30\n5,50\n");
    assertThat(
            run("verify", other.toString(), to.toString(), "--rejects", rejects.toString()).err())
        .contains("2 bad records, of which 0 are in " + other);
    Files.writeString(file, "id,n\n1,10\ny,20\n3,30\n4,1,2\n5,50\n");
    assertThat(run("verify", from, to.toString(), "--rejects", rejects.toString()).err())
        .contains("byte 10: the record there is not the one that " + rejects);
  }

  @Test
  void rowsOnOneSideAloneAreNamed() {
    Cli.Result result = run("verify", "generate:postal?rows=50", "generate:postal?rows=48");
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.out())
        .contains(
            "different: 50 rows in FROM, 48 in TO.",
            "2 rows not the same; the columns id, doc differ.",
            "  0000000049: 1 row",
            "  0000000050: only in FROM: 0000000050, {\"postal_code\"");
  }

  @Test
  void changedRowsShowBothValues() {
    Cli.Result result =
        run(
            "verify",
            "generate:meters?rows=20&start=2020-01-01T00:00:00",
            "generate:meters?rows=20&start=2020-01-01T00:00:00",
            "--select=device_id,device_load",
            "--seed=1");
    assertThat(result.code()).isZero();
    Cli.Result other =
        run(
            "verify",
            "generate:postal?rows=20",
            "generate:postal?rows=20&seed=2",
            "--select=id,doc");
    assertThat(other.code()).isEqualTo(1);
    assertThat(other.out())
        .contains(
            "20 rows not the same; the columns doc differ.",
            "0000000001 to 0000000002: 2 rows",
            "0000000001: changed: doc: {",
            " -> {");
  }

  @Test
  void jsonGivesTheDifferencesAsOneLine() throws IOException {
    Cli.Result result =
        run("verify", "generate:postal?rows=50", "generate:postal?rows=48", "--json");
    assertThat(result.code()).isEqualTo(1);
    JsonNode last = new ObjectMapper().readTree(result.outLines().getLast());
    assertThat(last.path("event").asText()).isEqualTo("differences");
    assertThat(last.path("differences").path("rows_seen").asInt()).isEqualTo(2);
  }

  @Test
  void quietLeavesTheExitCode() {
    assertThat(run("verify", "generate:postal?rows=5", "generate:postal?rows=4", "-q"))
        .isEqualTo(new Cli.Result(1, "", ""));
  }

  @Test
  void sidesWithOtherColumnsAreRefused() {
    Cli.Result result = run("verify", "generate:postal?rows=5", "generate:unload?rows=5");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).contains("Only in generate:postal: id, doc.");
  }

  @Test
  void aFileWithoutAHeaderTakesTheOtherSidesNames() throws IOException {
    Path bare = home.resolve("bare.csv");
    Path headed = home.resolve("headed.csv");
    String made = "generate:unload?rows=50";
    assertThat(run("copy", made, bare + "?header=false", "-q").code()).isZero();
    assertThat(run("copy", made, headed.toString(), "-q").code()).isZero();
    for (String other : List.of(made, headed.toString())) {
      assertThat(run("verify", other, bare.toString()).out()).startsWith("same: 50 rows");
      assertThat(run("verify", bare.toString(), other).out()).startsWith("same: 50 rows");
      assertThat(run("verify", bare.toString(), other, "--key=name").code()).isZero();
    }

    Files.writeString(bare, Files.readString(bare).replaceFirst("2000-|19", "18"));
    Cli.Result changed = run("verify", made, bare.toString(), "--key=account,name");
    assertThat(changed.code()).isOne();
    assertThat(changed.out()).contains("1 row not the same; the columns opened_at differ.");
  }

  @Test
  void columnsOfOtherNamesArePairedByPositionOnRequest() throws IOException {
    Path one = Files.writeString(home.resolve("one.csv"), "id,name\n1,a\n2,b\n");
    Path other = Files.writeString(home.resolve("other.csv"), "name,id\n1,a\n2,b\n");
    Path wide = Files.writeString(home.resolve("wide.csv"), "a,b,c\n1,a,2\n");
    assertThat(run("verify", one.toString(), other.toString()).code()).isOne();
    assertThat(run("verify", one.toString(), other.toString(), "--by-position").code()).isZero();
    assertThat(run("verify", one.toString(), wide.toString()).err())
        .contains("Only in " + one + ": id, name. Only in " + wide + ": a, b, c.", "--by-position");
    assertThat(run("verify", one.toString(), wide.toString(), "--by-position").err())
        .contains(one + " has 2, " + wide + " has 3.");
    String table = "duckdb:" + home.resolve("x.db") + "?table=t";
    Path typed = Files.writeString(home.resolve("typed.csv"), "n,t\n1,a\n2,b\n");
    assertThat(run("copy", typed.toString(), table, "-q").code()).isZero();
    assertThat(run("verify", table, other.toString(), "--by-position").code()).isZero();
    assertThat(run("verify", one.toString(), table, "--by-position").code()).isZero();
  }

  @Test
  void aThousandColumnsThatDifferAreShownByAFewRows() throws IOException {
    Cli.Result result =
        run("verify", "generate:wide?rows=2000", "generate:wide?rows=2000&seed=2", "--json");
    assertThat(result.code()).isOne();
    JsonNode found = new ObjectMapper().readTree(result.outLines().getLast()).path("differences");
    // 1,000 columns and 200,000 values that may be kept leave 200 rows.
    assertThat(found.path("rows_seen").asInt()).isBetween(100, 200);
    assertThat(found.path("complete").asBoolean()).isFalse();
    assertThat(found.path("rows")).hasSize(10);
    assertThat(run("verify", "generate:wide?rows=20", "generate:wide?rows=20&seed=2").out())
        .containsPattern(
            "20 rows not the same; the columns (\\w+, ){19}\\w+ and 9\\d\\d more differ");
  }

  @Test
  void rowsThatOneSideHasMoreAreCountedWhereNotAllAreLookedAt() {
    Cli.Result result = run("verify", "generate:wide?rows=2000", "generate:wide?rows=10");
    assertThat(result.code()).isOne();
    assertThat(result.out()).contains("At least 1,990 rows not the same");
  }

  @Test
  void aKeptVerifySaysWhichTablesAndHowManyLanesAndNoRateOfBytes() {
    String database = "duckdb:" + home.resolve("v.db") + "?table=";
    for (String table : List.of("one", "other")) {
      assertThat(run("copy", "generate:postal?rows=5", database + table, "-q").code()).isZero();
    }
    assertThat(run("verify", database + "one", database + "other").code()).isZero();
    assertThat(run("runs", "last").out())
        .contains("v.db one" + System.lineSeparator(), "v.db other" + System.lineSeparator())
        .containsPattern("compare rows +[0-9.]+ s +5 +2")
        .doesNotContain("MB/s");
  }

  @Test
  void everyVerifyIsKept() {
    assertThat(run("verify", "generate:postal?rows=5", "generate:postal?rows=4").code()).isOne();
    assertThat(run("runs", "last").out()).contains("The two sides differ.", "verify done: 5 rows");
    assertThat(run("verify", "generate:postal?rows=5", "generate:nope").code()).isEqualTo(2);
    assertThat(run("runs").out()).contains("verify", "The two sides differ.", "nope");
    assertThat(run("runs", "last").out()).contains("nope", "verify failed: 0 rows");
  }
}
