package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is found out about a file if nobody says it, that it is told, and that a guess which does
/// harm is refused.
class GuessesTest {

  private static final Schema TABLE =
      Schema.of(
          List.of(
              Column.of("id", Type.Text.UNLIMITED),
              Column.of("city", Type.Text.UNLIMITED),
              Column.of("n", Type.Text.UNLIMITED)));

  @TempDir Path folder;

  /// `␊` stands for a line end, `⇥` for a tab.
  private Path file(String name, String text) {
    return Trial.file(folder, name, text.replace('␊', '\n').replace('⇥', '\t'));
  }

  private static SourceDescription describe(
      Path file, Map<String, String> parameters, ColumnRequest columnRequest) {
    Endpoint endpoint = new Endpoint("file", file.toString(), parameters, Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      return source.describe(columnRequest).description();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '~',
      value = {
        "id;city;n␊1;Rome;5␊2;Oslo;6␊!';'",
        "id⇥city⇥n␊1⇥Rome⇥5␊2⇥Oslo⇥6␊!tab",
        "id|city|n␊1|Rome|5␊2|Oslo|6␊!'|'",
        "id;city;n␊1;\"Rome, \"\"IT\"\"\";5,00␊2;Oslo;6,25␊!';'",
        "sep=;␊id;city;n␊1;Rome;5␊2;Oslo;6␊!';'",
        "sep=^␊id^city^n␊1^Rome^5␊2^Oslo^6␊!'^'",
        "\"sep=|\"␊id|city|n␊1|Rome|5␊2|Oslo|6␊!'|'",
      })
  void whatStandsBetweenFieldsIsFoundOutAndTold(String text, String delimiter) {
    Path file = file("orders.csv", text);
    Trial trial = Trial.of(file, Map.of());
    assertThat(trial.rows()).hasSize(2).allMatch(row -> row.size() == 3);
    assertThat(trial.schema().names()).containsExactly("id", "city", "n");
    SourceDescription described = describe(file, Map.of(), new ColumnRequest.Typed());
    assertThat(described.reading().as()).startsWith(delimiter + " between fields");
    assertThat(described.reading().notes())
        .anySatisfy(note -> assertThat(note).contains("orders.csv", "with " + delimiter));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a␊1␊2␊",
        "note␊one; two␊three␊",
        "one; two␊three␊",
        "one; two␊",
        "\"a;b\"␊\"c;d\"␊",
        "a,b␊1;1,2;2␊3,4␊",
        "a,b␊x|y,1␊z|w,2␊",
      })
  void whatMayBeTextOfOneFieldIsNotCut(String text) {
    SourceDescription described =
        describe(file("prose.csv", text), Map.of(), new ColumnRequest.Typed());
    assertThat(described.reading().as()).startsWith("',' between fields");
    assertThat(described.reading().notes()).noneMatch(note -> note.contains("delimiter"));
  }

  @Test
  void whatTheUserSaysStandsAndALikelierDelimiterIsNamed() {
    Path file = file("wrong.csv", "a;b␊x;2␊y;4␊");
    SourceDescription described =
        describe(file, Map.of("delimiter", ","), new ColumnRequest.Typed());
    assertThat(described.schema().width()).isEqualTo(1);
    assertThat(described.reading().notes())
        .anySatisfy(note -> assertThat(note).contains("is read as one column", "--delimiter ';'"));
    Path commas = file("wrong.tsv", "a,b␊1,2␊3,4␊");
    assertThat(describe(commas, Map.of(), new ColumnRequest.Typed()).reading().notes())
        .anySatisfy(note -> assertThat(note).contains("--delimiter ','"));
  }

