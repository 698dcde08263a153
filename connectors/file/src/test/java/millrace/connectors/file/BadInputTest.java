package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.csv.CsvDialect;
import millrace.connectors.file.csv.CsvForm;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.Stage;
import millrace.spi.read.ColumnRequest;
import millrace.spi.write.Rejects.Reject;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad input gets one clear error that says where; set aside, it is the record byte for byte, and
/// the records around it are read.
class BadInputTest {

  private static final String GOOD = "1,one,2024-01-01\n";

  @TempDir Path folder;

  static Stream<Arguments> badRecords() {
    return Stream.of(
        Arguments.of("too few fields", "2,two\n", 2, "", "2 fields instead of 3."),
        Arguments.of("too many fields", "2,two,2024-01-02,x,y\n", 2, "", "5 fields instead of 3."),
        Arguments.of(
            "text after a quote",
            "2,\"two\"x,2024-01-02\n",
            2,
            "b",
            "'x' follows the closing quote at byte 30; a quote inside quotes is written \"\"."),
        Arguments.of(
            "a quoted line before text after a quote",
            "2,\"t\nwo\"x,2024-01-02\n",
            2,
            "b",
            "'x' follows the closing quote at byte 31; a quote inside quotes is written \"\"."),
        Arguments.of("no integer", "2x,two,2024-01-02\n", 2, "a", "'2x' is no int64."),
        Arguments.of(
            "no date",
            "2,two,2024-02-30\n",
            2,
            "c",
            "'2024-02-30' is no date, at byte 29 (line 3)."),
        Arguments.of(
            "a date in another format",
            "2,two,3/1/2024\n",
            2,
            "c",
            "'3/1/2024' is no date (date-format says how they are spelled, for example"
                + " dd/MM/yyyy), at byte 29 (line 3)."),
        Arguments.of(
            "a date with a time",
            "2,two,2024-01-02 12:00:00\n",
            2,
            "c",
            "'2024-01-02 12:00:00' is no date (it has a time of day), at byte 29 (line 3)."),
        Arguments.of(
            "a number that is missing",
            "NULL,two,2024-01-02\n",
            2,
            "a",
            "'NULL' is no int64 (null-string=NULL makes it missing)."),
        Arguments.of(
            "a long value is cut short",
            "x".repeat(100) + ",two,2024-01-02\n",
            2,
            "a",
            "'" + "x".repeat(60) + "…' is no int64."),
        Arguments.of(
            "a value after a line end in quotes",
            "2,\"t\nwo\",never\n",
            2,
            "c",
            "'never' is no date, at byte 32 (line 4)."),
        Arguments.of(
            "a quoted empty number",
            "\"\",two,2024-01-02\n",
            2,
            "a",
            "'' is no int64 (a quoted empty field is an empty text; quoted-null=true makes it"
                + " missing), at byte 24 (line 3)."),
        Arguments.of(
            "a NUL character",
            "2,t\0wo,2024-01-02\n",
            2,
            "b",
            "a NUL character, which no text may hold (byte 26, line 3)."),
        Arguments.of(
            "a field over max-field",
            "2," + "y".repeat(300) + ",2024-01-02\n",
            2,
            "b",
            "the field that begins on line 3, byte 25, is longer than 200 bytes (max-field)."));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badRecords")
  void aBadRecordIsReportedAndSetAside(
      String name, String record, long row, String column, String reason) {
    Path file = Trial.file(folder, "bad.csv", "a,b,c\n" + GOOD + record + GOOD);
    Map<String, String> parameters =
        Map.of("columns", "a:int64,b:text,c:date", "header", "true", "max-field", "200B");
    for (int lanes : List.of(1, 2)) {
      List<Trial.Read> found = Trial.of(file, parameters).lanes(lanes, 5).rejects().read();
      List<Trial.Read> rejects = found.stream().filter(each -> each.reject() != null).toList();
      assertThat(rejects).hasSize(1);
      Reject reject = Objects.requireNonNull(rejects.getFirst().reject());
      assertThat(reject.resource()).isEqualTo(file.toString());
      assertThat(reject.row()).isEqualTo(row);
      assertThat(reject.line()).isEqualTo(3);
      assertThat(reject.byteOffset()).isEqualTo(6 + GOOD.length());
      assertThat(reject.column()).isEqualTo(column);
      assertThat(reject.reason()).isEqualTo(reason);
      assertThat(new String(reject.record(), StandardCharsets.UTF_8)).isEqualTo(record);
      assertThat(found).filteredOn(each -> each.reject() == null).hasSize(2);
    }
    assertThatThrownBy(() -> Trial.of(file, parameters).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(reason);
  }

  /// Bad values are found column by column, and told in the order of the file.
  @Test
  void manyBadRecordsHaveTheirLinesEach() {
    Random random = new Random(7);
    StringBuilder csv = new StringBuilder("a,b,c\n");
    List<Long> lines = new ArrayList<>();
    long line = 2;
    for (int i = 0; i < 20_000; i++) {
      int kind = random.nextInt(8);
      String text = random.nextInt(3) == 0 ? "\"x\ny\n\"" : "x";
      csv.append(kind == 0 ? "1x" : "1").append(',').append(text).append(',');
      csv.append(kind == 1 ? "2y" : "2").append(kind == 2 ? ",3\n" : "\n");
      if (kind <= 2) {
        lines.add(line);
      }
      line += text.length() > 1 ? 3 : 1;
    }
    Path file = Trial.file(folder, "many.csv", csv.toString());
    Map<String, String> options = Map.of("header", "true", "columns", "a:int64,b:text,c:int64");
    for (int lanes : List.of(1, 2)) {
      List<Trial.Read> found = Trial.of(file, options).lanes(lanes, 1 << 16).rejects().read();
      assertThat(found)
          .filteredOn(each -> each.reject() != null)
          .extracting(each -> Objects.requireNonNull(each.reject()).line())
          .containsExactlyInAnyOrderElementsOf(lines);
      assertThat(found)
          .filteredOn(each -> each.reject() != null)
          .map(each -> Objects.requireNonNull(each.reject()))
          .filteredOn(each -> each.column().equals("c"))
          .allMatch(
              each -> each.reason().contains("(line " + (each.line() + lineEnds(each)) + ")"));
    }
  }

  @Test
  void settingBadRecordsAsideIsAStageOfItsOwn() {
    Map<String, String> options = Map.of("header", "true", "columns", "a:int64");
    Trial good = Trial.of(Trial.file(folder, "good.csv", "a\n1\n2\n"), options).rejects();
    assertThat(good.read()).hasSize(2);
    assertThat(good.clock().nanos(Stage.REJECT)).isZero();
    Trial bad = Trial.of(Trial.file(folder, "bad.csv", "a\n1\nx\n"), options).rejects();
    assertThat(bad.read()).hasSize(2);
    assertThat(bad.clock().nanos(Stage.REJECT)).isPositive();
    assertThat(bad.clock().stage()).isNotEqualTo(Stage.REJECT);
  }

  private static long lineEnds(Reject reject) {
    String record = new String(reject.record(), StandardCharsets.UTF_8).stripTrailing();
    return record.chars().filter(c -> c == '\n').count();
  }

  @Test
  void aQuoteThatIsNeverClosedIsReportedWhereItOpened() {
    Path file = Trial.file(folder, "open.csv", "a,b\n1,x\n2,\"y\n3,z\n4,w\n");
    assertThatThrownBy(() -> Trial.of(file, Map.of("header", "true")).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("line 3, byte 8, row 2, column 'b'")
        .hasMessageContaining("the quote opened on line 3, byte 10, is never closed.");
  }

  @Test
  void instantsWithoutAnOffsetAreReadByTheClocksOfATimeZoneOrRefused() {
    String twice = "2024-10-27 02:30:00";
    Path file = Trial.file(folder, "instants.csv", "at\n2024-07-01 12:00:00\n" + twice + "\n");
    Map<String, String> declared = Map.of("columns", "at:timestamptz", "header", "true");
    assertThat(Trial.of(file, declared).rejects().read())
        .extracting(each -> Objects.requireNonNull(each.reject()).reason())
        .first(InstanceOfAssertFactories.STRING)
        .isEqualTo(
            "'2024-07-01 12:00:00' is no timestamptz (it has no offset from UTC, such as +00;"
                + " time-zone says where its clock stood).");
    Map<String, String> zoned = new HashMap<>(declared);
    zoned.put("time-zone", "Europe/Berlin");
    List<Trial.Read> found = Trial.of(file, zoned).rejects().read();
    assertThat(found.getLast().fields()).containsExactly("2024-07-01 10:00:00+00");
    assertThat(Objects.requireNonNull(found.getFirst().reject()).reason())
        .isEqualTo(
            "'"
                + twice
                + "' is no timestamptz (the clocks of Europe/Berlin showed it twice, or never).");
  }

  /// Much more than fits a buffer, or what a field may have: it is stepped over, not held.
  @Test
  void aFieldFarOverTheLimitIsSteppedOver() {
    String huge = "2,\"" + "y\n".repeat(3_000_000) + "\",\"z\"\"\"\n";
    Path file = Trial.file(folder, "huge.csv", "a,b,c\n1,x,\n" + huge + "3,v,w\n");
    for (int lanes : List.of(1, 2)) {
      List<Trial.Read> found =
          Trial.of(file, Map.of("header", "true", "max-field", "1MB"))
              .lanes(lanes, 1 << 20)
              .rejects()
              .read();
      assertThat(found).hasSize(3);
      Reject reject = Objects.requireNonNull(found.get(1).reject());
      assertThat(reject.row()).isEqualTo(2);
      assertThat(reject.line()).isEqualTo(3);
      assertThat(reject.reason())
          .isEqualTo(
              "the field that begins on line 3, byte 13, is longer than 1048576 bytes (max-field);"
                  + " perhaps its quote is never closed. Of a record so long only the beginning is"
                  + " set aside, "
                  + reject.record().length
                  + " bytes.");
      assertThat(found.get(2).row()).isEqualTo(3);
      assertThat(found.get(2).line()).isEqualTo(3_000_004);
      assertThat(found.get(2).fields()).containsExactly("3", "v", "w");
    }
  }

  static Stream<Arguments> garbled() {
    return Stream.of(
        Arguments.of("UTF-8", ",", new byte[] {'x', (byte) 0xE9, 'y'}, 1, "0xE9"),
        Arguments.of("UTF-8", ",", new byte[] {(byte) 0xED, (byte) 0xA0, (byte) 0x80}, 0, "0xED"),
        Arguments.of("windows-31j", ",", new byte[] {'x', (byte) 0xFD, 'y'}, 1, "0xFD"),
        Arguments.of("windows-31j", "|", new byte[] {'x', (byte) 0xFD, 'y'}, 1, "0xFD"),
        Arguments.of("EUC-JP", ",", new byte[] {(byte) 0xA4, 'y'}, 0, "0xA4"));
  }

  /// Byte offsets and set-aside records are the file's own, decoded or not.
  @ParameterizedTest(name = "{0} with {1} between fields")
  @MethodSource("garbled")
  void bytesThatAreNoCharactersAreReportedWhereTheyStand(
      String charset, String delimiter, byte[] wrong, int at, String which) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Charset of = Charset.forName(charset);
    bytes.write(("a" + delimiter + "b\n日本" + delimiter + "1\n語語" + delimiter).getBytes(of));
    int offset = bytes.size() + at;
    bytes.write(wrong);
    bytes.write(("\n表" + delimiter + "2\n").getBytes(of));
    byte[] all = bytes.toByteArray();
    Path file = Trial.file(folder, "garbled.csv", all);
    List<Trial.Read> found =
        Trial.of(file, Map.of("charset", charset, "delimiter", delimiter, "header", "true"))
            .rejects()
            .read();
    assertThat(found).hasSize(3);
    Reject reject =
        found.stream().flatMap(each -> Stream.ofNullable(each.reject())).findFirst().orElseThrow();
    int start = ("a" + delimiter + "b\n日本" + delimiter + "1\n").getBytes(of).length;
    assertThat(reject.reason())
        .isEqualTo(
            "byte "
                + which
                + " is no "
                + charset
                + " (byte "
                + offset
                + ", line 3). Say what the source is written in: --charset NAME, or ?charset=NAME"
                + " behind its own name.");
    assertThat(reject.row()).isEqualTo(2);
    assertThat(reject.byteOffset()).isEqualTo(start);
    assertThat(reject.record())
        .isEqualTo(Arrays.copyOfRange(all, start, offset - at + wrong.length + 1));
    assertThat(found)
        .filteredOn(each -> each.reject() == null)
        .extracting(Trial.Read::fields)
        .containsExactlyInAnyOrder(List.of("日本", "1"), List.of("表", "2"));
  }

  @Test
  void aValueThatDoesNotFitSendsTheWholeBatchByTheFallbackForm() {
    Path file = Trial.file(folder, "fits.csv", "a,b\n1,x\n0x3,y\n3\n4,z\n");
    Form csv = CsvForm.of(CsvDialect.CSV.as(CsvDialect.Newline.LF));
    List<Trial.Read> found =
        Trial.of(file, Map.of("columns", "a:int64", "header", "true"))
            .fallback(csv)
            .rejects()
            .read();
    assertThat(found).hasSize(2);
    assertThat(found.getFirst().reject()).isNotNull();
    assertThat(found.getLast().fields()).containsExactly("frames of 3: 1,x\n0x3,y\n4,z\n");
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("empty", new byte[0], Map.of(), "is empty: there is not even a header."),
        Arguments.of(
            "a byte order mark alone",
            new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
            Map.of(),
            "is empty: there is not even a header."),
        Arguments.of(
            "a header that can't be read",
            "a,\"b\"c\n1,2\n".getBytes(StandardCharsets.UTF_8),
            Map.of(),
            "can't be read (text after a closing quote)."),
        Arguments.of(
            "a column that is not there",
            "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8),
            Map.of("columns", "amount:int64"),
            "columns= names 'amount'"),
        Arguments.of(
            "too few names",
            "1,2\n".getBytes(StandardCharsets.UTF_8),
            Map.of("columns", "amount:int64", "header", "false"),
            "columns= names 1 columns, but"),
        Arguments.of(
            "an unknown type",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("columns", "a:integr"),
            "The type 'integr' is not known."),
        Arguments.of(
            "an unknown charset",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("charset", "utf-9"),
            "The charset 'utf-9' is not known."),
        Arguments.of(
            "an unknown line end",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("newline", "unix"),
            "newline=unix is not known"),
        Arguments.of(
            "a delimiter like the quote",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("delimiter", "\""),
            "The delimiter and the quote have a character in common."),
        Arguments.of(
            "an escape without quotes that is a letter",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("quote", "none", "escape", "n"),
            "escape=n is not one character, or has a meaning behind an escape."),
        Arguments.of(
            "a delimiter that has a meaning behind an escape",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("format", "text", "delimiter", "t"),
            "The delimiter 't' has another meaning behind an escape."),
        Arguments.of(
            "escaped text with a length prefix",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("format", "text", "length-prefix", "3"),
            "Text without quotes has neither length prefixes nor documents"),
        Arguments.of(
            "escaped text with quotes",
            "a\n".getBytes(StandardCharsets.UTF_8),
            Map.of("format", "text", "quote", "\""),
            "The format text has no quotes"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refused")
  void whatCanNotBeUnderstoodIsRefusedBeforeTheFirstRow(
      String name, byte[] bytes, Map<String, String> parameters, String message) {
    Path file = Trial.file(folder, "refused.csv", bytes);
    assertThatThrownBy(() -> Trial.of(file, parameters).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingFileIsNamedWithTheNearestThatExists() {
    Trial.file(folder, "orders.csv", "a\n1\n");
    assertThatThrownBy(() -> Trial.of(folder.resolve("order.csv"), Map.of()).read())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessageContaining("There is no file")
                  .hasMessageContaining("order.csv");
              assertThat(fault.advice()).isEqualTo("Did you mean 'orders.csv'?");
            });
    assertThatThrownBy(() -> Trial.of(folder.resolve("*.tsv"), Map.of()).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("No file matches");
  }

  @Test
  void compressedFilesThatAreCutOffOrMisnamedAreReported() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
      for (int i = 0; i < 100_000; i++) {
        stream.write(
            (i + "," + Integer.toHexString(i * 31) + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    byte[] half = Arrays.copyOf(packed.toByteArray(), packed.size() / 2);
    Path cut = Trial.file(folder, "cut.csv.gz", half);
    assertThatThrownBy(() -> Trial.of(cut, new HashMap<>()).read())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("cut.csv.gz")
        .hasMessageContaining("it ends in the middle of the compressed data");
    Path plain = Trial.file(folder, "plain.csv.gz", "a,b\n1,2\n");
    assertThatThrownBy(() -> Trial.of(plain, Map.of()).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("plain.csv.gz is not compressed as its name says.");
    byte[] frame = Zstd.compress("a,b\n1,2\n".getBytes(StandardCharsets.UTF_8));
    Path cutFrame = Trial.file(folder, "cut.csv.zst", Arrays.copyOf(frame, frame.length - 1));
    assertThatThrownBy(() -> Trial.of(cutFrame, Map.of()).read())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("it ends in the middle of the compressed data");
  }

  /// A file is opened more than once, and what a pipe has given does not come again.
  @Test
  void aPipeIsRefusedNotReadHalf() {
    assertThatThrownBy(() -> Trial.of("/dev/null", Map.of()).read())
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining("/dev/null is a pipe or a device");
              assertThat(fault.advice()).contains("- instead of its name, and < /dev/null");
            });
  }

  @Test
  void whatFollowsAGzipMemberAndIsNoneIsReportedNotLeftOut() throws Exception {
    byte[] first = gzip("a,b\n1,2\n");
    byte[] second = gzip("3,4\n");
    byte[] damaged = second.clone();
    damaged[1]++;
    byte[] otherLength = first.clone();
    otherLength[first.length - 4]++;
    byte[] otherSum = first.clone();
    otherSum[first.length - 8]++;
    Map<byte[], String> files =
        Map.of(
            concat(first, damaged),
            "what follows a member is none",
            concat(first, "junk".getBytes(StandardCharsets.UTF_8)),
            "something that is no gzip",
            concat(first, Arrays.copyOf(second, 1)),
            "ends in the middle",
            concat(first, Arrays.copyOf(second, 9)),
            "ends in the middle",
            otherLength,
            "another checksum or length",
            otherSum,
            "another checksum or length");
    files.forEach((bytes, message) -> {
      Path file = Trial.file(folder, "rows.csv.gz", bytes);
      assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining(message);
    });
    Path padded = Trial.file(folder, "rows.csv.gz", concat(first, new byte[700]));
    assertThat(Trial.of(padded, Map.of()).rows()).containsExactly(List.of("1", "2"));
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
      stream.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  private static byte[] concat(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-32LE"})
  void aFileOfAnotherUnicodeCharsetIsNamedByItsByteOrderMark(String charset) {
    byte[] bytes = "\uFEFFid,name\n1,\u00e4\n".getBytes(Charset.forName(charset));
    Path file = Trial.file(folder, "wide.csv", bytes);
    assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("wide.csv begins with the byte order mark of " + charset)
        .hasMessageContaining("it is no UTF-8");
    assertThat(Trial.of(file, Map.of("charset", charset)).rows())
        .containsExactly(List.of("1", "\u00e4"));
  }

  @Test
  void aFileThatIsWrittenToWhileItIsReadIsToldOf() {
    Path file = Trial.file(folder, "in.csv", "id,v\n1,a\n2,b\n");
    Trial written = Trial.of(file, Map.of()).whileRead(() -> writeLater(file, "id,v\n1,x\n2,y\n"));
    assertThatThrownBy(written::read)
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("in.csv was written to while it was read.");
    Trial added = Trial.of(file, Map.of());
    added.whileRead(() -> writeLater(file, "id,v\n1,x\n2,y\n3,z\n"));
    assertThat(added.rows()).containsExactly(List.of("1", "x"), List.of("2", "y"));
  }

  private static void writeLater(Path file, String text) {
    try {
      Instant before = Files.getLastModifiedTime(file).toInstant();
      Files.writeString(file, text);
      Files.setLastModifiedTime(file, FileTime.from(before.plusSeconds(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theTypesOfASampleAreReportedNotChangedWhenALaterValueDoesNotFit() {
    String text = "id,v\n" + "1,2\n".repeat(400_000) + "x,3\n" + "1,2\n".repeat(10);
    Path file = Trial.file(folder, "later.csv", text);
    assertThatThrownBy(() -> Trial.of(file, Map.of()).wanted(new ColumnRequest.Typed()).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "line 400002, byte 1600005, row 400001, column 'id': 'x' is no int64. Its type is a"
                + " guess by sample; --columns gives another.");
  }

  /// A code is not its number, nor are digits that a float does not keep.
  @ParameterizedTest
  @CsvSource({
    "10115, 01067, int64, int32",
    "1e3, 0.12345678901234567891, float64, float64",
    "1e3, 9007199254740993, float64, decimal",
    "true, 1, boolean, boolean",
  })
  void aValueThatWouldHaveMadeAnotherGuessIsReportedUnlessItsTypeIsDeclared(
      String first, String later, String guess, String declared) {
    String text = "id,v\n" + ("1," + first + "\n").repeat(400_000) + "2," + later + "\n";
    Path file = Trial.file(folder, "guess.csv", text + ("1," + first + "\n").repeat(10));
    assertThatThrownBy(() -> Trial.of(file, Map.of()).wanted(new ColumnRequest.Typed()).read())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 400001, column 'v': '" + later + "' is no " + guess)
        .hasMessageContaining("a guess by sample; --columns gives another");
    for (Trial trial :
        List.of(
            Trial.of(file, Map.of("columns", "v:" + declared)).wanted(new ColumnRequest.Typed()),
            Trial.of(file, Map.of()).wanted(like("v", declared)))) {
      assertThat(trial.rows()).hasSize(400_011);
    }
  }

  private static ColumnRequest like(String name, String type) {
    Endpoint endpoint = new Endpoint("", "", Map.of("columns", name + ":" + type), Secret.NONE);
    Type declared = Objects.requireNonNull(ColumnsOption.of(endpoint, "columns").getFirst().type());
    return new ColumnRequest.Like(
        Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of(name, declared))), false);
  }
}
