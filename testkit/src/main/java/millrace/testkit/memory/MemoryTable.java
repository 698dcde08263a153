package millrace.testkit.memory;

import java.util.List;
import millrace.data.Schema;
import millrace.testkit.Row;

/// A table in memory.
///
/// @param schema its columns and key
/// @param rows its rows in the order in which they were written
public record MemoryTable(Schema schema, List<Row> rows) {

  public MemoryTable {
    rows = List.copyOf(rows);
  }
}
