package millrace.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// Starts `./millrace` as a process of its own, as a user does.
final class Launched {

  private static final long PATIENCE_SECONDS = 120;

  private final Path home;
  private final Map<String, String> env = new HashMap<>();

  /// @param home stands for the user's home folder; the output goes there too
  Launched(Path home) {
    this.home = home;
    env.put("XDG_STATE_HOME", home.resolve("state").toString());
    env.put("XDG_CONFIG_HOME", home.resolve("config").toString());
  }

  /// Sets an environment variable.
  Launched with(String name, String value) {
    env.put(name, value);
    return this;
  }

  /// Where the launcher is; tests run in the folder of their module.
  static Path launcher() {
    return Path.of("..", "millrace").toAbsolutePath().normalize();
  }

  /// Runs a line of shell in which `$millrace` is the launcher, and waits for it.
  Cli.Result shell(String line) throws IOException, InterruptedException {
    return ended(start(List.of("bash", "-c", line)));
  }

  /// Starts Millrace itself; the process is the one that signals reach, because the launcher hands
  /// over to Java. Perl gives it back the Ctrl-C that a background job ignores.
  Process start(String... args) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV", launcher().toString()));
    command.addAll(List.of(args));
    return start(command);
  }

  private Process start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(env);
    builder.environment().put("millrace", launcher().toString());
    builder.directory(home.toFile());
    builder.redirectError(home.resolve("stderr").toFile());
    return builder.start();
  }

  /// Waits for a process and takes what it printed.
  Cli.Result ended(Process process) throws IOException, InterruptedException {
    String out =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("did not end within " + PATIENCE_SECONDS + " s");
    }
    return new Cli.Result(process.exitValue(), out, Files.readString(home.resolve("stderr")));
  }
}
