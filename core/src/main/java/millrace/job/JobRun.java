package millrace.job;

import java.time.Duration;
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
import millrace.job.file.JobStream;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.spi.OpenContext;
import millrace.spi.Shared;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/// Carries a job out: its copies, several at once within one budget of lanes, and what is to run
/// before and after them. A copy that fails does not stop the others unless the user wants it so.
///
/// One thread carries the job out, each copy has one of its own; any thread may cancel.
public final class JobRun {

  private final JobPlan plan;
  private final JobListener listener;
  private final JobHooks hooks;
  private final BlockingQueue<Ended> endings = new LinkedBlockingQueue<>();
  private final Map<String, Consumer<String>> cancels = new HashMap<>();
  private final Shared shared = new Shared();
  private volatile JobSnapshot snapshot = JobSnapshot.none();
  private @Nullable String cancelled;

  private record Ended(LaneBudget.Share share, TableResult result) {}

  public JobRun(JobPlan plan) {
    this.plan = plan;
    listener = plan.context().listener();
    hooks = new JobHooks(plan);
  }

  /// Carries the job out.
  ///
  /// @return what became of it
  /// @throws Fault if nothing could begin
  public JobResult run() {
    long begun = System.nanoTime();
    hooks.beforeAll();
    plan.checkPlaces();
    plan.ledger().begin();
    listener.begins(plan.copies());
    Map<String, TableResult> results = new HashMap<>();
    Deque<LaneBudget.Share> waiting = new ArrayDeque<>();
    for (LaneBudget.Share share : plan.shares()) {
      JobLedger.Done done = plan.done(share.copy());
      if (done == null) {
        waiting.add(share);
      } else {
        results.put(share.copy().name(), TableResult.doneBefore(done));
      }
    }
    Map<String, String> owed;
    try (shared) {
      plan.definitions().share(shared);
      plan.definitions().beforeAll();
      try (JobSnapshot taken = takeSnapshot(waiting)) {
        snapshot = taken;
        runAll(waiting, results);
      }
      owed = endDefinitions(results);
    }
    hooks.afterAll(results);
    return new JobResult(
        plan.copies().stream()
            .map(TableCopy::name)
            .map(name -> results.getOrDefault(name, TableResult.notBegun(name)))
            .toList(),
        hooks.failures(),
        snapshot.words(),
        plan.definitions().leftOut(),
        plan.definitions().advice(),
        plan.definitions().failed(),
        owed,
        System.nanoTime() - begun);
  }

  private JobSnapshot takeSnapshot(Deque<LaneBudget.Share> waiting) {
    OpenContext context = new OpenContext(Duration.ZERO, shared);
    String waits = "the state of the tables";
    watch(waits, _ -> context.cancel());
    try {
      return JobSnapshot.of(
          plan.context().connectors(),
          waiting.stream().map(LaneBudget.Share::copy).toList(),
          plan.copies(),
          plan.budget().lanes(),
          context);
    } catch (Fault.Cancelled _) {
      return JobSnapshot.none();
    } finally {
      release(waits);
    }
  }

  /// Foreign keys need the rows of both tables that they name: those of a table that is not
  /// complete are owed.
  ///
  /// @return what is, in words; by the name of its table
  private Map<String, String> endDefinitions(Map<String, TableResult> results) {
    List<String> complete =
        results.values().stream()
            .filter(result -> result.fault() == null)
            .filter(result -> afterRowsOfEarlier(result, results))
            .map(TableResult::name)
            .toList();
    if (!mayBegin()) {
      return Map.of();
    }
    List<String> others =
        plan.copies().stream()
            .map(TableCopy::name)
            .filter(name -> !complete.contains(name))
            .toList();
    DefinitionSteps.Ending ending = plan.definitions().afterAll(complete, others);
    ending
        .failed()
        .forEach((name, fault) -> results.compute(name, (_, was) -> failed(was, name, fault)));
    return ending.owed();
  }

