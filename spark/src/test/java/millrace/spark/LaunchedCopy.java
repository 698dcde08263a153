package millrace.spark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/// A process of `./millrace copy`, as a user starts it. The process is the one that signals reach.
final class LaunchedCopy {

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final Process process;
  private final Path said;

  /// Starts it.
  ///
  /// @param folder where it is started, where its journal of runs is, and where its output goes
  /// @param environment more variables; an empty one is as one that is not set
  LaunchedCopy(Path folder, Map<String, String> environment, List<String> words)
      throws IOException {
    // Perl gives it back the Ctrl-C that a background job ignores.
    List<String> command =
        new ArrayList<>(
            List.of("perl", "-e", "$SIG{INT} = 'DEFAULT'; exec @ARGV", launcher(), "copy"));
    command.addAll(words);
    said = Files.createTempFile(folder, "said", ".txt");
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().put("XDG_STATE_HOME", folder.resolve("state").toString());
    builder.environment().put("XDG_CONFIG_HOME", folder.resolve("config").toString());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true).redirectOutput(said.toFile());
    process = builder.start();
    process.getOutputStream().close();
  }

  /// The first start of a build says that it prepares itself.
  static void buildAll() throws IOException, InterruptedException {
    Process started = new ProcessBuilder(launcher(), "--version").redirectErrorStream(true).start();
    String said = new String(started.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (started.waitFor() != 0) {
      throw new IOException(said);
    }
  }

  private static String launcher() {
    return Path.of("..", "millrace").toAbsolutePath().normalize().toString();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /// The process of its driver, once there is one.
  ProcessHandle driver() {
    return process
        .children()
        .filter(each -> StandaloneCluster.line(each).contains("deploy.SparkSubmit"))
        .findFirst()
        .orElseThrow();
  }

  /// Waits for its end and gives its exit code.
  int await() {
    try {
      while (!process.waitFor(1, TimeUnit.MINUTES)) {
        // The test's own time limit is the one that counts.
      }
      return process.exitValue();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw new IllegalStateException("the copy was not awaited: " + said(), e);
    }
  }

  /// Waits until it has printed something.
  void awaitSaid(String pattern) {
    Pattern due = Pattern.compile(pattern);
    while (!due.matcher(said()).find()) {
      if (!isAlive()) {
        throw new AssertionError("the copy has ended: " + said());
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// All that it has printed up to now.
  String said() {
    try {
      return Files.readString(said);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
