package millrace.cli;

import java.io.IOException;
import millrace.connectors.Connectors;
import millrace.plan.Endpoints;
import millrace.report.Report;
import millrace.report.RunStore;

/// What every verb needs of the process: where to print, how it is told to stop, the earlier runs.
///
/// @param console the process's streams and environment
/// @param stop Ctrl-C and SIGTERM
/// @param runs earlier runs
record Context(Console console, Stop stop, RunStore runs) {

  static Context of(Console console, Stop stop) {
    RunStore runs = new RunStore(console.folder("XDG_STATE_HOME", ".local/state").resolve("runs"));
    return new Context(console, stop, runs);
  }

  /// What users may write for an end, the connections as they are now.
  Endpoints endpoints() {
    return new Endpoints(Connectors.all(), Connections.load(console));
  }

  /// Keeps a report; where that fails, the run itself is none the worse.
  void keep(Report report) {
    try {
      runs.keep(report);
    } catch (IOException e) {
      console.err().println("millrace: this run's report can't be kept: " + e.getMessage());
    }
  }
}
