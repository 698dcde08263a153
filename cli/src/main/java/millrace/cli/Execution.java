package millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import millrace.connectors.Connectors;
import millrace.engine.Reports;
import millrace.engine.Run;
import millrace.engine.meter.CounterWatch;
import millrace.engine.retry.Retrier;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Endpoints;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Plan;
import millrace.report.Ceilings;
import millrace.report.Goal;
import millrace.report.Report;
import millrace.report.ReportBrief;
import millrace.report.ReportJson;
import millrace.report.ReportText;
import millrace.report.RunStore;
import millrace.report.host.HostFigures;
import millrace.report.host.HostWatch;
import millrace.report.profile.Profile;
import millrace.report.profile.Profiler;
import millrace.resume.ResumeState;
import millrace.spi.Endpoint;
import millrace.spi.HostLocation;
import millrace.spi.source.Source;
import millrace.spi.target.Target;
import org.jspecify.annotations.Nullable;

/// Plans a job, carries it out, tells how it goes, and keeps the report, also where it fails.
final class Execution {

  /// What `millrace runs` shows behind the fault.
  private static final String CAN_GO_ON = " (goes on with --resume)";

  private final Context context;
  private final Job job;
  private final RetryPolicy retryPolicy;
  private final ResumeOptions resume;
  private final MeasureOptions measure;
  private final OutputOptions output;
  private final EndOpener endOpener;
  private final Retrier retrier;
  private boolean reportIsKept;

  Execution(
      Context context,
      Job job,
      ResumeOptions resume,
      RetryPolicy retryPolicy,
      MeasureOptions measure,
      OutputOptions output) {
    this.context = context;
    this.job = job;
    this.resume = resume;
    this.retryPolicy = retryPolicy;
    this.measure = measure;
    this.output = output;
    endOpener = new EndOpener(context, retryPolicy, output.quiet);
    retrier = Retrier.beforeRows(retryPolicy, this::beforeWait);
  }

  /// Prints what a run would do, be it to go on with an earlier one, and changes nothing. It takes
  /// the same path as a run.
  void dryRun() {
    try (Source source = source();
        Target target = target()) {
      ResumeState resumeState = ResumeState.of(target, identity(source), resume.choice());
      Plan plan = plan(source, target);
      Run run = new Run(plan, source, target, resumeState, retryPolicy);
      context.stop().watch(run::cancel);
      String note = run.decide();
      PrintStream out = context.console().out();
      if (!run.completeSince().isEmpty()) {
        out.println(output.json ? nothingToDo(run.completeSince()) : note + ".");
        return;
      }
      List<String> lines = new ArrayList<>(plan.lines());
      if (!note.isEmpty()) {
        lines.add(
            (resume.choice() == ResumeState.Choice.RESUME ? "resume   " : "note     ") + note);
      }
      if (output.json) {
        out.println(ReportJson.event("plan", lines));
      } else {
        lines.forEach(out::println);
      }
    }
  }

  /// @param since see {@link Run#completeSince}
  private static ObjectNode nothingToDo(String since) {
    return ReportJson.event("complete", Map.of("since", since));
  }

  /// How a run ended.
  ///
  /// @param report what it did
  /// @param fault why it failed, or null where it did not
  /// @param undoFailure why what was staged could not be removed then, or null where it was
  /// @param settled whether it came to touching the target
  /// @param kept whether another run can go on with what it left
  /// @param leaves what stays of rows that were never called durable, empty where nothing does
  /// @param completeSince since when the copy is complete, so that there was nothing to do; else
  ///   empty
  /// @param notesOfData how many of the report's notes, the first ones, say what became of the data
  record Ending(
      Report report,
      @Nullable Fault fault,
      @Nullable RuntimeException undoFailure,
      boolean settled,
      boolean kept,
      String leaves,
      String completeSince,
      int notesOfData) {}

  /// Carries the job out and keeps its report, also where it failed.
  ///
  /// @throws Fault where it could not even begin
  Ending run() {
    Goal goal = measure.goal();
    Ceilings ceilings = measure.ceilings ? ceilings() : null;
    // What was read of standard input to see what it is can't be read again.
    return isStandardStream(job.from())
        ? attempt(() -> retrier.get(this::target), ceilings, goal)
        : retrier.get(() -> attempt(this::target, ceilings, goal));
  }

  /// One try, from opening both ends to the end of the run.
  ///
  /// @throws Fault.Transient where it failed before any row could move, and nothing is left of it
  private Ending attempt(
      Supplier<Target> opening, @Nullable Ceilings ceilings, @Nullable Goal goal) {
    try (Source source = source();
        Target target = opening.get()) {
      HostWatch watch = HostWatch.prepare(place(job.from()), place(job.to()));
      ResumeState resumeState = ResumeState.of(target, identity(source), resume.choice());
      Plan plan = plan(source, target);
      try (CounterWatch counters = CounterWatch.start(source, target)) {
        Run run = new Run(plan, source, target, resumeState, retryPolicy);
        Ending ending = run(plan, run, watch, counters, ceilings, goal);
        reportIsKept = context.keep(ending.report(), target.method());
        if (ending.fault() == null) {
          acknowledge(run);
        }
        return ending;
      }
    }
  }

  /// The copy is done: what fails from here on is no reason to do it again.
  private void acknowledge(Run run) {
    try {
      run.acknowledge();
    } catch (Fault e) {
      context
          .console()
          .err()
          .println(
              "millrace: the copy is complete, but its journal could not be removed: "
                  + Endpoints.redact(String.valueOf(e.getMessage())));
    }
  }

