package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Parquet files whose pages hold other bytes than were written.
///
/// Two are of pyarrow 26, with checksums: pages of the format's first and second version, of 160
/// rows in two groups, of columns that have a dictionary, one value only, nulls, and lists.
class ParquetDamageTest {

  private static final ParquetConnector PARQUET = new ParquetConnector();

  /// What stands before the first page.
  private static final int MARK_BYTES = 4;

  private static final int FLIPS = 50;

  /// What a message says of a page, whatever is wrong with it.
  private static final String PLACE =
      " is damaged in (a page|the pages|the dictionary page) of column \"(id|code|one|note|list)\""
          + " of rows (1 to 80|81 to 160) \\(row group (1|2), (from )?byte [0-9]+( on)?\\): (?s).+";

  @TempDir Path folder;

  private static byte[] checksummed(String version) throws IOException {
    try (InputStream file =
        ParquetDamageTest.class.getResourceAsStream("/checksums-" + version + ".parquet")) {
      return Objects.requireNonNull(file).readAllBytes();
    }
  }

  private Path file(byte[] bytes) throws IOException {
    return Files.write(folder.resolve("a.parquet"), bytes);
  }

  private static Endpoint end(Path file) {
    return new Endpoint("parquet", file.toString(), Map.of(), Secret.NONE);
  }

