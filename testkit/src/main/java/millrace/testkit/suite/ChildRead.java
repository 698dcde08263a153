package millrace.testkit.suite;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.Values;

/// Splits that are read in a process of their own, from what can be serialized alone.
public final class ChildRead {

  private ChildRead() {}

  /// The rows of splits as another process reads them, each spelled by {@link #spelled}.
  static List<String> rows(Connector connector, Endpoint from, ReadPlan plan, List<Split> splits)
      throws IOException, InterruptedException {
    Path task = Files.createTempFile("split", ".bin");
    Path said = Files.createTempFile("split", ".txt");
    try {
      try (ObjectOutputStream out = new ObjectOutputStream(Files.newOutputStream(task))) {
        out.writeObject(from);
        out.writeObject(plan);
        out.writeObject(new ArrayList<>(splits));
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
                  ChildRead.class.getName(),
                  connector.getClass().getName(),
                  task.toString(),
                  said.toString())
              .inheritIO()
              .start();
      if (process.waitFor() != 0) {
        throw new AssertionError("the other process ended with " + process.exitValue());
      }
      return Files.readAllLines(said);
    } finally {
      Files.deleteIfExists(task);
      Files.deleteIfExists(said);
    }
  }

  /// A row in one line.
  static String spelled(Row row) {
    return Base64.getEncoder().encodeToString(row.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// The other process.
  public static void main(String[] args) throws ReflectiveOperationException, IOException {
    Connector connector =
        Class.forName(args[0]).asSubclass(Connector.class).getDeclaredConstructor().newInstance();
    try (ObjectInputStream in = new ObjectInputStream(Files.newInputStream(Path.of(args[1])));
        PrintStream out = new PrintStream(args[2], StandardCharsets.UTF_8)) {
      Endpoint from = (Endpoint) in.readObject();
      ReadPlan plan = (ReadPlan) in.readObject();
      List<?> splits = (List<?>) in.readObject();
      try (Source source = connector.source(from, plan.selection(), new OpenContext());
          ReadSession session = source.describe(plan.columnRequest()).open(plan);
          Reader reader = session.reader(Reading.context(null))) {
        for (Object split : splits) {
          reader.start((Split) split);
          for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
            Values.rows((Columns) batch).stream().map(ChildRead::spelled).forEach(out::println);
            batch.release();
          }
        }
      }
    }
  }
}
