package millrace.copy;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.retry.Retrier;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.plan.DescribedEnds;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.plan.mapping.MappedColumn;
import millrace.report.RunStore;
import millrace.resume.ResumeChoice;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Window;
import millrace.spi.read.Window.Pick;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// A copy of what has changed: the rows whose update key lies above the greatest one that the
/// target has, and not above the greatest one that the source has now. What changes while they are
/// read gets a key above that, and comes next time.
///
/// Rows appear in the target all at once, so that its own greatest key says how far it is, also
/// after a kill. If a target can't do that, as Kudu can't, rows are merged, which does no harm if
/// it is done twice, and how far they are is kept among the user's runs, once a copy is complete.
final class IncrementalCopy {

  private final ConnectorRegistry connectors;
  private final RunStore runs;
  private final CopySpec spec;
  private final Increment increment;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Retrier retrier;

  IncrementalCopy(
      ConnectorRegistry connectors,
      RunStore runs,
      CopySpec spec,
      Increment increment,
      CopyListener listener) {
    this.connectors = connectors;
    this.runs = runs;
    this.spec = spec;
    this.increment = increment;
    this.listener = listener;
    endOpener = new EndOpener(connectors, spec.retryPolicy(), listener::says);
    retrier = Retrier.beforeRows(spec.retryPolicy(), this::beforeWait);
  }

  private void beforeWait(Fault.Transient fault, long waitNanos, int tries) {
    listener.waitEndedBy(retrier::cancel);
    endOpener.tryAgain(fault, waitNanos, tries);
  }

  /// What was found out before rows move.
  ///
  /// @param job which rows, without bounds
  /// @param window the column
  /// @param target its counterpart in the target
  /// @param isFilled whether the target holds rows
  /// @param key the source's columns that a merge goes by
  /// @param ownMark under which name it is kept how far the target is; empty if it tells itself
  private record Found(
      Job job, Window window, Column target, boolean isFilled, List<String> key, String ownMark) {

    KeyValues values() {
      return new KeyValues(window.column(), window.type());
    }
  }

  /// Carries it out, chunk by chunk.
  CopyResult run() {
    Found found = retrier.get(this::look);
    Bounds bounds = bounds(found);
    CopyResult copied = bounds.step == null ? copy(found, bounds) : chunks(found, bounds);
    boolean deletes = spec.job().writeOptions().steps().deletes();
    return deletes && copied.fault() == null && found.isFilled()
        ? deleteGone(found, copied)
        : copied;
  }

  /// What is gone can't be seen by what has changed: the keys of all rows are read for it.
  private CopyResult deleteGone(Found found, CopyResult copied) {
    listener.says("What is new is copied. All keys are read now, to delete rows that are gone.");
    Job job = found.job();
    Selection keys = new Selection(found.key(), null, Long.MAX_VALUE);
    CopySpec own =
        new CopySpec(
            with(job, keys, steps(job.writeOptions(), MergeSteps.DELETE_ONLY))
                .with(job.mapping().of(found.key())),
            ResumeChoice.FRESH,
            spec.retryPolicy(),
            CopySpec.Measures.NONE);
    CopyResult result = Copy.run(connectors, runs, own, listener);
    MergeCounts merged = result.outcome().merged();
    if (result.fault() != null || merged == null) {
      return result;
    }
    listener.says(
        String.format(Locale.ROOT, "%,d rows are deleted whose key is gone.", merged.deleted()));
    return copied;
  }

  private static WriteOptions steps(WriteOptions asked, MergeSteps steps) {
    return new WriteOptions(
        asked.mode(), asked.atomic(), asked.key(), asked.byPosition(), asked.types(), steps);
  }

  /// Tells what its first part would do.
  CopyPreview preview() {
    Found found = retrier.get(this::look);
    return Copy.preview(connectors, runs, part(found, next(found, bounds(found))), listener);
  }

  /// Between which values rows are copied.
  ///
  /// @param from null if there is no lower bound
  /// @param closed whether that value belongs to it
  /// @param to null if there are no rows
  /// @param step how much one copy takes; null if all
  private record Bounds(
      @Nullable BigDecimal from,
      boolean closed,
      @Nullable BigDecimal to,
      @Nullable BigDecimal step) {}

  private Bounds bounds(Found found) {
    KeyValues values = found.values();
    BigDecimal step = increment.chunk() == null ? null : values.step("--chunk", increment.chunk());
    if (step != null && step.signum() == 0) {
      throw new Fault.User("--chunk 0 takes no rows.", "Write for example --chunk 1d or 100000.");
    }
    BigDecimal overlap =
        increment.overlap() == null
            ? BigDecimal.ZERO
            : values.step("--overlap", increment.overlap());
    BigDecimal mark = mark(found);
    BigDecimal last = number(values, sourceEnd(found, found.window(), Pick.GREATEST));
    return new Bounds(
        mark == null ? null : mark.subtract(overlap),
        overlap.signum() > 0,
        mark == null || (last != null && last.compareTo(mark) > 0) ? last : mark,
        step);
  }

