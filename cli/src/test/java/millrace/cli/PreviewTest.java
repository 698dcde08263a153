package millrace.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.cli.show.PreviewTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `millrace preview`, from what a user types to what a user reads.
final class PreviewTest {

  @TempDir private Path home;

  private Cli.Result run(String... args) {
    return new Cli(home).run(args);
  }

  @Test
  void columnsTypesAndFirstRows() {
    Cli.Result result =
        run("preview", "generate:postal?rows=500", "--select", "id", "--first", "3");
    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .contains(
            "generate:postal, about 500 rows", "id      text(10)  not null, key", "0000000003")
        .doesNotContain("0000000004");
  }

  @Test
  void aTableIsShownWithAllItsRowsCounted() {
    String database = "duckdb:" + home.resolve("x.db") + "?table=t";
    assertThat(run("copy", "generate:tokens?rows=500", database, "--quiet").code()).isZero();
    assertThat(run("preview", database, "--first", "3").out()).contains(", about 500 rows");
  }

  @Test
  void whatTheSourceHasToSayIsShown() throws IOException {
    Path file = Files.writeString(home.resolve("semi.csv"), "id;name\n1;a\n");
    assertThat(run("preview", file.toString()).out())
        .contains("read as ';' between fields; the first line is a header")
        .contains("semi.csv is read with ';' between fields");
  }

  /// In what is found out, in the plan of a dry run, and in the report of a run.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "region,2001,2002,total!North,5,6,11 | a header ('total' is no int64 like the values below"
            + " it)",
        "station,2019,2020!North,5,6 | a header (a guess: years or counts stand behind a name)",
        "name,town!Ann,Oslo | a header (a guess: all columns are text)",
        "1,x!2,y | no header (it has values like those below it)",
        "2019,2020!5,6 | no header (a guess: it has values like those below it)"
      })
  void howSureTheHeaderIsIsSaidEverywhere(String text, String said) throws IOException {
    String file =
        Files.writeString(home.resolve("in.csv"), text.replace('!', '\n') + "\n").toString();
    String to = "duckdb:" + home.resolve("t.db") + "?table=t";
    assertThat(run("preview", file).out()).contains(said);
    assertThat(run("copy", file, to, "--dry-run").out()).contains(said);
    Cli.Result copied = run("copy", file, to);
    assertThat(copied.code()).isZero();
    assertThat(copied.err().contains("a guess: ")).isEqualTo(said.contains("a guess: "));
    assertThat(run("runs", "last").out()).contains(said);
  }

  @Test
  void badRecordsArePassedOverAndTheFirstIsNamed() throws IOException {
    Path file = home.resolve("latin.csv");
    Files.write(file, "id,name\n1,ok\n2,caf\u00e9\n3,na\u00efve\n".getBytes(ISO_8859_1));
    assertThat(run("preview", file.toString()).out())
        .contains("Bad records were passed over: 2; a copy stops at the first:")
        .contains("latin.csv, line 3, byte 13, row 2, column \"name\": byte 0xE9 is no UTF-8")
        .contains("--charset");
  }

  @Test
  void wideTablesShowTheirFirstColumnsAndSayHowManyMore() {
    Cli.Result result = run("preview", "generate:wide?rows=5&width=100", "--first=2");
    assertThat(result.out()).contains("… and 76 more columns; --select shows others.");
  }

  @Test
  void aTargetThatNeedsNoStatementSaysSo() {
    Cli.Result result = run("preview", "generate:tokens?rows=5", "--to", "null:");
    assertThat(result.code()).isZero();
    assertThat(result.out())
        .contains("-- null:" + System.lineSeparator() + "-- It needs no statement.");
  }

  @Test
  void aParquetFileThatIsThereOrNotIsATargetLikeOthers() {
    String file = home.resolve("x.parquet").toString();
    for (int i = 0; i < 2; i++) {
      Cli.Result result = run("preview", "generate:tokens?rows=5", "--to", file);
      assertThat(result.err()).isEmpty();
      assertThat(result.out()).contains("-- It needs no statement.");
      assertThat(run("copy", "generate:tokens?rows=5", file, "--mode", "replace").code()).isZero();
    }
  }

  @Test
  void controlCharactersAreShownAndNotObeyed() {
    assertThat(PreviewTarget.visible("a\u001b[2Jb\nc\td")).isEqualTo("a\\x1b[2Jb\\nc\\td");
  }
}
