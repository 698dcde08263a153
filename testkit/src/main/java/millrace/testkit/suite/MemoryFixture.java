package millrace.testkit.suite;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.spi.Endpoint;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/// A fixture with memory at the other end of its copies. A class of tests extends the fixture of
/// its connector and names the suites to run: each is a part of its own.
public abstract class MemoryFixture implements Suite {

  private static final String MISSING = "no_such_table";

  private final MemoryConnector memory = new MemoryConnector();
  private @Nullable Endpoint filled;

  @TempDir private Path aside;

  @Override
  public final MemoryConnector memory() {
    return memory;
  }

  @Override
  public final Path aside() {
    return aside;
  }

  static List<Row> itemsFrom(int first, int count) {
    List<Row> rows = new ArrayList<>();
    Random random = new Random(first);
    for (int i = first; i < first + count; i++) {
      String name = i % 10 == 0 ? null : "name, \"" + i + "\"\n" + random.nextInt();
      rows.add(Row.of(i, name, i % 7 == 0 ? null : random.nextInt(1_000_000)));
    }
    return rows;
  }

  @Override
  public Endpoint filled() {
    if (filled == null) {
      filled = table("filled");
      write(ITEMS, items(0, 8_000), filled);
    }
    return filled;
  }

  @Override
  public Endpoint missing() {
    // The database is there, with another table in it.
    filled();
    return table(MISSING);
  }

  @Override
  public String missingName() {
    return MISSING;
  }
}
