package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How one database differs from the others with SQL.
///
/// It holds no state: any thread may call it.
public interface Dialect {

  /// The connector's name, under which columns carry declarations of this database.
  String system();

  /// How names are quoted and compared.
  Names names();

  /// Its types and ours.
  TypeTable types();

  /// Who can do something about what its driver throws.
  SqlFaults faults();

  /// What it can do.
  Capabilities capabilities();

  /// Looks a table or view up; null if there is none.
  ///
  /// @throws SQLException what the driver says against it
  @Nullable TableInfo find(Connection connection, TableName table) throws SQLException;

  /// The columns of a query's result.
  ///
  /// @throws SQLException what the driver says against it, among others that it is no query
  TableInfo describe(Connection connection, String query) throws SQLException;

  /// Names of its tables and views, as a user would write them.
  ///
  /// @throws SQLException what the driver says against it
  List<String> tables(Connection connection) throws SQLException;

  /// Connections that see one state of the database, one for each lane.
  ///
  /// @param first is open, and has no transaction
  /// @param lanes how many are wanted at once, at least 1
  Snapshot snapshot(SqlDatabase database, SqlSession first, int lanes);

  /// What a database can do.
  ///
  /// @param transactionalDdl whether a table that is made or dropped in a transaction is undone
  ///   with it
  /// @param savepoints whether part of a transaction can be undone; else a refused row ends the
  ///   copy, since nobody can tell which of a batch it is
  /// @param sharesState whether several connections can see one state of the database; else one lane
  ///   reads
  /// @param begin the statement that begins a transaction that writes; empty if that is done by the
  ///   driver
  /// @param temporaryTable what a statement begins with that makes a table for this connection
  public record Capabilities(
      boolean transactionalDdl,
      boolean savepoints,
      boolean sharesState,
      String begin, String temporaryTable) {}
}
