package millrace.connectors.file;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.CsvForm;
import millrace.connectors.file.csv.RecordEncoder;
import millrace.connectors.file.io.Compression;
import millrace.connectors.file.io.Inputs;
import millrace.connectors.file.output.Outputs;
import millrace.connectors.file.output.TextNames;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.io.store.FileLocation;
import millrace.io.store.StoreCounters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.Stage;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.LoadLedger;
import millrace.spi.load.LoadWalk;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.RowCost;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// Delimited files to write: one, several, or standard output.
final class FileTarget implements Target {

  /// Measured on rows of shape `unload`: passing bytes on, and spelling values.
  private static final double FRAMES_NANOS_PER_BYTE = 0.4;

  private static final double COLUMNS_NANOS_PER_BYTE = 3.0;

  /// Rows wait in hidden files.
  private static final Landing.Offer HIDDEN =
      Landing.Offer.into().staging(Landing.Commits.PARTS, Landing.Place.SWAP, Landing.Place.INSERT);

  private static final RowCost GZIP =
      new RowCost(
          Stage.COMPRESS,
          "gzip takes its time",
          "a name that ends in .zst makes Zstandard of it, in about a tenth of that time and about"
              + " the same size.");

  private final Endpoint endpoint;
  private final OutputStream standardOutput;
  private final @Nullable FileJournal journal;
  private final OutputSpec requested;
  private final @Nullable HasCounters counters;

  /// How records are spelled, by what is there.
  ///
  /// @param appended the file that rows are added to, if it has been looked at; else null
  private record Looked(OutputSpec spec, @Nullable AppendedFile appended) {}

  FileTarget(Endpoint endpoint, WriteOptions writeOptions, OutputStream standardOutput) {
    this.endpoint = endpoint;
    this.standardOutput = standardOutput;
    requested = OutputSpec.of(endpoint, writeOptions);
    Outputs written = requested.written();
    journal = written == null ? null : new FileJournal(written, requested.files());
    counters = StoreCounters.of(FileLocation.of(endpoint));
  }

  @Override
  public DescribedTarget describe() {
    Outputs written = requested.written();
    List<Path> existing = written == null ? List.of() : requested.existing(written);
    TargetDescription there = there(existing);
    // The spelling of what is there counts for the rest.
    Looked looked = lookAtWhatIsThere(new Looked(requested, null));
    OutputSpec spec = looked.spec;
    return DescribedTarget.of(
        refusingToAdd(there)
            .refusing(
                Mode.MERGE, "a file can't be merged into", "Use --mode append, or --mode replace.")
            .landing(requested.written() == null ? Landing.Offer.AS_THEY_COME : HIDDEN)
            .withForms(rawForms(spec))
            .keeping(spec.dialect().wantsTypes(), !spec.files().perSplit(), ""),
        existing.stream().anyMatch(path -> Inputs.size(path) > 0),
        request -> plan(looked, request));
  }

  private TargetDescription refusingToAdd(TargetDescription there) {
    Outputs written = requested.written();
    return written != null && written.areStored() && requested.hasRows(written)
        ? there.refusing(
            Mode.APPEND,
            "nothing can be added to a file in a store",
            "Write another file beside it: behind a question mark, files=per-split gives each a"
                + " number, and --mode append goes on counting.")
        : there;
  }

  /// Records are spelled as those are that they are added to.
  private Looked lookAtWhatIsThere(Looked before) {
    Outputs written = requested.written();
    boolean isAdded = written != null && !written.areStored() && requested.appendsToFile(written);
    if (written == null || before.appended != null || !isAdded) {
      return before;
    }
    AppendedFile looked = AppendedFile.look(written.path(), endpoint, requested.compression());
    return new Looked(requested.spelledAs(looked.dialect()), looked);
  }

  private TargetDescription there(List<Path> existing) {
    OutputSpec spec = requested;
    if (spec.written() == null) {
      return TargetDescription.of(spec.label(), State.STREAM);
    }
    existing.forEach(path -> TextNames.checkContent(path, spec.compression()));
    if (existing.isEmpty()) {
      return TargetDescription.of(spec.label(), State.ABSENT);
    }
    TargetDescription there = TargetDescription.of(spec.label(), State.THERE);
    return spec.files().areSeveral()
        ? there.with(existing.getFirst().toString(), List.of(), List.of())
        : there;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    if (type == HasCounters.class) {
      return type.cast(counters);
    }
    return (type == Ledger.class || type == JobLock.class) && journal != null
        ? type.cast(journal)
        : Target.super.capability(type);
  }

