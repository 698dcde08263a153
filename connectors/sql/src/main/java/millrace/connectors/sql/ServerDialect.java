package millrace.connectors.sql;

import java.io.InputStream;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import millrace.data.Type;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// How the database of a server differs from others in writing by several sessions, which commit in
/// parts.
///
/// It holds no state: any thread may call it.
public interface ServerDialect extends Dialect {

  @Override
  default ServerDialect server() {
    return this;
  }

  /// What stands behind the columns of a table that is made, such as its engine; may be empty.
  String tableOptions();

  /// Why rows of a table that is there are not undone with their transaction, as a sentence without
  /// its end; empty if they are.
  String notUndone(SqlSession session, TableName table);

  /// The statement that makes a staging table whose columns take values as those of another do.
  ///
  /// @param more names of further columns, each with its type behind a blank
  String stage(TableName staging, TableName like, List<String> columns, List<String> more);

  /// The statements that put one table in the place of another, at once if possible. Between two of
  /// them a run may be killed: then another gives the staging table its name.
  ///
  /// @param replaced the table that goes, or null
  /// @param old a name for it until it is dropped
  List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old);

  /// The statement that empties a table.
  String truncate(TableName table);

  /// How rows of a table are read, in a transaction, so that others who are writing them are waited
  /// for.
  LockingRead lockingRead(TableName table);

  /// Takes a lock that this connection holds until it ends.
  ///
  /// @return whether nobody else has it
  boolean lock(SqlSession session, String name, Duration wait);

  /// Lets go of that lock.
  void unlock(SqlSession session, String name);

  /// Whether nobody has that lock.
  boolean isFree(SqlSession session, String name);

  /// How staged rows are merged.
  MergeStatements merge(MergeTables tables);

  /// How rows are loaded in bulk; null if the system has no such way.
  @Nullable Bulk bulk();

  /// Why rows are inserted though there is a bulk load, as a sentence; empty if they are not.
  ///
  /// @param session asks the server whether it allows it
  /// @param filled the table that is there and gets the rows; null if one is made for them
  /// @param columns the declarations of the columns that get values, by their names
  /// @throws millrace.fault.Fault.User if the user wants that load and nothing else
  default String whyInserts(
      SqlSession session, @Nullable TableInfo filled, Map<String, String> columns) {
    return "";
  }

  /// How many sessions can write to a table at once.
  ///
  /// @param there the table; null if there is none yet
  default LaneLimit lanes(@Nullable TableInfo there) {
    return LaneLimit.NONE;
  }

  /// How others who are writing rows are waited for.
  ///
  /// @param before a statement that does so, or empty
  /// @param behind what a query ends with that does so, or empty
  record LockingRead(String before, String behind) {}

  /// What a merge is between; all names as SQL spells them.
  ///
  /// @param key the columns that it goes by
  /// @param others those that are updated
  /// @param order the column of the staging table that grows in the order of the source
  /// @param same for each of the others, whether two of its values are the same, with `%1$s` and
  ///   `%2$s` for them
  record MergeTables(
      String target,
      String staging,
      List<String> key,
      List<String> others,
      String order,
      UnaryOperator<String> same) {

    public MergeTables {
      key = List.copyOf(key);
      others = List.copyOf(others);
    }

    /// Whether a column has the same value in two rows.
    ///
    /// @param one the alias of the one, with its point; so is the other
    public String same(String column, String one, String other) {
      return same.apply(column).replace("%1$s", one + column).replace("%2$s", other + column);
    }
  }

  /// What a merge does, in this order.
  ///
  /// @param dropSuperseded deletes staged rows that a later one of the same key takes the place of
  /// @param countFound how many keys the target has
  /// @param countChanged how many of those have other values
  /// @param update updates them, for a condition on the order column behind its own; empty if
  ///   nothing is updated
  /// @param insert inserts the rest, likewise
  record MergeStatements(
      String dropSuperseded,
      String countFound,
      String countChanged,
      UnaryOperator<String> update,
      UnaryOperator<String> insert) {}

  /// A way to write many rows that is faster than inserts.
  sealed interface Bulk permits BulkLoad, StreamLoad {}

  /// Takes rows by a statement of the driver's own, which streams them past SQL. A row that the
  /// server refuses ends the copy: nobody can tell which it is.
  non-sealed interface StreamLoad extends Bulk {

    /// How values are handed over, by the declarations of their columns.
    TypeTable types();

    /// Whether what is streamed is there at a commit of its own, of which no receipt can be a part;
    /// else it is part of a transaction like any other, but nothing more can be done with the table
    /// in that.
    boolean endsAlone();

    /// Opens a stream of one session.
    ///
    /// @param columns as the table spells them
    /// @param filled the table if it has keys or indexes already; null if it is made without any
    PreparedStatement open(
        Connection connection, TableName table, List<String> columns, @Nullable TableInfo filled)
        throws SQLException;

    /// What keeps a table in order that was there before. Changes nothing.
    ///
    /// @param known what {@link TableUpkeep#state} has said to the run that is gone on with; null
    ///   if none is
    TableUpkeep upkeep(SqlSession session, TableName table, @Nullable List<String> known);

    /// What the report says of it, as a sentence; may be empty.
    String note();
  }

  /// Takes rows as text: values in the order of the columns with tabs between, `\N` for a missing
  /// one, a line feed behind each row; tab, line feed, backslash and NUL within values behind a
  /// backslash.
  non-sealed interface BulkLoad extends Bulk {

    /// How the server takes a value of a column from its text, with `%s` for the text; empty if it
    /// takes the text as it is. Bytes come as hexadecimal digits.
    String expression(Type type, String declared);

    /// Loads rows.
    ///
    /// @param session is told which statement runs, so that it can be stopped; see {@link
    ///   SqlSession#runs}
    /// @param connection the session's
    /// @param columns names as SQL spells them, and how each is taken, see {@link #expression}
    /// @return how many rows the table has taken as they are; fewer, or -1, if it refused or
    ///   changed any
    long load(
        SqlSession session,
        Connection connection,
        String table,
        List<Target> columns,
        InputStream rows)
        throws SQLException;

    /// A column to be loaded.
    record Target(String name, String expression) {}
  }
}
