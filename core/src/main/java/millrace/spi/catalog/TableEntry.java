package millrace.spi.catalog;

import java.util.List;
import millrace.spi.Endpoint;

/// A table that an end names, or a file or database in its place.
///
/// @param schema where it is; empty if the system has no schemas
/// @param name its name as the system knows it; of a file the name without its endings
/// @param written the name as the system's own users write it, with quotes if it needs them
/// @param kind what it is, in a word, such as `table`
/// @param rows about how many rows it has; -1 if only counting would tell
/// @param bytes about how large it is; -1 if nobody knows
/// @param key the columns of its primary key; empty if it has none or nobody has looked
/// @param end reads it alone
public record TableEntry(
    String schema,
    String name,
    String written,
    String kind,
    long rows,
    long bytes,
    List<String> key,
    Endpoint end) {

  /// The kind of a table without any column.
  public static final String NO_COLUMNS = "table without columns";

  /// The kind of a table all of whose columns are computed.
  public static final String COMPUTED = "table of computed columns";

  public TableEntry {
    key = List.copyOf(key);
  }

  /// How it is named in plans, reports and errors.
  public String label() {
    return schema.isEmpty() ? name : schema + "." + name;
  }
}
