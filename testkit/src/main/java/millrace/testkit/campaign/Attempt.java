package millrace.testkit.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// A process of `./millrace`, from the launcher on.
final class Attempt {

  private static final String DRIVER = "org.apache.spark.deploy.SparkSubmit";
  private static final String EXECUTOR = "CoarseGrainedExecutorBackend";

  private final Process process;
  private final Path said;

  private Attempt(Campaign.Settings settings, List<String> words, long fileKilobytes) {
    List<String> command = new ArrayList<>();
    String limit = fileKilobytes > 0 ? "ulimit -f " + fileKilobytes + "; " : "";
    command.addAll(
        List.of("bash", "-c", limit + "exec \"$@\"", "attempt", settings.launcher().toString()));
    command.addAll(words);
    said = settings.folder().resolve("said.txt");
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("XDG_STATE_HOME", settings.folder().resolve("state").toString());
    builder.environment().put("XDG_CONFIG_HOME", settings.folder().resolve("config").toString());
    builder.redirectErrorStream(true).redirectOutput(said.toFile());
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Starts a copy.
  ///
  /// @param between both ends
  /// @param more further options
  /// @param fileKilobytes how long its files may become, or 0 for as long as they like
  static Attempt copy(
      Campaign.Settings settings, List<String> between, List<String> more, long fileKilobytes) {
    List<String> words = new ArrayList<>(List.of("copy"));
    words.addAll(between);
    words.addAll(
        List.of("--lanes", "2", "--commit-unit", "200kB", "--stall-timeout", "3s", "--quiet"));
    if (between.getLast().startsWith("postgresql:")) {
      words.addAll(List.of("--mode", "append"));
    }
    words.addAll(more);
    return new Attempt(settings, words, fileKilobytes);
  }

  /// Starts a comparison of two ends.
  static Attempt verify(Campaign.Settings settings, String from, String to) {
    return new Attempt(settings, List.of("verify", from, to, "--quiet"), 0);
  }

  /// Waits; whether it has ended by then.
  boolean endsWithin(long millis) {
    try {
      return process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Whether it has ended.
  boolean hasEnded() {
    return !process.isAlive();
  }

  /// Waits for its end and gives its exit code.
  int await(long seconds) {
    if (!endsWithin(TimeUnit.SECONDS.toMillis(seconds))) {
      kill();
      throw new IllegalStateException("a copy did not end within " + seconds + " s: " + said());
    }
    return process.exitValue();
  }

  /// SIGKILL: nothing of it can do anything any more. Of a copy on Spark the driver is killed too;
  /// its executors end as they notice.
  void kill() {
    processes(DRIVER).forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /// SIGKILL for one of its executors, if there is one by now.
  void killExecutor() {
    processes(EXECUTOR).findFirst().ifPresent(ProcessHandle::destroyForcibly);
  }

  private Stream<ProcessHandle> processes(String main) {
    return process.descendants().filter(each -> line(each).contains(main));
  }

  /// Java itself does not know those that are long.
  private static String line(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
    } catch (IOException _) {
      // It has ended.
      return "";
    }
  }

  /// SIGTERM.
  void stop() {
    process.destroy();
  }

  /// What it printed, on one line.
  String said() {
    try {
      return String.join(" | ", Files.readAllLines(said));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
