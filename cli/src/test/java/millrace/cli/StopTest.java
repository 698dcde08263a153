package millrace.cli;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// What a process ends with.
final class StopTest {

  @Test
  void withoutASignalItIsTheCommandsOwnCode() {
    assertThat(new Stop().ended(ExitCode.OK.number())).isZero();
    assertThat(new Stop().ended(ExitCode.DATA.number())).isEqualTo(ExitCode.DATA.number());
  }

  @Test
  void aSignalThatCameWhenAllWasDoneIsNoStopAndOneThatStoppedTheCommandIs() {
    assertThat(stoppedWhile().ended(ExitCode.OK.number())).isZero();
    assertThat(stoppedWhile().ended(ExitCode.STOPPED.number())).isEqualTo(143);
    assertThat(stoppedWhile().ended(ExitCode.EXTERNAL.number())).isEqualTo(143);
  }

  /// A stop whose first signal has come.
  private static Stop stoppedWhile() {
    Stop stop = new Stop();
    stop.noteSignal(143);
    return stop;
  }

  @Test
  void whatIsSaidWhileItStopsHasALineOfItsOwn() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream terminal = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console = new Console(terminal, terminal, Map.of(), 80, true);
    Stop stop = new Stop();
    stop.watch(_ -> CompletableFuture.delayedExecutor(4, SECONDS).execute(() -> stop.ended(0)));
    terminal.print("72 %  297,199 rows");
    assertThat(stop.stop(console)).isTrue();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("72 %  297,199 rows\r\u001b[Kmillrace: stopping; ")
        .endsWith("Ctrl-C again ends at once." + System.lineSeparator());
  }

  @Test
  void programsAreToldTheExitCodeThatTheProcessEndsWith() {
    Stop stop = stoppedWhile();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console = new Console(lines, lines, Map.of("HOME", "/nonexistent"), 0, false);
    String[] copy = {"copy", "nowhere.csv", "null:", "--json"};
    assertThat(stop.ended(Millrace.run(copy, console, stop))).isEqualTo(143);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"exit_code\":143}");
  }

  @Test
  void aSignalThatComesBeforeItIsWaitedForIsNoFault() throws IOException, InterruptedException {
    assertEnds(Ending.class, 143, "not begun");
  }

  /// As the thread that serves all connections of an HTTP client.
  @Test
  void whereMemoryRunsOutInAThreadOfALibraryNobodyWaitsForItForEver()
      throws IOException, InterruptedException {
    assertEnds(Losing.class, ExitCode.EXTERNAL.number(), "millrace: Out of memory: the heap of ");
  }

  private static void assertEnds(Class<?> main, int code, String saying)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                main.getName())
            .redirectErrorStream(true)
            .start();
    try {
      assertThat(process.waitFor(60, SECONDS)).as("has ended").isTrue();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.exitValue()).as(said).isEqualTo(code);
      assertThat(said).startsWith(saying);
    } finally {
      process.destroy();
    }
  }

  /// A process that begins when it is ending already.
  static final class Ending {

    private Ending() {}

    static void main() {
      Console console = new Console(System.out, System.err, Map.of(), 0, false);
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(() -> System.out.print(new Stop().install(console) ? "" : "not begun")));
      System.exit(143);
    }
  }

  /// A process that loses a thread while another waits for it.
  static final class Losing {

    private Losing() {}

    static void main() {
      CompletableFuture.delayedExecutor(2, SECONDS)
          .execute(() ->
              Thread.ofPlatform()
                  .start(() -> {
                    throw new OutOfMemoryError("made");
                  }));
      Millrace.main(new String[] {"copy", "-", "null:"});
    }
  }
}
