package millrace.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import millrace.copy.Copy;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.job.TableResult.State;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.report.RunStore;
import millrace.spi.ConnectorRegistry;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Carries many copies out, several at once within one budget of lanes. A copy that fails does not
/// stop the others unless the user wants it so.
///
/// One thread carries the job out, each copy has one of its own; any thread may cancel.
public final class JobRun {

  private final ConnectorRegistry connectors;
  private final RunStore runs;
  private final JobListener listener;
  private final JobLedger ledger;
  private final DefinitionSteps definitions;
  private final boolean failFast;
  private final BlockingQueue<Ended> endings = new LinkedBlockingQueue<>();
  private final Map<String, Consumer<String>> cancels = new HashMap<>();
  private final Shared shared = new Shared();
  private volatile JobSnapshot snapshot = JobSnapshot.none();
  private @Nullable String cancelled;

  private record Ended(LaneBudget.Share share, TableResult result) {}

  /// @param runs tells what earlier copies between the same ends found best
  /// @param ledger which tables are done
  /// @param definitions what is done beside the rows
  /// @param failFast whether the first copy that fails stops the others
  public JobRun(
      ConnectorRegistry connectors,
      RunStore runs,
      JobListener listener,
      JobLedger ledger,
      DefinitionSteps definitions,
      boolean failFast) {
    this.connectors = connectors;
    this.runs = runs;
    this.listener = listener;
    this.ledger = ledger;
    this.definitions = definitions;
    this.failFast = failFast;
  }

  /// Carries the copies out.
  ///
  /// @return what became of each, in the order of the copies
  public List<TableResult> run(List<TableCopy> copies, LaneBudget budget) {
    Map<String, TableResult> results = new HashMap<>();
    Map<String, JobLedger.Done> before = ledger.done();
    Deque<LaneBudget.Share> waiting = new ArrayDeque<>();
    for (LaneBudget.Share share : budget.shares(copies)) {
      JobLedger.Done done = before.get(share.copy().name());
      if (done == null) {
        waiting.add(share);
      } else {
        results.put(share.copy().name(), TableResult.doneBefore(done));
      }
    }
    try (shared) {
      definitions.share(shared);
      try (JobSnapshot taken = takeSnapshot(waiting, copies, budget.lanes())) {
        snapshot = taken;
        runAll(waiting, budget.lanes(), results);
      }
      endDefinitions(results);
    }
    return copies.stream()
        .map(copy -> results.getOrDefault(copy.name(), TableResult.notBegun(copy.name())))
        .toList();
  }

  /// What hooks may change just before a copy begins is read as it is then.
  private JobSnapshot takeSnapshot(
      Deque<LaneBudget.Share> waiting, List<TableCopy> copies, int lanes) {
    OpenContext context = new OpenContext(Duration.ZERO, shared);
    String waits = "the state of the tables";
    watch(waits, _ -> context.cancel());
    try {
      return JobSnapshot.of(
          connectors,
          waiting.stream().map(LaneBudget.Share::copy).toList(),
          copies,
          listener::changesBefore,
          lanes,
          context);
    } catch (Fault.Cancelled _) {
      return JobSnapshot.none();
    } finally {
      release(waits);
    }
  }

  /// In which state the tables were read, as the end of a sentence. Once the job has run.
  public String state() {
    return snapshot.words();
  }

  /// Foreign keys need the rows of all tables that they name: as long as one is missing, those that
  /// can't be made are owed.
  private void endDefinitions(Map<String, TableResult> results) {
    List<String> complete =
        results.values().stream()
            .filter(result -> result.fault() == null)
            .filter(result -> afterRowsOfEarlier(result, results))
            .map(TableResult::name)
            .toList();
    if (mayBegin() && complete.size() == results.size()) {
      definitions
          .afterAll(complete)
          .forEach((name, fault) -> results.compute(name, (_, was) -> failed(was, name, fault)));
    }
  }

  /// Makes up for what an earlier run of the job owes to a table whose rows it had copied.
  private boolean afterRowsOfEarlier(TableResult result, Map<String, TableResult> results) {
    if (result.state() != State.DONE_BEFORE) {
      return true;
    }
    try {
      definitions.afterRows(result.name(), true);
      return true;
    } catch (Fault e) {
      results.put(result.name(), failed(result, result.name(), e));
      return false;
    }
  }

  private static TableResult failed(@Nullable TableResult was, String name, Fault fault) {
    return was == null
        ? failed(name, fault, 0)
        : new TableResult(
            name, state(fault), was.rows(), was.rejects(), was.nanos(), was.notes(), fault);
  }

  private void runAll(
      Deque<LaneBudget.Share> waiting, int lanes, Map<String, TableResult> results) {
    int free = lanes;
    int running = 0;
    while (true) {
      for (Iterator<LaneBudget.Share> each = waiting.iterator(); each.hasNext() && mayBegin(); ) {
        LaneBudget.Share share = each.next();
        if (share.lanes() <= free) {
          each.remove();
          free -= share.lanes();
          running++;
          begin(share);
        }
      }
      if (running == 0) {
        return;
      }
      Ended ended = next();
      running--;
      free += ended.share.lanes();
      results.put(ended.result.name(), ended.result);
      if (failFast && ended.result.fault() != null) {
        cancel("Another table failed, and --fail-fast was given.");
      }
    }
  }

  private synchronized boolean mayBegin() {
    return cancelled == null;
  }

