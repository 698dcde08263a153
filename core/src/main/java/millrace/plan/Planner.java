package millrace.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.data.Column;
import millrace.data.ColumnsPool;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.TuningHint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import org.jspecify.annotations.Nullable;

/// Turns a job and what both ends say of themselves into a plan. Changes nothing at either end.
public final class Planner {

  /// Large enough that a split's own cost is lost in it, small enough that the lanes finish
  /// together.
  private static final long SPLIT_BYTES = 16L << 20;

  /// If splits wait in memory for their turn in one output.
  private static final long JOINED_SPLIT_BYTES = 4L << 20;

  private static final int LANES_MAX = 256;

  /// The most that a run tries by itself: so many for each processor, and so many in all.
  private static final int TRIED_PER_PROCESSOR = 2;

  private static final int TRIED_MAX = 16;

  /// A source of this size takes long enough to begin with few lanes and to find out how many are
  /// best. Smaller ones begin with one for each processor.
  private static final long LARGE_BYTES = 1L << 30;

  private static final int LARGE_FIRST = 2;

  /// About what a lane holds at most, in batches: those on their way with their text, and buffers.
  private static final int LANE_BATCHES = 16;

  /// Lanes that were asked for, or that every processor has, may hold this part of it each.
  private static final int LANE_FILL = 2;

  /// Its buffers stay as large, however small batches are.
  private static final long LANE_BYTES_MIN = 7L << 20;

  private Planner() {}

  /// Makes the plan of a job that begins from the start.
  ///
  /// @throws Fault.User if the job can't be done as asked
  public static Planned plan(Job job, Source source, Target target) {
    return plan(job, describe(job, source, target), null);
  }

  /// Asks both ends what they are.
  ///
  /// @throws Fault.User if one of them is missing or can't be understood
  public static DescribedEnds describe(Job job, Source source, Target target) {
    DescribedTarget to = target.describe();
    ColumnRequest columnRequest = wanted(job, to.description());
    DescribedSource from = source.describe(columnRequest);
    return new DescribedEnds(source, target, columnRequest, from, to);
  }

  /// Makes the plan.
  ///
  /// @param goesOn the run that this one goes on with, be it complete; or null
  /// @throws Fault.User if the job can't be done as asked
  public static Planned plan(Job job, DescribedEnds described, @Nullable JournaledRun goesOn) {
    Plan.Ends ends = described.said();
    SourceDescription from = ends.source();
    Schema passed = ends.passed();
    Schema incoming = asked(job, passed, ends.target().existing(job.writeOptions()));
    Mode mode = ModeChoice.settle(described.to(), job.writeOptions(), goesOn);
    boolean stays = stays(described.to(), incoming, mode, goesOn);
    MergeSteps steps = steps(job, ends.target(), mode);
    Pairing pairing = pairing(job, ends.target(), incoming, mode, stays);
    Schema taken = Pairing.taken(incoming, pairing.taken());
    List<String> key =
        mode == Mode.MERGE
            ? MergeKey.settle(ends.target(), job.writeOptions(), taken, pairing.partners())
            : List.of();
    Landing landing =
        Landing.settle(ends.target().modes().offer(), mode, job.writeOptions().atomic(), stays, key)
            .doing(steps);
    checkGoesOn(landing, goesOn);
    PlannedTarget to =
        described
            .to()
            .plan(new WriteRequest(taken, landing, pairing.partners(), pairing.notes(), goesOn));
    WritePlan writePlan = withItself(to.plan(), ends);
    Plan.Work work = work(job, ends, pairing.taken(), writePlan);
    // A row that is set aside is spelled, for which its values have to be known.
    boolean spellsRows = job.rejects().allowsAny() && from.reading().records().ofRows();
    boolean columnsOnly = work.filters() || work.limits() || work.converts() || spellsRows;
    Plan plan =
        new Plan(
            job,
            ends,
            writePlan,
            crossing(price(described.from(), to, ends, columnsOnly), columnsOnly),
            lanes(job, from, ends.target(), work.limits()),
            splitBytes(ends.target()),
            work,
            TuningHint.NOTHING);
    return new Planned(plan, landing, described.source(), described.target(), described.from(), to);
  }

  /// Whether rows go into what is there, or what is like it. Without columns of its own there is
  /// nothing that would stay of what is emptied.
  private static boolean stays(
      DescribedTarget target, Schema incoming, Mode mode, @Nullable JournaledRun goesOn) {
    TargetDescription to = target.description();
    boolean isEmptied = mode == Mode.TRUNCATE || mode == Mode.REPLACE;
    if (to.state() == State.ABSENT
        || mode == Mode.CREATE
        || (isEmptied && to.columns().isEmpty())) {
      return false;
    }
    boolean isComplete = goesOn != null && goesOn.complete();
    return mode != Mode.REPLACE || (!isComplete && target.keepsDefinition(incoming));
  }

