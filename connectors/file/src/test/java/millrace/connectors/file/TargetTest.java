package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.InputFile;
import millrace.connectors.file.output.FilesOption;
import millrace.connectors.file.output.Outputs;
import millrace.data.BytesPool;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.io.store.FileLocation;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.StageClock;
import millrace.spi.journal.Entry;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.spi.write.Writer;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which files are written, what is in them, and when they appear.
class TargetTest {

  private static final List<List<@Nullable String>> TWO =
      List.of(List.of("1", "x"), Arrays.asList("2", null));

  @TempDir Path folder;

  private List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String text(String name) throws IOException {
    return Files.readString(folder.resolve(name));
  }

  /// Each line: parameters, then the record of: text, text with all that is special, empty text,
  /// nothing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      quoteCharacter = '`',
      textBlock =
          """
          quoting=minimal                        ! x,"a,""b""\",,"",␊
          quoting=text                           ! "x","a,""b""\",,"",␊
          null-string=NULL                       ! x,"a,""b""\",NULL,"",NULL␊
          null-string=x                          ! "x","a,""b""\",x,"",x␊
          quote='                                ! x,'a,"b"',,'',␊
          escape=\\                               ! x,"a,\\"b\\"",,"",␊
          delimiter=tab                          ! x␉"a,""b""\"␉␉""␉␊
          delimiter=;;&newline=CRLF              ! x;;"a,""b""\";;;;"";;␍␊
          trailing-delimiter=true                ! x,"a,""b""\",,"",,␊
          length-prefix=3                        ! 017x,"a,""b""\",,"",␊
          quote=~~&trailing-delimiter=true       ! x,~~a,"b"~~,,~~~~,,␊
          quote=none&delimiter=|&null-string=\\N  ! x|a,"b"|\\N||\\N␊
          """)
  void recordsAreSpelledAsTheDialectSays(String options, String record) {
    Map<String, String> parameters = new HashMap<>(Map.of("header", "false"));
    for (String option : List.of(options.split("&", -1))) {
      parameters.put(
          option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
    }
    Trial trial = Trial.of("-", parameters);
    trial.write(List.of(Arrays.asList("x", "a,\"b\"", null, "", null)), 5);
    assertThat(new String(trial.standardOutput(), StandardCharsets.UTF_8))
        .isEqualTo(record.replace('␊', '\n').replace('␍', '\r').replace('␉', '\t'));
  }

  @Test
  void numbersAndDatesAreQuotedWhereTheyMustBeOrAsAsked() {
    Schema schema =
        Schema.of(
            List.of(
                Column.of("d", new Type.Decimal(5, 2)),
                Column.of("day", new Type.Date()),
                Column.of("f", new Type.Float(64))));
    assertThat(typed(schema, Map.of())).isEqualTo("-1.50,2000-01-02,0.5\n");
    assertThat(typed(schema, Map.of("delimiter", "."))).isEqualTo("\"-1.50\".2000-01-02.\"0.5\"\n");
    assertThat(typed(schema, Map.of("null-string", "0.5"))).isEqualTo("-1.50,2000-01-02,\"0.5\"\n");
    assertThat(typed(schema, Map.of("quoting", "text-and-dates")))
        .isEqualTo("-1.50,\"2000-01-02\",0.5\n");
    assertThat(typed(schema, Map.of("date-format", "dd,MM,yyyy")))
        .isEqualTo("-1.50,\"02,01,2000\",0.5\n");
  }

  private static String typed(Schema schema, Map<String, String> options) {
    Map<String, String> parameters = new HashMap<>(options);
    parameters.put("header", "false");
    Columns batch = Columns.standalone(schema, 1);
    batch.longs(0).values[0] = -150;
    batch.longs(1).values[0] = 1;
    batch.doubles(2).values[0] = 0.5;
    batch.filled(1, 0, new Location("made", 0, 1, 0, -1), null);
    Trial trial = Trial.of("-", parameters);
    trial.writeBatches(schema, List.of(batch));
    return new String(trial.standardOutput(), StandardCharsets.UTF_8);
  }

  @Test
  void aFileAppearsWholeUnderItsNameAndNothingIsLeftBesideIt() throws IOException {
    Trial.of(folder.resolve("t.csv"), Map.of()).write(TWO, 2);
    assertThat(names()).containsExactly("t.csv");
    assertThat(text("t.csv")).isEqualTo("a,b\n1,x\n2,\n");
  }

  @Test
  void aFileThatAppearsDuringTheCopyStays() throws IOException {
    Trial trial = Trial.of(folder.resolve("t.csv"), Map.of());
    trial.beforeComplete(() -> Trial.file(folder, "t.csv", "precious\n"));
    assertThatThrownBy(() -> trial.write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("t.csv has appeared since the copy began.");
    assertThat(text("t.csv")).isEqualTo("precious\n");
    Path empty = Trial.file(folder, "empty.csv", "");
    Trial.of(empty, Map.of()).write(TWO, 2);
    assertThat(text("empty.csv")).isEqualTo("a,b\n1,x\n2,\n");
  }

  @Test
  void noFileGetsItsNameWhereThatOfAnotherIsTaken() throws IOException {
    Trial trial = Trial.of(folder.resolve("t.csv"), Map.of("files", "per-split"));
    trial.beforeComplete(() -> Trial.file(folder, "t-00002.csv", "precious\n"));
    assertThatThrownBy(() -> trial.writeSplits(List.of(TWO, TWO, TWO), 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("t-00002.csv has appeared since the copy began.");
    assertThat(names()).filteredOn(name -> !name.startsWith(".")).containsExactly("t-00002.csv");
    assertThat(text("t-00002.csv")).isEqualTo("precious\n");
  }

  @Test
  void rowsAreAddedWithTheirHeaderToAnEmptyFileAlone() throws IOException {
    Path empty = Trial.file(folder, "empty.csv", "");
    Trial.of(empty, Map.of()).mode(Mode.APPEND).write(TWO, 2);
    assertThat(text("empty.csv")).isEqualTo("a,b\n1,x\n2,\n");
    Trial trial = Trial.of(folder.resolve("t.csv"), Map.of()).mode(Mode.APPEND);
    trial.beforeComplete(() -> Trial.file(folder, "t.csv", "a,b\n0,theirs\n"));
    assertThatThrownBy(() -> trial.write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("t.csv has appeared since the copy began.");
    assertThat(text("t.csv")).isEqualTo("a,b\n0,theirs\n");
  }

  @Test
  void aFolderThatGoesBeforeTheCopyBeginsIsNamed() throws IOException {
    Path gone = Files.createDirectory(folder.resolve("gone"));
    FileJournal journal =
        new FileJournal(
            new Outputs(FileLocation.of(gone.resolve("t.csv").toString(), Map.of())),
            new FilesOption(false, 1));
    journal.take("0123456789abcdef");
    assertThat(journal.read("0123456789abcdef")).isEmpty();
    RunRecord run = new RunRecord("run", "0123456789abcdef", "", List.of(), 1, 1, "");
    FileRunJournal begun = journal.of(new WriteStart.Journal.Begin(run, null));
    assertThat(begun).isNotNull();
    Files.delete(gone);
    Entry.Begun begins = JournalContent.begun(run, new JournalContent.FileStart(1, false));
    assertThatThrownBy(() -> begun.begin(begins))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("t.csv")
        .hasMessageEndingWith("the folder is gone.");
  }

  @Test
  void aFileThatExistsStaysUnlessToldOtherwise() throws IOException {
    Path file = Trial.file(folder, "t.csv", "precious\n");
    assertThatThrownBy(() -> Trial.of(file, Map.of()).write(TWO, 2))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault).hasMessage(file + " holds rows already.");
              assertThat(fault.advice()).contains("replace").contains("--mode append");
            });
    assertThat(text("t.csv")).isEqualTo("precious\n");
    Trial.of(file, Map.of()).mode(Mode.REPLACE).write(TWO, 2);
    assertThat(text("t.csv")).isEqualTo("a,b\n1,x\n2,\n");
    assertThatThrownBy(() -> Trial.of(file, Map.of()).mode(Mode.MERGE).write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("a file can't be merged into");
  }

  @Test
  void aFileThatIsEmptyIsFilled() throws IOException {
    Path file = Trial.file(folder, "t.csv", "");
    Trial.of(file, Map.of()).write(TWO, 2);
    assertThat(text("t.csv")).isEqualTo("a,b\n1,x\n2,\n");
  }

  @Test
  void aLinkStaysAndWhatItLeadsToIsReplaced() throws IOException {
    Path real = Trial.file(folder, "real.csv", "old\n");
    Files.createSymbolicLink(folder.resolve("link.csv"), real);
    Trial.of(folder.resolve("link.csv"), Map.of()).mode(Mode.REPLACE).write(TWO, 2);
    assertThat(folder.resolve("link.csv")).isSymbolicLink();
    assertThat(text("real.csv")).isEqualTo("a,b\n1,x\n2,\n");
  }

  @Test
  void rowsAreAppendedToAFileOfTheSameColumns() throws IOException {
    Path file = Trial.file(folder, "t.csv", "a,b\n0,no line end");
    Trial.of(file, Map.of()).mode(Mode.APPEND).write(TWO, 2);
    assertThat(text("t.csv")).isEqualTo("a,b\n0,no line end\n1,x\n2,\n");
    Path other = Trial.file(folder, "other.csv", "b,a\n0,1\n");
    assertThatThrownBy(() -> Trial.of(other, Map.of()).mode(Mode.APPEND).write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessage(other + " has the columns b, a, but these come: a, b.");
    assertThat(text("other.csv")).isEqualTo("b,a\n0,1\n");
  }

  @ParameterizedTest
  @CsvSource({"gz", "zst"})
  void compressedFilesAreWrittenAndAppendedTo(String ending) {
    Path file = folder.resolve("t.csv." + ending);
    Trial.of(file, Map.of()).write(TWO, 2);
    Trial.of(file, Map.of()).mode(Mode.APPEND).write(TWO, 2);
    assertThat(Trial.of(file, Map.of()).rows())
        .containsExactlyElementsOf(Stream.concat(TWO.stream(), TWO.stream()).toList());
    Path none = folder.resolve("none.csv." + ending);
    Trial.of(none, Map.of("header", "false")).write(List.of(), 2);
    assertThat(InputFile.look(none, 100).compression()).isNotEqualTo(Compression.NONE);
  }

  @Test
  void withoutRowsThereIsAHeader() throws IOException {
    Trial.of(folder.resolve("t.csv"), Map.of()).write(List.of(), 2);
    assertThat(text("t.csv")).isEqualTo("a,b\n");
  }

  @Test
  void eachSplitCanHaveItsOwnFile() throws IOException {
    Trial.of(folder.resolve("t.csv"), Map.of("files", "per-split"))
        .writeSplits(List.of(TWO, List.of(List.of("3", "z"))), 2);
    assertThat(names()).containsExactly("t-00001.csv", "t-00002.csv");
    assertThat(text("t-00002.csv")).isEqualTo("a,b\n3,z\n");
    assertThatThrownBy(() ->
            Trial.of(folder.resolve("t.csv"), Map.of("files", "per-split"))
                .writeSplits(List.of(TWO), 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("t-00001.csv holds rows already.");
    Trial.of(folder.resolve("t.csv"), Map.of("files", "per-split"))
        .mode(Mode.APPEND)
        .writeSplits(List.of(TWO), 2);
    assertThat(names()).containsExactly("t-00001.csv", "t-00002.csv", "t-00003.csv");
    Trial.of(folder.resolve("t.csv"), Map.of("files", "per-split"))
        .mode(Mode.REPLACE)
        .writeSplits(List.of(TWO), 2);
    assertThat(names()).as("none is left of the earlier run").containsExactly("t-00001.csv");
  }

  @ParameterizedTest
  @CsvSource({"t.csv,NONE", "t.csv.gz,GZIP", "t.csv.zst,ZSTD"})
  void filesOfALimitedSizeHoldWholeRecordsInOrder(String name, String packing) throws IOException {
    List<List<@Nullable String>> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(List.of("row\n" + i, i % 1_000 == 999 ? "long".repeat(5_000) : "short"));
    }
    Trial.of(folder.resolve(name), Map.of("files", "10kB"))
        .writeSplits(List.of(rows.subList(0, 2_500), rows.subList(2_500, 5_000)), 2);
    List<List<@Nullable String>> found = new ArrayList<>();
    for (String each : names()) {
      Path file = folder.resolve(each);
      if (packing.equals("NONE")) {
        assertThat(text(each)).startsWith("a,b\n");
        long records = Trial.of(file, Map.of()).rows().size();
        assertThat(Files.size(file) <= 10 << 10 || records == 1).as(each).isTrue();
      }
      found.addAll(Trial.of(file, Map.of()).rows());
    }
    assertThat(names()).hasSizeBetween(10, 40).allMatch(each -> each.matches("t-0.*"));
    assertThat(found).isEqualTo(rows);
  }

  @Test
  void aFullDiskIsNamed() {
    assertThatThrownBy(() -> Trial.of("/dev/full", Map.of()).write(TWO, 2))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("Can't write to /dev/full: No space left on device");
  }

  @Test
  void placesThatAreNoneAreRefused() {
    assertThatThrownBy(() -> Trial.of(folder, Map.of()).write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessage(folder + " is a folder.");
    assertThatThrownBy(() -> Trial.of(folder.resolve("no/t.csv"), Map.of()).write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessage("There is no folder " + folder.resolve("no") + ".");
    assertThatThrownBy(() -> Trial.of("-", Map.of("files", "per-split")).write(TWO, 2))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("files=per-split needs a file to write to.");
  }

  @Test
  void aRunThatFailsLeavesNothing() {
    assertThatThrownBy(() ->
            Trial.of(folder.resolve("t.csv"), Map.of("quote", "none"))
                .write(List.of(List.of("1", "x"), List.of("2", "y,z")), 2))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(
            "row 2, column 'b': 'y,z' can't be written to " + folder.resolve("t.csv"));
    assertThat(names()).isEmpty();
  }

  /// Bytes go from file to file untouched where both are spelled alike, on several lanes and with
  /// several files, and the header once.
  @Test
  void fromFileToFileOfOneDialectTheBytesPassUntouched() throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < 20_000; i++) {
      text.append(i).append(i % 3 == 0 ? ", \"odd\" \n" : ",\"quoted\nfor nothing\"\n");
    }
    Path from = Trial.file(folder, "from.csv", text.toString());
    FileConnector connector = new FileConnector();
    Copying.of(connector, endpoint(from), connector, endpoint(folder.resolve("to.csv")))
        .lanes(3, 10_000)
        .run();
    assertThat(text("to.csv")).isEqualTo(text.toString());
    try (Target target =
        connector.target(
            endpoint(folder.resolve("priced.csv")), WriteOptions.DEFAULT, new OpenContext())) {
      DescribedTarget described = target.describe();
      PlannedTarget planned =
          described.plan(
              WriteRequest.of(
                  described, Schema.of(List.of(Column.of("a", Type.Text.UNLIMITED))), Mode.CREATE));
      Form form = described.description().forms().getFirst();
      assertThat(planned.cost(form)).isPositive().isLessThan(planned.cost(Form.COLUMNS));
    }
  }

  /// A reader fills the array of a batch anew once the batch is released, while its bytes may still
  /// wait for the splits before it.
  @Test
  void bytesThatWaitForTheirTurnAreNotThoseOfTheNextBatch() throws IOException {
    Endpoint to = endpoint(folder.resolve("turns.csv"));
    try (Target target = new FileConnector().target(to, WriteOptions.DEFAULT, new OpenContext())) {
      DescribedTarget described = target.describe();
      Form form = described.description().forms().getFirst();
      Schema schema = Schema.of(List.of(Column.of("a", Type.Text.UNLIMITED)));
      BytesPool pool = new BytesPool();
      try (WriteSession session =
          described.plan(WriteRequest.of(described, schema, Mode.CREATE)).open(WriteStart.of(2))) {
        try (Writer first = session.writer(form, context(0));
            Writer second = session.writer(form, context(1))) {
          second.start(new Split(1, "t", 1, 2, 2, 0));
          for (String row : List.of("two\n", "three\n")) {
            byte[] bytes = pool.take(8);
            byte[] text = row.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(text, 0, bytes, 0, text.length);
            Frames.SourceSpan source =
                new Frames.SourceSpan(new Location("t", 1, 2, 0, -1), text.length);
            second.write(new Frames(bytes, 0, text.length, 1, form, source, pool));
          }
          second.finish();
          first.start(new Split(0, "t", 0, 1, 1, 0));
          byte[] text = "one\n".getBytes(StandardCharsets.UTF_8);
          Frames.SourceSpan source =
              new Frames.SourceSpan(new Location("t", 0, 1, 0, -1), text.length);
          first.write(new Frames(text, 0, text.length, 1, form, source, null));
          first.finish();
        }
        session.complete((_, _, work) -> work.run());
      }
    }
    assertThat(text("turns.csv")).isEqualTo("a\none\ntwo\nthree\n");
  }

  private static WriteContext context(int lane) {
    return new WriteContext(
        lane, new StageClock(), Reading.NO_REJECTS, null, BestUnit.unknown(), null);
  }

  @Test
  void aSourceOfAnotherDialectIsSpelledAnew() throws IOException {
    Path from = Trial.file(folder, "from.csv", "id;name\r\n1;'a,b'\r\n2;''\r\n3;\r\n");
    Endpoint source =
        new Endpoint("file", from.toString(), Map.of("delimiter", ";", "quote", "'"), Secret.NONE);
    FileConnector connector = new FileConnector();
    Copying.of(connector, source, connector, endpoint(folder.resolve("to.csv"))).run();
    assertThat(text("to.csv")).isEqualTo("id,name\n1,\"a,b\"\n2,\"\"\n3,\n");
  }

  private static Endpoint endpoint(Path path) {
    return new Endpoint("file", path.toString(), Map.of(), Secret.NONE);
  }
}
