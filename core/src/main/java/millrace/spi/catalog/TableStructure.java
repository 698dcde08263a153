package millrace.spi.catalog;

import java.util.List;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// What is said of a table beside its columns' types, NOT NULL and its primary key, in words of no
/// system: so a table of another system can be made like it.
///
/// @param columns those that hold values, in order
/// @param indexes with those of its keys
/// @param foreignKeys those to tables of the job
/// @param leftOut what has no such words
public record TableStructure(
    List<ColumnRule> columns,
    List<Index> indexes,
    List<ForeignKey> foreignKeys,
    List<Check> checks,
    List<LeftOut> leftOut) {

  public TableStructure {
    columns = List.copyOf(columns);
    indexes = List.copyOf(indexes);
    foreignKeys = List.copyOf(foreignKeys);
    checks = List.copyOf(checks);
    leftOut = List.copyOf(leftOut);
  }

  /// A column.
  ///
  /// @param comment empty if it has none
  /// @param next the number that the next row gets, 0 if it is the one behind the greatest; null if
  ///   rows are not numbered
  /// @param value what a row without it gets; null if it gets nothing
  public record ColumnRule(
      String name,
      Type type,
      boolean nullable,
      String comment,
      @Nullable Long next,
      @Nullable Constant value) {}

  /// An index of plain columns.
  public record Index(String name, Kind kind, List<Part> parts) {

    public Index {
      parts = List.copyOf(parts);
    }

    /// The names of its columns.
    public List<String> columns() {
      return parts.stream().map(Part::column).toList();
    }
  }

  /// What an index is for.
  public enum Kind {
    /// A primary key.
    PRIMARY,
    /// A unique key.
    KEY,
    /// No key, but no value comes twice.
    UNIQUE,
    PLAIN
  }

  /// A column of an index.
  ///
  /// @param falling whether its greatest value comes first
  public record Part(String column, boolean falling) {}

  /// A foreign key.
  ///
  /// @param table the label of the table that it refers to, see {@link TableEntry#label}
  public record ForeignKey(
      String name,
      List<String> columns,
      String table,
      List<String> referenced,
      Action onDelete,
      Action onUpdate) {

    public ForeignKey {
      columns = List.copyOf(columns);
      referenced = List.copyOf(referenced);
    }
  }

  /// What becomes of a row if the one that it refers to changes.
  public enum Action {
    NO_ACTION,
    RESTRICT,
    CASCADE,
    SET_NULL,
    SET_DEFAULT;

    /// As SQL spells it.
    public String sql() {
      return name().replace('_', ' ');
    }
  }

  /// A condition that all rows keep.
  public record Check(String name, Condition condition) {}

  /// A condition on the columns of a row.
  public sealed interface Condition {}

  /// A comparison.
  ///
  /// @param operator of SQL's: `=`, `<>`, `<`, `<=`, `>` or `>=`
  public record Comparison(String column, String operator, Constant value) implements Condition {}

  /// One of several values.
  public record OneOf(String column, List<Constant> values) implements Condition {

    public OneOf {
      values = List.copyOf(values);
    }
  }

  /// Several conditions at once.
  public record All(List<Condition> conditions) implements Condition {

    public All {
      conditions = List.copyOf(conditions);
    }
  }

  /// A value that every system has.
  public sealed interface Constant {}

  /// A number as SQL spells it.
  public record Digits(String digits) implements Constant {}

  /// A text; of a column of dates or times one in their usual spelling.
  public record Words(String text) implements Constant {}

  /// True or false.
  public record Truth(boolean value) implements Constant {}

  /// The date or time at which a row comes.
  public record Now() implements Constant {}
}