  private static List<Row> rows(Path file, Selection selection) {
    try (Source source = PARQUET.source(end(file), selection, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      return Reading.rows(described, Reading.splits(described, 1 << 20), null);
    }
  }

  private static int pagesEnd(byte[] file) {
    int at = file.length - 8;
    return at - ((file[at] & 0xff) | (file[at + 1] & 0xff) << 8 | (file[at + 2] & 0xff) << 16);
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v2"})
  void noBitOfAPageWithAChecksumChangesUnnoticed(String version) throws IOException {
    byte[] whole = checksummed(version);
    Path file = file(whole);
    List<Row> expected = rows(file, Selection.ALL);
    assertThat(expected).hasSize(160);
    SplittableRandom random = new SplittableRandom(42);
    Set<String> columns = new TreeSet<>();
    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = whole.clone();
      int at = random.nextInt(MARK_BYTES, pagesEnd(whole));
      bytes[at] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      file(bytes);
      try {
        assertThat(rows(file, Selection.ALL)).as("byte %d", at).isEqualTo(expected);
      } catch (Fault.External fault) {
        String message = String.valueOf(fault.getMessage());
        assertThat(message).as("byte %d", at).startsWith(file + " is damaged");
        assertThat(message.substring(file.toString().length())).matches(PLACE);
        columns.add(message.replaceFirst("(?s).* of column \"([a-z]+)\".*", "$1"));
      }
    }
    assertThat(columns).containsExactly("code", "id", "list", "note", "one");
  }

  /// One bit within a page: of numbers, of a dictionary, of the only value, of lists.
  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          590, a page of column \"id\" of rows 1 to 80 (row group 1
          640, the dictionary page of column \"code\" of rows 1 to 80 (row group 1
          755, the dictionary page of column \"one\" of rows 1 to 80 (row group 1
          3640, a page of column \"note\" of rows 81 to 160 (row group 2
          4110, a page of column \"list\" of rows 81 to 160 (row group 2
          """)
  void thePageIsNamed(int at, String where) throws IOException {
    byte[] bytes = checksummed("v1");
    bytes[at] ^= 1;
    Path file = file(bytes);
    assertThatThrownBy(() -> rows(file, Selection.ALL))
        .isInstanceOf(Fault.External.class)
        .hasMessageStartingWith(file + " is damaged in " + where)
        .hasMessageEndingWith("): the page's bytes do not agree with its checksum.");
    Path copy = folder.resolve("copy.parquet");
    Copying copying = Copying.of(PARQUET, end(file), PARQUET, end(copy));
    assertThatThrownBy(copying::run).isInstanceOf(Fault.External.class);
    assertThat(copy).doesNotExist();
  }

  @Test
  void whatIsNotReadIsNotLookedAt() throws IOException {
    byte[] bytes = checksummed("v2");
    bytes[4140] ^= 1;
    Path file = file(bytes);
    assertThatThrownBy(() -> rows(file, Selection.ALL)).hasMessageContaining("column \"list\"");
    Selection others = new Selection(List.of("id", "note"), null, Long.MAX_VALUE);
    assertThat(rows(file, others)).hasSize(160);
    assertThat(rows(file, new Selection(List.of(), null, 80))).hasSize(80);
    assertThatThrownBy(() -> rows(file, new Selection(List.of(), null, 81)))
        .hasMessageContaining("column \"list\" of rows 81 to 160");
    assertThatThrownBy(() -> rows(file, new Selection(List.of("id"), "list[1] > 3", 1)))
        .as("the rows of a condition may be anywhere")
        .hasMessageContaining("column \"list\" of rows 81 to 160");
  }

  /// Whether it is selected or a condition names it, in whatever case, and whole or in part.
  @Test
  void whatIsReadIsLookedAtByWhateverNameItGoes() throws IOException {
    byte[] bytes = checksummed("v1");
    int footer = pagesEnd(bytes);
    String names = new String(bytes, footer, bytes.length - footer, StandardCharsets.ISO_8859_1);
    byte[] renamed = names.replace("note", "Note").getBytes(StandardCharsets.ISO_8859_1);
    System.arraycopy(renamed, 0, bytes, footer, renamed.length);
    Path file = file(bytes);
    Selection byCondition = new Selection(List.of("id"), "length(NOTE) >= 0", Long.MAX_VALUE);
    assertThat(rows(file, byCondition)).isNotEmpty();
    byte[] note = bytes.clone();
    note[3_640] ^= 1;
    file(note);
    for (Selection each :
        List.of(byCondition, new Selection(List.of("id", "NOTE"), null, Long.MAX_VALUE))) {
      assertThatThrownBy(() -> rows(file, each)).hasMessageContaining("column \"Note\" of rows 81");
    }
    byte[] list = bytes.clone();
    list[4_110] ^= 1;
    file(list);
    for (Selection each :
        List.of(
            new Selection(List.of("List"), null, Long.MAX_VALUE),
            new Selection(List.of("id"), "len(LIST) > 1", Long.MAX_VALUE))) {
      assertThatThrownBy(() -> rows(file, each)).hasMessageContaining("column \"list\" of rows 81");
    }
  }

  /// DuckDB writes no checksums. What it can't read is named all the same.
  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zstd", "uncompressed"})
  void whateverCannotBeReadIsNamed(String compression) throws SQLException, IOException {
    Path file = folder.resolve("a.parquet");
    String query =
        "SELECT i AS id, 'c' || i % 7 AS code, 7 AS one, 'note ' || hash(i) AS note,"
            + " range(i % 4) AS list FROM range(160) r(i)";
    new Duck(folder.resolve("writer.db"))
        .run(
            "COPY ("
                + query
                + ") TO '"
                + file
                + "' (FORMAT parquet, COMPRESSION "
                + compression
                + ")");
    byte[] whole = Files.readAllBytes(file);
    SplittableRandom random = new SplittableRandom(42);
    List<String> told = new ArrayList<>();
    for (int i = 0; i < FLIPS; i++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(MARK_BYTES, pagesEnd(whole))] ^= (byte) (1 << random.nextInt(Byte.SIZE));
      file(bytes);
      try {
        rows(file, Selection.ALL);
      } catch (Fault.External fault) {
        told.add(String.valueOf(fault.getMessage()).replace(file.toString(), ""));
      }
    }
    assertThat(told)
        .isNotEmpty()
        .allMatch(message -> message.matches(PLACE.replace("80|81 to 160", "160")));
  }

  /// Of two files that are read as one, of which one has checksums, each is looked at by itself.
  @ParameterizedTest
  @CsvSource({"a, b, false", "b, a, false", "a, b, true", "b, a, true"})
  void ofTwoFilesTheBrokenOneIsNamed(String checked, String bare, boolean filters)
      throws SQLException, IOException {
    Path with = folder.resolve(checked + ".parquet");
    Path without = folder.resolve(bare + ".parquet");
    Path all = folder.resolve("*.parquet");
    Selection selection = new Selection(List.of(), filters ? "id >= 0" : null, Long.MAX_VALUE);
    for (String version : List.of("v1", "v2")) {
      byte[] whole = checksummed(version);
      Files.write(with, whole);
      Files.deleteIfExists(without);
      new Duck(folder.resolve("writer-" + version + ".db"))
          .run("COPY (FROM '" + with + "') TO '" + without + "' (FORMAT parquet)");
      assertThat(rows(all, selection)).hasSize(320);

      byte[] bytes = whole.clone();
      bytes[version.equals("v1") ? 3_640 : 4_140] ^= 1;
      Files.write(with, bytes);
      assertThatThrownBy(() -> rows(all, selection))
          .isInstanceOf(Fault.External.class)
          .hasMessageStartingWith(with + " is damaged in a page of column ")
          .hasMessageContaining("of rows 81 to 160")
          .hasMessageEndingWith("do not agree with its checksum.");

      Files.write(with, whole);
      bytes = Files.readAllBytes(without);
      Arrays.fill(bytes, MARK_BYTES, MARK_BYTES + 40, (byte) 0xff);
      Files.write(without, bytes);
      assertThatThrownBy(() -> rows(all, selection))
          .isInstanceOf(Fault.External.class)
          .hasMessageStartingWith(without + " is damaged in ");
    }
  }

  /// As if a block had been lost on the way.
  @ParameterizedTest
  @ValueSource(ints = {1, 100, 4_000})
  void aFileThatLacksBytesOfItsMiddleIsNamed(int lost) throws IOException {
    byte[] whole = checksummed("v1");
    byte[] rest = new byte[whole.length - lost];
    System.arraycopy(whole, 0, rest, 0, 50);
    System.arraycopy(whole, 50 + lost, rest, 50, rest.length - 50);
    Path file = file(rest);
    assertThatThrownBy(() -> rows(file, Selection.ALL))
        .isInstanceOf(Fault.External.class)
        .hasMessageStartingWith(file + " is damaged in ")
        .hasMessageContaining("column \"id\" of rows 1 to 80 (row group 1, ");
  }
}
