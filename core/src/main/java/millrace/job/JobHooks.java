package millrace.job;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.fault.Fault;
import millrace.job.TableResult.State;
import millrace.job.file.JobDescription;
import millrace.job.file.JobHook;
import millrace.job.file.JobStream;
import org.jspecify.annotations.Nullable;

/// Runs the hooks of a job and of its streams as their copies begin and end. Any thread.
final class JobHooks {

  /// What the job itself is called where streams have names.
  private static final String JOB = "the job";

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

  private final JobDescription job;
  private final List<TableCopy> copies;
  private final HookRunner runner;
  private final JobLedger ledger;
  private final Map<String, Progress> streams = new LinkedHashMap<>();

  /// Held by whoever uses it.
  private final Map<String, Fault> failures = new LinkedHashMap<>();

  JobHooks(JobPlan plan) {
    job = plan.file();
    copies = plan.copies();
    ledger = plan.ledger();
    runner = new HookRunner(plan.context(), job);
    for (TableCopy copy : plan.copies()) {
      Progress progress =
          streams.computeIfAbsent(copy.stream().name(), _ -> new Progress(copy.stream()));
      progress.left += plan.done(copy) == null ? 1 : 0;
    }
  }

  /// Under which name the ledger knows that what follows a stream, or the job, has been run.
  static boolean isAfter(String entry, JobStream stream) {
    return entry.equals(after(stream.name())) || entry.equals(after(JOB));
  }

  private static String after(String name) {
    return "hooks after " + name;
  }

  /// Which hooks failed after what they were for had been copied.
  List<Fault> failures() {
    synchronized (failures) {
      return List.copyOf(failures.values());
    }
  }

  /// Ends the hooks under way, and lets no other begin.
  void cancel(String reason) {
    runner.cancel(reason);
  }

  /// Runs what comes before all copies, if one is left that no earlier run of the job has done.
  void beforeAll() {
    if (streams.values().stream().anyMatch(stream -> stream.left > 0)) {
      runner.run("before " + JOB, job.start());
    }
  }

  /// Runs what comes before the first copy of a stream.
  ///
  /// @throws Fault if that failed
  void before(TableCopy copy) {
    Progress progress = progress(copy);
    synchronized (progress) {
      if (!progress.isBegun) {
        progress.isBegun = true;
        try {
          runner.run("before " + progress.stream.name(), progress.stream.before());
        } catch (Fault e) {
          progress.failure = e;
        }
      }
      if (progress.failure != null) {
        throw progress.failure;
      }
    }
  }

  private Progress progress(TableCopy copy) {
    return Objects.requireNonNull(streams.get(copy.stream().name()), "each stream is known");
  }

  /// Runs what follows the last copy of a stream.
  void after(TableCopy copy, TableResult result) {
    Progress progress = progress(copy);
    boolean isLast;
    synchronized (progress) {
      progress.left--;
      progress.hasFailed |= result.state() != State.DONE;
      isLast = progress.left == 0 && !progress.hasFailed;
    }
    if (isLast) {
      after(progress.stream.name(), progress.stream.after());
    }
  }

  /// Runs what follows the last copy, if all are done; and what an earlier run of the job left out.
  ///
  /// @param results by the names of the copies
  void afterAll(Map<String, TableResult> results) {
    for (Progress progress : streams.values()) {
      if (copies.stream()
          .filter(copy -> progress.equals(progress(copy)))
          .allMatch(copy -> isDone(copy, results))) {
        after(progress.stream.name(), progress.stream.after());
      }
    }
    if (copies.stream().allMatch(copy -> isDone(copy, results)) && failures().isEmpty()) {
      after(JOB, job.end());
    }
  }

  private static boolean isDone(TableCopy copy, Map<String, TableResult> results) {
    TableResult result = results.get(copy.name());
    return result != null && result.isDone();
  }

  /// Runs them once, also if the job goes on later.
  private void after(String name, List<JobHook> all) {
    String known = after(name);
    if (all.isEmpty() || ledger.done(known) != null || hasFailed(known)) {
      return;
    }
    try {
      runner.run("after " + name, all);
      ledger.add(JobLedger.Done.now(known, 0, 0));
    } catch (Fault e) {
      synchronized (failures) {
        failures.put(known, e);
      }
    }
  }

  private boolean hasFailed(String known) {
    synchronized (failures) {
      return failures.containsKey(known);
    }
  }
}