  @Test
  void wholeLinesDoNotGoIntoTheFirstColumnOfATable() {
    Path file = file("semicolon.csv", "id;city;n␊1;Rome;5␊2;Oslo;6␊");
    ColumnRequest table = new ColumnRequest.Like(TABLE, false);
    assertThat(describe(file, Map.of(), table).schema().names()).containsExactly("id", "city", "n");
    assertThatThrownBy(() -> describe(file, Map.of("delimiter", ","), table))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("semicolon.csv").hasMessageContaining("';'");
              assertThat(fault.advice()).contains("--delimiter ';'");
            });
  }

  @Test
  void commasInNumbersAreNoDelimitersIfTheTableHasAnotherNumberOfColumns() {
    Path file = file("german.csv", "1;5,00;x␊2;6,25;y␊");
    ColumnRequest table = new ColumnRequest.Like(TABLE, false);
    assertThat(describe(file, Map.of("header", "false"), table).schema().width()).isEqualTo(3);
    assertThatThrownBy(() -> describe(file, Map.of("header", "false", "delimiter", ","), table))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("2 fields a record")
        .hasMessageContaining("';'");
  }

  @Test
  void filesOfOneSourceWithOtherDelimitersAreRefusedByName() {
    file("all-1.csv", "id;city␊1;Rome␊2;Oslo␊");
    file("all-2.csv", "");
    file("all-3.csv", "id,city␊3,Paris␊4,Bonn␊");
    assertThatThrownBy(
            () -> describe(folder.resolve("all-*.csv"), Map.of(), new ColumnRequest.Typed()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("all-3.csv has ','")
        .hasMessageContaining("all-1.csv has ';'");
  }

  @Test
  void aSingleLineIsCutIfATableSpeaksForIt() {
    Path file = file("one.csv", "1;Rome;5␊");
    Map<String, String> noHeader = Map.of("header", "false");
    assertThat(describe(file, noHeader, new ColumnRequest.Like(TABLE, false)).schema().width())
        .isEqualTo(3);
    assertThat(describe(file, noHeader, new ColumnRequest.Typed()).schema().width()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void behindALineThatNamesTheDelimiterPlacesAreRight(String lineEnd) {
    String text = "\uFEFFsep=;␊id;n␊1;2␊3␊4;5␊".replace("␊", lineEnd);
    Trial trial = Trial.of(Trial.file(folder, "excel.csv", text), Map.of()).rejects();
    List<Trial.Read> read = trial.read();
    Trial.Read good = read.stream().filter(each -> each.reject() == null).findFirst().orElseThrow();
    assertThat(good.fields()).containsExactly("1", "2");
    assertThat(good.line()).isEqualTo(3);
    Trial.Read bad = read.stream().filter(each -> each.reject() != null).findFirst().orElseThrow();
    assertThat(bad.line()).isEqualTo(4);
    byte[] before = "\uFEFFsep=;␊id;n␊1;2␊".replace("␊", lineEnd).getBytes(StandardCharsets.UTF_8);
    assertThat(bad.offset()).isEqualTo(before.length);
    assertThat(
            Trial.of(Trial.file(folder, "excel.csv", text), Map.of("header", "false"))
                .rejects()
                .read())
        .hasSize(4);
  }

  @Test
  void aLineThatNamesTheDelimiterIsKnownInUtf16Too() {
    byte[] text = "\uFEFFsep=;\r\nid;n\r\n1;2\r\n".getBytes(StandardCharsets.UTF_16LE);
    Path file = Trial.file(folder, "excel.csv", text);
    Trial trial = Trial.of(file, Map.of("charset", "UTF-16LE"));
    assertThat(trial.rows()).containsExactly(List.of("1", "2"));
  }

  @Test
  void aFirstRecordLongerThanTheSampleIsReadWholeFromStandardInput() {
    String longest = "x".repeat(3_000_000);
    byte[] text = (longest + ";1\n" + longest + ";2\n").getBytes(StandardCharsets.UTF_8);
    Trial trial = Trial.of("-", Map.of("header", "false")).standardInput(text);
    assertThat(trial.rows()).containsExactly(List.of(longest + ";1"), List.of(longest + ";2"));
  }

  /// A record that was lost as a header would never be missed.
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "N/A,5␊1,6␊2,7␊ ! no header (it has values like those below it)",
        "NA,-␊1,6␊2,7␊ ! no header (a guess: all columns are text)",
        "x,5␊1,6␊2,7␊ ! a header (a guess: 'x' is no int64 like the values below it, but '5' is"
            + " like",
        "x,2001,2002␊1,6,7␊ ! a header ('x' is no int64 like the values below it)",
        " a , b ␊ 1 , x␊ ! a header (a guess: all columns are text)",
        "a, 2001, 2002␊x, 5, 6␊ ! a header (a guess: years or counts stand behind a name)",
      })
  void whatSpeaksAgainstAHeaderCountsToo(String text, String as) {
    assertThat(describe(file("t.csv", text), Map.of(), new ColumnRequest.Typed()).reading().as())
        .contains(as);
  }

  @Test
  void aHeaderThatIsAGuessIsTold() {
    SourceDescription described =
        describe(file("people.csv", "Ann,Rome␊Bob,Oslo␊"), Map.of(), new ColumnRequest.Typed());
    assertThat(described.reading().as()).contains("the first line is a header", "guess");
    assertThat(described.reading().notes())
        .singleElement()
        .asString()
        .contains("people.csv", "--header false");
    assertThat(
            describe(file("sure.csv", "id,x␊1,y␊"), Map.of(), new ColumnRequest.Typed())
                .reading()
                .notes())
        .isEmpty();
  }

  @Test
  void aRecordThatIsTakenForAHeaderIsNotLostInATable() {
    Path file = file("people.csv", "Ann,Rome␊Bob,Oslo␊");
    Schema table =
        Schema.of(
            List.of(
                Column.of("name", Type.Text.UNLIMITED), Column.of("city", Type.Text.UNLIMITED)));
    assertThatThrownBy(() -> describe(file, Map.of(), new ColumnRequest.Like(table, false)))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessageContaining("does not look like a header")
                  .hasMessageContaining("Ann");
              assertThat(fault.advice()).contains("--header false").doesNotContain("--by-position");
            });
    Trial trial =
        Trial.of(file, Map.of("header", "false")).wanted(new ColumnRequest.Like(table, false));
    assertThat(trial.rows()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({"UTF-8,ISO-8859-1", "US-ASCII,ISO-8859-1", "Shift_JIS,ISO-8859-1"})
  void aHeaderThatIsNotInTheCharsetIsRefusedByItsPlace(String said, String written) {
    byte[] text = "id,Größe,n\n1,5,x\n2,6,y\n".getBytes(Charset.forName(written));
    Path file = Trial.file(folder, "german.csv", text);
    assertThatThrownBy(() -> describe(file, Map.of("charset", said), new ColumnRequest.Typed()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("german.csv");
    if (said.equals("UTF-8")) {
      assertThatThrownBy(() -> describe(file, Map.of("charset", said), new ColumnRequest.Typed()))
          .isInstanceOfSatisfying(
              Fault.User.class,
              fault -> {
                assertThat(fault).hasMessageContaining("line 1, byte 5: byte 0xF6");
                assertThat(fault.advice()).contains("--charset", "source");
              });
    }
  }

  @Test
  void aRecordOfTooFewFieldsNamesTheDelimiterByWhichItHasEnough() {
    Path file = file("mixed.csv", "a,b,c␊1,2,3␊4;5;6␊");
    List<Trial.Read> read = Trial.of(file, Map.of()).rejects().read();
    assertThat(read)
        .extracting(Trial.Read::reject)
        .filteredOn(Objects::nonNull)
        .singleElement()
        .extracting(reject -> Objects.requireNonNull(reject).reason())
        .asString()
        .contains("1 field instead of 3", "--delimiter ';'", "source");
  }
}
