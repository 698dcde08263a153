package millrace.data;

import java.io.Serializable;
import java.util.List;

/// The columns of a table, file or query, in order, and the names of its key.
///
/// @param columns at least one, names unique
/// @param key names of the primary key's columns in key order; empty if there is none
public record Schema(List<Column> columns, List<String> key) implements Serializable {

  public Schema {
    columns = List.copyOf(columns);
    key = List.copyOf(key);
  }

  /// Columns without a key.
  public static Schema of(List<Column> columns) {
    return new Schema(columns, List.of());
  }

  /// How many columns there are.
  public int width() {
    return columns.size();
  }

  /// The column at a position, counted from 0.
  public Column column(int index) {
    return columns.get(index);
  }

  /// The names in order.
  public List<String> names() {
    return columns.stream().map(Column::name).toList();
  }

  /// The position of the column of that exact name, or -1.
  public int indexOf(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }
}
