package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a user gets for files that are not what they should be: one message that says what, where
/// and what to do, the right exit code, and nothing half-written that looks complete.
final class BadFilesTest {

  @TempDir private Path home;

  private Path file(String name, String content) throws IOException {
    Path file = home.resolve(name);
    return Files.write(file, content.getBytes(StandardCharsets.ISO_8859_1));
  }

  private Cli.Result run(Object... args) {
    return new Cli(home).run(List.of(args).stream().map(Object::toString).toArray(String[]::new));
  }

  private static void assertFault(Cli.Result result, ExitCode code, String... said) {
    assertThat(result.err()).startsWith("millrace: ").contains(said);
    assertThat(result.err()).doesNotContain("\tat ");
    assertThat(result.err().lines().count()).isLessThanOrEqualTo(3);
    assertThat(result.out()).isEmpty();
    assertThat(result.code()).isEqualTo(code.number());
  }

  @Test
  void aMissingFile() {
    assertFault(run("copy", home.resolve("no.csv"), "null:"), ExitCode.USER, "no.csv");
    assertFault(run("preview", home.resolve("no.csv")), ExitCode.USER, "no.csv");
    assertFault(run("verify", home.resolve("no.csv"), "null:"), ExitCode.USER, "no.csv");
  }

  @Test
  void aGlobThatFindsNothing() {
    assertFault(run("copy", home.resolve("*.csv"), "null:"), ExitCode.USER, "*.csv");
  }

  @Test
  void anEmptyFile() throws IOException {
    assertFault(run("copy", file("empty.csv", ""), "null:"), ExitCode.USER, "empty.csv");
  }

  @Test
  void aHeaderAndNothingElseIsNoRows() throws IOException {
    Path to = home.resolve("to.csv");
    Cli.Result result = run("copy", file("head.csv", "a,b\n"), to, "--header", "true");
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("copy done: 0 rows");
    assertThat(to).hasContent("a,b");
  }

  @Test
  void fewerAndMoreFields() throws IOException {
    Path fewer = file("fewer.csv", "a,b,c\n1,2,3\n4,5\n");
    assertFault(
        run("copy", fewer, home.resolve("to.csv")),
        ExitCode.DATA,
        "fewer.csv",
        "line 3",
        "byte 12",
        "--max-rejects",
        "No rows were committed.");
    Path more = file("more.csv", "a,b\n1,2\n3,4,5\n");
    assertFault(
        run("copy", more, home.resolve("to.csv")), ExitCode.DATA, "more.csv", "line 3", "byte 8");
    assertThat(home.resolve("to.csv")).doesNotExist();
  }

  @Test
  void controlCharactersOfAValueAreShown() throws IOException {
    Path from = file("escape.csv", "n\n1\n\u001b[2Jx\n");
    assertFault(run("copy", from, "null:", "--columns", "n:int64"), ExitCode.DATA, "'\\x1b[2Jx'");
    assertThat(run("runs", "last").out()).contains("'\\x1b[2Jx'").doesNotContain("\u001b");
  }

  @Test
  void whatNullHasTakenIsNotSaidToStay() throws IOException {
    file("part1.csv", "n\n1\n2\n");
    // More rows than can wait for the writer: it has ended the first file when the bad one comes.
    file("part2.csv", "n\n" + "1234567\n".repeat(400_000) + "x\n");
    assertFault(
        run("copy", home.resolve("part*.csv"), "null:", "--columns", "n:int64", "--lanes", "1"),
        ExitCode.DATA,
        "part2.csv",
        "No rows were committed.");
  }

  @Test
  void theTargetIsNoFileForBadRecords() throws IOException {
    Path from = file("from.csv", "n\n1\nx\n");
    Path to = home.resolve("to.csv");
    assertFault(
        run(
            "copy",
            from,
            to,
            "--columns",
            "n:int64",
            "--max-rejects",
            "1",
            "--rejects",
            home.resolve("./to.csv")),
        ExitCode.USER,
        "to.csv is the target itself.");
    assertThat(to).doesNotExist();
  }

  @Test
  void anUnterminatedQuote() throws IOException {
    Path from = file("open.csv", "a,b\n1,2\n3,\"4\n5,6\n");
    assertFault(
        run("copy", from, home.resolve("to.csv")), ExitCode.DATA, "open.csv", "line 3", "quote");
    assertThat(home.resolve("to.csv")).doesNotExist();
  }

