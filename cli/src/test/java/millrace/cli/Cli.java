package millrace.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Runs command lines inside the test's own process, with an environment and folders of their own.
final class Cli {

  private final Map<String, String> env = new HashMap<>();

  /// @param home stands for the user's home folder
  Cli(Path home) {
    env.put("HOME", home.toString());
  }

  /// Sets an environment variable for the command lines that follow.
  Cli with(String name, String value) {
    env.put(name, value);
    return this;
  }

  /// What a command line left behind.
  ///
  /// @param code its exit code
  /// @param out standard output
  /// @param err standard error
  record Result(int code, String out, String err) {

    List<String> outLines() {
      return out.lines().toList();
    }
  }

  /// Runs one command line.
  Result run(String... args) {
    return run(new Stop(), args);
  }

  /// Runs one command line that may be stopped meanwhile.
  Result run(Stop stop, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (PrintStream outStream = new PrintStream(out, true, StandardCharsets.UTF_8);
        PrintStream errStream = new PrintStream(err, true, StandardCharsets.UTF_8)) {
      Console console = new Console(outStream, errStream, env, 0, false);
      int code = stop.ended(Millrace.run(args, console, stop));
      return new Result(
          code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
  }
}
