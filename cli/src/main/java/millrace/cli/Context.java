package millrace.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.function.Consumer;
import millrace.cli.option.Connections;
import millrace.cli.option.OutputOptions;
import millrace.cli.option.Profiles;
import millrace.connectors.Connectors;
import millrace.copy.CopyContext;
import millrace.copy.EndOpener;
import millrace.endpoint.Endpoints;
import millrace.engine.remote.Cluster;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.job.JobContext;
import millrace.job.JobListener;
import millrace.plan.FaultMessage;
import millrace.plan.RunId;
import millrace.report.Report;
import millrace.report.RunStore;
import millrace.report.sweep.SweepStore;
import millrace.spi.Shared;
import org.jspecify.annotations.Nullable;

/// What every verb needs of the process: where to print, how it is told to stop, the earlier runs.
///
/// @param console the process's streams and environment
/// @param stop Ctrl-C and SIGTERM
/// @param runs earlier runs
/// @param sweeps earlier sweeps
/// @param cluster whose processes work the splits of copies off; null if this one does
public record Context(
    Console console, Stop stop, RunStore runs, SweepStore sweeps, @Nullable Cluster cluster) {

  static Context of(Console console, Stop stop) {
    Path state = console.folder("XDG_STATE_HOME", ".local/state");
    RunStore runs = new RunStore(state.resolve("runs"));
    return new Context(console, stop, runs, new SweepStore(state.resolve("sweeps")), null);
  }

  /// The same with another console.
  public Context with(Console other) {
    return new Context(other, stop, runs, sweeps, cluster);
  }

  /// The same on a cluster.
  public Context on(@Nullable Cluster other) {
    return new Context(console, stop, runs, sweeps, other);
  }

  /// What users may write for an end, the connections as they are now.
  public Endpoints endpoints() {
    return new Endpoints(Connectors.ALL.all(), Connections.load(console));
  }

  /// Opens ends and plans copies for a verb that does not copy.
  ///
  /// @param retryPolicy how long others are waited for
  public EndOpener endOpener(RetryPolicy retryPolicy, OutputOptions output) {
    return endOpener(retryPolicy, output, null);
  }

  /// The same.
  ///
  /// @param shared what the ends share with those of others; null if nothing
  public EndOpener endOpener(
      RetryPolicy retryPolicy, OutputOptions output, @Nullable Shared shared) {
    return new EndOpener(Connectors.ALL, retryPolicy, teller(output), shared);
  }

  /// Says at once what is waited for, unless the user wants to hear nothing.
  public Consumer<String> teller(OutputOptions output) {
    return words -> {
      if (!output.quiet) {
        console.say("millrace: " + Endpoints.redact(words));
      }
    };
  }

  /// What copies need of this process.
  public CopyContext copies() {
    return new CopyContext(Connectors.ALL, runs, null, cluster);
  }

  /// What a job needs of this process.
  public JobContext jobs(JobListener listener) {
    return new JobContext(
        copies(),
        endpoints(),
        console.folder("XDG_STATE_HOME", ".local/state").resolve("jobs"),
        listener);
  }

  /// Settings to copy with, by name.
  public Profiles profiles() {
    return new Profiles(console.folder("XDG_CONFIG_HOME", ".config").resolve("profiles"), sweeps);
  }

  /// Keeps that a verb failed before there was a run that could be reported.
  ///
  /// @param from what was asked for; may hold a password
  /// @param to likewise
  public void keepRefused(String verb, String from, String to, Fault fault) {
    Instant now = Instant.now();
    keep(
        Report.refused(
            new Report.Header(RunId.begun(now), verb, now, FaultMessage.of(fault)),
            Report.JobSummary.of(Endpoints.redactArguments(from), Endpoints.redactArguments(to))),
        "");
  }

  /// Keeps a report and what the run found best; if that fails, the run itself is none the worse.
  ///
  /// @param method in which of its ways the target took the rows; empty if it has one
  /// @return whether it is kept
  public boolean keep(Report report, String method) {
    return keep(report, method, runs::keep);
  }

  /// The same of a copy that is one of a job's.
  public void keepOfJob(Report report, String method) {
    keep(report, method, runs::keepOfJob);
  }

  /// Keeps a report.
  @FunctionalInterface
  private interface Keeping {
    void keep(Report report) throws IOException;
  }

  private boolean keep(Report report, String method, Keeping keeping) {
    try {
      keeping.keep(report.with(console.hidden()::in));
      runs.remember(report, method);
      return true;
    } catch (IOException | Fault.External e) {
      console.err().println("millrace: this run's report can't be kept: " + FileTrouble.of(e));
      return false;
    }
  }
}