  @Test
  void aFieldOverTheLimit() throws IOException {
    Path from = file("long.csv", "a,b\n1," + "x".repeat(2000) + "\n");
    assertFault(
        run("copy", from, "null:", "--max-field", "1000B"),
        ExitCode.DATA,
        "long.csv",
        "line 2",
        "max-field");
    assertThat(run("copy", from, "null:", "--max-field", "2kB").code()).isZero();
  }

  /// Java's own message is the name of the folder, and nothing else.
  @Test
  void foldersThatCanNotBeMadeOrWrittenToAreToldWithTheReason() throws IOException {
    assertFault(run("demo", "--keep", home), ExitCode.USER, "it exists already");
    assertFault(
        run(
            "copy",
            file("bad.csv", "a,b\n1\n"),
            "null:",
            "--max-rejects=1",
            "--rejects=" + home.resolve("none").resolve("bad")),
        ExitCode.EXTERNAL,
        "bad records",
        "there is no such file or folder");
  }

  @Test
  void aSizeWithoutAUnit() throws IOException {
    Path from = file("long.csv", "a,b\n1,x\n");
    assertFault(
        run("copy", from, "null:", "--max-field", "1000"),
        ExitCode.USER,
        "max-field=1000 has no unit",
        "1000B");
    assertFault(
        run("copy", from, "duckdb:" + home.resolve("t.db") + "?table=t&memory-limit=8"),
        ExitCode.USER,
        "memory-limit=8 has no unit",
        "2GB");
    assertThat(home.resolve("t.db")).doesNotExist();
  }

  @Test
  void aByteThatTheCharsetDoesNotHave() throws IOException {
    Path from = file("latin.csv", "a,b\n1,caf\u00e9\n");
    assertFault(
        run("copy", from, home.resolve("to.csv")), ExitCode.DATA, "latin.csv", "line 2", "UTF-8");
    assertThat(run("copy", from, home.resolve("to.csv"), "--charset", "ISO-8859-1").code())
        .isZero();
  }

  @Test
  void aLaterValueThatIsNotOfTheColumnsType() throws IOException {
    Path from = file("typed.csv", "id,n\n1,10\n2,x1\n");
    assertFault(
        run("copy", from, "null:", "--columns", "n:int64"),
        ExitCode.DATA,
        "typed.csv",
        "line 3",
        "\"n\"",
        "x1");
  }

  @Test
  void badRecordsAreSetAsideByteForByte() throws IOException {
    Path from = file("some.csv", "a,b\n1,2\n3\n4,5,6\n7,8\n");
    Path to = home.resolve("to.csv");
    Path rejects = home.resolve("bad.csv");
    Cli.Result result = run("copy", from, to, "--max-rejects", "2", "--rejects", rejects);
    assertThat(result.code()).isZero();
    assertThat(result.err()).contains("copy done: 2 rows and 2 rejects");
    assertThat(Files.readString(to)).isEqualTo("a,b\n1,2\n7,8\n");
    assertThat(Files.readString(rejects)).isEqualTo("a,b\n3\n4,5,6\n");
    assertThat(Files.readAllLines(home.resolve("bad.csv.reasons.jsonl")))
        .hasSize(2)
        .first()
        .asString()
        .contains("\"line\":3", "\"byte\":8", "some.csv");

    Path again = home.resolve("again.csv");
    Path other = home.resolve("other.csv");
    assertFault(
        run("copy", from, again, "--max-rejects", "1", "--rejects", other),
        ExitCode.DATA,
        "line 4",
        "--max-rejects 1");
    assertThat(again).doesNotExist();
  }

  @Test
  void whatTheTargetDoesNotTakeIsNamedByItsOwnRowAndLine() throws IOException {
    String database = "duckdb:" + home.resolve("x.db") + "?table=t";
    Path whole = file("whole.csv", "id,name\n1,a\n");
    assertThat(run("copy", whole.toString(), database, "--columns", "id:int16", "--quiet").code())
        .isZero();
    Path bad = file("bad.csv", "id,name\n1,a\n7\n2,\"b\nb\"\n40000,c\n3,d\n-40000,e\n");
    Path rejects = home.resolve("rejects.csv");
    Cli.Result result =
        run(
            "copy",
            bad.toString(),
            database,
            "--mode=append",
            "--max-rejects=3",
            "--rejects=" + rejects);
    assertThat(result.code()).isZero();
    assertThat(rejects).hasContent("id,name\n7\n40000,c\n-40000,e\n");
    assertThat(Files.readString(home.resolve("rejects.csv.reasons.jsonl")))
        .contains("\"row\":2,\"line\":3,\"byte\":12")
        .contains("\"row\":4,\"line\":6,\"byte\":22,\"column\":\"id\"")
        .contains("\"row\":6,\"line\":8,\"byte\":34,\"column\":\"id\"");
  }