  private Ended next() {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return endings.take();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /// Stops the copies under way, and begins no other.
  ///
  /// @param reason as a sentence
  public synchronized void cancel(String reason) {
    if (cancelled == null) {
      cancelled = reason;
      List.copyOf(cancels.values()).forEach(each -> each.accept(reason));
    }
  }

  private void begin(LaneBudget.Share share) {
    Thread.ofPlatform()
        .name("table " + share.copy().name())
        .start(() -> endings.add(new Ended(share, copy(share))));
  }

  private TableResult copy(LaneBudget.Share share) {
    TableCopy copy = share.copy();
    long begun = System.nanoTime();
    TableResult result;
    CopyResult ending = null;
    try {
      boolean again = definitions.isMadeBefore(copy.name());
      definitions.beforeRows(copy.name());
      ending = copyRows(share);
      if (ending.fault() == null) {
        definitions.afterRows(copy.name(), again);
      }
      result = result(copy, ending, System.nanoTime() - begun);
    } catch (RuntimeException | Error e) {
      Fault fault = e instanceof Exception thrown ? Fault.of(thrown) : Fault.of(e);
      result = failed(copy.name(), fault, System.nanoTime() - begun);
    } finally {
      release(copy.name());
    }
    listener.ended(result, ending);
    return result;
  }

  /// Copies the rows. What one transaction could not get over is done again in the way that can.
  private CopyResult copyRows(LaneBudget.Share share) {
    TableCopy copy = share.copy();
    boolean atOnce = isAtOnce(share);
    CopyResult first = Copy.run(connectors, runs, spec(share, atOnce), new Stoppable(copy), shared);
    boolean leftNothing =
        first.report().totals().rowsDurable() == 0
            && !first.outcome().left().resumable()
            && first.outcome().left().undoFailure() == null;
    boolean again =
        atOnce
            && leftNothing
            && first.fault() instanceof Fault.Transient
            && copy.spec().retryPolicy().retryFor().isPositive()
            && mayBegin();
    return again
        ? Copy.run(connectors, runs, spec(share, false), new Stoppable(copy), shared)
        : first;
  }

  /// Whether all rows go in at once. A table that the job makes holds nothing else: so it is empty
  /// or complete, whatever happens.
  private boolean isAtOnce(LaneBudget.Share share) {
    long bytes = share.copy().bytes();
    return share.own() == 1
        && bytes >= 0
        && bytes < LaneBudget.SMALL_BYTES
        && share.copy().spec().job().tuning().commitUnit() == null
        && definitions.makes(share.copy().name());
  }

  private static TableResult failed(String name, Fault fault, long nanos) {
    return new TableResult(name, state(fault), 0, 0, nanos, List.of(), fault);
  }

  private static State state(@Nullable Fault fault) {
    return fault == null
        ? State.DONE
        : fault instanceof Fault.Cancelled ? State.STOPPED : State.FAILED;
  }

  private static TableResult result(TableCopy copy, CopyResult ending, long nanos) {
    Fault fault = ending.fault();
    return new TableResult(
        copy.name(),
        state(fault),
        ending.rows(),
        ending.rejects(),
        nanos,
        TableResult.notes(copy, ending),
        fault);
  }

  private CopySpec spec(LaneBudget.Share share, boolean atOnce) {
    CopySpec asked = share.copy().spec();
    Job job = asked.job();
    Job.Tuning tuning = job.tuning();
    Job.Tuning ours =
        new Job.Tuning(
            share.own(),
            tuning.ordered(),
            tuning.readUnit(),
            tuning.writeUnit(),
            tuning.commitUnit(),
            atOnce);
    return new CopySpec(
        new Job(
            snapshot.end(job.from()),
            job.to(),
            job.selection(),
            definitions.makes(share.copy().name())
                ? intoEmpty(job.writeOptions())
                : job.writeOptions(),
            ours,
            job.rejects(),
            job.mapping()),
        asked.resume(),
        asked.retryPolicy(),
        share.isSmall() ? CopySpec.Measures.LEAST : asked.measures(),
        asked.increment());
  }

  /// For a table that the job has made and that is empty, whatever the mode asks of another.
  private static WriteOptions intoEmpty(WriteOptions asked) {
    return new WriteOptions(null, asked.atomic(), List.of(), asked.byPosition());
  }

  private synchronized void watch(String name, Consumer<String> cancel) {
    cancels.put(name, cancel);
    if (cancelled != null) {
      cancel.accept(cancelled);
    }
  }

  private synchronized void release(String name) {
    cancels.remove(name);
  }

  /// Passes on what a copy tells, and lets the job stop it.
  private final class Stoppable implements CopyListener {

    private final TableCopy copy;
    private final CopyListener told;

    Stoppable(TableCopy copy) {
      this.copy = copy;
      told = listener.copies(copy);
    }

    @Override
    public void says(String words) {
      told.says(words);
    }

    @Override
    public void warns(String words) {
      told.warns(words);
    }

    @Override
    public void stoppedBy(Consumer<String> cancel) {
      watch(copy.name(), cancel);
    }

    @Override
    public void waitEndedBy(Consumer<String> cancel) {
      watch(copy.name(), cancel);
    }

    @Override
    public Moving moves(Plan plan, Run run) {
      return told.moves(plan, run);
    }

    /// The target forgets next how far it was.
    @Override
    public void ended(CopyResult result, String method) {
      if (result.fault() == null) {
        ledger.add(
            new JobLedger.Done(
                copy.name(),
                result.rows(),
                result.rejects(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()));
      }
      told.ended(result, method);
    }
  }
}
