package millrace.connectors.sql;

import java.util.List;
import java.util.function.Function;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// How one database differs from the others with SQL.
///
/// It holds no state: any thread may call it.
public interface Dialect {

  /// What of it is the same always.
  Profile profile();

  /// Looks a table or view up; null if there is none.
  @Nullable TableInfo find(SqlSession session, TableName table);

  /// Whether there is a table or view of that name.
  default boolean exists(SqlSession session, TableName table) {
    return find(session, table) != null;
  }

  /// The columns of a query's result.
  default TableInfo describe(SqlSession session, String query) {
    return JdbcCatalog.describe(session, query, types());
  }

  /// Names of a schema's tables and views, as the database knows them.
  ///
  /// @param schema empty for the default one
  default List<String> tables(SqlSession session, String schema) {
    return JdbcCatalog.tables(session, schema);
  }

  /// How comments get on a table that is made.
  default CommentStyle comments() {
    return CommentStyle.NONE;
  }

  /// What is written down about a table and its columns.
  default TableComments comments(SqlSession session, TableName table) {
    return TableComments.NONE;
  }

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
    return types().ddl().apply(type);
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
    return names().quoted(column.name());
  }

  /// Why a table is read by one connection, although it has a key to cut it by, as the end of a
  /// sentence; empty if nothing keeps others from the same state.
  default String whole(SqlSession session, TableName table) {
    return "";
  }

  /// What to do about a value that is none of its column's type, as sentences; empty if there is
  /// nothing but to mend it.
  default String advice(TableInfo.ColumnInfo column, Object value) {
    return "";
  }

  /// How a merge into a table tells values and rows apart.
  ///
  /// @param key the columns that it goes by
  Equality equality(SqlSession session, TableName table, List<ColumnInfo> key);

  /// The same if it is a server that several sessions write to; null if one writes, in one
  /// transaction.
  default @Nullable ServerDialect server() {
    return null;
  }

  /// The type as which a column takes values of another.
  ///
  /// @param label the table, for errors
  /// @param incoming as the source has it
  /// @param target where it goes; what it becomes if the table is made
  /// @throws millrace.fault.Fault.User if they would not arrive as they are, whatever they are
  default Type accepted(String label, Column incoming, ColumnInfo target) {
    Type type = types().type(target.typedAs());
    return type instanceof Type.Opaque ? Type.Text.UNLIMITED : type;
  }

  /// The declaration of a new column of a key; some databases index less than they hold.
  ///
  /// @param declared what the column would be if it were none
  /// @param columns how many the key has
  default String keyed(String declared, int columns) {
    return declared;
  }

  /// How names are quoted and compared.
  default Names names() {
    return profile().names();
  }

  /// Its types and ours.
  default TypeTable types() {
    return profile().types();
  }

  /// Who can do something about what its driver throws.
  default SqlFaults faults() {
    return profile().faults();
  }

  /// What it can do.
  default Capabilities capabilities() {
    return profile().capabilities();
  }

  /// How it spells what others spell in another way.
  default Statements statements() {
    return profile().statements();
  }

  /// Why columns of that declaration are neither read nor written, as the end of a sentence; empty
  /// if they are.
  default String refuses(ColumnInfo column) {
    return "";
  }

  /// What of a database is the same always.
  ///
  /// @param names how names are quoted and compared
  /// @param types its types and ours
  /// @param faults who can do something about what its driver throws
  /// @param capabilities what it can do
  /// @param statements how it spells what others spell in another way
  public record Profile(
      Names names,
      TypeTable types,
      SqlFaults faults,
      Capabilities capabilities,
      Statements statements) {}

  /// How values and rows are told apart, as SQL with `%s` for a value.
  ///
  /// @param key for each column of a key, what two values have in common if the table takes them
  ///   for one
  /// @param same of a column, whether two of its values are the same to the last letter, with `%s`
  ///   for one and the other in turn
  /// @param row columns that no two rows share, and that no merge changes before they are read
  public record Equality(List<String> key, Function<String, String> same, List<String> row) {

    /// One that compares all columns alike.
    public Equality(List<String> key, String same, List<String> row) {
      this(key, _ -> same, row);
    }

    public Equality {
      key = List.copyOf(key);
      row = List.copyOf(row);
    }
  }

  /// What a database can do, beside what its statements say.
  ///
  /// @param transactionalDdl whether a table that is made or dropped in a transaction is undone
  ///   with it
  /// @param sharesState whether several connections can see one state of the database; else one
  ///   lane reads
  /// @param emptyText what becomes of text or bytes of no length
  /// @param stopBytesMax a batch that fails has put the rows before the one that is refused into
  ///   the table, and says how many, if none of its values has more bytes; 0 if it may always have
  ///   done anything, so that it is undone
  public record Capabilities(
      boolean transactionalDdl, boolean sharesState, EmptyText emptyText, int stopBytesMax) {

    /// One that keeps empty text.
    public Capabilities(boolean transactionalDdl, boolean sharesState) {
      this(transactionalDdl, sharesState, EmptyText.KEPT, 0);
    }
  }

  /// What becomes of text or bytes of no length.
  public enum EmptyText {
    KEPT,
    /// The database takes it for a missing value: it is counted, and the report says so.
    MISSING,
    /// The same of text alone: bytes of no length stay.
    TEXT_MISSING,
    /// The same, but its row is refused.
    REFUSED
  }
}
