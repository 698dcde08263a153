package millrace.connectors.sql.read;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.MappedType;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.read.Position;
import org.jspecify.annotations.Nullable;

/// What is selected, and how its values are got.
///
/// @param label how to name it in errors
/// @param schema the columns as readers give them
/// @param where the condition that the database applies, or empty
/// @param limit most rows that the database gives
/// @param cut what ranges go by; null if all is read at once
/// @param asOf what stands behind the table's name, or empty
record SqlQuery(
    SqlDatabase database,
    String label,
    TableOrQuery relation,
    List<ColumnInfo> columns,
    Schema schema,
    String where,
    long limit,
    @Nullable Cut cut,
    String asOf) {

  /// The same, read as of a state.
  SqlQuery asOf(String state) {
    return new SqlQuery(database, label, relation, columns, schema, where, limit, cut, state);
  }

  /// The statement that selects a range; the key comes behind the columns, for messages.
  ///
  /// @param rowsMax how many rows are wanted; {@link Long#MAX_VALUE} for all
  ///
  /// @throws Fault.Transient if whoever made the split could cut the table, and this can't
  String sql(Position position, long rowsMax) {
    if (cut == null && !KeyRanges.ALL.equals(position)) {
      // It would read all rows, as for each other split.
      throw Fault.Transient.endingRun(
          label + " can't be read in parts any more: it was changed since it was cut.",
          "Copy again, from the start.",
          null);
    }
    Dialect dialect = database.dialect();
    Names names = dialect.names();
    List<String> selected =
        columns.stream()
            .map(dialect.reads()::selected)
            .collect(Collectors.toCollection(ArrayList::new));
    List<String> conditions = new ArrayList<>();
    if (cut != null) {
      selected.add(cut.sql());
      conditions.add(KeyRanges.condition(cut, position));
    }
    conditions.add(where.isEmpty() ? "" : "(" + where + "\n)");
    conditions.removeIf(String::isEmpty);
    String all =
        "SELECT "
            + String.join(", ", selected)
            + " FROM "
            + relation.from(names)
            + (cut == null ? "" : KeyRanges.partClause(cut, position, names))
            + asOf
            + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions));
    String limited = dialect.statements().reading().limited();
    return rowsMax == Long.MAX_VALUE ? all : limited.formatted(all, rowsMax);
  }

  /// Sets the parameters of that statement.
  void bind(PreparedStatement statement, Position position) throws SQLException {
    if (cut != null) {
      KeyRanges.bind(cut, position, statement);
    }
  }

  /// The type of each column, and how its values are got.
  List<MappedType> found() {
    TypeTable types = database.dialect().types();
    return columns.stream().map(column -> types.find(column.typedAs())).toList();
  }
}
