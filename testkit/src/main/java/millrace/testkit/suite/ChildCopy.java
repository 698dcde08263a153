package millrace.testkit.suite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;

/// A copy with --resume in a process of its own, which is killed in the midst of it. The rows are
/// those that {@link ResumeSuite} makes.
public final class ChildCopy {

  private static final String NOW = "now";

  /// The environment's variable for the password of the end that is written to.
  private static final String SECRET = "MILLRACE_TEST_SECRET";

  private ChildCopy() {}

  /// Begins a copy in another process, and kills that process when so many batches were read and
  /// rows of some have a receipt.
  static void killed(Connector connector, Endpoint to, Mode mode, int batches, boolean documents)
      throws IOException, InterruptedException {
    Process process = start(connector, to, mode, batches, documents);
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = said.readLine();
      if (!NOW.equals(line)) {
        throw new AssertionError("the other process says " + line);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /// Begins a copy in another process, and kills that process as soon as something is so.
  static void killedWhen(
      Connector connector, Endpoint to, Mode mode, boolean documents, BooleanSupplier isDue)
      throws IOException, InterruptedException {
    Process process = start(connector, to, mode, 0, documents);
    try {
      while (!isDue.getAsBoolean()) {
        if (!process.isAlive()) {
          throw new AssertionError("the other process has ended");
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static Process start(
      Connector connector, Endpoint to, Mode mode, int batches, boolean documents)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ChildCopy.class.getName(),
                connector.getClass().getName(),
                mode.name(),
                Integer.toString(batches),
                Boolean.toString(documents),
                to.scheme(),
                to.location()));
    to.parameters().forEach((name, value) -> command.addAll(List.of(name, value)));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    String secret = to.secret().reveal();
    if (secret != null) {
      builder.environment().put(SECRET, secret);
    }
    return builder.start();
  }

  /// The other process; it does not end by itself.
  public static void main(String[] args) throws ReflectiveOperationException {
    Connector connector =
        Class.forName(args[0]).asSubclass(Connector.class).getDeclaredConstructor().newInstance();
    Map<String, String> parameters = new HashMap<>();
    for (int i = 6; i + 1 < args.length; i += 2) {
      parameters.put(args[i], args[i + 1]);
    }
    String secret = System.getenv(SECRET);
    Endpoint to =
        new Endpoint(
            args[4], args[5], parameters, secret == null ? Secret.NONE : Secret.of(secret));
    MemoryConnector memory = new MemoryConnector();
    boolean documents = Boolean.parseBoolean(args[3]);
    memory.put(
        "rows",
        JournaledSuite.schema(documents),
        JournaledSuite.rows(documents, 1_000, JournaledSuite.ROWS));
    Copying copying =
        Copying.of(memory, memory.endpoint("rows"), connector, to)
            .mode(Mode.valueOf(args[1]))
            .lanes(JournaledSuite.LANES, JournaledSuite.SPLIT_BYTES);
    SourceHook hook =
        SourceHook.after(
            Integer.parseInt(args[2]),
            1,
            () -> {
              System.out.println(NOW);
              while (true) {
                LockSupport.park();
              }
            });
    ResumableCopy.of(copying, JournaledSuite.BATCH_ROWS).hooked(hook).run();
  }
}
