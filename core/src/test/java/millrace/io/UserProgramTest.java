package millrace.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Programs of the user's end with the run that they belong to, whether they like it or not.
@Timeout(60)
final class UserProgramTest {

  private static final long LOOK_NANOS = 10_000_000;

  @Test
  void theShellAndWhatItHasStartedAreAskedToEnd() throws Exception {
    // What it has started may end before the shell is asked: then it waits again. It is ready once
    // it has begun another program, since until then it has the shell's trap.
    Process shell =
        started(
            "trap 'echo asked; exit 3' TERM; sh -c 'echo ready; exec sleep 600' &"
                + " while :; do wait; done");
    List<ProcessHandle> all = all(shell);
    UserProgram.end(shell, Duration.ofHours(1));
    assertThat(shell.waitFor()).isEqualTo(3);
    assertAllEnd(all);
  }

  @Test
  void whatDoesNotListenIsKilled() throws Exception {
    Process shell = started("trap '' TERM; sleep 600 & echo ready; wait");
    List<ProcessHandle> all = all(shell);
    UserProgram.end(shell, Duration.ofMillis(200));
    assertThat(shell.waitFor()).as("killed").isEqualTo(137);
    assertAllEnd(all);
  }

  @Test
  void aShellIsKilledBeforeItCanGoOnWithItsNextCommand() throws Exception {
    for (int i = 0; i < 20; i++) {
      Process shell = started("trap '' TERM; sleep 600 & echo ready; wait; exit 5");
      List<ProcessHandle> all = all(shell);
      UserProgram.end(shell, Duration.ZERO);
      assertThat(shell.waitFor()).as("killed").isEqualTo(137);
      assertAllEnd(all);
    }
  }

  private static void assertAllEnd(List<ProcessHandle> programs) {
    while (!programs.stream().allMatch(UserProgramTest::hasEnded)) {
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  /// What has ended stays in the list of processes until its parent has looked, which the machine's
  /// first process may put off.
  private static boolean hasEnded(ProcessHandle program) {
    Path stat = Path.of("/proc/" + program.pid() + "/stat");
    try {
      return !program.isAlive() || Files.readString(stat).contains(") Z ");
    } catch (IOException _) {
      return !program.isAlive();
    }
  }

  /// Once it has said that it is ready.
  private static Process started(String command) throws IOException {
    Process shell = new ProcessBuilder("sh", "-c", command).start();
    BufferedReader said = shell.inputReader();
    assertThat(said.readLine()).isEqualTo("ready");
    return shell;
  }

  private static List<ProcessHandle> all(Process shell) {
    List<ProcessHandle> all =
        Stream.concat(Stream.of(shell.toHandle()), shell.descendants()).toList();
    assertThat(all).as("the shell and what it has started").hasSize(2);
    return all;
  }
}