  /// Carries the job out for its report alone: neither journal nor report is kept.
  ///
  /// @throws Fault where it could not even begin
  Ending trial() {
    return retrier.get(this::attemptTrial);
  }

  private Ending attemptTrial() {
    try (Source source = source();
        Target target = target()) {
      HostWatch watch = HostWatch.prepare(place(job.from()), place(job.to()));
      Plan plan = endOpener.plan(job, source, target);
      try (CounterWatch counters = CounterWatch.start(source, target)) {
        Run run = new Run(plan, source, target, retryPolicy);
        return run(plan, run, watch, counters, null, null);
      }
    }
  }

  private void beforeWait(Fault.Transient fault, long waitNanos, int tries) {
    context.stop().waits(retrier::cancel);
    endOpener.tryAgain(fault, waitNanos, tries);
  }

  private boolean mayBeDoneAgain(@Nullable Fault fault, Run run) {
    return fault instanceof Fault.Transient passing
        && !passing.endsRun()
        && retryPolicy.retryFor().isPositive()
        && run.failedEarly()
        && (run.undoFailure() == null || run.isUndoneByNext())
        && !isStandardStream(job.from());
  }

  /// Begins with what the last copy between these ends found best.
  private Plan plan(Source source, Target target) {
    Plan plan = endOpener.plan(job, source, target);
    return plan.knowing(
        context.runs().found(plan.source().label(), plan.target().label(), target.method()));
  }

  private Ceilings ceilings() {
    if (!output.quiet && !output.json) {
      context.console().err().println("Measuring ceilings first, some seconds each ...");
    }
    return new CeilingProbes(context, endOpener, job).measure();
  }

  private Source source() {
    return endOpener.source(job.from(), job.selection());
  }

  private Target target() {
    return endOpener.target(job.to(), job.writeOptions());
  }

  private String identity(Source source) {
    return JobIdentity.of(job, source, Connectors.of(job.to()));
  }

  private static HostLocation place(Endpoint end) {
    return Connectors.of(end).place(end);
  }

  private Ending run(
      Plan plan,
      Run run,
      HostWatch watch,
      CounterWatch counters,
      @Nullable Ceilings ceilings,
      @Nullable Goal goal) {
    Instant startedAt = Instant.now();
    context.stop().watch(run::cancel);
    String id = RunStore.newId(startedAt);
    try (Profiler profiler =
        measure.recordsMethods() ? Profiler.start(context.runs().profile(id)) : null) {
      watch.start();
      counters.lookAt(run.meter());
      Fault fault = execute(plan, run);
      HostFigures host = watch.finish(run.meter().rows());
      if (fault != null && mayBeDoneAgain(fault, run)) {
        throw fault;
      }
      Profile profile = profiler == null ? null : finish(profiler);
      String outcome = fault == null ? "ok" : Faults.message(fault) + (run.kept() ? CAN_GO_ON : "");
      Report report =
          Reports.of(
              id,
              "copy",
              startedAt,
              outcome,
              plan,
              run,
              new Reports.Observed(host, profile, counters.finish(), ceilings, goal));
      return new Ending(
          report,
          fault,
          run.undoFailure(),
          run.settled(),
          run.kept(),
          fault == null ? "" : run.leaves(),
          run.completeSince(),
          run.notes().size());
    }
  }

  /// The profile; where it can't be kept, the run itself is none the worse.
  private @Nullable Profile finish(Profiler profiler) {
    try {
      return profiler.finish();
    } catch (Fault.External e) {
      context.console().err().println("millrace: " + e.getMessage());
      return null;
    }
  }

  private @Nullable Fault execute(Plan plan, Run run) {
    boolean rowsAreOnScreen = isStandardStream(job.to()) && context.console().outIsTerminal();
    try (Progress _ =
        rowsAreOnScreen
            ? null
            : Progress.start(Progress.of(plan, run), output, context.console(), jsonStream())) {
      run.execute();
      return null;
    } catch (RuntimeException | Error e) {
      return Faults.of(e);
    }
  }

  /// Tells the report as the user wants it told. What failed is told by its fault, unless programs
  /// listen; `millrace runs` has the rest.
  ///
  /// @param verbose whether to tell all of it
  void tell(Ending ending, boolean verbose) {
    if (output.quiet) {
      return;
    }
    Report report = ending.report();
    if (!ending.completeSince().isEmpty() && ending.fault() == null) {
      String notes = String.join("; ", report.notes());
      if (output.json) {
        jsonStream().println(nothingToDo(ending.completeSince()));
      } else {
        context.console().err().println(notes + ". --fresh loads it again.");
      }
    } else if (output.json) {
      jsonStream().println(ReportJson.event("report", report));
    } else if (ending.fault() == null) {
      List<String> lines = verbose ? ReportText.lines(report) : brief(report, ending.notesOfData());
      lines.forEach(context.console().err()::println);
    }
  }

  private List<String> brief(Report report, int notesOfData) {
    String rest = reportIsKept ? "millrace runs last (" + report.id() + ")" : "";
    List<String> lines = new ArrayList<>(ReportBrief.lines(report, notesOfData, rest));
    lines.addAll(ReportText.asked(report));
    return lines;
  }

  private PrintStream jsonStream() {
    return context.console().lines(isStandardStream(job.to()));
  }

  /// Whether an end is standard input or output.
  static boolean isStandardStream(Endpoint end) {
    return end.scheme().equals("file") && end.location().equals("-");
  }
}
