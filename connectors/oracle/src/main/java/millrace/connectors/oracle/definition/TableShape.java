package millrace.connectors.oracle.definition;

import java.util.List;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.LeftOut;
import org.jspecify.annotations.Nullable;

/// How a table is defined, by the catalog.
///
/// @param isIndex whether it is organized by the index of its primary key
/// @param comment empty if it has none
/// @param dependentObjects what belongs to it and does not come along
record TableShape(
    TableName name,
    boolean isIndex,
    String comment,
    List<ColumnShape> columns,
    List<ConstraintShape> constraints,
    List<IndexShape> indexes,
    List<LeftOut> dependentObjects) {

  TableShape {
    columns = List.copyOf(columns);
    constraints = List.copyOf(constraints);
    indexes = List.copyOf(indexes);
    dependentObjects = List.copyOf(dependentObjects);
  }

  /// A column.
  ///
  /// @param declared its type
  /// @param fill what gives it a value if a row has none, as it stands behind the type; may be
  ///   empty
  /// @param identity what numbers its rows behind those that are there; null if nothing does
  /// @param comment empty if it has none
  record ColumnShape(
      String name, String declared, String fill, @Nullable String identity, String comment) {}

  /// A constraint, NOT NULL too.
  ///
  /// @param kind the letter that the catalog has for it: P, U, R or C
  /// @param name empty if the server has given one
  /// @param condition of a check; empty for other kinds
  /// @param reference what a foreign key refers to; null for other kinds
  /// @param state what stands behind it, if it is not always checked; may be empty
  record ConstraintShape(
      char kind,
      String name,
      List<String> columns,
      String condition,
      @Nullable ReferenceShape reference,
      String state) {

    ConstraintShape {
      columns = List.copyOf(columns);
    }

    /// Whether it says of a single column that it may not be empty.
    boolean isNotNull() {
      return kind == 'C'
          && columns.size() == 1
          && condition.equals("\"" + columns.getFirst() + "\" IS NOT NULL");
    }
  }

  /// What a foreign key refers to.
  ///
  /// @param rule what stands behind it; may be empty
  record ReferenceShape(TableName table, List<String> columns, String rule) {

    ReferenceShape {
      columns = List.copyOf(columns);
    }
  }

  /// An index that no key brings with it.
  ///
  /// @param kind what stands before the word INDEX, with a blank behind it; may be empty
  /// @param parts columns and expressions, as SQL
  /// @param options what stands behind its columns; may be empty
  record IndexShape(String name, String kind, List<String> parts, String options) {

    IndexShape {
      parts = List.copyOf(parts);
    }
  }
}
