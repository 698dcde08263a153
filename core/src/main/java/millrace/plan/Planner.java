package millrace.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.TuningHint;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import org.jspecify.annotations.Nullable;

/// Turns a job and what both ends say of themselves into a plan. Changes nothing at either end.
public final class Planner {

  /// Large enough that a split's own cost is lost in it, small enough that the lanes finish
  /// together.
  private static final long SPLIT_BYTES = 16L << 20;

  /// Where splits wait in memory for their turn in one output.
  private static final long JOINED_SPLIT_BYTES = 4L << 20;

  private static final int LANES_MAX = 256;

  /// The most that a run tries by itself: so many for each processor, and so many in all.
  private static final int TRIED_PER_PROCESSOR = 2;

  private static final int TRIED_MAX = 16;

  /// A source of this size takes long enough to begin with few lanes and to find out how many are
  /// best. Smaller ones begin with one for each processor.
  private static final long LARGE_BYTES = 1L << 30;

  private static final int LARGE_FIRST = 2;

  /// About what the batches and buffers of a lane hold, and the share of the heap that lanes may
  /// fill which nobody asked for.
  private static final long LANE_BYTES = 16L << 20;

  private static final int HEAP_SHARE = 2;

  private Planner() {}

  /// Makes the plan.
  ///
  /// @throws Fault.User where the job can't be done as asked
  public static Plan plan(Job job, Source source, Target target) {
    TargetDescription targetIs = target.describe();
    ColumnRequest columnRequest = wanted(job, targetIs);
    SourceDescription sourceIs = source.describe(columnRequest);
    Schema passed = sourceIs.passed(columnRequest);
    WritePlan writePlan = fit(target, asked(job, passed, targetIs.existing()), sourceIs, targetIs);
    boolean filters = job.selection().where() != null && !sourceIs.pushDown().where();
    boolean limits = job.selection().limit() != Long.MAX_VALUE && !sourceIs.pushDown().limit();
    boolean changes =
        sourceIs.pushDown().conditionColumns() > 0
            || !sourceIs.reading().meant().isEmpty()
            || !Plan.membersCounted(job, sourceIs.schema(), writePlan).isEmpty();
    boolean converts = changes || converts(passed, writePlan.schema());
    boolean columnsOnly = filters || limits || converts;

    List<Priced> priced = price(source, target, sourceIs, targetIs, columnsOnly);
    Priced best = priced.getFirst();
    Form fallback =
        best.form.isFrames()
            ? null
            : priced.stream().map(Priced::form).filter(Form::isFrames).findFirst().orElse(null);
    return new Plan(
        job,
        sourceIs,
        targetIs,
        writePlan,
        best.form,
        why(priced, columnsOnly),
        fallback,
        lanes(job, sourceIs, targetIs, limits),
        splitBytes(targetIs),
        converts,
        filters,
        limits,
        TuningHint.NOTHING);
  }

  /// Files are put in the place of others when they are complete; most else would lose what is to
  /// be read, or wait for its own reading to end.
  private static WritePlan fit(
      Target target, Schema asked, SourceDescription from, TargetDescription to) {
    WritePlan writePlan = target.fit(asked);
    boolean takesAway = writePlan.mode() == Mode.TRUNCATE || writePlan.mode() == Mode.REPLACE;
    if (!takesAway || !to.typed() || !from.label().equals(to.label())) {
      return writePlan;
    }
    String advice = target.adviceToReadItself();
    if (!advice.isEmpty()) {
      throw new Fault.User(
          "FROM and TO are both "
              + from.label()
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
      int at = old.indexOf(column.name());
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
    Schema existing = target.existing();
    if (existing != null && target.typed()) {
      boolean cuts = job.rejects().cutsNanoseconds();
      return new ColumnRequest.Like(
          cuts ? timesAsText(existing) : existing, job.writeOptions().byPosition());
    }
    return target.typed()
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

  /// Whether any column changes its type; a text's length is the target's own affair.
  private static boolean converts(Schema from, Schema to) {
    for (int i = 0; i < from.width(); i++) {
      Type one = from.column(i).type();
      Type other = to.column(i).type();
      boolean bothText = one instanceof Type.Text && other instanceof Type.Text;
      if (!bothText && !one.equals(other)) {
        return true;
      }
    }
    return false;
  }

  private record Priced(Form form, double cost) {}

  private static List<Priced> price(
      Source source,
      Target target,
      SourceDescription sourceIs,
      TargetDescription targetIs,
      boolean columnsOnly) {
    Set<Form> candidates = new LinkedHashSet<>();
    if (!columnsOnly) {
      candidates.addAll(sourceIs.forms());
      candidates.addAll(targetIs.forms());
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
          sourceIs.label() + " and " + targetIs.label() + " have no form in common", null);
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
    return target.joins() ? JOINED_SPLIT_BYTES : SPLIT_BYTES;
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
    LaneLimit tried = most(triedMax(), job, source, target, limits);
    if (tried.max() <= first.max()) {
      return Lanes.fixed(tried.max(), tried.why());
    }
    boolean large = source.size().bytes() >= LARGE_BYTES;
    return new Lanes(
        large ? Math.min(LARGE_FIRST, first.max()) : first.max(), tried.max(), tried.why());
  }

  private static int triedMax() {
    int forProcessors = TRIED_PER_PROCESSOR * Runtime.getRuntime().availableProcessors();
    long forHeap = Runtime.getRuntime().maxMemory() / HEAP_SHARE / LANE_BYTES;
    return (int) Math.max(1, Math.min(Math.min(TRIED_MAX, forProcessors), forHeap));
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
    if (source.size().bytes() >= 0) {
      long splits = Math.max(1, Math.ceilDiv(source.size().bytes(), splitBytes(target)));
      int large = (int) Math.min(LANES_MAX, splits);
      most = most.and(new LaneLimit(large, "the source is small"));
    }
    return most;
  }
}
