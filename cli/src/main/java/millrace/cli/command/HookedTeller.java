package millrace.cli.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import millrace.cli.job.HookRunner;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.fault.Fault;
import millrace.job.JobLedger;
import millrace.job.JobListener;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.job.TableResult.State;
import millrace.job.file.JobHook;
import millrace.job.file.JobStream;
import org.jspecify.annotations.Nullable;

/// Runs the hooks of a job's streams as their copies begin and end, and writes down in the job's
/// ledger what was begun. Any thread.
final class HookedTeller implements JobListener {

  /// What the job itself is called where streams have names.
  static final String JOB = "the job";

  /// How far a stream is.
  private static final class Progress {
    private final JobStream stream;
    private int left;
    private boolean hasFailed;
    private boolean isBegun;
    private @Nullable Fault failure;

    Progress(JobStream stream) {
      this.stream = stream;
    }
  }

  private final JobListener teller;
  private final HookRunner hooks;
  private final JobLedger ledger;
  private final Map<String, Progress> byCopy = new HashMap<>();
  private final List<Progress> streams = new ArrayList<>();
  private final List<Fault> failures = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final boolean anyToCopy;

  /// @param planned all copies of the job, also those that are done
  HookedTeller(
      JobListener teller, HookRunner hooks, JobLedger ledger, List<RunPlan.Planned> planned) {
    this.teller = teller;
    this.hooks = hooks;
    this.ledger = ledger;
    Map<String, JobLedger.Done> done = ledger.done();
    Map<String, Progress> byStream = new HashMap<>();
    for (RunPlan.Planned each : planned) {
      Progress progress =
          byStream.computeIfAbsent(
              each.stream().name(),
              _ -> {
                Progress made = new Progress(each.stream());
                streams.add(made);
                return made;
              });
      byCopy.put(each.copy().name(), progress);
      progress.left += done.containsKey(each.copy().name()) ? 0 : 1;
    }
    anyToCopy = streams.stream().anyMatch(stream -> stream.left > 0);
  }

  /// Under which name the ledger knows what a copy was when it began.
  static String begun(String copy) {
    return "begun: " + copy;
  }

  /// Under which name the ledger knows that what follows a stream, or the job, has been run.
  static String hooksAfter(String name) {
    return "hooks after " + name;
  }

  /// Whether a copy is left that no earlier run of the job has done.
  boolean hasAnyToCopy() {
    return anyToCopy;
  }

  /// Which hooks failed after what they were for had been copied.
  synchronized List<Fault> failures() {
    return List.copyOf(failures);
  }

  @Override
  public boolean changesBefore(TableCopy copy) {
    return !progress(copy.name()).stream.before().isEmpty();
  }

  @Override
  public CopyListener copies(TableCopy copy) {
    Progress progress = progress(copy.name());
    synchronized (progress) {
      if (!progress.isBegun) {
        progress.isBegun = true;
        try {
          hooks.run("before " + progress.stream.name(), progress.stream.before());
        } catch (Fault e) {
          progress.failure = e;
        }
      }
      if (progress.failure != null) {
        throw progress.failure;
      }
    }
    ledger.add(new JobLedger.Done(begun(copy.name()), 0, 0, RunCopies.identity(copy)));
    return teller.copies(copy);
  }

  private Progress progress(String copy) {
    Progress progress = byCopy.get(copy);
    if (progress == null) {
      throw new Fault.Bug("there is no copy " + copy, null);
    }
    return progress;
  }

  @Override
  public void ended(TableResult table, @Nullable CopyResult result) {
    teller.ended(table, result);
    Progress progress = progress(table.name());
    boolean isLast;
    synchronized (progress) {
      progress.left--;
      progress.hasFailed |= table.state() != State.DONE;
      isLast = progress.left == 0 && !progress.hasFailed;
    }
    if (isLast) {
      after(progress.stream.name(), progress.stream.after());
    }
  }

  /// Runs what follows the last copy, if all are done; and what an earlier run of the job left out.
  ///
  /// @param end what runs after the job
  void afterAll(List<TableResult> results, List<JobHook> end) {
    Predicate<TableResult> isDone = ManyCopies::isDone;
    for (Progress progress : streams) {
      boolean isWell =
          results.stream()
              .filter(result -> progress.equals(byCopy.get(result.name())))
              .allMatch(isDone);
      if (isWell) {
        after(progress.stream.name(), progress.stream.after());
      }
    }
    if (results.stream().allMatch(isDone) && failures().isEmpty()) {
      after(JOB, end);
    }
  }

  /// Runs them once, also if the job goes on later.
  private void after(String name, List<JobHook> all) {
    String when = "after " + name;
    String known = hooksAfter(name);
    if (all.isEmpty() || ledger.done().containsKey(known) || hasFailed(known)) {
      return;
    }
    try {
      hooks.run(when, all);
      ledger.add(new JobLedger.Done(known, 0, 0, RunCopies.now()));
    } catch (Fault e) {
      failed(known, e);
    }
  }

  private synchronized boolean hasFailed(String hooksOf) {
    return failed.contains(hooksOf);
  }

  private synchronized void failed(String hooksOf, Fault fault) {
    failed.add(hooksOf);
    failures.add(fault);
  }
}
