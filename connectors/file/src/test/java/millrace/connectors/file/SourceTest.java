package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import millrace.copy.EndOpener;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
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

/// What files are found, how their columns are named and typed, and how they are unpacked.
class SourceTest {

  @TempDir Path folder;

  /// Each line: the text, with `␊` for line ends; whether its first record is taken for a header.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          id,name␊1,x␊2,y␊            | true
          1,x␊2,y␊                    | false
          name,town␊Ann,Oslo␊         | true
          Ann,Oslo 1␊Bob,Rome 2␊      | true
          name,name␊Ann,Oslo␊         | false
          name,␊Ann,Oslo␊             | false
          2024-01-01,x␊2024-01-02,y␊  | false
          id,when␊1,2024-01-01␊       | true
          true,x␊false,y␊             | false
          id␊                         | true
          *,-␊a,b␊                    | false
          ,name,age␊1,x,7␊2,y,8␊      | true
          id,name,name␊1,x,y␊2,x,y␊   | true
          x,␊y,5␊z,6␊                 | false
          x,\\N␊y,5␊z,6␊              | false
          x,NULL␊y,z␊                 | false
          station,2019,2020␊A,5,6␊    | true
          station,2019,2019␊A,5,6␊    | true
          a,b,1,2,3␊x,y,7,8,9␊        | true
          Oslo,2019,2020␊Rome,2018,2021␊ | false
          A,1,2,3␊B,1,2,3␊            | false
          A,5,6␊B,7,8␊                | false
          A,2019␊                     | false
          2019,2020␊5,6␊              | false
          region,2001,2002,total␊North,5,6,11␊ | true
          2001,2002,total␊5,6,11␊     | true
          2001,2002␊x,2024-01-01␊     | true
          2001,2002␊x,true␊y,false␊   | true
          x,2024-01-01␊y,5␊           | true
          id,a␊1,␊2,␊                 | true
          "id","2001"␊1,5␊            | true
          "1","2001"␊1,5␊             | false
          1.5,x␊1,y␊                  | false
          007,x␊12,y␊                 | false
          2024-01-01 10:00,x␊2024-01-02,y␊ | false
          a, 5␊b,6␊                   | false
          12␊                         | false
          """)
  void aHeaderIsKnownByItsLook(String text, boolean header) {
    Path file = Trial.file(folder, "look.csv", text.replace('␊', '\n'));
    int records = (int) text.chars().filter(each -> each == '␊').count();
    assertThat(Trial.of(file, Map.of()).rows()).hasSize(header ? records - 1 : records);
  }

  @Test
  void aColumnWithoutANameIsCalledByItsPositionAndASecondOfANameIsNumbered() {
    Path file = Trial.file(folder, "export.csv", ",id,name,id\n0,1,x,2\n");
    Trial trial = Trial.of(file, Map.of());
    assertThat(trial.rows()).hasSize(1);
    assertThat(trial.schema().names()).containsExactly("column1", "id", "name", "id_2");
  }

  @Test
  void namesOfTheTargetsColumnsAreAHeaderWhateverTheyLookLike() {
    Path file = Trial.file(folder, "years.csv", "2019,2020\n1,2\n");
    Schema target =
        Schema.of(
            List.of(Column.of("2020", new Type.Int(32)), Column.of("2019", new Type.Int(64))));
    Trial trial = Trial.of(file, Map.of()).wanted(new ColumnRequest.Like(target, false));
    assertThat(trial.rows()).containsExactly(List.of("1", "2"));
    assertThat(trial.schema().columns())
        .containsExactly(Column.of("2019", new Type.Int(64)), Column.of("2020", new Type.Int(32)));
  }

  @Test
  void columnsPairWithTheTargetsByNameInAnyCaseOrByPosition() {
    Path file = Trial.file(folder, "pairs.csv", "B,A,other\nx,1,2024-01-01\n");
    Schema target =
        Schema.of(
            List.of(Column.of("a", new Type.Decimal(9, 2)), Column.of("b", new Type.Text(5))));
    assertThat(
            Trial.of(file, Map.of())
                .wanted(new ColumnRequest.Like(target, false))
                .schema()
                .columns())
        .containsExactly(
            Column.of("B", new Type.Text(5)),
            Column.of("A", new Type.Decimal(9, 2)),
            Column.of("other", new Type.Date()));
    Path bare = Trial.file(folder, "bare.csv", "1,x\n");
    assertThat(
            Trial.of(bare, Map.of())
                .wanted(new ColumnRequest.Like(target, true))
                .schema()
                .columns())
        .containsExactly(
            Column.of("column1", new Type.Decimal(9, 2)), Column.of("column2", new Type.Text(5)));
  }

  @Test
  void typesAreFoundBySampleAndTheUsersWordGoesFirst() {
    Path file =
        Trial.file(
            folder,
            "types.csv",
            "i,d,day,at,u,t,code\n"
                + "1,1.50,2024-02-29,2024-02-29"
                + " 12:00:00,c0de0000-0000-0000-0000-000000000001,x,007\n"
                + "-2,,,,,,\n");
    Trial trial = Trial.of(file, Map.of("columns", "code:int16")).wanted(new ColumnRequest.Typed());
    assertThat(trial.schema().columns())
        .extracting(column -> column.type().label())
        .containsExactly("int64", "decimal(18,2)", "date", "timestamp", "uuid", "text", "int16");
    assertThat(trial.rows().getFirst())
        .containsExactly(
            "1",
            "1.50",
            "2024-02-29",
            "2024-02-29 12:00:00",
            "c0de0000-0000-0000-0000-000000000001",
            "x",
            "7");
  }

  /// The first megabyte alone would say integer.
  @Test
  void theSampleLooksFurtherInToo() {
    Path file =
        Trial.file(
            folder, "late.csv", "a,b\n" + "1,2\n".repeat(400_000) + "x,2.5\n".repeat(400_000));
    assertThat(Trial.of(file, Map.of()).wanted(new ColumnRequest.Typed()).schema().columns())
        .extracting(column -> column.type().label())
        .containsExactly("text", "decimal(18,1)");
  }

  @Test
  void selectedColumnsComeInTheOrderAskedFor() {
    Path file = Trial.file(folder, "select.csv", "a,b,c\n1,\"x\"\"\",3\n");
    assertThat(Trial.of(file, Map.of()).select("c", "b").rows())
        .containsExactly(List.of("3", "x\""));
  }

  @Test
  void severalFilesAreOneSourceWhateverTheOrderOfTheirColumns() {
    Trial.file(folder, "p2.csv", "b,a\nx,3\n");
    Trial.file(folder, "p1.csv", "a,b\n1,v\n2,w\n");
    Trial.file(folder, ".hidden.csv", "z\n1\n");
    for (String location :
        List.of(folder + "/p*.csv", folder.toString(), folder + "/*.{csv,tsv}")) {
      assertThat(Trial.of(location, Map.of()).rows())
          .as(location)
          .containsExactly(List.of("1", "v"), List.of("2", "w"), List.of("3", "x"));
    }
    assertThat(Trial.of(folder + "/p*.csv", Map.of()).read())
        .extracting(Trial.Read::row)
        .as("rows are counted in each file")
        .containsExactly(1L, 2L, 1L);
  }

  @Test
  void aFileWithOtherColumnsIsNamed() {
    Trial.file(folder, "p1.csv", "a,b\n1,v\n");
    Trial.file(folder, "p2.csv", "a,c\n1,v\n");
    assertThatThrownBy(() -> Trial.of(folder + "/p*.csv", Map.of()).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("p2.csv has the columns a, c, but ")
        .hasMessageContaining("p1.csv has a, b.");
    assertThatThrownBy(
            () -> {
              Trial.file(folder, "q1.csv", "1,2\n");
              Trial.file(folder, "q2.csv", "1,2,3\n");
              Trial.of(folder + "/q*.csv", Map.of("header", "false")).read();
            })
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("q2.csv has 3 columns, but ");
  }

  @Test
  void aHeaderAloneIsATableWithoutRows() {
    Path file = Trial.file(folder, "header.csv", "a,b");
    assertThat(Trial.of(file, Map.of()).rows()).isEmpty();
    assertThat(Trial.of(file, Map.of()).schema().names()).containsExactly("a", "b");
  }

  @Test
  void aFirstRecordOfOneCharacterWithoutALineEndIsNoBlankLine() {
    Path file = Trial.file(folder, "one.csv", "\n,");
    assertThat(Trial.of(file, Map.of("header", "false")).schema().width()).isEqualTo(2);
    assertThat(Trial.of(file, Map.of("header", "false", "null-string", "-")).rows())
        .containsExactly(List.of("", ""));
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstName() {
    Path file = Trial.file(folder, "bom.csv", "\uFEFFa,b\n1,2\n");
    assertThat(Trial.of(file, Map.of()).schema().names()).containsExactly("a", "b");
    assertThat(Trial.of(file, Map.of("header", "false")).lanes(2, 3).rows())
        .containsExactly(List.of("a", "b"), List.of("1", "2"));
  }

  @Test
  void namelessAndDoubleNamesAreMadeUnique() {
    Path file = Trial.file(folder, "names.csv", "a,,a,a_2\n1,2,3,4\n");
    assertThat(Trial.of(file, Map.of("header", "true")).schema().names())
        .containsExactly("a", "column2", "a_2", "a_2_2");
  }

  @Test
  void blanksAroundANameBelongToItInsideQuotesOnly() {
    Path file = Trial.file(folder, "blanks.csv", "\" a \", b ,\" \"\" \", \n1,2,3,4\n");
    assertThat(Trial.of(file, Map.of("header", "true")).schema().names())
        .containsExactly(" a ", "b", " \" ", "column4");
  }

  /// Each line: line ends as written, then the dialect's newline.
  @ParameterizedTest
  @CsvSource({"LF,auto", "CRLF,auto", "CR,auto", "CR,CR", "CRLF,CRLF"})
  void lineEndsAreFoundOut(String written, String newline) {
    String end = written.replace("CR", "\r").replace("LF", "\n");
    Path file =
        Trial.file(folder, "ends.csv", "a,b" + end + "\"1\r\n2\",\"3\"" + end + "4,5" + end);
    assertThat(Trial.of(file, Map.of("newline", newline)).lanes(2, 4).rows())
        .containsExactly(List.of("1\r\n2", "3"), List.of("4", "5"));
  }

  @Test
  void membersAndFramesOneAfterTheOtherAreOneFile() throws Exception {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    for (String part : List.of("a,b\n1,\"x", "\ny\"\n", "", "2,z\n")) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      try (GZIPOutputStream member = new GZIPOutputStream(gzip)) {
        member.write(bytes);
      }
      zstd.write(Zstd.compress(bytes));
    }
    for (Path file :
        List.of(
            Trial.file(folder, "rows.csv.gz", gzip.toByteArray()),
            Trial.file(folder, "rows.csv.zst", zstd.toByteArray()),
            Trial.file(folder, "rows.csv", gzip.toByteArray()))) {
      assertThat(Trial.of(file, Map.of()).lanes(2, 1).rows())
          .as(file.toString())
          .containsExactly(List.of("1", "x\ny"), List.of("2", "z"));
    }
    assertThat(Trial.of("-", Map.of()).standardInput(gzip.toByteArray()).rows())
        .containsExactly(List.of("1", "x\ny"), List.of("2", "z"));
  }

  @Test
  void framesToBeSteppedOverMayStandAnywhere() throws Exception {
    byte[] skipped = {0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'};
    ByteArrayOutputStream zstd = new ByteArrayOutputStream();
    for (String part : List.of("a,b\n", "1,x\n")) {
      zstd.write(skipped);
      zstd.write(Zstd.compress(part.getBytes(StandardCharsets.UTF_8)));
    }
    zstd.write(skipped);
    Path file = Trial.file(folder, "rows.csv.zst", zstd.toByteArray());
    assertThat(Trial.of(file, Map.of()).rows()).containsExactly(List.of("1", "x"));
  }

  /// The parts of a header that gzip may write and Java's own streams never do.
  @Test
  void gzipHeadersMayHaveAllTheirParts() {
    CRC32 sum = new CRC32();
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    gzip.writeBytes(new byte[] {0x1F, (byte) 0x8B, 8, 30, 1, 2, 3, 4, 0, 3});
    gzip.writeBytes(new byte[] {2, 0, 'x', 'y', 'n', 'a', 'm', 'e', 0, 'c', 0});
    sum.update(gzip.toByteArray());
    gzip.write((int) sum.getValue());
    gzip.write((int) sum.getValue() >> 8);
    byte[] text = "a,b\n1,x\n".getBytes(StandardCharsets.UTF_8);
    gzip.writeBytes(new byte[] {1, (byte) text.length, 0, (byte) ~text.length, -1});
    gzip.writeBytes(text);
    sum.reset();
    sum.update(text);
    for (int shift = 0; shift < 32; shift += 8) {
      gzip.write((int) (sum.getValue() >> shift));
    }
    gzip.writeBytes(new byte[] {(byte) text.length, 0, 0, 0});
    Path file = Trial.file(folder, "rows.csv.gz", gzip.toByteArray());
    assertThat(Trial.of(file, Map.of()).rows()).containsExactly(List.of("1", "x"));
  }

  @Test
  void standardInputIsReadOnceAndWhole() {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < 200_000; i++) {
      text.append(i).append(",name ").append(i).append('\n');
    }
    Trial trial =
        Trial.of("-", Map.of()).standardInput(text.toString().getBytes(StandardCharsets.UTF_8));
    assertThat(trial.rows())
        .hasSize(200_000)
        .startsWith(List.of("0", "name 0"))
        .endsWith(List.of("199999", "name 199999"));
  }

  @Test
  void theFirstRecordMayBeLongerThanWhatIsLookedAt() {
    String large = "{\"text\":\"" + "x".repeat(3 << 20) + "\"}";
    byte[] text = (large + "\n{}\n").getBytes(StandardCharsets.UTF_8);
    Trial.file(folder, "1.jsonl", "{\"a\":1}\n".getBytes(StandardCharsets.UTF_8));
    Trial.file(folder, "2.jsonl", text);
    assertThat(Trial.of(folder.resolve("*.jsonl"), Map.of()).lanes(2, 1 << 20).rows())
        .containsExactlyInAnyOrder(List.of("{\"a\":1}"), List.of(large), List.of("{}"));
    assertThat(Trial.of(folder.resolve("2.jsonl"), Map.of()).rows())
        .containsExactly(List.of(large), List.of("{}"));
    assertThat(Trial.of("-", Map.of("format", "jsonl")).standardInput(text).rows())
        .containsExactly(List.of(large), List.of("{}"));
  }

  /// As DuckDB and jq have it; where lines stand is counted all the same.
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", " \t\n", "   \r\n"})
  void linesWithoutADocumentAreLeftOut(String lineEnd) {
    StringBuilder text = new StringBuilder("{\"n\":0}\n\n");
    List<List<String>> rows = new ArrayList<>(List.of(List.of("{\"n\":0}")));
    for (int i = 1; i < 40_000; i++) {
      text.append("{\"n\":").append(i).append("}\n").append("\n".repeat(i % 1000 == 0 ? 3 : 0));
      rows.add(List.of("{\"n\":" + i + "}"));
    }
    byte[] bytes = (text + "\n").replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
    Path file = Trial.file(folder, "gaps.jsonl", bytes);
    assertThat(stripped(Trial.of(file, Map.of()))).isEqualTo(rows);
    assertThat(stripped(Trial.of(file, Map.of()).lanes(3, 1 << 14)))
        .containsExactlyInAnyOrderElementsOf(rows);
    assertThat(stripped(Trial.of("-", Map.of("format", "jsonl")).standardInput(bytes)))
        .isEqualTo(rows);
    assertThat(new String(Trial.of(file, Map.of()).frames(), StandardCharsets.UTF_8).lines())
        .map(String::strip)
        .containsExactlyElementsOf(rows.stream().map(List::getFirst).toList());
  }

  private static List<List<String>> stripped(Trial trial) {
    return trial.rows().stream()
        .map(row -> List.of(String.valueOf(row.getFirst()).strip()))
        .toList();
  }

  @Test
  void aFirstRecordThatNeverEndsIsLookedAtNoFurtherThanAFieldMayGo() {
    byte[] text = ("a,\"" + "x".repeat(8 << 20)).getBytes(StandardCharsets.UTF_8);
    Path file = Trial.file(folder, "open.csv", text);
    assertThatThrownBy(() -> Trial.of(file, Map.of("max-field", "2MB")).rows())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is longer than 2162688 bytes, or has a quote that is never closed");
    Path documents = Trial.file(folder, "long.jsonl", "\"" + "x".repeat(3 << 20) + "\"\n");
    assertThatThrownBy(() -> Trial.of(documents, Map.of("max-field", "2MB")).rows())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).message().endsWith("is longer than 2162688 bytes.");
              assertThat(fault.advice()).contains("--max-field");
            });
  }

  @Test
  void anEmptyFileHasNoRowsWhereItsColumnsAreKnownAllTheSame() {
    Path documents = Trial.file(folder, "none.jsonl", "");
    assertThat(Trial.of(documents, Map.of()).rows()).isEmpty();
    Path file = Trial.file(folder, "none.csv", "");
    Map<String, String> named = Map.of("header", "false", "columns", "a:int64,b");
    assertThat(Trial.of(file, named).rows()).isEmpty();
    assertThatThrownBy(() -> Trial.of(file, Map.of("header", "false")).rows())
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("--columns"));
  }

  /// Each line: charset, and whether a file in it can be split between lanes.
  @ParameterizedTest
  @CsvSource({
    "UTF-8,true",
    "MS932,true",
    "EUC-JP,true",
    "ISO-8859-15,true",
    "GB18030,true",
    "UTF-16,false",
    "UTF-16LE,false",
    "ISO-2022-JP,false"
  })
  void filesInAnyCharsetAreRead(String charset, boolean splits) {
    String text = "名,b\n日本,1\n\"漢,\n字\",2\n";
    if (charset.startsWith("ISO-8859")) {
      text = "né,b\n5 €,1\n\"é,\nü\",2\n";
    }
    Path file = Trial.file(folder, "charset.csv", text.getBytes(Charset.forName(charset)));
    List<List<String>> expected =
        charset.startsWith("ISO-8859")
            ? List.of(List.of("5 €", "1"), List.of("é,\nü", "2"))
            : List.of(List.of("日本", "1"), List.of("漢,\n字", "2"));
    Trial trial = Trial.of(file, Map.of("charset", charset, "header", "true")).lanes(2, 3);
    assertThat(trial.rows().toString()).isEqualTo(expected.toString());
    assertThat(trial.schema().names()).containsExactly(text.substring(0, text.indexOf(',')), "b");
    SourceDescription description = describe(file, Map.of("charset", charset));
    assertThat(description.lanes().max()).isEqualTo(splits ? Integer.MAX_VALUE : 1);
    assertThat(description.lanes().why().isEmpty()).isEqualTo(splits);
  }

  @Test
  void aFileOfOnlyBytesThatMayBeDelimitersIsDecodedFirst() {
    Path file = Trial.file(folder, "bars.csv", "a|b\n表|1\n".getBytes(Charset.forName("MS932")));
    Map<String, String> parameters = Map.of("charset", "MS932", "delimiter", "|");
    assertThat(Trial.of(file, parameters).rows()).containsExactly(List.of("表", "1"));
    assertThat(describe(file, parameters).lanes().why())
        .isEqualTo("a file in windows-31j is read from its beginning");
  }

  @Test
  void rawRecordsPassAsTheyAreAndTheLastGetsItsLineEnd() {
    String text = "a,b\n1,\"x\"\n\n 2 ,\"y\ny\"\n3,";
    Path file = Trial.file(folder, "raw.csv", text);
    for (int lanes : List.of(1, 2)) {
      assertThat(
              new String(Trial.of(file, Map.of()).lanes(lanes, 4).frames(), StandardCharsets.UTF_8))
          .isEqualTo("1,\"x\"\n 2 ,\"y\ny\"\n3,\n");
    }
  }

  @Test
  void rawRecordsAllHaveTheLineEndThatTheirFormNames() {
    Path file = Trial.file(folder, "mixed.csv", "a,b\n1,x\r\n2,y\n");
    assertThat(describe(file, Map.of()).forms().getFirst().signature())
        .isEqualTo("delimiter=,;quote=\";escape=\";null=;newline=LF;header=false;charset=UTF-8");
    assertThat(new String(Trial.of(file, Map.of()).frames(), StandardCharsets.UTF_8))
        .isEqualTo("1,x\n2,y\n");
  }

  @Test
  void rawRecordsAreNotOfferedWhereColumnsAreLeftOutOrMoved() throws Exception {
    Path file = Trial.file(folder, "p1.csv", "a,b\n1,x\n");
    Endpoint endpoint = new Endpoint("file", file.toString(), Map.of(), Secret.NONE);
    Selection some = new Selection(List.of("a"), null, Long.MAX_VALUE);
    try (Source source = new FileConnector().source(endpoint, some, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Untyped()).description().forms()).isEmpty();
    }
    Files.writeString(folder.resolve("p2.csv"), "b,a\nx,1\n");
    assertThat(describe(Path.of(folder + "/p*.csv"), Map.of()).forms()).isEmpty();
  }

  @Test
  void rowsAreEstimatedFromWhatWasLookedAtAnywhereInTheFile() {
    Path file = Trial.file(folder, "long.csv", "id,name\n" + "12345,0123456789\n".repeat(300_000));
    assertThat(describe(file, Map.of()).size().rows()).isBetween(299_000L, 301_000L);
  }

  /// It is refused before it is looked at: what is read of it is gone.
  @Test
  void standardInputIsNotReadBySeveralProcesses() throws IOException {
    InputStream nobodyReads = InputStream.nullInputStream();
    nobodyReads.close();
    FileConnector connector = new FileConnector(nobodyReads, OutputStream.nullOutputStream());
    EndOpener opener =
        new EndOpener(new ConnectorRegistry(List.of(connector)), RetryPolicy.NONE, _ -> {});
    Endpoint standard = new Endpoint("file", "-", Map.of(), Secret.NONE);
    assertThatThrownBy(() -> opener.moment(standard))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("one machine"))
        .hasMessage("Standard input can't be read by several processes: it is one stream.");
  }

  private static SourceDescription describe(Path file, Map<String, String> parameters) {
    Endpoint endpoint = new Endpoint("file", file.toString(), parameters, Secret.NONE);
    try (Source source = new FileConnector().source(endpoint, Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Untyped()).description();
    }
  }
}
