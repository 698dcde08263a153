package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvForm;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Escaped text without quotes, as `mysqldump --tab`, `SELECT … INTO OUTFILE` and PostgreSQL's COPY
/// write it.
class EscapedTextTest {

  private static final Map<String, String> TEXT = Map.of("format", "text");
  private static final Map<String, String> BARE = Map.of("format", "text", "header", "false");

  @TempDir Path folder;

  private Path file(String text) {
    return Trial.file(folder, "rows.txt", text);
  }

  private List<List<@Nullable String>> rows(String text, Map<String, String> parameters) {
    return Trial.of(file(text), parameters).rows();
  }

  private static List<@Nullable String> row(@Nullable String... values) {
    return Arrays.asList(values);
  }

  private static Map<String, String> with(String option, String value) {
    Map<String, String> parameters = new HashMap<>(BARE);
    parameters.put(option, value);
    return parameters;
  }

  @Test
  void whatMySqlWritesIsRead() {
    String text = "id\tname\tpath\n1\tA\\tB\tD:\\\\a\\\\b\n2\tone\\\ntwo\\\tx\t\\N\n3\t\\N\tNULL\n";
    assertThat(rows(text, TEXT))
        .containsExactly(
            row("1", "A\tB", "D:\\a\\b"), row("2", "one\ntwo\tx", null), row("3", null, "NULL"));
  }

  @Test
  void whatPostgresWritesIsRead() {
    assertThat(rows("1\ta\\\\b\tc\\td\n2\t\\N\te\\nf\\r\\b\\f\\v\n\\.\n", TEXT))
        .containsExactly(row("1", "a\\b", "c\td"), row("2", null, "e\nf\r\b\f\u000B"));
  }