  /// @throws Fault.User if the target's merges do nothing else than update and insert
  private static MergeSteps steps(Job job, TargetDescription to, Mode mode) {
    MergeSteps steps = mode == Mode.MERGE ? job.writeOptions().steps() : MergeSteps.USUAL;
    if (!steps.equals(MergeSteps.USUAL) && !to.modes().offer().choosesSteps()) {
      throw new Fault.User(
          to.label()
              + ": a merge updates and inserts there, and can do nothing else ("
              + steps.words().strip()
              + ").",
          "Use --mode merge without it.");
    }
    return steps;
  }

  /// Where the columns go.
  ///
  /// @param stays whether they go into those that are there
  private static Pairing pairing(
      Job job, TargetDescription to, Schema incoming, Mode mode, boolean stays) {
    boolean mayBeMade = !stays || mode == Mode.REPLACE;
    if (mayBeMade && !to.storage().caseSensitiveNames()) {
      Pairing.checkApart(to.label(), incoming);
    }
    // A definition is kept for columns of the same names.
    boolean byPosition = job.writeOptions().byPosition() && mode != Mode.REPLACE;
    return stays && !to.columns().isEmpty()
        ? Pairing.of(
            to.contents().name(),
            incoming,
            to.columns(),
            byPosition,
            job.writeOptions().steps().inserts())
        : Pairing.anew(incoming);
  }

  /// @throws Fault.User if a run that committed some rows is to be gone on with by one that commits
  ///   all at once
  private static void checkGoesOn(Landing landing, @Nullable JournaledRun goesOn) {
    if (goesOn == null || goesOn.complete() || !landing.whole()) {
      return;
    }
    throw new Fault.User(
        "The copy begun at "
            + goesOn.run().startedAt()
            + " can't go on in one transaction: some of its rows are committed.",
        "Leave the option out that asks for one, or begin again with --fresh.");
  }

  private static Plan.Work work(Job job, Plan.Ends ends, List<Integer> taken, WritePlan writePlan) {
    SourceDescription from = ends.source();
    Schema passed = ends.passed();
    boolean changes =
        taken.size() < from.schema().width()
            || !from.reading().declaredTypes().isEmpty()
            || !Plan.membersCounted(job, Pairing.taken(from.schema(), taken), writePlan).isEmpty();
    return new Plan.Work(
        changes || converts(Pairing.taken(passed, taken), writePlan.schema()),
        job.selection().filters() && !from.pushDown().where(),
        job.selection().limit() != Long.MAX_VALUE && !from.pushDown().limit(),
        taken);
  }

  private static Plan.Crossing crossing(List<Priced> priced, boolean columnsOnly) {
    Form best = priced.getFirst().form;
    Form fallback =
        best.isFrames()
            ? null
            : priced.stream().map(Priced::form).filter(Form::isFrames).findFirst().orElse(null);
    return new Plan.Crossing(best, why(priced, columnsOnly), fallback);
  }

  /// Files are put in the place of others when they are complete; most else would lose what is to
  /// be read, or wait for its own reading to end.
  private static WritePlan withItself(WritePlan writePlan, Plan.Ends ends) {
    String label = ends.source().label();
    boolean takesAway = writePlan.mode() == Mode.TRUNCATE || writePlan.mode() == Mode.REPLACE;
    if (!takesAway || !ends.target().keepsTypes() || !label.equals(ends.target().label())) {
      return writePlan;
    }
    String advice = writePlan.adviceToReadItself();
    if (!advice.isEmpty()) {
      throw new Fault.User(
          "FROM and TO are both "
              + label
              + ": --mode "
              + writePlan.mode().name().toLowerCase(Locale.ROOT)
              + " takes away what is to be read.",
          advice);
    }
    return writePlan.noting(
        "FROM and TO are the same: what others write there meanwhile will be lost");
  }

  /// The columns as the target is to take them: of the old table's types, if they are to stay. A
  /// type that only one system knows stays the source's.
  private static Schema asked(Job job, Schema passed, @Nullable Schema old) {
    if (old == null || job.writeOptions().types() != WriteOptions.Types.TARGET) {
      return passed;
    }
    List<Column> columns = new ArrayList<>();
    for (Column column : passed.columns()) {
      int at = Selection.position(column.name(), old.names());
      boolean stays = at >= 0 && !(column.type() instanceof Type.Opaque);
      columns.add(
          stays
              ? new Column(
                  column.name(),
                  old.column(at).type(),
                  column.nullable(),
                  old.column(at).declared())
              : column);
    }
    return new Schema(columns, passed.key());
  }

  private static ColumnRequest wanted(Job job, TargetDescription target) {
    Schema existing = target.existing(job.writeOptions());
    if (existing != null && target.keepsTypes()) {
      boolean cuts = job.rejects().cutsNanoseconds();
      return new ColumnRequest.Like(
          cuts ? timesAsText(existing) : existing, job.writeOptions().byPosition());
    }
    return target.keepsTypes()
        ? new ColumnRequest.Typed()
        : new ColumnRequest.Untyped(job.selection().conditionNames());
  }

  /// What cuts times, the engine, has to see their text.
  private static Schema timesAsText(Schema schema) {
    return new Schema(
        schema.columns().stream()
            .map(column ->
                column.type() instanceof Type.Timestamp || column.type() instanceof Type.Time
                    ? new Column(column.name(), Type.Text.UNLIMITED, column.nullable(), null)
                    : column)
            .toList(),
        schema.key());
  }