  /// Makes up for what an earlier run of the job owes to a table whose rows it had copied.
  private boolean afterRowsOfEarlier(TableResult result, Map<String, TableResult> results) {
    if (result.state() != State.DONE_BEFORE) {
      return true;
    }
    try {
      plan.definitions().afterRows(result.name(), true);
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

  private void runAll(Deque<LaneBudget.Share> waiting, Map<String, TableResult> results) {
    int free = plan.budget().lanes();
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
      if (plan.failFast() && ended.result.fault() != null) {
        stop("Another table failed, and --fail-fast was given.");
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
  public void cancel(String reason) {
    stop(reason);
    hooks.cancel(reason);
  }

  private synchronized void stop(String reason) {
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
      boolean again = plan.definitions().isMadeBefore(copy.name());
      plan.definitions().beforeRows(copy.name());
      ending = plan.isBare(copy) ? null : copyRows(share);
      if (ending == null || ending.fault() == null) {
        plan.definitions().afterRows(copy.name(), again);
      }
      long nanos = System.nanoTime() - begun;
      result = ending == null ? plan.endBare(copy, nanos) : result(copy, ending, nanos);
    } catch (RuntimeException | Error e) {
      Fault fault = e instanceof Exception thrown ? Fault.of(thrown) : Fault.of(e);
      result = failed(copy.name(), fault, System.nanoTime() - begun);
    } finally {
      release(copy.name());
    }
    listener.ended(result, ending);
    hooks.after(copy, result);
    return result;
  }

  /// Copies the rows. What one transaction could not get over is done again in the way that can.
  private CopyResult copyRows(LaneBudget.Share share) {
    TableCopy copy = share.copy();
    hooks.before(copy);
    if (!copy.stream().equals(JobStream.NONE)) {
      plan.ledger().begins(copy);
    }
    boolean atOnce = isAtOnce(share);
    CopyResult first = copyRows(share, atOnce);
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
    return again ? copyRows(share, false) : first;
  }

  private CopyResult copyRows(LaneBudget.Share share, boolean atOnce) {
    return Copy.run(
        plan.context().copies().sharing(shared), spec(share, atOnce), new Stoppable(share.copy()));
  }

  /// Whether all rows go in at once. A table that the job makes holds nothing else: so it is empty
  /// or complete, whatever happens.
  private boolean isAtOnce(LaneBudget.Share share) {
    long bytes = share.copy().bytes();
    return share.requested() == 1
        && bytes >= 0
        && bytes < LaneBudget.SMALL_BYTES
        && share.copy().spec().job().tuning().commitUnit() == null
        && plan.definitions().makes(share.copy().name());
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
    CopySpec requested = share.copy().spec();
    Job job = requested.job();
    Job.Tuning tuning = job.tuning();
    Job.Tuning ours =
        new Job.Tuning(
            share.requested(),
            tuning.ordered(),
            tuning.readUnit(),
            tuning.writeUnit(),
            tuning.commitUnit(),
            atOnce);
    WriteOptions options = job.writeOptions();
    return new CopySpec(
        job.between(snapshot.end(job.from()), job.to())
            .with(plan.definitions().makes(share.copy().name()) ? intoEmpty(options) : options)
            .with(ours),
        requested.resume(),
        requested.retryPolicy(),
        share.isSmall() ? CopySpec.Measures.LEAST : requested.measures(),
        requested.increment());
  }

  /// For a table that the job has made and that is empty, whatever the mode asks of another.
  private static WriteOptions intoEmpty(WriteOptions requested) {
    return new WriteOptions(null, requested.atomic(), List.of(), requested.byPosition());
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
    private final CopyListener delegate;

    Stoppable(TableCopy copy) {
      this.copy = copy;
      delegate = listener.copies(copy);
    }

    @Override
    public void says(String words) {
      delegate.says(words);
    }

    @Override
    public void warns(String words) {
      delegate.warns(words);
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
      return delegate.moves(plan, run);
    }

    /// The target forgets next how far it was.
    @Override
    public void ended(CopyResult result, String method) {
      if (result.fault() == null) {
        plan.ledger().add(JobLedger.Done.now(copy.name(), result.rows(), result.rejects()));
      }
      delegate.ended(result, method);
    }
  }
}
