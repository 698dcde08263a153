package millrace.copy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.data.Schema;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallGuard;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.plan.mapping.Mapping;
import millrace.spi.Blockable;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Opens the ends of jobs and plans copies, and says what of others' that waits for. Any thread.
public final class EndOpener {

  private final ConnectorRegistry connectors;
  private final Consumer<String> says;
  private final StallGuard stallGuard;
  private final Duration retryFor;
  private final @Nullable Shared shared;
  private volatile String waited = "";

  /// @param retryPolicy how long others are waited for
  /// @param says is told of each wait, in sentences
  public EndOpener(ConnectorRegistry connectors, RetryPolicy retryPolicy, Consumer<String> says) {
    this(connectors, retryPolicy, says, null);
  }

  /// @param shared what the ends share with those of other copies of a job; null if nothing
  public EndOpener(
      ConnectorRegistry connectors,
      RetryPolicy retryPolicy,
      Consumer<String> says,
      @Nullable Shared shared) {
    this.shared = shared;
    this.connectors = connectors;
    this.says = says;
    retryFor = retryPolicy.retryFor();
    stallGuard = new StallGuard(retryPolicy, this::waits);
  }

  private void waits(String sentence) {
    waited = sentence;
    says.accept(sentence + ".");
  }

  /// What was last waited for, as a sentence without its end; empty if nothing was.
  String waited() {
    return waited;
  }

  /// Says what is waited for before another try.
  public void tryAgain(Fault.Transient fault, long waitNanos, int tries) {
    says.accept(
        String.format(
            Locale.ROOT,
            "waiting %.1f s: %s (try %d)",
            waitNanos / 1e9,
            fault.getMessage(),
            tries));
  }

  /// Opens a source; the caller closes it.
  public Source source(Endpoint end, Selection selection) {
    Connector connector = connectors.of(end);
    OpenContext context = new OpenContext(retryFor, shared);
    return stallGuard.get(
        end.labelWithTable() + " is being opened",
        context,
        () -> connector.source(end, selection, context));
  }

  /// The same end for a process in another folder: a path begins at the root.
  Endpoint anywhere(Endpoint end) {
    boolean isPath = !connectors.of(end).place(end).paths().isEmpty();
    Path path = isPath ? Path.of(end.location()) : Path.of("/");
    return path.isAbsolute() ? end : end.at(path.toAbsolutePath().toString());
  }

  /// Takes the state in which several processes are to read a source; the caller closes it.
  ///
  /// @throws Fault.User if they can't read it in one state
  public SharedMoment moment(Endpoint end) {
    Connector connector = connectors.of(end);
    OpenContext context = new OpenContext(retryFor);
    return stallGuard.get(
        end.labelWithTable() + " is being opened",
        context,
        () -> SharedMoment.take(connector, end, context));
  }

  /// A job whose source reads no column that is dropped. It looks at the source for it; what can be
  /// read once only, as standard input, stays as it is, and the engine drops those columns.
  ///
  /// @throws Fault.User if a column that is to be dropped is not there
  public Job withoutDropped(Job job) {
    List<String> dropped = job.mapping().dropped();
    if (dropped.isEmpty() || job.from().isStandardStream()) {
      return job;
    }
    try (Source source = source(job.from(), job.selection())) {
      SourceDescription description =
          stallGuard.get(
              job.from().labelWithTable() + " is being opened",
              Blockable.of(source),
              () -> source.describe(new ColumnRequest.Untyped()).description());
      Schema read = description.passed(new ColumnRequest.Untyped());
      List<String> left =
          Mapping.NONE
              .dropping(dropped)
              .apply(description.label(), read, Integer.MAX_VALUE)
              .stream()
              .map(each -> each.column().name())
              .toList();
      return job.with(job.selection().withColumns(left)).with(job.mapping().dropping(List.of()));
    }
  }

  /// Opens a target; the caller closes it.
  public Target target(Endpoint end, WriteOptions writeOptions) {
    Connector connector = connectors.of(end);
    OpenContext context = new OpenContext(retryFor, shared);
    return stallGuard.get(
        end.labelWithTable() + " is being opened",
        context,
        () -> connector.target(end, writeOptions, context));
  }

  /// Lists an end's tables.
  public List<TableEntry> tables(Endpoint end, TableCatalog catalog) {
    OpenContext context = new OpenContext(retryFor);
    return stallGuard.get(
        end.label() + " is being opened", context, () -> catalog.tables(end, context));
  }

  /// Plans a copy, and changes nothing.
  ///
  /// @param planning does it
  public <T> T plan(Source source, Target target, Supplier<T> planning) {
    return stallGuard.get(
        "the copy is being planned",
        Blockable.both(Blockable.of(source), Blockable.of(target)),
        planning);
  }

  /// Lets a target forget the run that is complete.
  void acknowledge(Target target, Runnable work) {
    stallGuard.get(
        "the copy is complete, its journal is being removed",
        Blockable.of(target),
        () -> {
          work.run();
          return true;
        });
  }

  /// Plans a copy that begins from the start, and changes nothing.
  public Planned plan(Job job, Source source, Target target) {
    return plan(source, target, () -> Planner.plan(job, source, target));
  }
}
