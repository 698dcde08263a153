package millrace.cli.command;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import millrace.cli.Context;
import millrace.cli.Stop;
import millrace.fault.Fault;
import millrace.io.UserProgram;

/// A command of the user's that runs before each copy or run of a sweep, by the shell.
final class BeforeCommand {

  /// How long it may take to end once the sweep is stopped.
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private final Context context;
  private final String command;

  BeforeCommand(Context context, String command) {
    this.context = context;
    this.command = command;
  }

  /// Runs it and waits until it has ended. What it leaves running, such as a server, goes on; its
  /// output goes to a file, since that one holds the end of a pipe too, and may write more.
  ///
  /// @throws Fault.External if it does not end well, with what it said
  void run() {
    run(Map.of());
  }

  /// Likewise, with environment variables beside those of this process.
  ///
  /// @throws Fault.External if it does not end well, with what it said
  void run(Map<String, String> environment) {
    try {
      Path output = Files.createTempFile("millrace-before", ".txt");
      try {
        run(environment, output);
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      throw new Fault.External("--before '" + command + "' can't be run: " + e.getMessage(), "", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Fault.Cancelled(Stop.STOPPED);
    }
  }

  private void run(Map<String, String> environment, Path output)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    builder.environment().putAll(environment);
    Process process = builder.start();
    StoppedBy stopped = new StoppedBy(process);
    try {
      context.stop().watch(stopped::stop);
      process.waitFor();
    } finally {
      stopped.end();
    }
    stopped.check();
    if (process.exitValue() != 0) {
      throw new Fault.External(
          String.format(
              Locale.ROOT, "--before '%s' ended with exit code %d.", command, process.exitValue()),
          UserProgram.tail(output),
          null);
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

    private void end() {
      UserProgram.end(process, ENDS_WITHIN);
    }

    private void check() {
      if (!why.isEmpty()) {
        throw new Fault.Cancelled(why);
      }
    }
  }
}
