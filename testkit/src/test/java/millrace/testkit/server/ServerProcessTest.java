package millrace.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerProcessTest {

  @TempDir Path temporary;

  @Test
  void endsIfItIsKilledAndLeavesItsFolder() throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("server"));
    ServerProcess process = sleeper(folder);
    assertThat(process.isAlive()).isTrue();
    process.kill();
    assertThat(process.isAlive()).isFalse();
    assertThat(folder).exists();
  }

  @Test
  void tellsThatTheProgramHasEnded() throws IOException {
    ServerProcess process =
        ServerProcess.start(temporary, temporary.resolve("log"), List.of("sh", "-c", "exit 3"));
    assertThat(process.await()).isEqualTo(3);
    process.kill();
    assertThat(temporary).exists();
  }

  /// Stands for the tests: starts a server as they do, and is killed.
  static final class Owner {
    private Owner() {}

    public static void main(String[] words) throws Exception {
      sleeper(Path.of(words[0]));
      System.out.println("started");
      TimeUnit.SECONDS.sleep(60);
    }
  }

  @Test
  void endsWithTheProcessThatStartedItAndRemovesItsFolder() throws Exception {
    Path folder = Files.createDirectory(temporary.resolve("server"));
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(owner.inputReader().readLine()).isEqualTo("started");
    List<ProcessHandle> started = owner.descendants().toList();
    assertThat(started).hasSizeGreaterThanOrEqualTo(2);
    owner.destroyForcibly().waitFor();
    long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (started.stream().anyMatch(ProcessHandle::isAlive) || Files.exists(folder)) {
      assertThat(System.nanoTime()).as("the server is still there").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private static ServerProcess sleeper(Path folder) throws IOException {
    return ServerProcess.start(folder, folder.resolve("log"), List.of("sleep", "60"));
  }
}
