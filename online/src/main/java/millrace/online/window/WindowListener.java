package millrace.online.window;

import millrace.online.report.Series.WindowRun;

/// Is told of what becomes of windows. Any thread.
public interface WindowListener {

  /// A window is about to be aggregated.
  void begins(WindowRun run);

  /// A window was aggregated, or could not be.
  void ended(WindowRun run);

  /// A window is begun although some client has not written all of its rows yet.
  void incomplete(String level, String window);

  /// The last second that all clients have written; -1 if there is none.
  long watermark();
}