  @ParameterizedTest
  @CsvSource({
    // The first row is filtered out, line 3 has too few fields, a quoted field spans lines 4 and 5.
    "UTF-8, '\n', 22, 36",
    "UTF-8, '\r', 22, 36",
    "UTF-8, '\r\n', 27, 43",
    "UTF-16LE, '\n', 44, 68",
  })
  void whatTheTargetDoesNotTakeIsNamedByItsPlaceInEveryCharset(
      String charset, String newline, int firstByte, int secondByte) throws IOException {
    String database = "duckdb:" + home.resolve("x.db") + "?table=t";
    Path whole = file("whole.csv", "id,name\n1,a\n");
    assertThat(run("copy", whole.toString(), database, "--columns", "id:int16", "--quiet").code())
        .isZero();
    String text = "id,name\n0,a\n7\n2,\"b\nb\"\n40000,上\n3,d\n-40000,e\n";
    Path bad = home.resolve("bad.csv");
    Files.writeString(bad, text.replace("\n", newline), Charset.forName(charset));
    Path rejects = home.resolve("rejects.csv");
    Cli.Result result =
        run(
            "copy",
            bad + "?charset=" + charset,
            database,
            "--mode=append",
            "--where=id <> 0",
            "--max-rejects=3",
            "--rejects=" + rejects);
    assertThat(result.err()).contains("2 rows and 3 rejects");
    assertThat(result.code()).isZero();
    assertThat(Files.readString(rejects, Charset.forName(charset)))
        .isEqualTo("id,name\n7\n40000,上\n-40000,e\n".replace("\n", newline));
    assertThat(Files.readString(home.resolve("rejects.csv.reasons.jsonl")))
        .contains("\"row\":2,\"line\":3,")
        .contains("\"row\":4,\"line\":6,\"byte\":" + firstByte + ",\"column\":\"id\"")
        .contains("\"row\":6,\"line\":8,\"byte\":" + secondByte + ",\"column\":\"id\"");
  }

  @Test
  void whatAFileCantHoldIsNamedByItsPlace() throws IOException {
    Path from = home.resolve("from.csv");
    Files.writeString(from, "n,t\n1,a\n2,\"b\nb\"\n3,〜\n");
    assertFault(
        run("copy", from, home.resolve("to.csv") + "?charset=MS932"),
        ExitCode.DATA,
        "from.csv, line 5, byte 16, row 3, column \"t\": '〜' can't be written");
    assertThat(home.resolve("to.csv")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "id,n\u65e5 | charset=ISO-8859-1      | 'n\u65e5' can't be written to | '\u65e5' (U+65E5)",
        "id,a;b    | quote=none&delimiter=; | 'a;b' can't be written to  | holds the delimiter",
        "identity,number | length-prefix=1  | The header can't be written to | does not fit 1"
            + " digits"
      })
  void aHeaderThatAFileCantHoldIsRefusedBeforeAnythingIsMade(
      String names, String options, String what, String why) throws IOException {
    Path from = Files.writeString(home.resolve("from.csv"), names + "\n1,2\n");
    String to = home.resolve("out.csv") + "?" + options;
    assertFault(run("copy", from, to), ExitCode.USER, what, why, "header=false");
    assertFault(run("copy", from, to, "--dry-run"), ExitCode.USER, what, why);
    assertFault(run("copy", from, "-?" + options), ExitCode.USER, what, why);
    assertThat(hidden()).isEmpty();
    assertThat(run("copy", from, to + "&header=false").code()).isZero();
  }