  /// Each line: what is written, and what it means, with `␊`, `␍` and `␚` for control characters.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "-",
      textBlock =
          """
          a\\\\b      | a\\b
          \\N         | -
          x\\N        | xN
          \\\\N       | \\N
          ``          | ``
          \\q\\.\\"   | q."
          \\101\\7x   | A\u0007x
          \\x41\\x4g  | A\u0004g
          \\xg        | xg
          \\303\\251  | é
          \\xC3\\xa9  | é
          \\é         | é
          a\\␊b       | a␊b
          a\\␍b       | a␍b
          a␍b         | a␍b
          a␍          | a␍
          \\Z         | ␚
          """)
  void escapesMeanWhatTheyMeanToTheDatabases(String spelled, @Nullable String value) {
    String text = spelled.replace('␊', '\n').replace('␍', '\r');
    String wanted =
        value == null ? null : value.replace('␊', '\n').replace('␍', '\r').replace('␚', '\u001A');
    assertThat(rows("1\t" + text + "\n2\tx\n", BARE))
        .containsExactly(row("1", wanted), row("2", "x"));
  }

  @Test
  void lineEndsAreFoundOutAndTheOtherByteAloneIsText() {
    assertThat(rows("1\ta\r\n2\tb\\\nc\r\n3\td\\\r\\\ne\r\n", BARE))
        .containsExactly(row("1", "a"), row("2", "b\nc"), row("3", "d\r\ne"));
    assertThat(rows("1\ta\r\n2\tb\nc\r\n", with("newline", "CRLF")))
        .containsExactly(row("1", "a"), row("2", "b\nc"));
    assertThat(rows("1\ta\r\n2\tb\n", BARE)).containsExactly(row("1", "a\r"), row("2", "b"));
    assertThat(rows("1\ta\rb\n2\tc\r\n", BARE)).containsExactly(row("1", "a\rb"), row("2", "c\r"));
    assertThat(rows("1\ta\r2\tb\r", BARE)).containsExactly(row("1", "a"), row("2", "b"));
  }

  @Test
  void anEscapedLineEndIsNeverCut() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      text.append(i).append("\tx\\\ny\\\\\\\n\\\\\t\\N\n");
    }
    Path file = file(text.toString());
    List<List<@Nullable String>> whole = Trial.of(file, BARE).rows();
    assertThat(whole).hasSize(12).allMatch(row -> row.size() == 3);
    assertThat(whole.getFirst()).containsExactly("0", "x\ny\\\n\\", null);
    for (int split = 1; split <= text.length(); split++) {
      assertThat(Trial.of(file, BARE).lanes(3, split).rows()).as("%d", split).isEqualTo(whole);
    }
  }

  @Test
  void anEndMarkIsNoRecordAndAFileOfNothingElseIsEmpty() {
    assertThat(rows("1\ta\n\\.\n", BARE)).containsExactly(row("1", "a"));
    assertThat(rows("1\ta\n\\.", BARE)).containsExactly(row("1", "a"));
    assertThat(rows("a\n\\.\nb\n", BARE)).containsExactly(row("a"), row("b"));
    assertThat(rows("\\.\n", Map.of("format", "text", "header", "false", "columns", "a,b")))
        .isEmpty();
  }

  @Test
  void aFirstLineIsAHeaderOnlyIfTheValuesBelowSpeakForIt() {
    assertThat(rows("id\tname\n1\tx\n", TEXT)).containsExactly(row("1", "x"));
    assertThat(rows("one\ttwo\nthree\tfour\n", TEXT)).hasSize(2);
    assertThat(rows("one\ttwo\nthree\tfour\n", Map.of("format", "text", "header", "true")))
        .hasSize(1);
  }

  @Test
  void previewSaysHowItIsRead() throws IOException {
    Endpoint endpoint = new Endpoint("file", file("1\ta\n").toString(), TEXT, Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Untyped()).description().reading().as())
          .startsWith("tab between fields; no quotes, \\ as escape; no header");
    }
  }

  /// Each line: a bad second record, the column that is named, and what is said.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          2                | ``      | 1 field instead of 2.
          2␉a␉b␊           | ``      | 3 fields instead of 2.
          2␉a\\            | column2 | the file ends behind the escape \\ at byte 7, line 2
          2␉a\\377b␊       | column2 | the escape \\377 at byte 7, line 2, makes byte 0xFF, which is no UTF-8 there.
          2␉\\xC3b␊        | column2 | the escape \\xC3 at byte 6, line 2, makes byte 0xC3, which is no UTF-8 there.
          2␉\\0␊           | column2 | the escape \\0 at byte 6, line 2, makes a NUL character, which no text may hold.
          2␉\\400␊         | column2 | the escape \\400 at byte 6, line 2, makes no byte; it is more than 255.
          """)
  void badRecordsAreRefusedWithTheirPlaceAndSetAsideAsTheyStood(
      String record, String column, String message) {
    String bad = record.replace('␉', '\t').replace('␊', '\n');
    boolean ends = bad.endsWith("\n");
    Path file = file("1\tx\n" + bad + (ends ? "3\ty\n" : ""));
    assertThatThrownBy(() -> Trial.of(file, BARE).rows())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 2, byte 4, row 2, column '" + column + "'")
        .hasMessageContaining(message);
    List<Trial.Read> read = Trial.of(file, BARE).rejects().read();
    assertThat(read).hasSize(ends ? 3 : 2);
    assertThat(read)
        .flatExtracting(each -> each.reject() == null ? List.of() : List.of(each.reject()))
        .extracting(reject -> new String(reject.record(), StandardCharsets.UTF_8))
        .containsExactly(bad);
  }

  @Test
  void bytesThatAreNoCharactersAreFoundBehindEscapesToo() {
    byte[] bytes = "1\ta\\tb?\n".getBytes(StandardCharsets.UTF_8);
    bytes[6] = (byte) 0xE9;
    Path file = Trial.file(folder, "latin1.txt", bytes);
    assertThatThrownBy(() -> Trial.of(file, BARE).rows())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("byte 0xE9 is no UTF-8 (byte 6, line 1)");
    assertThat(Trial.of(file, Map.of("format", "text", "charset", "ISO-8859-1")).rows())
        .containsExactly(row("1", "a\tbé"));
  }

  @Test
  void onlyWhatBothDatabasesReadAlikeIsWritten() {
    Trial trial = Trial.of("-", TEXT);
    trial.write(
        List.of(
            row("a\\b\tc\nd\re", null, ""),
            row("\\N", "\"x\",é\b", "\uFEFFy"),
            row("\\.", ".", "N")),
        3);
    assertThat(new String(trial.standardOutput(), StandardCharsets.UTF_8))
        .isEqualTo("a\\\\b\\tc\\nd\\re\t\\N\t\n\\\\N\t\"x\",é\b\t\\\uFEFFy\n\\\\.\t.\tN\n");
  }

  @Test
  void optionsChangeTheSpelling() {
    Trial trial =
        Trial.of(
            "-",
            Map.of(
                "format",
                "text",
                "delimiter",
                "|",
                "null-string",
                "-",
                "header",
                "true",
                "newline",
                "CRLF"));
    trial.write(List.of(row("a|b", null), row("-", "\t")), 2);
    assertThat(new String(trial.standardOutput(), StandardCharsets.UTF_8))
        .isEqualTo("a|b\r\na\\|b|-\r\n\\-|\\t\r\n");
    assertThatThrownBy(() ->
            Trial.of("-", Map.of("format", "text", "null-string", "NULL"))
                .write(List.of(row("NULL")), 1))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("it is spelled as the null string, and no escape can tell it apart");
  }

  @Test
  void rowsAreAddedInTheSpellingOfTheFile() throws IOException {
    Path file = file("1\ta\\\\\n");
    Trial.of(file, TEXT).mode(Mode.APPEND).write(List.of(row("2", "b\tc")), 2);
    assertThat(file).hasContent("1\ta\\\\\n2\tb\\tc\n");
    Files.writeString(file, "1\ta\r\n");
    Trial.of(file, TEXT).mode(Mode.APPEND).write(List.of(row("2", "b")), 2);
    assertThat(Files.readString(file)).isEqualTo("1\ta\r\n2\tb\r\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1␉a␊\\.␊  | ends with an end mark (\\.) on line 2, behind which PostgreSQL reads nothing
          1␉a␊\\.   | ends with an end mark (\\.) on line 2, behind which PostgreSQL reads nothing
          1␉a\\␊    | an escape stands before the line end of line 1
          """)
  void noRowsAreAddedWhereTheyWouldBeLostOrJoined(String text, String message) {
    Path file = file(text.replace('␉', '\t').replace('␊', '\n'));
    assertThatThrownBy(
            () -> Trial.of(file, TEXT).mode(Mode.APPEND).write(List.of(row("2", "b")), 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(message);
  }

  @Test
  void recordsAreAlwaysSpelledAnew() {
    Endpoint endpoint = new Endpoint("file", file("1\t\\x41\n").toString(), BARE, Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Untyped()).description().forms()).isEmpty();
    }
    assertThat(CsvForm.of(CsvDialect.TEXT)).isNotEqualTo(CsvForm.of(CsvDialect.TSV));
  }
}
