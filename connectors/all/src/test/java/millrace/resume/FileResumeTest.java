package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.Connectors;
import millrace.data.Form;
import millrace.engine.Plug;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.Writer;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriter;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy into files that is cut off goes on where it was: the files are the very ones that a copy
/// without a cut makes.
class FileResumeTest {

  private static final int ROWS = 4000;
  private static final int BATCH_ROWS = 100;
  private static final long SPLIT_BYTES = 8 << 10;

  @TempDir private Path folder;

  @BeforeEach
  void makeRows() throws IOException {
    write("");
  }

  private void write(String mark) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",\"name\n").append(i).append(mark).append("\"\n");
    }
    Files.writeString(folder.resolve("in.csv"), text);
  }

  private Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  /// A target whose process is killed: nothing is told to it when the run ends.
  private static final class KilledTarget extends ForwardingTarget {

    KilledTarget(Target inner) {
      super(inner);
    }

    @Override
    public Writer writer(Form form, WriteContext context) {
      return new KilledWriter(super.writer(form, context));
    }

    @Override
    public void abandon() {
      // A killed process does no such thing.
    }

    @Override
    public boolean keep() {
      // Nor this.
      return true;
    }
  }

  private static final class KilledWriter extends ForwardingWriter {

    KilledWriter(Writer inner) {
      super(inner);
    }

    @Override
    public void close() {
      // What it has written of a split stays in the file.
    }
  }

  /// A copy.
  ///
  /// @param killed whether a cut leaves no time to put anything in order
  record Copy(
      Endpoint from,
      Endpoint to,
      @Nullable Mode mode,
      int lanes,
      boolean killed,
      ResumeState.Choice choice) {

    Copy(Endpoint from, Endpoint to, @Nullable Mode mode, int lanes) {
      this(from, to, mode, lanes, true, ResumeState.Choice.NONE);
    }

    Copy with(ResumeState.Choice other) {
      return new Copy(from, to, mode, lanes, killed, other);
    }

    Copy warned() {
      return new Copy(from, to, mode, lanes, false, choice);
    }

    Run run() {
      return run(Plug.never(), true);
    }

    /// A run that is killed when all is complete.
    Run runUntold() {
      return run(Plug.never(), false);
    }

    private Run run(Plug plug, boolean told) {
      WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
      Amount reads = new Amount(BATCH_ROWS, false);
      Job.Tuning tuning = new Job.Tuning(lanes, false, reads, null, new Amount(300, false));
      Job job = new Job(from, to, Selection.ALL, writeOptions, tuning, Job.RejectPolicy.NONE);
      try (Source source = plug.of(Connectors.ALL.of(from).source(from, Selection.ALL));
          Target target = plug.of(target(writeOptions))) {
        ResumeState resumeState =
            ResumeState.of(target, JobIdentity.of(job, source, Connectors.ALL.of(to)), choice);
        Plan plan = Planner.plan(job, source, target).with(Lanes.fixed(lanes, ""), SPLIT_BYTES);
        Run run = new Run(plan, source, target, resumeState, RetryPolicy.NONE);
        run.execute();
        if (told) {
          run.acknowledge();
        }
        return run;
      }
    }

    private Target target(WriteOptions writeOptions) {
      Target target = Connectors.ALL.of(to).target(to, writeOptions);
      return killed ? new KilledTarget(target) : target;
    }

    /// Is cut off after so many batches, whatever has become of them.
    void cut(int batches) {
      cut(new Plug(batches, 0));
    }

    /// Is cut off when so many batches were read and rows of some have a receipt.
    void cutBehindReceipt(int batches) {
      cut(new Plug(batches, 1));
    }

    private void cut(Plug plug) {
      assertThatThrownBy(() -> run(plug, true)).hasMessage(Plug.PULLED);
    }
  }

  private List<Path> files() {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(path -> !path.getFileName().toString().equals("in.csv"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// But marks of complete copies.
  private List<String> unfinished() throws IOException {
    List<String> names = new ArrayList<>();
    for (String name : hidden()) {
      boolean mark =
          name.endsWith(".journal")
              && Files.readString(folder.resolve(name)).contains("\"complete\":true");
      if (!mark) {
        names.add(name);
      }
    }
    return names;
  }

  private List<String> hidden() {
    return files().stream()
        .map(path -> path.getFileName().toString())
        .filter(name -> name.startsWith("."))
        .toList();
  }

  private void assertSameAsInput(String name) throws IOException {
    try (InputStream raw = Files.newInputStream(folder.resolve(name));
        InputStream text = name.endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
      assertThat(new String(text.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo(Files.readString(folder.resolve("in.csv")));
    }
    assertThat(files().stream().filter(path -> !path.toString().endsWith(".journal")))
        .as("nothing else is left but a mark")
        .containsExactly(folder.resolve(name));
  }

  @ParameterizedTest
  @CsvSource({
    "out.csv, 1, 0",
    "out.csv, 1, 14",
    "out.csv, 2, 12",
    "out.csv, 2, 33",
    "out.csv.gz, 1, 20"
  })
  void aKilledCopyGoesOn(String name, int lanes, int batches) throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file(name, Map.of()), Mode.CREATE, lanes);
    if (batches == 0) {
      copy.cut(0);
    } else {
      copy.cutBehindReceipt(batches);
    }
    copy.with(ResumeState.Choice.RESUME).cut(6);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsInput(name);
    if (lanes == 1 && batches > 0) {
      assertThat(run.meter().rows()).as("rows copied once more").isLessThanOrEqualTo(ROWS - 300L);
      assertThat(run.notes().toString()).contains("goes on with the copy begun at");
    }
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
  }

  @Test
  void whatWasWrittenBehindTheLastReceiptIsCutOffAlsoWithinARecord() throws IOException {
    Copy copy =
        new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 1).warned();
    copy.cutBehindReceipt(20);
    for (String name : hidden()) {
      // The system had more of both files on the disk than it told.
      Files.writeString(folder.resolve(name), "{\"tak", StandardOpenOption.APPEND);
    }
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isLessThan(ROWS);
    assertSameAsInput("out.csv");
  }

  @Test
  void aCopyThatFailsBeforeItsFirstSplitIsWrittenLeavesNothing() {
    Copy copy =
        new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 2).warned();
    copy.cut(Plug.inFirstSplit());
    assertThat(files()).isEmpty();
  }

  @Test
  void aFileThatIsShorterThanItsJournalSaysIsRefusedAndFreshBegins() throws IOException {
    Copy copy =
        new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 1).warned();
    copy.cutBehindReceipt(20);
    String staged = hidden().stream().filter(name -> name.endsWith(".tmp")).findAny().orElseThrow();
    try (FileChannel channel = FileChannel.open(folder.resolve(staged), StandardOpenOption.WRITE)) {
      channel.truncate(100);
    }
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is not there any more");
    copy.with(ResumeState.Choice.FRESH).run();
    assertSameAsInput("out.csv");
  }

  @Test
  void aCopyFromTheStartRemovesWhatTheKilledOneLeft() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 1);
    copy.cutBehindReceipt(20);
    assertThat(hidden()).hasSize(2);
    assertThat(folder.resolve("out.csv")).doesNotExist();
    Run run = copy.run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertSameAsInput("out.csv");
  }

  @Test
  void aSourceThatChangedIsRefused() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.REPLACE, 1);
    copy.warned().cutBehindReceipt(20);
    write("x");
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("in.csv had");
    copy.with(ResumeState.Choice.FRESH).run();
    assertSameAsInput("out.csv");
  }

  @Test
  void bothTheSameCopyAtOnceIsRefused() {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.REPLACE, 2);
    copy.cutBehindReceipt(20);
    WriteOptions writeOptions = new WriteOptions(Mode.REPLACE, false, List.of(), false);
    Job job =
        new Job(
            copy.from,
            copy.to,
            Selection.ALL,
            writeOptions,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    try (Source source = Connectors.ALL.of(copy.from).source(copy.from, Selection.ALL);
        Target other = Connectors.ALL.of(copy.to).target(copy.to, writeOptions)) {
      String identity = JobIdentity.of(job, source, Connectors.ALL.of(copy.to));
      ResumeState.of(other, identity, ResumeState.Choice.RESUME);
      assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("under way already");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"30kB", "per-split"})
  void severalFilesGoOn(String several) throws IOException {
    Endpoint to = file("out.csv", Map.of("files", several));
    Copy copy =
        new Copy(file("in.csv", Map.of()), to, Mode.CREATE, several.equals("per-split") ? 2 : 1);
    copy.cutBehindReceipt(20);
    copy.with(ResumeState.Choice.RESUME).cut(6);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isLessThan(ROWS);
    List<String> found =
        files().stream()
            .map(path -> path.getFileName().toString())
            .filter(file -> !file.endsWith(".journal"))
            .toList();
    assertThat(found).hasSizeGreaterThan(2).allMatch(name -> name.matches("out-[0-9]{5}\\.csv"));
    StringBuilder all = new StringBuilder("id,name\n");
    for (String name : found) {
      String text = Files.readString(folder.resolve(name));
      assertThat(text).startsWith("id,name\n");
      all.append(text.substring("id,name\n".length()));
    }
    assertThat(all.toString()).isEqualTo(Files.readString(folder.resolve("in.csv")));
  }

  @Test
  void rowsAreAppendedOnce() throws IOException {
    Files.writeString(folder.resolve("out.csv"), "id,name\n0,zero");
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 2);
    copy.cutBehindReceipt(20);
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo("id,name\n0,zero");
    copy.with(ResumeState.Choice.RESUME).run();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo("id,name\n0,zero\n" + rows);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aCompressedSourceGoesOnWithinItsOneSplit() throws IOException {
    try (OutputStream packed =
        new GZIPOutputStream(Files.newOutputStream(folder.resolve("in.csv.gz")))) {
      Files.copy(folder.resolve("in.csv"), packed);
    }
    Copy copy = new Copy(file("in.csv.gz", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 1);
    copy.cutBehindReceipt(18);
    copy.with(ResumeState.Choice.RESUME).cut(9);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isLessThanOrEqualTo(ROWS - 300L);
    Files.delete(folder.resolve("in.csv.gz"));
    assertSameAsInput("out.csv");
  }

  @Test
  void aKilledCopyIntoParquetLeavesNothingThatStays() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), parquet(), Mode.CREATE, 2);
    copy.run();
    byte[] whole = Files.readAllBytes(folder.resolve("out.parquet"));
    Files.delete(folder.resolve("out.parquet"));
    // What a process that is gone had written; the next number is that of none that was begun.
    Path left = folder.resolve(".out.parquet.millrace-999999999999-0a-1b.part");
    Path othersLeft = folder.resolve(".other.parquet.millrace-999999999999-0a-1b.part");
    Files.write(left, whole);
    Files.write(othersLeft, whole);
    for (ResumeState.Choice choice : List.of(ResumeState.Choice.NONE, ResumeState.Choice.RESUME)) {
      Files.write(left, whole);
      Run run = copy.with(choice).run();
      assertThat(run.meter().rows()).isEqualTo(ROWS);
      assertThat(run.notes().toString().contains("begins from the start"))
          .isEqualTo(choice == ResumeState.Choice.RESUME);
      assertThat(hidden().stream().filter(name -> !name.endsWith(".journal")))
          .containsExactly(othersLeft.getFileName().toString());
      Files.delete(folder.resolve("out.parquet"));
    }
  }

  private Endpoint parquet() {
    return new Endpoint("parquet", folder.resolve("out.parquet").toString(), Map.of(), Secret.NONE);
  }

  @Test
  void aCompleteCopyWhoseEndWasNotToldIsNotRepeated() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 2);
    copy.runUntold();
    assertThat(hidden()).hasSize(1);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isZero();
    assertThat(run.notes().toString()).contains("complete since");
    assertSameAsInput("out.csv");
    assertThat(copy.with(ResumeState.Choice.RESUME).run().completeSince()).isNotEmpty();
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("exists already");
  }

  @Test
  void aCompleteCopyWhoseFileIsGoneIsMadeAgainOnlyIfTheUserSaysSo() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 2);
    copy.runUntold();
    Files.delete(folder.resolve("out.csv"));
    assertThatThrownBy(copy.with(ResumeState.Choice.RESUME)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("out.csv is not there any more");
    copy.with(ResumeState.Choice.FRESH).run();
    assertSameAsInput("out.csv");
  }

  @Test
  void aFileThatSomebodyHasWrittenAnewIsNotTakenForTheCopys() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.REPLACE, 2);
    copy.with(ResumeState.Choice.RESUME).run();
    Files.writeString(folder.resolve("out.csv"), "\n9,others", StandardOpenOption.APPEND);
    assertThat(copy.with(ResumeState.Choice.RESUME).run().completeSince())
        .as("rows of others behind them are no harm")
        .isNotEmpty();
    String old = Files.readString(folder.resolve("out.csv"));
    Files.writeString(folder.resolve("out.csv"), old.replace("17", "71"));
    assertThatThrownBy(copy.with(ResumeState.Choice.RESUME)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("does not hold any more what it had written");
  }

  /// Undoes the last line of the journal: the process was killed just before it was written.
  private void forgetLastLine() throws IOException {
    Path journal =
        folder.resolve(
            hidden().stream().filter(name -> name.endsWith(".journal")).findAny().orElseThrow());
    List<String> lines = Files.readAllLines(journal);
    assertThat(lines.removeLast()).contains("\"complete\":true");
    Files.write(journal, lines);
  }

  @Test
  void aCopyThatWasKilledWhileItsFileGotItsNameIsBroughtToItsEnd() throws IOException {
    for (boolean hasName : new boolean[] {true, false}) {
      Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.CREATE, 2);
      copy.runUntold();
      forgetLastLine();
      if (!hasName) {
        String journal = hidden().getFirst();
        Files.move(folder.resolve("out.csv"), folder.resolve(journal.replace(".journal", ".tmp")));
      }
      Run run = copy.with(ResumeState.Choice.RESUME).run();
      assertThat(run.notes().toString()).contains("complete since");
      assertSameAsInput("out.csv");
      Files.delete(folder.resolve("out.csv"));
    }
  }

  @Test
  void rowsWhoseFilesGotTheirNamesInPartAreAddedOnce() throws IOException {
    Files.writeString(folder.resolve("out-00001.csv"), "id,name\n0,zero\n");
    Endpoint to = file("out.csv", Map.of("files", "30kB"));
    Copy copy = new Copy(file("in.csv", Map.of()), to, Mode.APPEND, 1);
    copy.runUntold();
    List<Path> complete = files();
    assertThat(complete).as("the journal and some files").hasSizeGreaterThan(4);
    forgetLastLine();
    String staged = hidden().getFirst().replace(".out.", "." + "out-00003.");
    Files.move(folder.resolve("out-00003.csv"), folder.resolve(staged.replace("journal", "tmp")));
    assertThatThrownBy(copy::run)
        .as("its first file would come twice")
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 4,000 rows had been committed");
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(files()).isEqualTo(complete);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aFileThatGotItsNameAndCouldNotSaySoIsNotAddedToItself() throws IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("cut off when 4,000 rows had been committed");
    copy.with(ResumeState.Choice.RESUME).run();
    assertSameAsInput("out.csv");
  }

  /// A copy that was killed when so much of its rows had been added to the file.
  private Copy killedWhileItAdded(String old, String rows, int added) throws IOException {
    Files.writeString(folder.resolve("out.csv"), old);
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    Files.writeString(folder.resolve("out.csv"), old + rows.substring(0, added));
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    return copy;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 40_000})
  void rowsThatWereAddedInPartAreAddedOnce(int added) throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    for (ResumeState.Choice choice : ResumeState.Choice.values()) {
      Copy copy = killedWhileItAdded(old, rows, added);
      copy.with(choice).run();
      assertThat(Files.readString(folder.resolve("out.csv")))
          .as(choice.name())
          .isEqualTo(old + rows);
      assertThat(unfinished()).isEmpty();
    }
  }

  @Test
  void whatWasAddedIsRemovedByTheNextAlsoWhereAllHadBeenWrittenDown() throws IOException {
    String old = "id,name\n0,zero\n";
    Files.writeString(folder.resolve("out.csv"), old);
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 2);
    copy.runUntold();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows);
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void rowsThatWereAddedInPartAndWhoseRestIsGoneAreNotTakenForAll() throws IOException {
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    Copy copy = killedWhileItAdded("id,name\n", rows, 40_000);
    Files.delete(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")));
    assertThatThrownBy(copy.with(ResumeState.Choice.RESUME)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is not there any more");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 40_000})
  void nobodyAddsBehindRowsThatWereAddedInPart(int added) throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    Copy copy = killedWhileItAdded(old, rows, added);
    Files.writeString(folder.resolve("more.csv"), "id,name\n-1,more\n");
    Copy other = new Copy(file("more.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 1);
    assertThatThrownBy(other::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was cut off while it added its rows to");
    assertThat(hidden()).as("those of the first").hasSize(2);
    copy.with(ResumeState.Choice.RESUME).run();
    other.run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows + "-1,more\n");
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void rowsThatWereAddedWholeAreThereOnceWithThoseThatOthersAddedBehindThem() throws IOException {
    String old = "id,name\n0,zero\n";
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    Copy copy = killedWhileItAdded(old, rows, rows.length());
    Files.writeString(folder.resolve("more.csv"), "id,name\n-1,more\n");
    new Copy(file("more.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 1).run();
    assertThatThrownBy(copy.with(ResumeState.Choice.FRESH)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("was written to by somebody else");
    copy.with(ResumeState.Choice.RESUME).run();
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(old + rows + "-1,more\n");
    assertThat(unfinished()).isEmpty();
  }

  @Test
  void aFileThatSomebodyElseWroteToMeanwhileIsLeftAlone() throws IOException {
    Files.writeString(folder.resolve("out.csv"), "id,name\n");
    Copy copy = new Copy(file("in.csv", Map.of()), file("out.csv", Map.of()), Mode.APPEND, 2);
    copy.runUntold();
    forgetLastLine();
    String rows = Files.readString(folder.resolve("in.csv")).substring("id,name\n".length());
    String others = "id,name\n" + rows.substring(0, 90) + "5,theirs\n";
    Files.writeString(folder.resolve("out.csv"), others);
    Files.writeString(folder.resolve(hidden().getFirst().replace(".journal", ".tmp")), rows);
    for (ResumeState.Choice choice : ResumeState.Choice.values()) {
      assertThatThrownBy(() -> copy.with(choice).run())
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("was written to by somebody else");
    }
    assertThat(Files.readString(folder.resolve("out.csv"))).isEqualTo(others);
  }

  @Test
  void aFaultThatIsMetAgainWhereWhatWasStagedIsPutInOrderIsToldAsItIs() {
    Fault.External full = new Fault.External("No space left.", "Make room.", null);
    Endpoint to = file("out.csv", Map.of());
    WriteOptions writeOptions = new WriteOptions(Mode.CREATE, false, List.of(), false);
    Job job =
        new Job(
            file("in.csv", Map.of()),
            to,
            Selection.ALL,
            writeOptions,
            new Job.Tuning(1, false, null, null, null),
            Job.RejectPolicy.NONE);
    try (Source source = Connectors.ALL.of(job.from()).source(job.from(), Selection.ALL);
        Target inner = Connectors.ALL.of(to).target(to, writeOptions)) {
      Target target =
          new ForwardingTarget(inner) {
            @Override
            public void complete(PhaseTimer steps) {
              throw full;
            }

            @Override
            public void abandon() {
              super.abandon();
              throw full;
            }
          };
      Run run = new Run(Planner.plan(job, source, target), source, target);
      assertThatThrownBy(run::execute).isSameAs(full);
      assertThat(run.undoFailure()).isSameAs(full);
    }
  }

  private Endpoint duckDb() {
    return new Endpoint(
        "duckdb", folder.resolve("shop.db").toString(), Map.of("table", "orders"), Secret.NONE);
  }

  private String inDuckDb(String query) throws java.sql.SQLException {
    try (java.sql.Connection connection =
            java.sql.DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("shop.db"));
        java.sql.Statement statement = connection.createStatement();
        java.sql.ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND", "REPLACE", "TRUNCATE"})
  void aCopyIntoDuckDbIsNotRepeatedWhereItsEndWasNotTold(Mode mode)
      throws java.sql.SQLException, IOException {
    Copy copy = new Copy(file("in.csv", Map.of()), duckDb(), mode, 2);
    copy.warned().cutBehindReceipt(20);
    assertThat(folder.resolve("shop.db")).doesNotExist();
    copy.with(ResumeState.Choice.RESUME).runUntold();
    Run run = copy.with(ResumeState.Choice.RESUME).run();
    assertThat(run.meter().rows()).isZero();
    assertThat(run.notes().toString()).contains("complete since");
    assertThat(inDuckDb("SELECT count(*) || ' ' || count(DISTINCT id) FROM orders"))
        .isEqualTo(ROWS + " " + ROWS);
    if (mode == Mode.REPLACE) {
      write("x");
      assertThatThrownBy(copy.with(ResumeState.Choice.RESUME)::run)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is complete since");
      assertThat(copy.with(ResumeState.Choice.FRESH).run().meter().rows()).isEqualTo(ROWS);
      assertThat(inDuckDb("SELECT count(*) FROM orders WHERE name LIKE '%x'"))
          .isEqualTo(Integer.toString(ROWS));
    }
  }

  @Test
  void aCopyWithinOneDuckDbFileIsNotRepeatedEither() throws java.sql.SQLException {
    new Copy(file("in.csv", Map.of()), duckDb(), Mode.CREATE, 2).run();
    Endpoint other =
        new Endpoint(
            "duckdb", folder.resolve("shop.db").toString(), Map.of("table", "others"), Secret.NONE);
    Copy copy = new Copy(duckDb(), other, Mode.APPEND, 1);
    copy.runUntold();
    assertThatThrownBy(() -> copy.with(ResumeState.Choice.RESUME).run())
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("is complete since");
    assertThat(inDuckDb("SELECT count(*) FROM others")).isEqualTo(Integer.toString(ROWS));
  }
}
