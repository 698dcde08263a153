package millrace.testkit.suite;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import millrace.data.Schema;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;

/// A process of its own that joins the run of a {@link SharedCopy} and writes its first split, and
/// is killed before its commit or after it.
public final class ChildJoin {

  private static final String NOW = "now";

  private ChildJoin() {}

  /// Has another process write the first split of a new table, and kills it.
  ///
  /// @param commits whether it has committed the split by then
  static void killed(
      Connector connector, Endpoint table, Schema schema, String run, boolean commits)
      throws IOException, InterruptedException {
    Path task = Files.createTempFile("join", ".bin");
    try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(task))) {
      out.writeObject(table);
      out.writeObject(schema);
    }
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                ChildJoin.class.getName(),
                connector.getClass().getName(),
                task.toString(),
                run,
                Boolean.toString(commits))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      String line = said.readLine();
      if (!NOW.equals(line)) {
        throw new AssertionError("the other process says " + line);
      }
    } finally {
      process.destroyForcibly().waitFor();
      Files.deleteIfExists(task);
    }
  }

  /// The other process; it does not end by itself.
  public static void main(String[] args) throws ReflectiveOperationException, IOException {
    Connector connector =
        Class.forName(args[0]).asSubclass(Connector.class).getDeclaredConstructor().newInstance();
    Endpoint table;
    Schema schema;
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(Path.of(args[1])))) {
      table = (Endpoint) in.readObject();
      schema = (Schema) in.readObject();
    }
    JournaledSuite.Way way = new JournaledSuite.Way(Mode.CREATE, false);
    try (SharedCopy copy = new SharedCopy(connector, table, schema, way, args[2]);
        SharedCopy.Party one = copy.join()) {
      SharedCopy.Pen pen = one.attempt(copy.splits().getFirst());
      pen.write();
      if (Boolean.parseBoolean(args[3])) {
        pen.finish();
      }
      System.out.println(NOW);
      while (true) {
        LockSupport.park();
      }
    }
  }
}
