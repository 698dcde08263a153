package millrace.connectors.sql;

import millrace.spi.read.SqlWords;

/// SQL that databases spell in different ways, as data. All else that is shared holds everywhere.
///
/// Names stand in it as SQL has them, quotes included.
///
/// @param begin begins a transaction that writes; empty if the driver does
/// @param savepoints undo a part of a transaction
/// @param tables make, drop and rename tables
/// @param anyRow a query that gives a row of table `%s`, or none if it has none
/// @param reading what statements that read need
/// @param merging how staged rows get into their table
/// @param moments literals of dates and times
public record Statements(
    String begin,
    Savepoints savepoints,
    Tables tables,
    String anyRow,
    Reading reading,
    Merging merging,
    SqlWords.Moments moments) {

  /// One whose literals of dates and times are the standard's.
  public Statements(
      String begin,
      Savepoints savepoints,
      Tables tables,
      String anyRow,
      Reading reading,
      Merging merging) {
    this(begin, savepoints, tables, anyRow, reading, merging, SqlWords.Moments.STANDARD);
  }

  /// What most databases understand.
  public static final String CREATE = "CREATE TABLE %1$s (%2$s)";

  public static final String DROP_IF_EXISTS = "DROP TABLE IF EXISTS %s";

  public static final String RENAME = "ALTER TABLE %1$s RENAME TO %2$s";

  public static final String TRUNCATE = "TRUNCATE TABLE %s";

  /// What is done with tables.
  ///
  /// @param create makes table `%1$s` with the declarations `%2$s`
  /// @param dropIfExists drops table `%s`, and does nothing if there is none; empty if the catalog
  ///   has to be asked first
  /// @param rename gives table `%1$s` the name `%2$s` in the same schema; empty if the database
  ///   can't: rows are copied instead
  /// @param truncate empties table `%s` at once; empty if the database can't: rows are deleted
  public record Tables(String create, String dropIfExists, String rename, String truncate) {

    /// Those that most databases understand.
    public static final Tables USUAL = new Tables(CREATE, DROP_IF_EXISTS, RENAME, TRUNCATE);
  }

  /// How rows are read.
  ///
  /// @param nextRow what stands behind an order to skip `%d` rows and take the next
  /// @param limited gives the first `%2$d` rows of the query `%1$s` only: some drivers fetch all
  ///   rows, whatever they are told
  /// @param fetchesAllOnClose whether a statement that is closed before its end is fetched to its
  ///   end first, so that it has to be cancelled
  public record Reading(String nextRow, String limited, boolean fetchesAllOnClose) {

    /// One whose driver does as it is told.
    public Reading(String nextRow) {
      this(nextRow, "%s", false);
    }
  }

  /// How part of a transaction is undone. The name of a savepoint is `%s`.
  ///
  /// @param set sets one; empty if there are none
  /// @param release forgets one; empty if they are forgotten with the transaction
  /// @param rollback undoes what came after one
  public record Savepoints(String set, String release, String rollback) {

    /// Those of the standard.
    public static final Savepoints STANDARD =
        new Savepoints("SAVEPOINT %s", "RELEASE SAVEPOINT %s", "ROLLBACK TO SAVEPOINT %s");

    /// The driver is asked for them, if the database nests none that statements set.
    public static final Savepoints BY_DRIVER = new Savepoints("driver", "", "");

    /// There are none: a row that is refused ends the copy, since nobody can tell which it is.
    public static final Savepoints NONE = new Savepoints("", "", "");

    /// Whether there are any.
    public boolean exist() {
      return !set.isEmpty();
    }
  }

  /// How staged rows get into their table.
  ///
  /// @param make makes a table `%1$s` for this connection, or for this transaction if what makes
  ///   tables is undone with it. It has the columns of the query `%2$s`, which gives no rows; empty
  ///   if the database can't merge
  /// @param indexed whether an index on such a table is possible, and helps
  public record Merging(String make, boolean indexed) {

    /// The database can't merge.
    public static final Merging NONE = new Merging("", false);

    /// Whether it can.
    public boolean isPossible() {
      return !make.isEmpty();
    }
  }
}