  @Test
  void aFileThatCantBeAddedToKeepsNoJournal() throws IOException {
    Path to = home.resolve("to.csv.gz");
    assertThat(run("copy", "generate:unload?rows=100000", to).code()).isZero();
    byte[] whole = Files.readAllBytes(to);
    Files.write(to, Arrays.copyOf(whole, whole.length - 20));
    assertFault(
        run("copy", "generate:unload?rows=10", to, "--mode", "append"),
        ExitCode.EXTERNAL,
        "to.csv.gz",
        "ends in the middle");
    assertThat(hidden()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"link.csv", "link.parquet"})
  void aLinkThatLeadsNowhereIsToldAsSuch(String name) throws IOException {
    Path rows = file("rows.csv", "n\n1\n");
    Path link = Files.createSymbolicLink(home.resolve(name), Path.of("no-such-file"));
    assertFault(
        run("copy", rows, link), ExitCode.USER, name + " is a symbolic link to no-such-file,");
    assertFault(
        run("copy", link, "null:"), ExitCode.USER, name + " is a symbolic link to no-such-file,");
    Files.delete(link);
    Files.createSymbolicLink(link, Path.of(name));
    assertFault(
        run("copy", rows, link),
        ExitCode.USER,
        name + " is a symbolic link to " + name,
        "Too many levels");
    assertFault(run("copy", link, "null:"), ExitCode.USER, "Too many levels");
    assertThat(hidden()).isEmpty();
  }

  @Test
  void aJsonFileIsNotTakenForCsv() throws IOException {
    Path from = file("docs.json", "[{\"a\": 1},\n {\"a\": 2}]\n");
    assertFault(run("copy", from, "null:"), ExitCode.USER, "docs.json", "--format jsonl", "jq -c");
    assertFault(
        run("copy", file("rows.csv", "n\n1\n"), home.resolve("x.json.gz")),
        ExitCode.USER,
        "x.json.gz",
        ".jsonl");
    Path lines = file("lines.json", "{\"a\": 1}\n{\"a\": 2}\n");
    Path to = home.resolve("to.csv");
    assertThat(run("copy", lines, to, "--format", "jsonl").code()).isZero();
  }

  /// Whichever verb meets it, and before anything is begun.
  @Test
  void aForgottenSchemeDestroysNoDatabase() throws IOException {
    Path rows = file("rows.csv", "n\n1\n");
    Path shop = home.resolve("shop.duckdb");
    assertThat(run("copy", rows, "duckdb:" + shop + "?table=t").code()).isZero();
    Path bare = Files.copy(shop, home.resolve("shop"));
    byte[] before = Files.readAllBytes(shop);
    for (Path file : List.of(shop, bare)) {
      String url = "\n    'duckdb:" + file + "?table=NAME'";
      for (String mode : List.of("replace", "truncate", "append", "create")) {
        assertFault(run("copy", rows, file, "--mode", mode), ExitCode.USER, "DuckDB", url);
        assertFault(
            run("copy", rows, file, "--mode", mode, "--dry-run"), ExitCode.USER, "DuckDB", url);
      }
      assertFault(run("copy", rows, file), ExitCode.USER, "DuckDB", url);
      assertFault(
          run("copy", rows, file, "--mode", "replace", "--format", "csv"), ExitCode.USER, url);
      assertFault(run("copy", file, "null:"), ExitCode.USER, "is a DuckDB database", url);
      assertFault(run("preview", file), ExitCode.USER, "is a DuckDB database", url);
      assertFault(run("verify", rows, file), ExitCode.USER, "is a DuckDB database", url);
      assertFault(run("sweep", file, "null:", "--vary", "lanes=1,2"), ExitCode.USER, url);
      assertFault(
          run("copy", rows, "parquet:" + file, "--mode", "replace"), ExitCode.USER, "DuckDB", url);
    }
    assertFault(run("sweep", rows, shop, "--vary", "lanes=1,2"), ExitCode.USER, "DuckDB");
    assertThat(shop).hasBinaryContent(before);
    assertThat(bare).hasBinaryContent(before);
  }