  /// Whether any column changes its type, or has text that may be too long for the target's.
  private static boolean converts(Schema from, Schema to) {
    for (int i = 0; i < from.width(); i++) {
      Type one = from.column(i).type();
      Type other = to.column(i).type();
      boolean stays =
          (one instanceof Type.Text text && other instanceof Type.Text limited)
              ? limited.holds(text)
              : one.equals(other);
      if (!stays) {
        return true;
      }
    }
    return false;
  }

  private record Priced(Form form, double cost) {}

  private static List<Priced> price(
      DescribedSource source, PlannedTarget target, Plan.Ends ends, boolean columnsOnly) {
    Set<Form> candidates = new LinkedHashSet<>();
    if (!columnsOnly) {
      candidates.addAll(ends.source().forms());
      candidates.addAll(ends.target().forms());
    }
    candidates.add(Form.COLUMNS);
    List<Priced> priced = new ArrayList<>();
    for (Form form : candidates) {
      double give = source.cost(form);
      double take = target.cost(form);
      if (give >= 0 && take >= 0) {
        priced.add(new Priced(form, give + take));
      }
    }
    if (priced.isEmpty()) {
      throw new Fault.Bug(
          ends.source().label() + " and " + ends.target().label() + " have no form in common",
          null);
    }
    priced.sort(java.util.Comparator.comparingDouble(Priced::cost));
    return priced;
  }

  private static String why(List<Priced> priced, boolean columnsOnly) {
    if (priced.size() == 1) {
      return columnsOnly
          ? "values are converted or looked at on the way"
          : "the only form that both ends speak";
    }
    List<String> costs = new ArrayList<>();
    for (Priced one : priced) {
      costs.add(String.format(Locale.ROOT, "%s %.1f", one.form.name(), one.cost));
    }
    return "cheapest in common, in ns of CPU a byte: " + String.join(", ", costs);
  }

  private static long splitBytes(TargetDescription target) {
    return target.singleOutput() ? JOINED_SPLIT_BYTES : SPLIT_BYTES;
  }

  private static Lanes lanes(
      Job job, SourceDescription source, TargetDescription target, boolean limits) {
    int asked = job.tuning().lanes();
    if (asked > LANES_MAX) {
      throw new Fault.User(
          asked + " lanes are more than " + LANES_MAX + ".", "Ask for at most " + LANES_MAX + ".");
    }
    if (asked > 0) {
      LaneLimit used = most(asked, job, source, target, limits);
      return Lanes.fixed(used.max(), asked > used.max() ? fewer(asked, used) : used.why());
    }
    LaneLimit first = most(Lanes.oneEachProcessor(), job, source, target, limits);
    if (!source.size().cuts()) {
      return Lanes.fixed(first.max(), first.why());
    }
    LaneLimit tried = most(triedMax(), job, source, target, limits).and(forHeap(1));
    if (tried.max() <= first.max()) {
      return Lanes.fixed(tried.max(), tried.why());
    }
    boolean large = source.size().bytes() >= LARGE_BYTES;
    return new Lanes(
        large ? Math.min(LARGE_FIRST, first.max()) : first.max(), tried.max(), tried.why());
  }

  private static int triedMax() {
    return Math.min(TRIED_MAX, TRIED_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());
  }

  /// How many lanes half of the heap has room for.
  ///
  /// @param fill which part of a full lane each is taken to hold: few hold as much as they may
  private static LaneLimit forHeap(int fill) {
    long heap = Runtime.getRuntime().maxMemory();
    long laneBytes = Math.max(LANE_BYTES_MIN, LANE_BATCHES * ColumnsPool.batchBytes() / fill);
    int most = Math.clamp(heap / 2 / laneBytes, 1, LANES_MAX);
    return new LaneLimit(
        most,
        "the heap of "
            + (heap >> 20)
            + " MB has room for no more; MILLRACE_HEAP="
            + (heap >> 19)
            + "m gives more");
  }

  private static String fewer(int asked, LaneLimit used) {
    return asked + " lanes asked, " + used.max() + " used: " + used.why();
  }

  /// How many lanes are possible, and what stands against more.
  private static LaneLimit most(
      int wanted, Job job, SourceDescription source, TargetDescription target, boolean limits) {
    LaneLimit most = new LaneLimit(wanted, "");
    if (job.tuning().ordered()) {
      most = most.and(new LaneLimit(1, "rows were asked for in source order"));
    }
    if (limits) {
      most = most.and(new LaneLimit(1, "the source can't limit rows by itself"));
    }
    most = most.and(source.lanes());
    most = most.and(target.lanes());
    most = most.and(forHeap(LANE_FILL));
    if (source.size().bytes() >= 0) {
      long splits = Math.max(1, Math.ceilDiv(source.size().bytes(), splitBytes(target)));
      int large = (int) Math.min(LANES_MAX, splits);
      most = most.and(new LaneLimit(large, "the source is small"));
    }
    return most;
  }
}
