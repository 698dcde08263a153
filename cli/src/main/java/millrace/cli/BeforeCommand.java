package millrace.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.Locale;
import millrace.fault.Fault;

/// A command of the user's that runs before each copy of a sweep, by the shell.
final class BeforeCommand {

  private static final int TOLD_MAX = 2000;

  private final Context context;
  private final String command;

  BeforeCommand(Context context, String command) {
    this.context = context;
    this.command = command;
  }

  /// Runs it and waits until it has ended.
  ///
  /// @throws Fault.External where it does not end well, with what it said
  void run() {
    try {
      Process process =
          new ProcessBuilder("sh", "-c", command)
              .redirectErrorStream(true)
              .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
              .start();
      StoppedBy stopped = new StoppedBy(process);
      String said;
      int code;
      try {
        context.stop().watch(stopped::stop);
        said = new String(process.getInputStream().readAllBytes(), Charset.defaultCharset());
        code = process.waitFor();
      } finally {
        stopped.end();
      }
      stopped.check();
      if (code != 0) {
        throw new Fault.External(
            String.format(Locale.ROOT, "--before '%s' ended with exit code %d.", command, code),
            said.length() > TOLD_MAX ? said.substring(said.length() - TOLD_MAX) : said.strip(),
            null);
      }
    } catch (IOException e) {
      throw new Fault.External("--before '" + command + "' can't be run: " + e.getMessage(), "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled(Stop.STOPPED);
    }
  }

  /// Ctrl-C ends the command and so the sweep.
  private static final class StoppedBy {

    private final Process process;
    private volatile String why = "";

    private StoppedBy(Process process) {
      this.process = process;
    }

    private void stop(String reason) {
      why = reason;
      end();
    }

    /// Ends the shell and what it has started, where that is still at work.
    private void end() {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }

    private void check() {
      if (!why.isEmpty()) {
        throw new Fault.Cancelled(why);
      }
    }
  }
}
