package millrace.data;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;

/// What somebody has written down about a table and its columns, in the system itself.
///
/// @param table of the table; empty if there is nothing
/// @param columns by the column's name; columns without one have no entry
public record TableComments(String table, Map<String, String> columns) implements Serializable {

  /// Nothing.
  public static final TableComments NONE = new TableComments("", Map.of());

  public TableComments {
    columns = Map.copyOf(columns);
  }

  public boolean isEmpty() {
    return table.isEmpty() && columns.isEmpty();
  }

  /// The comment on a column; empty if it has none.
  public String of(String column) {
    return columns.getOrDefault(column, "");
  }

  /// The same for columns of other names.
  ///
  /// @param names the old name by the new one
  public TableComments renamed(Map<String, String> names) {
    Map<String, String> renamed = new LinkedHashMap<>();
    names.forEach((name, old) -> {
      if (columns.containsKey(old)) {
        renamed.put(name, of(old));
      }
    });
    return new TableComments(table, renamed);
  }

  /// Those that are not empty, of rows that a system gives: a column's name, empty for the table,
  /// and the comment.
  public static TableComments of(Iterable<Map.Entry<String, String>> rows) {
    String table = "";
    Map<String, String> columns = new LinkedHashMap<>();
    for (Map.Entry<String, String> row : rows) {
      if (row.getKey().isEmpty()) {
        table = row.getValue();
      } else if (!row.getValue().isEmpty()) {
        columns.put(row.getKey(), row.getValue());
      }
    }
    return new TableComments(table, columns);
  }
}
