package millrace.connectors.sql;

import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
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

  /// The statement that makes a staging table whose columns take values as those of another do.
  ///
  /// @param columns some of the other's
  /// @param more names of further columns, each with its type behind a blank
  String stage(
      TableName staging, TableName like, List<TableInfo.ColumnInfo> columns, List<String> more);

  /// The schema of what a copy keeps for itself: its journal, and rows that are to be inserted or
  /// merged at its end.
  ///
  /// @param table the target
  default String ownSchema(TableName table) {
    return table.schema();
  }

  /// The statements that put one table in the place of another, at once if possible. Between two of
  /// them a run may be killed: as long as the staging table is there, another run does all of them
  /// once more, so that the last one takes its name, or drops it. A table that is made for the
  /// target has no rows then, or all: what is no such table is somebody else's, and stays.
  ///
  /// @param replaced the table that goes, or null
  /// @param old a name for it until it is dropped
  default List<String> swap(
      TableName staging, TableName target, @Nullable TableName replaced, TableName old) {
    String rename = statements().tables().rename();
    String take = rename.formatted(staging.sql(names()), names().quoted(target.name()));
    return replaced == null
        ? List.of(take)
        : List.of(rename.formatted(replaced.sql(names()), names().quoted(old.name())), take);
  }

  /// How rows of a table are read, in a transaction, so that others who are writing them are waited
  /// for.
  LockingRead lockingRead(TableName table);

  /// Takes a lock that this connection holds until it ends.
  ///
  /// @return whether nobody else has it
  boolean lock(SqlSession session, String name, Duration wait);

  /// Lets go of that lock.
  void unlock(SqlSession session, String name);

  /// Makes sure that locks are still held whose connection may have been lost.
  ///
  /// @param asks whether the server is asked; otherwise what is known counts
  /// @throws millrace.fault.Fault.Transient if somebody else has one: the run ends
  default void checkLocks(boolean asks) {
    // What a lane's own session holds is lost with it.
  }

  /// Whether nobody has that lock.
  boolean isFree(SqlSession session, String name);

  /// How staged rows are merged.
  MergeStatements merge(MergeTables tables);

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
}
