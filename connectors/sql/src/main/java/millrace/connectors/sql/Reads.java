package millrace.connectors.sql;

import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Type;

/// How the tables of a database are read.
@FunctionalInterface
public interface Reads {

  /// What of the database is the same always.
  Dialect.Profile profile();

  /// Connections that see one state of what is read, one for each lane. Each range of a table is a
  /// statement of its own: this one is for databases whose transactions see what their first
  /// statement does, without being told to.
  ///
  /// @param first is open, and has no transaction
  /// @param lanes how many are wanted at once, at least 1
  default SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    return SnapshotConnections.of(first);
  }

  /// The declaration by which the type table is to know a column that is read as the user says.
  ///
  /// @param heldAs one of the ways that the connector's option names; empty if he has not said
  /// @throws millrace.fault.Fault.User if the column can't be read as that
  default String readAs(ColumnInfo column, Type type, String heldAs) {
    return profile().types().ddl().apply(type);
  }

  /// Whether a column is read as the type that it has in the target, though the user has not said
  /// so: the database has no other way to declare one of that type.
  ///
  /// @param wanted the type in the target
  default boolean readsAsTarget(ColumnInfo column, Type wanted) {
    return false;
  }

  /// A column as readers select it. What its driver would not give back unchanged is selected as
  /// text.
  default String selected(ColumnInfo column) {
    return profile().names().quoted(column.name());
  }

  /// Why a table is read by one connection, although it has a key to cut it by, as the end of a
  /// sentence; empty if nothing keeps others from the same state.
  default String whyOneReader(SqlSession session, TableName table) {
    return "";
  }

  /// What to do about a value that is none of its column's type, as sentences; empty if there is
  /// nothing but to mend it.
  default String advice(ColumnInfo column, Object value) {
    return "";
  }
}
