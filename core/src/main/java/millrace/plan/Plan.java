package millrace.plan;

import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.plan.mapping.AddedValue;
import millrace.plan.mapping.MappedColumn;
import millrace.spi.TuningHint;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.KeyWindow;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SqlWords;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import org.jspecify.annotations.Nullable;

/// How a job will be done, settled before the first row moves; `--dry-run` prints it.
///
/// @param job what was asked
/// @param ends what both ends are
/// @param writePlan how the target takes the columns
/// @param crossing in which form rows cross
/// @param lanes how many lanes, or how many the run may try
/// @param splitBytes about how many bytes of the source one split holds
/// @param work what is left to the engine
/// @param known what an earlier copy between these ends found best
public record Plan(
    Job job,
    Ends ends,
    WritePlan writePlan,
    Crossing crossing,
    Lanes lanes,
    long splitBytes,
    Work work,
    TuningHint known)
    implements Serializable {

  /// What both ends say of themselves.
  ///
  /// @param columnRequest what the source was described for
  public record Ends(
      ColumnRequest columnRequest, SourceDescription source, TargetDescription target)
      implements Serializable {

    /// The columns that the target is to take, before it says how.
    Schema passed() {
      return source.passed(columnRequest);
    }
  }

  /// How rows cross.
  ///
  /// @param form in which form
  /// @param why why that one, with the costs of those that lost
  /// @param fallback the form for batches that do not fit the first, or null
  public record Crossing(Form form, String why, @Nullable Form fallback) implements Serializable {}

  /// What the engine does with the rows on the way.
  ///
  /// @param converts whether columns change type between the ends, or some are dropped or added
  /// @param filters whether it applies the selection's `where`
  /// @param limits whether it applies the selection's `limit`
  /// @param taken what each column that the target takes is made of
  /// @param begun what `now()` is: when the run began, or the one that it goes on with
  public record Work(
      boolean converts, boolean filters, boolean limits, List<MappedColumn> taken, Instant begun)
      implements Serializable {

    public Work {
      taken = List.copyOf(taken);
    }

    /// The columns of the source that the target takes; of those that it does not have, what they
    /// are on the way.
    Schema taken(Schema source) {
      return Schema.of(
          taken.stream()
              .map(each -> each.constant() == null ? source.column(each.position()) : each.column())
              .toList());
    }

    /// Nothing is done to the rows.
    Work none() {
      return new Work(false, false, false, taken, begun);
    }
  }

  private static final int STATEMENT_SHOWN_MAX = 160;

  /// Enough for each process that all of them end together.
  private static final int PROCESS_SPLITS = 4;

  private static final long PROCESS_SPLIT_BYTES_MAX = 128L << 20;

  /// The same with a settled number of lanes: nothing is tried out on the way.
  public Plan withSettledLanes() {
    return with(lanes.settled(), splitBytes);
  }

  /// What the source is.
  public SourceDescription source() {
    return ends.source();
  }

  /// What the target is.
  public TargetDescription target() {
    return ends.target();
  }

  /// The columns of the source that the target takes.
  private Schema taken() {
    return work.taken(source().schema());
  }

  /// In which form rows cross.
  public Form form() {
    return crossing.form();
  }

  /// Whether columns change type between the ends.
  public boolean converts() {
    return work.converts();
  }

  /// Whether the engine applies the selection's `where`.
  public boolean filters() {
    return work.filters();
  }

  /// Whether the engine applies the selection's `limit`.
  public boolean limits() {
    return work.limits();
  }

  private String condition() {
    return shown(String.valueOf(job.selection().condition(SqlWords.ENGINE)));
  }

  /// How the source is read.
  ///
  /// @param bytes about how many a split is to have
  /// @param lanesMax most lanes at once
  /// @param checksums whether readers add up the rows of each split
  /// @param taken what an earlier run has taken
  public ReadPlan readPlan(long bytes, int lanesMax, boolean checksums, List<Receipt> taken) {
    return new ReadPlan(
        job.selection(),
        ends.columnRequest(),
        crossing.form(),
        crossing.fallback(),
        bytes,
        lanesMax,
        checksums,
        taken);
  }

  /// How the source is read from the start.
  public ReadPlan readPlan() {
    return readPlan(splitBytes, lanes.most(), false, List.of());
  }

  /// The same with one note more of what becomes of the target.
  public Plan noting(String note) {
    return new Plan(job, ends, writePlan.noting(note), crossing, lanes, splitBytes, work, known);
  }

  /// A plan that reads the source in the same form and does nothing to what it reads.
  public Plan forReading() {
    return new Plan(
        job,
        ends,
        writePlan,
        crossing,
        lanes.settled(),
        splitBytes,
        work.none(),
        TuningHint.NOTHING);
  }

  /// The same with other lanes and splits of another size.
  public Plan with(Lanes otherLanes, long otherSplitBytes) {
    return with(otherLanes, otherSplitBytes, known);
  }

  /// The same, beginning with what an earlier copy between these ends found best. What the user has
  /// settled stays settled.
  public Plan knowing(TuningHint tuningHint) {
    Job.Tuning requested = job.tuning();
    TuningHint sought =
        new TuningHint(
            tuningHint.lanes(),
            requested.readUnit() == null ? tuningHint.readUnit() : null,
            requested.writeUnit() == null ? tuningHint.writeUnit() : null);
    return with(lanes.beginningWith(tuningHint.lanes()), splitBytes, sought);
  }

  /// The same for other processes that work on so many splits at once, which are larger: each is a
  /// task of its own.
  public Plan forProcesses(int most) {
    long share = source().size().bytes() / ((long) most * PROCESS_SPLITS);
    long bytes = Math.clamp(share, splitBytes, Math.max(splitBytes, PROCESS_SPLIT_BYTES_MAX));
    return with(LaneChoice.processes(this, most, bytes), bytes);
  }

  /// The same for one of those, which reports bad records to the one that has begun the run.
  public Plan forOneOf() {
    Job reporting = job.with(job.rejects().reported());
    Lanes one = Lanes.fixed(1, "");
    return new Plan(reporting, ends, writePlan, crossing, one, splitBytes, work, known);
  }

  private Plan with(Lanes otherLanes, long otherSplitBytes, TuningHint tuningHint) {
    return new Plan(job, ends, writePlan, crossing, otherLanes, otherSplitBytes, work, tuningHint);
  }

  /// The plan as a user reads it, one fact a line.
  public List<String> lines() {
    return lines(List.of());
  }

  /// The same of a copy within a job.
  ///
  /// @param made how the table is made if a job makes it before the copy, line by line: the target
  ///   then neither makes nor stages one
  public List<String> lines(List<String> made) {
    List<String> lines = new ArrayList<>();
    lines.add("from     " + source().label() + sizeNote());
    if (!source().reading().as().isEmpty()) {
      lines.add("read as  " + source().reading().as());
    }
    lines.add(
        "to       " + target().label() + ", " + writePlan.mode().name().toLowerCase(Locale.ROOT));
    lines.add("form     " + form().name() + " (" + crossing.why() + ")");
    if (crossing.fallback() != null) {
      lines.add(
          "fallback "
              + crossing.fallback().name()
              + ", for batches with a spelling that is not ours");
    }
    boolean remembered = known.lanes() > 0 && lanes.measured();
    lines.add(
        "lanes    " + lanes.words() + (remembered ? "; begins by what the copy before found" : ""));
    String requested = job.tuning().units();
    if (!requested.isEmpty()) {
      lines.add("units    " + requested + ", as requested");
    }
    String units = known.units();
    if (!units.isEmpty()) {
      lines.add(
          "units    "
              + units
              + ", best for the copy before: where the run seeks the best, it begins"
              + " there");
    }
    lines.add("split    about " + (splitBytes >> 10) + " kB of the source");
    if (filters()) {
      lines.add("filter   here, after reading: " + condition());
    } else if (job.selection().window() != null) {
      lines.add("filter   by the source: " + condition());
    }
    Schema from = taken();
    for (int i = 0; i < from.width(); i++) {
      AddedValue added = work.taken().get(i).constant();
      Column to = writePlan.schema().column(i);
      lines.add(
          added == null
              ? columnLine(from.column(i), to)
              : "column   " + added.words() + " -> " + to.name() + " " + words(to));
    }
    notes().forEach(note -> lines.add("note     " + note));
    if (!made.isEmpty()) {
      lines.addAll(made);
      return lines;
    }
    writePlan.details().forEach(detail -> lines.add("note     " + detail));
    if (!writePlan.ddl().isEmpty()) {
      lines.add("ddl      " + indented(writePlan.ddl()));
    }
    return lines;
  }

  /// Statements of several lines as they stand behind the first word of a line of a plan.
  public static String indented(String ddl) {
    return ddl.strip().replace("\n", "\n         ");
  }

  /// The columns in which documents are counted that lose a member, because an object has two of
  /// one name: all that keep the last only, unless the source is such a column itself.
  public List<Integer> membersCounted() {
    return membersCounted(job, taken(), writePlan);
  }

  static List<Integer> membersCounted(Job job, Schema from, WritePlan writePlan) {
    boolean oneSystem = job.from().scheme().equals(job.to().scheme());
    return IntStream.range(0, writePlan.schema().width())
        .filter(i -> writePlan.lastMemberOnly().contains(writePlan.schema().column(i).name()))
        .filter(i ->
            !oneSystem
                || !Objects.equals(
                    from.column(i).declared(), writePlan.schema().column(i).declared()))
        .boxed()
        .toList();
  }

  /// What both ends have to say of the data, one sentence each.
  public List<String> notes() {
    return Stream.of(incrementNotes(), source().reading().notes(), writePlan.notes(), typeNotes())
        .flatMap(List::stream)
        .toList();
  }

  private List<String> incrementNotes() {
    KeyWindow window = job.selection().window();
    return window == null
        ? List.of()
        : Stream.concat(Stream.of(window.words()), window.notes().stream()).toList();
  }

  private List<String> typeNotes() {
    List<String> retained = retainedTypes();
    if (retained.isEmpty()) {
      boolean isRequested = job.writeOptions().types() == WriteOptions.Types.TARGET;
      return isRequested && target().existing(job.writeOptions()) == null
          ? List.of("no old table has types that could stay: they are the source's")
          : List.of();
    }
    String which =
        retained.size() == writePlan.schema().width()
            ? "the columns keep"
            : retained.size() == 1
                ? "column " + retained.getFirst() + " keeps"
                : retained.size() + " columns (" + retained.getFirst() + ", …) keep";
    return List.of(which + " the old table's types; --types source takes the source's");
  }

  /// The columns of a table that is replaced whose types are the old table's, and not the source's
  /// own.
  public List<String> retainedTypes() {
    Schema old = target().existing(job.writeOptions());
    if (writePlan.mode() != Mode.REPLACE || old == null) {
      return List.of();
    }
    List<String> retained = new ArrayList<>();
    Schema from = taken();
    for (int i = 0; i < writePlan.schema().width(); i++) {
      Column to = writePlan.schema().column(i);
      int at = old.indexOf(to.name());
      if (at >= 0 && retainsType(from.column(i), to, old.column(at))) {
        retained.add(to.name());
      }
    }
    return retained;
  }

  private boolean retainsType(Column from, Column to, Column old) {
    Native declared = from.declared();
    // A source without types of its own takes over the declarations of another system's table.
    boolean mayBeGuessed =
        declared == null
            || (declared.equals(old.declared()) && !job.from().scheme().equals(job.to().scheme()));
    return to.type().equals(old.type())
        && (mayBeGuessed || job.writeOptions().types() == WriteOptions.Types.TARGET);
  }

  private String sizeNote() {
    if (source().size().rows() >= 0) {
      return String.format(Locale.ROOT, ", about %,d rows", source().size().rows());
    }
    return source().size().bytes() >= 0
        ? String.format(Locale.ROOT, ", %,d bytes", source().size().bytes())
        : "";
  }

  /// A statement of the user's, its beginning if it is long.
  private static String shown(String statement) {
    return statement.length() <= STATEMENT_SHOWN_MAX
        ? statement
        : String.format(
            Locale.ROOT,
            "%s … (%,d characters)",
            statement.substring(0, STATEMENT_SHOWN_MAX),
            statement.length());
  }

  private static String columnLine(Column from, Column to) {
    String line = "column   " + from.name() + " " + words(from);
    boolean same = from.name().equals(to.name()) && words(from).equals(words(to));
    return same ? line : line + " -> " + to.name() + " " + words(to);
  }

  private static String words(Column column) {
    String type = column.declaration();
    return column.nullable() ? type : type + " not null";
  }
}