  private PlannedTarget plan(Looked before, WriteRequest request) {
    OutputSpec spec = before.spec;
    Schema incoming = request.incoming();
    // Columns that can't be members are refused before anything is begun.
    RecordEncoder encoder = new RecordEncoder(spec.dialect(), incoming);
    Outputs written = spec.written();
    Looked looked = before;
    List<String> details = new ArrayList<>();
    if (written != null) {
      List<Path> existing = spec.existing(written);
      boolean replaces = request.mode() == Mode.TRUNCATE || request.mode() == Mode.REPLACE;
      if (spec.mode() == Mode.APPEND) {
        checkResumes(written, request.resumed());
        looked = lookAtWhatIsThere(before);
        AppendedFile appended = looked.appended;
        if (appended != null && writesRows(request.resumed()) && !isAddedToInPart(written)) {
          appended.check(incoming, spec.byPosition(), encoder.makesDocuments());
        }
      } else if (replaces && !existing.isEmpty()) {
        details.add("replaces " + existing.getFirst() + " when complete");
      }
    }
    if (written == null || !spec.appendsToFile(written)) {
      // A header that can't be written is refused before anything is begun.
      spec.header(incoming);
    }
    WritePlan plan = new WritePlan(incoming, request.mode(), "", List.of(), details);
    OutputSpec settled = looked.spec;
    WritePlan costed = plan.withRowCosts(rowCosts());
    return PlannedTarget.of(
        costed,
        form -> encoder.makesDocuments() && form.isFrames() ? -1 : cost(form, settled),
        start -> open(settled, incoming, request.landing(), start));
  }

  private List<RowCost> rowCosts() {
    return requested.compression() == Compression.GZIP ? List.of(GZIP) : List.of();
  }

  private void checkResumes(Outputs written, @Nullable JournaledRun resumed) {
    JournalContent.FileStart begun =
        journal == null || resumed == null || resumed.state() != JournaledRun.State.CUT_OFF
            ? null
            : journal.start(resumed);
    requested.checkStillThere(written, begun != null && begun.appends());
  }

  /// Whether a copy was cut off while it added its rows: half a record at the end is that copy's,
  /// which takes it back, or brings it to its end, before others may add.
  private static boolean isAddedToInPart(Outputs written) {
    return written.journals().stream()
        .map(JournalFile::readOther)
        .anyMatch(other -> other != null && FileRunJournal.adding(written, other) != null);
  }

  /// Not if all rows are there, or are about to be: then the file ends as they do.
  private static boolean writesRows(@Nullable JournaledRun resumed) {
    return resumed == null || resumed.state() == JournaledRun.State.CUT_OFF;
  }

  private static double cost(Form form, OutputSpec spec) {
    if (form.equals(Form.COLUMNS)) {
      return COLUMNS_NANOS_PER_BYTE;
    }
    return rawForms(spec).contains(form) ? FRAMES_NANOS_PER_BYTE : -1;
  }

  /// Raw records are taken if a reader of the file finds the same in them.
  private static List<Form> rawForms(OutputSpec spec) {
    return spec.dialect().readsMoreThanIsWritten()
        ? List.of()
        : List.of(CsvForm.of(spec.dialect()));
  }

  private WriteSession open(OutputSpec spec, Schema schema, Landing landing, WriteStart start) {
    FileRunJournal runJournal = journal == null ? null : journal.of(start.journal());
    FilePlace place = new FilePlace(spec, schema, runJournal, standardOutput);
    LoadLedger ledger = runJournal == null ? new NoRuns(spec.label()) : runJournal;
    // Rows are added to a file by the same steps by which files get their names.
    Landing how = landing.staged() ? landing.swapping() : landing;
    return LoadWalk.open(place, place, ledger, how, start);
  }

  /// What is kept of runs if nobody asks for it, as of a stream: nothing.
  ///
  /// @param name how to name the target in messages
  private record NoRuns(String name) implements LoadLedger {

    @Override
    public void begin(Entry.Begun begun) {
      throw unkept();
    }

    @Override
    public void append(RunRecord run, Entry entry) {
      throw unkept();
    }

    @Override
    public void forget(RunRecord run) {
      throw unkept();
    }

    private Fault.Bug unkept() {
      return new Fault.Bug(name + " keeps no runs", null);
    }
  }

  @Override
  public void close() {
    if (journal != null) {
      journal.close();
    }
  }
}