  @Test
  void aLineWithoutADocumentIsLeftOutAndNoneIsWritten() throws IOException {
    Path lines = file("gaps.jsonl", "\n{\"a\":1}\n \n{\"a\":2}\n\t \n");
    Path copy = home.resolve("copy.jsonl");
    assertThat(run("copy", lines, copy).err()).contains("copy done: 2 rows");
    assertThat(copy).content().isEqualTo("{\"a\":1}\n{\"a\":2}\n");
    Path rows = file("rows.csv", "doc\n{}\n\n");
    assertFault(
        run("copy", rows, home.resolve("to.jsonl"), "--header", "true"),
        ExitCode.DATA,
        "rows.csv, line 3",
        "a missing value can't be written",
        "is no document");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "duckdb:%s/t.db?table=t",
        "sqlite:%s/t.db?table=t",
        "%s/t.csv",
        "%s/t.jsonl",
        "%s/t.parquet",
        "null:"
      })
  void aLineThatIsNoDocumentIsABadRecordWhoeverTakesIt(String target) throws IOException {
    String to = target.formatted(home);
    Path lines = file("bad.jsonl", "\n{\"a\":1}\n \n{\"a\":}\n[2]\n\n{\"a\":\n");
    assertFault(run("copy", lines, to), ExitCode.DATA, "bad.jsonl, line 4, byte 11, row 3");
    Path bad = home.resolve("bad");
    Cli.Result copied = run("copy", lines, to, "--max-rejects", "2", "--rejects", bad);
    assertThat(copied.err()).contains("copy done: 2 rows and 2 rejects");
    assertThat(bad).content().isEqualTo("{\"a\":}\n{\"a\":\n");
    if (!to.equals("null:")) {
      assertThat(run("verify", lines, to, "--rejects", bad).out()).startsWith("same: 2 rows");
    }
    assertThat(run("verify", lines, lines).code()).isNotZero();
  }

  @Test
  void textThatIsNoJsonIsNotWrittenAsADocument() throws IOException {
    Path rows = file("texts.csv", "doc\n\"{\"\"a\"\":1}\"\nno json\n");
    Path to = home.resolve("to.jsonl");
    assertFault(run("copy", rows, to), ExitCode.DATA, "texts.csv, line 3", "it is no JSON");
    Path bad = home.resolve("bad.csv");
    assertThat(run("copy", rows, to, "--max-rejects", "1", "--rejects", bad).code()).isZero();
    assertThat(to).content().isEqualTo("{\"a\":1}\n");
    assertThat(bad).content().isEqualTo("doc\nno json\n");
  }

  private List<String> hidden() throws IOException {
    try (Stream<Path> all = Files.list(home)) {
      return all.map(each -> String.valueOf(each.getFileName()))
          .filter(name -> name.endsWith(".journal") || name.endsWith(".tmp"))
          .toList();
    }
  }

  @Test
  void whatDoesNotFitIsNamedByItsOwnPlaceBehindLeftOutRowsAndInAnyCharset() throws IOException {
    String database = "duckdb:" + home.resolve("x.db") + "?table=t";
    Path whole = file("whole.csv", "id,name\n1,a\n");
    assertThat(run("copy", whole.toString(), database, "--columns", "id:int16", "--quiet").code())
        .isZero();
    // U+010A and U+0A0D hold the bytes of line ends.
    String text = "id,name\r1,\u010A\r2,\"b\rb\"\r40000,\u0A0D\r50000,x\r";
    Path bad = Files.write(home.resolve("bad.csv"), text.getBytes(StandardCharsets.UTF_16LE));
    Path rejects = home.resolve("rejects.csv");
    Cli.Result result =
        run(
            "copy",
            bad.toString(),
            database,
            "--mode=append",
            "--charset=UTF-16LE",
            "--newline=CR",
            "--columns=id:int64,name:text",
            "--where=id > 1",
            "--max-rejects=2",
            "--rejects=" + rejects);
    assertThat(result.code()).isZero();
    assertThat(Files.readString(home.resolve("rejects.csv.reasons.jsonl")))
        .contains("\"row\":3,\"line\":5,\"byte\":40,\"column\":\"id\"")
        .contains("\"row\":4,\"line\":6,\"byte\":56,\"column\":\"id\"");
  }

  @Test
  void anExistingFileIsNotOverwrittenUnlessTold() throws IOException {
    Path from = file("from.csv", "a\n1\n");
    Path to = file("to.csv", "precious");
    assertFault(run("copy", from, to), ExitCode.USER, "to.csv", "replace");
    assertThat(to).hasContent("precious");
    assertThat(run("copy", from, to, "--mode", "replace").code()).isZero();
    assertThat(to).hasContent("a\n1");
  }

  @Test
  void aFolderThatIsMissingOrCantBeWritten() throws IOException {
    Path from = file("from.csv", "a\n1\n");
    Cli.Result result = run("copy", from, home.resolve("none/to.csv"));
    assertThat(result.code()).isIn(ExitCode.USER.number(), ExitCode.EXTERNAL.number());
    assertThat(result.err()).contains("none").doesNotContain("\tat ");
  }
}
