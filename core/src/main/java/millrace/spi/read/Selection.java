package millrace.spi.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import millrace.text.ConditionColumns;
import org.jspecify.annotations.Nullable;

/// Which part of the source is wanted.
///
/// A source says in its {@link SourceDescription} which of these it sees to itself; the engine does
/// the rest on batches of columns.
///
/// @param columns names in the order wanted; empty for all
/// @param where an SQL condition on the columns, or null for every row
/// @param limit most rows wanted; {@link Long#MAX_VALUE} for all
public record Selection(List<String> columns, @Nullable String where, long limit)
    implements Serializable {

  /// Everything.
  public static final Selection ALL = new Selection(List.of(), null, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
  }

  /// The columns to read for a source that leaves the condition to the engine, empty for all: those
  /// that are wanted, and behind them the others that the condition names, which the engine drops
  /// when it has looked at them.
  public List<String> columnsToRead() {
    if (columns.isEmpty() || where == null) {
      return columns;
    }
    List<String> read = new ArrayList<>(columns);
    for (String name : conditionNames()) {
      if (read.stream().noneMatch(name::equalsIgnoreCase)) {
        read.add(name);
      }
    }
    return read;
  }

  /// The names of columns in the condition.
  public List<String> conditionNames() {
    return where == null ? List.of() : ConditionColumns.of(where);
  }

  /// How many of the columns to read are there for the condition alone.
  public int conditionColumns() {
    return columnsToRead().size() - columns.size();
  }

  /// The same rows, of these columns.
  public Selection withColumns(List<String> columns) {
    return new Selection(columns, where, limit);
  }

  /// Whether anything is left out.
  public boolean isAll() {
    return columns.isEmpty() && where == null && limit == Long.MAX_VALUE;
  }
}
