package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import millrace.connectors.duckdb.parquet.ParquetConnector;
import millrace.connectors.generate.GenerateConnector;
import millrace.connectors.sql.Names;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Parquet files as others write them, and those that we write.
class ParquetTest {

  private static final ParquetConnector PARQUET = new ParquetConnector();

  @TempDir Path folder;

  private Endpoint file(String name, String... parameters) {
    Map<String, String> map =
        parameters.length == 0 ? Map.of() : Map.of(parameters[0], parameters[1]);
    return new Endpoint("parquet", folder.resolve(name).toString(), map, Secret.NONE);
  }

  private void write(String query, String name, String options) throws SQLException {
    new Duck(folder.resolve("writer.db"))
        .run(
            "COPY ("
                + query
                + ") TO "
                + Names.text(folder.resolve(name).toString())
                + " (FORMAT parquet"
                + options
                + ")");
  }

  private static List<Row> rows(Endpoint from, Selection selection, long splitBytes) {
    try (Source source = PARQUET.source(from, selection, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      return Reading.rows(described, Reading.splits(described, splitBytes), null);
    }
  }

  @Test
  void splitsAreRowGroupsAndGiveEachRowOnce() throws SQLException {
    write("SELECT i AS id FROM range(100000) r(i)", "a.parquet", ", ROW_GROUP_SIZE 8192");
    try (Source source = PARQUET.source(file("a.parquet"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      assertThat(described.description().size().rows()).isEqualTo(100_000);
      List<Split> splits = Reading.splits(described, 160_000);
      assertThat(splits).hasSizeGreaterThan(3);
      List<Row> rows = Reading.rows(described, splits, null);
      assertThat(rows).hasSize(100_000);
      assertThat(new HashSet<>(rows)).hasSize(100_000);
    }
  }

  @Test
  void aGlobIsOneSourceAndAConditionIsApplied() throws SQLException {
    write("SELECT i AS id FROM range(10) r(i)", "a1.parquet", "");
    write("SELECT i AS id FROM range(10, 20) r(i)", "a2.parquet", "");
    write("SELECT 'other' AS v", "b.parquet", "");
    Selection some = new Selection(List.of(), "id % 5 = 4", Long.MAX_VALUE);
    assertThat(rows(file("a*.parquet"), some, 1 << 20))
        .containsExactlyInAnyOrder(Row.of(4), Row.of(9), Row.of(14), Row.of(19));
    assertThat(rows(file("a*.parquet"), new Selection(List.of(), null, 3), 1 << 20)).hasSize(3);
  }

  /// Spark and others leave markers, checksums and an index of the parts beside them.
  @Test
  void aFolderIsOneSource() throws SQLException, IOException {
    Path parts = Files.createDirectory(folder.resolve("parts[1].parquet"));
    write(
        "SELECT i AS id FROM range(30000) r(i)",
        "parts[1].parquet/part-0000.parquet",
        ", ROW_GROUP_SIZE 8192");
    write("SELECT i AS id FROM range(30000, 30010) r(i)", "parts[1].parquet/part-0001.parquet", "");
    write("SELECT 1 AS other", "parts[1].parquet/_metadata", "");
    Files.createFile(parts.resolve("_SUCCESS"));
    Files.writeString(parts.resolve(".part-0000.parquet.crc"), "crc");
    Files.createDirectory(parts.resolve("_temporary"));
    List<Row> rows = rows(file("parts[1].parquet"), Selection.ALL, 1 << 14);
    assertThat(rows).hasSize(30_010);
    assertThat(new HashSet<>(rows)).hasSize(30_010);
    assertThat(rows(file("parts[[]1].parquet/*"), Selection.ALL, 1 << 14)).hasSize(30_010);
    try (Source source =
        PARQUET.source(file("parts[1].parquet"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      assertThat(Reading.splits(described, 1 << 14)).hasSizeGreaterThan(2);
      assertThat(described.identity().content()).hasLineCount(2).doesNotContain("_metadata");
    }

    write("SELECT 'x' AS id", "parts[1].parquet/part-0002.parquet", "");
    assertThatThrownBy(() -> rows(file("parts[1].parquet"), Selection.ALL, 1 << 14))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("part-0002.parquet has other columns than")
        .hasMessageContaining("id VARCHAR instead of id BIGINT");
  }

  @Test
  void aFolderWithoutFilesIsNamedAndNoneIsWrittenTo() throws IOException {
    Path empty = Files.createDirectory(folder.resolve("empty.parquet"));
    assertThatThrownBy(() -> rows(file("empty.parquet"), Selection.ALL, 1 << 14))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("There is no file in the folder");
    Target target =
        PARQUET.target(
            file("empty.parquet"),
            new WriteOptions(Mode.REPLACE, false, List.of(), false),
            new OpenContext());
    assertThatThrownBy(target::describe)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is a folder");
    assertThat(empty).isEmptyDirectory();
  }

  @Test
  void filesWithOtherColumnsAreRefusedByNameBeforeTheFirstRow() throws SQLException {
    write("SELECT 1::INTEGER AS id, 2 AS same", "a1.parquet", "");
    write("SELECT 1::BIGINT AS id, 2 AS same", "a2.parquet", "");
    assertThatThrownBy(() -> rows(file("a*.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a2.parquet")
        .hasMessageContaining("id BIGINT instead of id INTEGER");
  }

  /// Parquet tells them apart; DuckDB would call the second `NET_1`.
  @ParameterizedTest
  @ValueSource(strings = {"SELECT 1 AS net, 2 AS tax", "SELECT [{'net': 1, 'tax': 2}] AS sums"})
  void aFileWhoseColumnsDuckDbWouldRenameIsRefused(String query) throws SQLException, IOException {
    write(query, "a.parquet", "");
    patch("a.parquet", "tax", "NET");
    assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a.parquet has several columns or fields named \"NET\"");
  }

  /// DuckDB would give 1e+50 for fifty digits.
  @Test
  void decimalsThatDuckDbHasNoTypeForAreRefused() throws SQLException, IOException {
    write("SELECT 1 AS id, 7::DECIMAL(38, 0) AS amount", "a.parquet", "");
    assertThat(rows(file("a.parquet"), Selection.ALL, 1 << 20)).hasSize(1);
    // What follows the name: that it is a decimal, its scale, its precision (twice the number).
    patch(
        "a.parquet", "amount%\n\u0015\0\u0015" + (char) 76, "amount%\n\u0015\0\u0015" + (char) 78);
    assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a.parquet: decimals of more than 38 digits")
        .hasMessageContaining("amount");
    Selection without = new Selection(List.of("id"), null, Long.MAX_VALUE);
    assertThat(rows(file("a.parquet"), without, 1 << 20)).containsExactly(Row.of(1));
    Selection looking = new Selection(List.of("id"), "amount > 5", Long.MAX_VALUE);
    assertThatThrownBy(() -> rows(file("a.parquet"), looking, 1 << 20))
        .hasMessageContaining("amount");
  }

  /// As Spark wrote them for long, here by pyarrow: an id, and 2023-11-14 22:13:20.000001999.
  @Test
  void nanosecondsOfTheOldTimestampsAreBadRatherThanCut() throws Exception {
    String written =
        """
        UEFSMRUAFRQVFCwVAhUAFQYVBhwAAAACAAAAAgEBAAAAFQAVJBUkLBUCFQAVBhUGHAAAAAIAAAACAc8H
        lXPCSAAAZ4olABUEGTw1ABgGc2NoZW1hFQQAFQIlAhgCaWQAFQYlAhgCYXQAFgIZHBksJgAcFQIZJQYA
        GRgCaWQVABYCFjoWOiYISRwVABUAFQIAPCkGGSYAAgAAACYAHBUGGSUGABkYAmF0FQAWAhZKFkomQkkc
        FQAVABUCADwpBhkmAAIAAAAWhAEWAiYIFoQBACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4w
        LjEZLBwAABwAAAC1AAAAUEFSMQ==
        """;
    Files.write(folder.resolve("old.parquet"), Base64.getMimeDecoder().decode(written));
    try (Source source = PARQUET.source(file("old.parquet"), Selection.ALL, new OpenContext())) {
      assertThat(
              source
                  .describe(new ColumnRequest.Typed())
                  .description()
                  .passed(new ColumnRequest.Typed())
                  .column(1)
                  .type())
          .isEqualTo(new Type.Timestamp(false));
    }
    assertThat(rows(file("old.parquet"), Selection.ALL, 1 << 20))
        .as("all digits are there")
        .containsExactly(Row.of(1, "2023-11-14 22:13:20.000001999"));
    Selection after =
        new Selection(List.of("at"), "\"at\" > '2023-11-14 22:13:20'", Long.MAX_VALUE);
    assertThat(rows(file("old.parquet"), after, 1 << 20)).hasSize(1);
    MemoryConnector memory = new MemoryConnector();
    memory.put(
        "times",
        Schema.of(
            List.of(Column.of("id", new Type.Int(64)), Column.of("at", new Type.Timestamp(false)))),
        List.of());
    Copying copying =
        Copying.of(PARQUET, file("old.parquet"), memory, memory.endpoint("times"))
            .mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("row 1, column \"at\": \"2023-11-14 22:13:20.000001999\"");
  }

  /// Days that nanoseconds in 64 bits do not reach.
  @Test
  void farDaysOfTheOldTimestampsArriveAndNanosecondsWithinListsAreRefused() throws SQLException {
    write(
        "SELECT t FROM (VALUES (TIMESTAMP '9999-12-31 00:00:00.5'), (TIMESTAMP '0001-01-01'),"
            + " (NULL)) AS v(t)",
        "far.parquet",
        ", write_timestamp_as_int96 true");
    MemoryConnector memory = new MemoryConnector();
    memory.put("times", Schema.of(List.of(Column.of("t", new Type.Timestamp(false)))), List.of());
    Copying.of(PARQUET, file("far.parquet"), memory, memory.endpoint("times"))
        .mode(Mode.APPEND)
        .run();
    assertThat(memory.rows("times"))
        .containsExactlyInAnyOrder(
            Row.of(252_455_529_600_500_000L),
            Row.of(-63_082_281_600_000_000L),
            Row.of((Object) null));
    write(
        "SELECT [TIMESTAMP '2024-01-01'] AS t", "list.parquet", ", write_timestamp_as_int96 true");
    assertThatThrownBy(() -> rows(file("list.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("INT96 within lists and structs: t");
  }

  /// Changes the bytes of a file, to have what DuckDB itself does not write.
  private void patch(String name, String from, String to) throws IOException {
    Path path = folder.resolve(name);
    String bytes = Files.readString(path, StandardCharsets.ISO_8859_1);
    assertThat(bytes).contains(from);
    Files.writeString(path, bytes.replace(from, to), StandardCharsets.ISO_8859_1);
  }

  @Test
  void aFolderNameIsNoColumn() throws SQLException, IOException {
    Files.createDirectory(folder.resolve("year=2024"));
    write("SELECT 1 AS id", "year=2024/a.parquet", "");
    assertThat(rows(file("year=2024/a.parquet"), Selection.ALL, 1 << 20))
        .containsExactly(Row.of(1));
  }

  @Test
  void aNameWithCharactersOfAPatternIsAFile() throws SQLException {
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of(Row.of(1)));
    Endpoint odd = file("it's [1]*?.parquet");
    Copying.of(memory, memory.endpoint("rows"), PARQUET, odd).run();
    write("SELECT 2 AS other", "it's 1x.parquet", "");
    assertThat(rows(odd, Selection.ALL, 1 << 20)).containsExactly(Row.of(1));
  }

  @Test
  void aColumnNamedLikeDuckDbsRowNumberIsReadAsOne() throws SQLException {
    write("SELECT 7 AS file_row_number FROM range(10)", "a.parquet", "");
    assertThat(rows(file("a.parquet"), Selection.ALL, 1)).hasSize(10).contains(Row.of(7));
  }

  @Test
  void aFileWithoutRowsKeepsItsColumns() throws SQLException {
    write("SELECT 1 AS id, 'x' AS name LIMIT 0", "a.parquet", "");
    try (Source source = PARQUET.source(file("a.parquet"), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      assertThat(described.description().schema().names()).containsExactly("id", "name");
      assertThat(Reading.splits(described, 1 << 20)).isEmpty();
    }
  }

  @Test
  void aFileWithoutColumnsIsToldAsSuch() throws IOException {
    Files.writeString(
        folder.resolve("t.parquet"),
        "PAR1\25\2\31\34\110\6schema\25\0\0\26\0\31\14\0\24\0\0\0PAR1",
        StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> rows(file("t.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("t.parquet has no columns");
  }

  @Test
  void aFileThatIsNoParquetIsNamed() throws IOException {
    for (String content : List.of("", "a,b\n1,2\n", "a,b\n1,2\n".repeat(1_000))) {
      Files.writeString(folder.resolve("a.parquet"), content);
      assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("a.parquet")
          .hasMessageContaining("is not a Parquet file");
    }
  }

  /// The advice was to mend a value, or to leave its column out.
  @Test
  void anEncryptedFileIsToldAsSuch() throws SQLException, IOException {
    write("SELECT 1 AS v", "a.parquet", "");
    // What a file with an encrypted footer is marked with, at both ends.
    patch("a.parquet", "PAR1", "PARE");
    assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a.parquet is encrypted");
  }

  @Test
  void aFileWhosePagesHaveDamagedHeadersIsToldAsSuch() throws SQLException, IOException {
    write("SELECT i AS v FROM range(1000) r(i)", "a.parquet", "");
    Path file = folder.resolve("a.parquet");
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4, 40, (byte) 0);
    Files.write(file, bytes);
    assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("a.parquet is damaged in a page of column \"v\" of rows 1 to 1000")
        .hasMessageEndingWith("(row group 1, byte 4): the page's header makes no sense.");
  }

  /// DuckDB knows such a value from the footer, unless the value itself is asked for.
  @Test
  void aDamagedPageOfOneValueIsNamed() throws SQLException, IOException {
    write("SELECT 7 AS v FROM range(3)", "one.parquet", "");
    Path file = folder.resolve("one.parquet");
    byte[] bytes = Files.readAllBytes(file);
    Arrays.fill(bytes, 4, 30, (byte) 0xff);
    Files.write(file, bytes);
    assertThatThrownBy(() -> rows(file("one.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.External.class)
        .hasMessage(
            file
                + " is damaged in a page of column \"v\" of rows 1 to 3 (row group 1, byte 4):"
                + " the page's header makes no sense.");
  }

  /// Of several files the one is named, and what of it.
  @Test
  void theDamagedFileOfSeveralIsNamed() throws SQLException, IOException {
    for (String name : List.of("a", "b", "c")) {
      write("SELECT i, hash(i) AS h FROM range(1000) r(i)", name + ".parquet", "");
    }
    Path file = folder.resolve("b.parquet");
    byte[] whole = Files.readAllBytes(file);
    byte[] cut = Arrays.copyOf(whole, whole.length / 2);
    byte[] footer = whole.clone();
    Arrays.fill(footer, whole.length - 60, whole.length - 8, (byte) 0xf5);
    for (byte[] damaged : List.of(cut, footer)) {
      Files.write(file, damaged);
      assertThatThrownBy(() -> rows(file("?.parquet"), Selection.ALL, 1 << 20))
          .isInstanceOf(Fault.External.class)
          .hasMessage(file + " is damaged: its footer can't be read.");
    }
    byte[] pages = whole.clone();
    Arrays.fill(pages, 4, 12, (byte) 0xf5);
    Files.write(file, pages);
    assertThatThrownBy(() -> rows(file("?.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.External.class)
        .hasMessageStartingWith(file + " is damaged in a page of column \"i\" of rows 1 to 1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"snappy", "zstd", "gzip"})
  void aFileWithDamagedPagesIsToldAsSuch(String compression) throws SQLException, IOException {
    write(
        "SELECT 'row ' || i || ' of ' || (i * 7919) % 1000 AS v FROM range(50000) r(i)",
        "a.parquet", ", COMPRESSION " + compression);
    Path file = folder.resolve("a.parquet");
    byte[] bytes = Files.readAllBytes(file);
    for (int i = bytes.length / 3; i < bytes.length / 3 + 2000; i++) {
      bytes[i] ^= 0x5a;
    }
    Files.write(file, bytes);
    assertThatThrownBy(() -> rows(file("a.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining(
            "a.parquet is damaged in the pages of column \"v\" of rows 1 to 50000");
  }

  @Test
  void aPatternThatFitsNothingIsNamed() {
    assertThatThrownBy(() -> rows(file("none*.parquet"), Selection.ALL, 1 << 20))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("none*.parquet");
  }

  @Test
  void pagesAreCompressedAsAskedFor() throws SQLException {
    MemoryConnector memory = new MemoryConnector();
    memory.put("rows", Schema.of(List.of(Column.of("id", new Type.Int(64)))), List.of(Row.of(1)));
    Copying.of(memory, memory.endpoint("rows"), PARQUET, file("z.parquet", "compression", "zstd"))
        .run();
    String path = Names.text(folder.resolve("z.parquet").toString());
    assertThat(
            new Duck(folder.resolve("reader.db"))
                .rows("SELECT compression FROM parquet_metadata(" + path + ")"))
        .containsExactly("ZSTD");
  }

  @Test
  void aCompressionThatThereIsNotIsRefused() {
    assertThatThrownBy(() ->
            PARQUET.target(
                file("z.parquet", "compression", "rar"), WriteOptions.DEFAULT, new OpenContext()))
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("zstd"));
  }

  @Test
  void columnsThatParquetCannotKeepBecomeTextAndTheUserIsTold() {
    Schema schema =
        Schema.of(
            List.of(
                DuckDbTypes.column(DuckDbCatalog.column("huge", "HUGEINT", true)),
                DuckDbTypes.column(DuckDbCatalog.column("span", "INTERVAL", true)),
                DuckDbTypes.column(DuckDbCatalog.column("list", "INTEGER[]", true))));
    try (Target target =
        PARQUET.target(file("a.parquet"), WriteOptions.DEFAULT, new OpenContext())) {
      DescribedTarget described = target.describe();
      PlannedTarget planned = described.plan(WriteRequest.of(described, schema, Mode.CREATE));
      assertThat(planned.plan().notes())
          .contains(
              "\"huge\" (HUGEINT) becomes text: its values cross as text.",
              "\"span\" (INTERVAL) becomes text: its values cross as text.")
          .noneMatch(note -> note.contains("list"));
    }
  }

  @Test
  void aRunThatFailsLeavesNoFile() {
    MemoryConnector memory = new MemoryConnector();
    memory.put(
        "rows",
        Schema.of(List.of(Column.of("v", new Type.Decimal(9, 2)))),
        List.of(Row.of(1), Row.of(millrace.data.Decimals.NAN)));
    Copying copying =
        Copying.of(memory, memory.endpoint("rows"), PARQUET, file("a.parquet")).mode(Mode.REPLACE);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("NaN does not fit DECIMAL(9,2)");
    assertThat(folder).isEmptyDirectory();
  }

  /// Whoever is killed at any moment has left the old file or the new one.
  @Test
  void aFileThatIsReplacedIsNeverAway() throws SQLException, IOException, InterruptedException {
    write("SELECT 1::BIGINT AS v", "a.parquet", "");
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_DELETE);
      MemoryConnector memory = new MemoryConnector();
      memory.put("rows", Schema.of(List.of(Column.of("v", new Type.Int(64)))), List.of(Row.of(2L)));
      Copying.of(memory, memory.endpoint("rows"), PARQUET, file("a.parquet"))
          .mode(Mode.REPLACE)
          .run();
      assertThat(rows(file("a.parquet"), Selection.ALL, 1 << 20)).containsExactly(Row.of(2L));
      // The new file had another name before, which goes last.
      List<String> gone = new ArrayList<>();
      while (gone.stream().noneMatch(name -> name.endsWith(".part"))) {
        WatchKey key = watch.take();
        key.pollEvents().forEach(event -> gone.add(String.valueOf(event.context())));
        key.reset();
      }
      assertThat(gone).doesNotContain("a.parquet");
    }
  }

  /// DuckDB 2.0 would wait for itself, once in twenty times, if its own threads wrote the file.
  @RepeatedTest(10)
  void aRunThatIsStoppedWhileTheFileIsWrittenEnds(RepetitionInfo turn) throws Exception {
    Endpoint endless =
        new Endpoint("generate", "unload", Map.of("rows", "100000000000"), Secret.NONE);
    CompletableFuture<Run> running = new CompletableFuture<>();
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () ->
                Copying.of(new GenerateConnector(), endless, PARQUET, file("a.parquet"))
                    .lanes(8, 16 << 20)
                    .run(running::complete),
            run -> Thread.ofPlatform().daemon().start(run));
    long bytes = new SplittableRandom(turn.getCurrentRepetition()).nextLong(1 << 25);
    while (written() <= bytes && !ended.isDone()) {
      Thread.onSpinWait();
    }
    running.join().cancel("stopped by the test");
    assertThat(ended)
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableThat()
        .havingCause()
        .isInstanceOf(Fault.Cancelled.class);
    assertThat(folder).isEmptyDirectory();
  }

  private long written() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
