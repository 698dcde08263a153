package millrace.copy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.read.KeyWindow;
import millrace.spi.read.KeyWindow.Pick;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.MergeSteps;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Finds out where an incremental copy begins and ends, before a row moves. One thread.
final class IncrementLook {

  private final ConnectorRegistry connectors;
  private final RunStore runs;
  private final CopySpec spec;
  private final Increment increment;
  private final CopyListener listener;
  private final EndOpener endOpener;
  private final Retrier retrier;

  IncrementLook(CopyContext context, CopySpec spec, Increment increment, CopyListener listener) {
    connectors = context.connectors();
    runs = context.runs();
    this.spec = spec;
    this.increment = increment;
    this.listener = listener;
    endOpener = new EndOpener(connectors, spec.retryPolicy(), listener::says, context.shared());
    retrier = Retrier.beforeRows(spec.retryPolicy(), this::beforeWait);
  }

  private void beforeWait(Fault.Transient fault, long waitNanos, int tries) {
    listener.waitEndedBy(retrier::cancel);
    endOpener.tryAgain(fault, waitNanos, tries);
  }

  /// What was found out before rows move.
  ///
  /// @param job which rows, without bounds
  /// @param window the column, and whether rows may lack it
  /// @param target its counterpart in the target
  /// @param isFilled whether the target holds rows
  /// @param key the source's columns that a merge goes by
  /// @param markName under which name it is kept how far the target is; empty if it tells itself
  record IncrementEnds(
      Job job,
      KeyWindow window,
      Column target,
      boolean isFilled,
      List<String> key,
      String markName) {

    KeyValues values() {
      return new KeyValues(window.column(), window.type());
    }
  }

  /// Looks at both ends.
  ///
  /// @throws Fault.User if the copy can't be incremental
  IncrementEnds find() {
    return retrier.get(this::look);
  }

  private IncrementEnds look() {
    Job requested = spec.job();
    // Of whatever type: it is found out, and no row is left out yet.
    KeyWindow any =
        new KeyWindow(increment.updateKey(), new Type.Int(64), null, false, null, true, Pick.ALL);
    Job job = requested.with(requested.selection().within(any));
    try (Source source = endOpener.source(job.from(), job.selection());
        Target target = endOpener.target(job.to(), job.writeOptions())) {
      return endOpener.plan(source, target, () -> look(job, source, target));
    }
  }

  private IncrementEnds look(Job job, Source source, Target target) {
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
    Job effective = mode == Mode.MERGE ? keeping(job) : atomic(job);
    Planned planned = Planner.plan(effective, ends, null);
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
    return new IncrementEnds(
        effective,
        new KeyWindow(column.name(), type, null, false, null, column.nullable(), Pick.ALL),
        planned.plan().writePlan().schema().column(taken),
        isFilled,
        key(planned, read),
        appears ? "" : markName(spec.job(), ends));
  }

  private String markName(Job job, DescribedEnds ends) {
    String identity = JobIdentity.of(job, ends.from().identity(), connectors.of(job.to()));
    String to = ends.to().description().label() + "\n" + increment.updateKey();
    return Digest.of(identity + "\n" + to).hex();
  }

  private static Job atomic(Job job) {
    WriteOptions requested = job.writeOptions();
    return job.with(
        new WriteOptions(
            requested.mode(), true, requested.key(), requested.byPosition(), requested.types()));
  }

  /// Without deleting: the rows that are new are not all that there are. What is gone is deleted
  /// after them.
  private static Job keeping(Job job) {
    WriteOptions requested = job.writeOptions();
    MergeSteps steps =
        new MergeSteps(requested.steps().inserts(), requested.steps().updates(), false);
    Job reduced = job.with(requested.doing(steps));
    return requested.steps().deletes() ? reduced.with(job.rejects().never()) : reduced;
  }

  /// The source's names of the columns that a merge goes by.
  private static List<String> key(Planned planned, List<Column> read) {
    Schema written = planned.plan().writePlan().schema();
    List<MappedColumn> taken = planned.plan().work().taken();
    List<String> key = new ArrayList<>();
    for (String name : planned.request().key()) {
      int at = taken.get(Selection.position(name, written.names())).position();
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
  @Nullable BigDecimal mark(IncrementEnds found) {
    if (!found.isFilled()) {
      return null;
    }
    KeyValues values = found.values();
    if (!found.markName().isEmpty()) {
      String mark = runs.mark(found.markName());
      return mark == null ? null : values.number(mark);
    }
    Endpoint target = asSource(spec.job().to());
    KeyWindow window = KeyWindow.of(found.target().name(), found.target().type(), Pick.GREATEST);
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
    return text == null ? null : values.number(text);
  }

  /// One end of the source's values.
  ///
  /// @param value null if there is none
  /// @param without how many rows have no value, if the window takes those
  record SourceEnd(@Nullable BigDecimal value, long without) {}

  /// The least or greatest value of the source within a window.
  SourceEnd sourceEnd(IncrementEnds found, KeyWindow within, Pick pick) {
    KeyWindow window =
        new KeyWindow(
            within.column(),
            within.type(),
            within.above(),
            within.closed(),
            within.upTo(),
            within.missing(),
            pick);
    Job job = found.job();
    KeyExtent extent =
        new KeyExtent(
            new Column(within.column(), within.type(), true, null), pick == Pick.GREATEST);
    String text =
        end(
            job.from(),
            new Selection(
                List.of(within.column()), job.selection().where(), Long.MAX_VALUE, window),
            extent);
    return new SourceEnd(text == null ? null : found.values().number(text), extent.without());
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
