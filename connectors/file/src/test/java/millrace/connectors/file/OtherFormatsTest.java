package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorOutputStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Files that are no plain text: compressed ones are read as what is in them, others are neither
/// read nor written over, and no text gets the name of one.
class OtherFormatsTest {

  private static final List<List<@Nullable String>> ROWS = List.of(List.of("1", "x"));

  @TempDir Path folder;

  private interface Packer {
    OutputStream open(OutputStream to) throws IOException;
  }

  private static byte[] packed(byte[] bytes, Packer packer) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream stream = packer.open(packed)) {
      stream.write(bytes);
    }
    return packed.toByteArray();
  }

  private static byte[] packed(String ending, byte[] bytes) throws IOException {
    return switch (ending) {
      case "bz2" -> packed(bytes, BZip2CompressorOutputStream::new);
      case "xz" -> packed(bytes, XZCompressorOutputStream::new);
      case "gz" -> packed(bytes, GZIPOutputStream::new);
      default -> zip(Map.of("rows.csv", bytes));
    };
  }

  private static byte[] zip(Map<String, byte[]> members) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("folder/"));
      for (Map.Entry<String, byte[]> member : members.entrySet()) {
        zip.putNextEntry(new ZipEntry("folder/" + member.getKey()));
        zip.write(member.getValue());
      }
    }
    return bytes.toByteArray();
  }

  private static byte[] text(int rows) {
    StringBuilder text = new StringBuilder("a,b\n");
    for (int i = 0; i < rows; i++) {
      text.append(i).append(',').append(Integer.toHexString(i * 7_919)).append('\n');
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] sqlite() {
    return Arrays.copyOf("SQLite format 3\0".getBytes(StandardCharsets.US_ASCII), 8_192);
  }

  private static void assertRefused(ThrowingCallable call, String message, String advice) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessageContaining(message);
              assertThat(fault.advice()).contains(advice);
            });
  }

  /// By its content: a name without the ending is no hindrance.
  @ParameterizedTest
  @ValueSource(strings = {"rows.csv.bz2", "rows.csv.xz", "rows.csv.zip", "rows.zip", "xz", "bz2"})
  void aCompressedFileIsReadAsWhatIsInIt(String name) throws IOException {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    Path file = Files.write(folder.resolve(name), packed(ending, text(100_000)));
    List<List<@Nullable String>> rows = Trial.of(file, Map.of()).lanes(4, 1_000).rows();
    assertThat(rows).hasSize(100_000);
    assertThat(rows.getLast()).containsExactly("99999", Integer.toHexString(99_999 * 7_919));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bz2", "xz"})
  void streamsOneAfterTheOtherAreOneAlsoFromStandardInput(String ending) throws IOException {
    byte[] first = packed(ending, text(1));
    byte[] second = packed(ending, "5,6\n".getBytes(StandardCharsets.UTF_8));
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    List<List<@Nullable String>> rows = List.of(List.of("0", "0"), List.of("5", "6"));
    assertThat(Trial.of("-", Map.of()).standardInput(both).rows()).isEqualTo(rows);
    Path file = Files.write(folder.resolve("rows.csv." + ending), both);
    assertThat(Trial.of(file, Map.of()).rows()).isEqualTo(rows);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bz2", "xz", "zip"})
  void aCompressedFileThatIsCutOffOrDamagedIsTold(String ending) throws IOException {
    byte[] whole = packed(ending, text(20_000));
    Path file = folder.resolve("rows.csv." + ending);
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining(file.toString());
    byte[] damaged = whole.clone();
    for (int i = 0; i < 100; i++) {
      damaged[whole.length / 2 + i] ^= 0x55;
    }
    Files.write(file, damaged);
    assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining(file.toString());
  }

  @ParameterizedTest
  @CsvSource({"bz2,60", "xz,-20", "zip,64"})
  void oneOtherBitIsSeen(String ending, int at) throws IOException {
    byte[] bytes = ending.equals("zip") ? stored(text(10)) : packed(ending, text(10));
    bytes[at < 0 ? bytes.length + at : at] ^= 1;
    Path file = Files.write(folder.resolve("rows.csv." + ending), bytes);
    assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
        .isInstanceOfSatisfying(
            Fault.External.class,
            fault -> {
              assertThat(fault).hasMessageContaining(file.toString());
              assertThat(fault.advice()).isEqualTo("It is damaged: get it again.");
            });
  }

  /// As it is, without compression.
  private static byte[] stored(byte[] bytes) throws IOException {
    CRC32 sum = new CRC32();
    sum.update(bytes);
    ZipEntry entry = new ZipEntry("rows.csv");
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(sum.getValue());
    return packed(
        bytes,
        to -> {
          ZipOutputStream zip = new ZipOutputStream(to);
          zip.putNextEntry(entry);
          return zip;
        });
  }

  @Test
  void aZipFileOfSeveralFilesIsRefusedWithTheirNames() throws IOException {
    byte[] rows = text(1);
    Path file = Files.write(folder.resolve("x.zip"), zip(Map.of("a.csv", rows, "b.csv", rows)));
    assertThatThrownBy(() -> Trial.of(file, Map.of()).read())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("2 files")
        .hasMessageContaining("folder/a.csv")
        .hasMessageContaining("folder/b.csv");
    Map<String, byte[]> many =
        Map.of("1", rows, "2", rows, "3", rows, "4", rows, "5", rows, "6", rows, "7", rows);
    Files.write(file, zip(many));
    assertRefused(() -> Trial.of(file, Map.of()).read(), "7 files", "Unpack it");
    byte[] secret = encrypted(zip(Map.of("a.csv", rows)));
    Files.write(file, secret);
    assertRefused(() -> Trial.of(file, Map.of()).read(), "x.zip is encrypted.", "Unpack it");
    Files.write(file, zip(Map.of()));
    assertRefused(() -> Trial.of(file, Map.of()).read(), "x.zip holds no file.", "Name another");
    assertRefused(
        () -> Trial.of(file, Map.of()).mode(Mode.REPLACE).write(ROWS, 2),
        "can't be written",
        ".gz");
    assertRefused(
        () -> Trial.of("-", Map.of()).standardInput(zip(many)).read(),
        "Standard input is a zip file",
        "unzip -p");
  }

  /// As the Finder of macOS makes one.
  @Test
  void whatASystemPutsBesideTheFileIsLeftOut() throws IOException {
    Map<String, byte[]> members = new LinkedHashMap<>();
    members.put(".DS_Store", new byte[10]);
    members.put("a.csv", text(1));
    members.put("._a.csv", new byte[10]);
    Path file = Files.write(folder.resolve("x.zip"), zip(members));
    assertThat(Trial.of(file, Map.of()).rows()).containsExactly(List.of("0", "0"));
  }

  /// Sets the flag in the header before each file and in that of the directory.
  private static byte[] encrypted(byte[] zip) {
    for (int at = 0; at < zip.length - 4; at++) {
      boolean header = zip[at] == 'P' && zip[at + 1] == 'K';
      if (header && zip[at + 2] == 3) {
        zip[at + 6] |= 1;
      } else if (header && zip[at + 2] == 1) {
        zip[at + 8] |= 1;
      }
    }
    return zip;
  }

  /// JSON Lines and tabs are known by the name before the ending.
  @Test
  void theNameBeforeTheEndingSaysWhatIsInTheFile() throws IOException {
    byte[] documents = "{\"a\":1}\n".getBytes(StandardCharsets.UTF_8);
    Path file = Files.write(folder.resolve("x.jsonl.xz"), packed("xz", documents));
    assertThat(Trial.of(file, Map.of()).rows()).containsExactly(List.of("{\"a\":1}"));
    Path zip = Files.write(folder.resolve("x.zip"), zip(Map.of("x.jsonl", documents)));
    assertThat(Trial.of(zip, Map.of()).rows()).containsExactly(List.of("{\"a\":1}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"shop.db", "x.csv", "x.jsonl", "x"})
  void whatIsNoTextIsNamedAndNotRead(String name) throws IOException {
    Path file = Files.write(folder.resolve(name), sqlite());
    assertRefused(
        () -> Trial.of(file, Map.of()).read(),
        file + " is an SQLite database, not text.",
        "sqlite:" + file);
    assertRefused(
        () -> Trial.of(file, Map.of("format", "csv")).read(), "an SQLite database", "sqlite:");
    Files.write(folder.resolve("a.csv"), text(1));
    assertRefused(() -> Trial.of(folder, Map.of()).read(), "an SQLite database", "sqlite:");
    assertRefused(
        () -> Trial.of(folder.resolve("*"), Map.of()).read(), "an SQLite database", "sqlite:");
    assertRefused(
        () -> Trial.of("-", Map.of()).standardInput(sqlite()).read(),
        "standard input is an SQLite database",
        "sqlite:FILE");
  }

  @Test
  void whatIsNoTextInsideACompressedFileIsNamedToo() throws IOException {
    Path file = Files.write(folder.resolve("x.gz"), packed("gz", sqlite()));
    assertRefused(
        () -> Trial.of(file, Map.of()).read(),
        file + ", unpacked, is an SQLite database, not text.",
        "Unpack it first");
  }

  @ParameterizedTest
  @CsvSource({
    "out.xlsx, an Excel workbook, Name a file that ends in .csv",
    "out.DuckDB, a DuckDB database, duckdb:",
    "out.db, a DuckDB database, duckdb:",
    "out.pq, a Parquet file, parquet:",
    "out.sqlite, an SQLite database, sqlite:",
    "out.avro, an Avro file, Name a file",
    "out.orc, an ORC file, Name a file",
    "out.tar.gz, a tar archive, Name a file",
    "out.xml, ends in .xml, --format csv",
    "out.json, a JSON file, --format jsonl",
    "out.csv.zip, .zip files are only read, .csv.gz",
    "out.csv.bz2, .bz2 files are only read, .csv.gz",
    "out.csv.xz, .xz files are only read, .csv.zst",
  })
  void noTextIsWrittenUnderANameThatPromisesSomethingElse(
      String name, String message, String advice) {
    Path file = folder.resolve(name);
    for (Mode mode : List.of(Mode.CREATE, Mode.REPLACE, Mode.APPEND)) {
      assertRefused(() -> Trial.of(file, Map.of()).mode(mode).write(ROWS, 2), message, advice);
    }
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "out",
        "out.csv",
        "out.TSV",
        "out.tab",
        "out.txt",
        "out.dat.gz",
        "out.csv.zst",
        "orders.2026"
      })
  void textIsWrittenUnderTheNamesOfTexts(String name) {
    Path file = folder.resolve(name);
    Trial.of(file, Map.of()).write(ROWS, 2);
    assertThat(file).isNotEmptyFile();
  }

  /// What a sweep writes in the place of its target.
  @ParameterizedTest
  @ValueSource(strings = {"out", "out.gz", "orders.2026", "out.tsv.zst"})
  void aScratchFileHasTheNameOfATextTooAndIsRefusedByTheTargetsName(String name) {
    FileConnector connector = new FileConnector();
    Endpoint scratch = connector.scratch(endpoint(name), "scratch");
    assertThat(scratch).isNotNull();
    Trial.of(scratch.location(), scratch.parameters()).write(ROWS, 2);
    connector.discard(scratch);
    assertThat(folder).isEmptyDirectory();
    assertRefused(
        () -> connector.scratch(endpoint(name + ".xlsx"), "scratch"), name + ".xlsx", ".csv");
  }

  private Endpoint endpoint(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  @Test
  void formatSaysThatANewFileOfAnyNameIsAText() throws IOException {
    Path file = folder.resolve("out.db");
    Trial.of(file, Map.of("format", "csv")).write(ROWS, 2);
    assertThat(file).hasContent("a,b\n1,x\n");
    Trial.of(file, Map.of("format", "csv")).mode(Mode.APPEND).write(ROWS, 2);
    assertThat(file).hasContent("a,b\n1,x\n1,x\n");
    Files.write(file, sqlite());
    assertRefused(
        () -> Trial.of(file, Map.of("format", "csv")).mode(Mode.REPLACE).write(ROWS, 2),
        file + " holds an SQLite database, which would be lost.",
        "delete this one first");
    assertThat(file).hasBinaryContent(sqlite());
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void aFileOfAnotherFormatStaysWhateverItIsCalled(Mode mode) throws IOException {
    for (String name : List.of("out", "out.csv", "out-00001.csv")) {
      byte[] zip = packed("zip", text(1));
      Path file = Files.write(folder.resolve(name), zip);
      boolean numbered = name.contains("-");
      Map<String, String> parameters = numbered ? Map.of("files", "1MB") : Map.of();
      Path named = numbered ? folder.resolve("out.csv") : file;
      assertThatThrownBy(() -> Trial.of(named, parameters).mode(mode).write(ROWS, 2))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining(file + " holds a zip file");
      assertThat(file).hasBinaryContent(zip);
      Files.delete(file);
    }
  }

  @Test
  void aCompressedFileIsReplacedByOneThatIsCompressedAlike() throws IOException {
    Path file = Files.write(folder.resolve("out.csv.gz"), packed("gz", text(3)));
    Trial.of(file, Map.of()).mode(Mode.REPLACE).write(ROWS, 2);
    assertThat(Trial.of(file, Map.of()).rows()).isEqualTo(ROWS);
    Files.write(file, packed("xz", text(3)));
    assertRefused(
        () -> Trial.of(file, Map.of()).mode(Mode.REPLACE).write(ROWS, 2),
        file + " holds an xz file",
        "delete this one first");
    Files.write(file, packed("gz", sqlite()));
    assertRefused(
        () -> Trial.of(file, Map.of()).mode(Mode.REPLACE).write(ROWS, 2),
        file + " holds an SQLite database",
        "delete this one first");
    byte[] whole = packed("gz", text(3));
    Files.write(file, Arrays.copyOf(whole, whole.length / 2));
    Trial.of(file, Map.of()).mode(Mode.REPLACE).write(ROWS, 2);
    assertThat(Trial.of(file, Map.of()).rows()).isEqualTo(ROWS);
  }
}