  /// The first part of it. A gap is stepped over, however wide it is.
  private Bounds next(Found found, Bounds all) {
    if (all.step == null || all.to == null) {
      return all;
    }
    Window rest = window(found, new Bounds(all.from, all.closed, null, null), false);
    BigDecimal least = number(found.values(), sourceEnd(found, rest, Pick.LEAST));
    BigDecimal to = (least == null ? all.to : least).add(all.step).min(all.to);
    return new Bounds(all.from, all.closed, to, all.step);
  }

  private CopyResult chunks(Found found, Bounds all) {
    KeyValues values = found.values();
    Bounds left = all;
    long rows = 0;
    long rejects = 0;
    while (true) {
      Bounds part = next(found, left);
      CopyResult result = copy(found, part).after(rows, rejects);
      if (result.fault() != null
          || part.to == null
          || part.to.compareTo(Objects.requireNonNull(all.to)) >= 0) {
        listener.says(String.format(Locale.ROOT, "%,d rows in all.", result.rows()));
        return result;
      }
      rows = result.rows();
      rejects = result.rejects();
      listener.says(
          String.format(
              Locale.ROOT,
              "%,d rows so far, by %s up to %s.",
              rows,
              found.window().column(),
              values.text(part.to)));
      left = new Bounds(part.to, false, all.to, all.step);
    }
  }

  private CopyResult copy(Found found, Bounds bounds) {
    CopyResult result = Copy.run(connectors, runs, part(found, bounds), listener);
    if (result.fault() == null && bounds.to != null && !found.ownMark().isEmpty()) {
      keep(found, found.values().text(bounds.to));
    }
    return result;
  }

  private CopySpec part(Found found, Bounds bounds) {
    // Rows without a key are taken with the first ones, and never again.
    Window window = window(found, bounds, bounds.from == null && !found.isFilled());
    return new CopySpec(
        within(found.job(), found.job().selection().within(window)),
        ResumeChoice.FRESH,
        spec.retryPolicy(),
        spec.measures());
  }

  private void keep(Found found, String mark) {
    try {
      runs.keepMark(found.ownMark(), mark);
    } catch (IOException e) {
      throw new Fault.External(
          "The rows are copied, but it could not be kept how far they are: " + e.getMessage() + ".",
          "The next copy reads them again, and merges them to the same end.",
          e);
    }
  }

  private static Window window(Found found, Bounds bounds, boolean missing) {
    KeyValues values = found.values();
    return new Window(
        found.window().column(),
        found.window().type(),
        bounds.from == null ? null : values.text(bounds.from),
        bounds.closed,
        bounds.to == null ? null : values.text(bounds.to),
        missing,
        Pick.ALL);
  }

  private static @Nullable BigDecimal number(KeyValues values, @Nullable String text) {
    return text == null ? null : values.number(text);
  }

  private static Job within(Job job, Selection selection) {
    return with(job, selection, job.writeOptions());
  }

  private static Job with(Job job, Selection selection, WriteOptions writeOptions) {
    return new Job(
        job.from(), job.to(), selection, writeOptions, job.tuning(), job.rejects(), job.mapping());
  }

