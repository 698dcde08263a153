package millrace.connectors.sqlite;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.SourceHook;

/// A copy in a process of its own that is killed when all of its rows are written and none is
/// committed. They are more than SQLite keeps in memory.
final class KilledCopy {

  private static final int ROWS = 120_000;

  private KilledCopy() {}

  static void run(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledCopy.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      byte[] said = process.getInputStream().readNBytes(3);
      if (!new String(said, StandardCharsets.UTF_8).equals("now")) {
        throw new AssertionError("the other process ended");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /// The other process; it does not end by itself.
  public static void main(String[] args) {
    MemoryConnector memory = new MemoryConnector();
    Schema schema =
        Schema.of(List.of(Column.of("i", new Type.Int(64)), Column.of("a", Type.Text.UNLIMITED)));
    String text = "x".repeat(1_000);
    List<Row> rows = LongStream.range(0, ROWS).mapToObj(i -> Row.of(i + 10_000, text)).toList();
    memory.put("rows", schema, rows);
    Endpoint to = new Endpoint("sqlite", args[0], Map.of("table", "t"), Secret.NONE);
    Copying copying =
        Copying.of(memory, memory.endpoint("rows"), new SqliteConnector(), to).mode(Mode.APPEND);
    SourceHook hook = SourceHook.never();
    millrace.testkit.suite.ResumableCopy.of(copying, 10_000)
        .hooked(hook)
        .beforeTheEnd(() -> {
          System.out.print("now");
          System.out.flush();
          while (true) {
            LockSupport.park();
          }
        })
        .run();
  }
}