  private Found look() {
    Job asked = spec.job();
    // Of whatever type: it is found out, and no row is left out yet.
    Window any =
        new Window(increment.updateKey(), new Type.Int(64), null, false, null, true, Pick.ALL);
    Job job = within(asked, asked.selection().within(any));
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(job.to(), job.writeOptions())) {
      return endOpener.plan(source, target, () -> look(job, source, target));
    }
  }

  private Found look(Job job, Source source, Target target) {
    DescribedEnds ends = Planner.describe(job, source, target);
    TargetDescription to = ends.to().description();
    boolean appears = to.modes().atomic() == null;
    Mode mode = job.writeOptions().mode();
    if (to.state() == State.STREAM || (!appears && mode != Mode.MERGE)) {
      throw new Fault.User(
          to.label()
              + " can't be added to from an update key on: rows of a copy that is cut off"
              + " would stay, and nobody could tell which.",
          "Use --mode merge --key A,B if it can, or copy all rows.");
    }
    Job whole = mode == Mode.MERGE ? keeping(job) : atomic(job);
    Planned planned = Planner.plan(whole, ends, null);
    List<Column> read = planned.plan().source().schema().columns();
    List<String> known = read.stream().map(Column::name).toList();
    if (job.selection().columns().isEmpty()) {
      // Tells which there are.
      Selection.positions(planned.plan().source().label(), List.of(increment.updateKey()), known);
    }
    int at = Selection.position(increment.updateKey(), known);
    int taken =
        planned.plan().work().taken().stream().map(MappedColumn::position).toList().indexOf(at);
    if (taken < 0) {
      throw new Fault.User(
          "--update-key " + increment.updateKey() + " is none of the columns that are copied.",
          "Name it in --select too, and do not drop it: the target's own value says how far it"
              + " is.");
    }
    Column column = read.get(at);
    Type type =
        planned
            .plan()
            .source()
            .reading()
            .declaredTypes()
            .getOrDefault(column.name(), column.type());
    boolean isFilled = to.state() == State.THERE && ends.to().holdsRows();
    return new Found(
        whole,
        Window.of(column.name(), type, Pick.ALL),
        planned.plan().writePlan().schema().column(taken),
        isFilled,
        key(planned, read),
        appears ? "" : ownMark(spec.job(), ends));
  }

  private String ownMark(Job job, DescribedEnds ends) {
    String identity = JobIdentity.of(job, ends.from().identity(), connectors.of(job.to()));
    String to = ends.to().description().label() + "\n" + increment.updateKey();
    return Digest.of(identity + "\n" + to).hex();
  }

  private static Job atomic(Job job) {
    WriteOptions asked = job.writeOptions();
    return with(
        job,
        job.selection(),
        new WriteOptions(asked.mode(), true, asked.key(), asked.byPosition(), asked.types()));
  }

  /// Without deleting: the rows that are new are not all that there are.
  private static Job keeping(Job job) {
    WriteOptions asked = job.writeOptions();
    MergeSteps steps = new MergeSteps(asked.steps().inserts(), asked.steps().updates(), false);
    return with(job, job.selection(), steps(asked, steps));
  }

  /// The source's names of the columns that a merge goes by.
  private static List<String> key(Planned planned, List<Column> read) {
    Schema written = planned.plan().writePlan().schema();
    List<MappedColumn> taken = planned.plan().work().taken();
    List<String> key = new ArrayList<>();
    for (String name : planned.landing().key()) {
      int at = taken.get(written.indexOf(name)).position();
      if (at < 0) {
        throw new Fault.User(
            "The key's column " + name + " is added on the way: it does not tell rows apart.",
            "Name other columns with --key.");
      }
      key.add(read.get(at).name());
    }
    return key;
  }

  /// How far the target is; null if it has no row yet.
  private @Nullable BigDecimal mark(Found found) {
    if (!found.isFilled()) {
      return null;
    }
    KeyValues values = found.values();
    if (!found.ownMark().isEmpty()) {
      return number(values, runs.mark(found.ownMark()));
    }
    Endpoint target = asSource(spec.job().to());
    Window window = Window.of(found.target().name(), found.target().type(), Pick.GREATEST);
    KeyExtent extent =
        new KeyExtent(new Column(found.target().name(), found.target().type(), true, null), true);
    String text =
        end(
            target,
            new Selection(List.of(found.target().name()), null, Long.MAX_VALUE, window),
            extent);
    if (!values.isLike(extent.type())) {
      throw new Fault.User(
          "--update-key "
              + values.column()
              + " is "
              + values.type().label()
              + " in the source and "
              + extent.type().label()
              + " in the target: nobody can tell which value of one follows the other's.",
          "Give both the same type.");
    }
    return number(values, text);
  }

  private @Nullable String sourceEnd(Found found, Window within, Pick pick) {
    Window window =
        new Window(
            within.column(),
            within.type(),
            within.above(),
            within.closed(),
            within.upTo(),
            false,
            pick);
    Job job = found.job();
    Column column = new Column(within.column(), within.type(), true, null);
    return end(
        job.from(),
        new Selection(List.of(within.column()), job.selection().where(), Long.MAX_VALUE, window),
        new KeyExtent(column, pick == Pick.GREATEST));
  }

  /// Reads the column for its least or greatest value, or has the system find it.
  private @Nullable String end(Endpoint end, Selection selection, KeyExtent extent) {
    Job job =
        new Job(
            end, end, selection, WriteOptions.DEFAULT, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
    return retrier.get(() -> {
      try (Source source = endOpener.source(end, selection)) {
        Planned planned = endOpener.plan(job, source, extent);
        Run run = Copy.between(planned, RunOptions.of(spec.retryPolicy()));
        listener.stoppedBy(run::cancel);
        run.execute().orThrow();
      }
      return extent.found();
    });
  }

  /// The target as an end that is read: what it is told for writing says nothing then.
  private Endpoint asSource(Endpoint end) {
    Connector connector = connectors.of(end);
    Map<String, String> parameters =
        end.parameters().entrySet().stream()
            .filter(each ->
                connector.options().stream()
                    .filter(option -> option.name().equals(each.getKey()))
                    .allMatch(option -> option.of().fits(false)))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    return new Endpoint(end.scheme(), end.location(), parameters, end.secret());
  }
}
