package millrace.connectors.sqlite;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes.Equality;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Type;
import org.sqlite.Function;

/// When SQLite takes two keys for one: if the primary key's collation does, or that of the column
/// if another key is named. What it keeps as text in several spellings, such as UUIDs and times, is
/// compared by value.
final class SqliteEquality {

  private static final String VALUE = "millrace_value";
  private static final String CREATE = "CREATE TABLE ";
  private static final String INDEX = "millrace_collations";

  private static final Names NAMES = SqliteDialect.NAMES;

  private final SqlSession session;
  private final TableName table;

  /// @param table one of the file itself
  SqliteEquality(SqlSession session, TableName table) {
    this.session = session;
    this.table = table;
  }

  /// Makes the function that gives the values of what is kept as text.
  static Connection withValues(Connection connection) throws SQLException {
    Function.create(connection, VALUE, new SpelledValue(), 2, Function.FLAG_DETERMINISTIC);
    return connection;
  }

  /// How a merge by that key tells values and rows apart.
  Equality of(List<ColumnInfo> key) {
    List<PrimaryColumn> primary = primary();
    List<String> names = key.stream().map(ColumnInfo::name).toList();
    List<String> declared =
        names.stream()
            .flatMap(name -> primary.stream().filter(column -> NAMES.same(column.name, name)))
            .map(PrimaryColumn::collation)
            .toList();
    boolean isPrimary = declared.size() == names.size() && primary.size() == names.size();
    List<String> collations = isPrimary ? declared : collations(names);
    boolean computes = key.stream().anyMatch(SqliteEquality::isSpelled);
    List<String> sql = new ArrayList<>();
    for (int i = 0; i < key.size(); i++) {
      ColumnInfo column = key.get(i);
      String value =
          isSpelled(column)
              ? VALUE + "(%s, " + Names.text(column.typedAs()) + ")"
              // An index on part of the key would find too many rows for each that comes.
              : computes ? "+%s" : "%s";
      sql.add(value + " COLLATE " + NAMES.quoted(collations.get(i)));
    }
    return new Equality(sql, _ -> "%s COLLATE BINARY IS %s");
  }

  private record PrimaryColumn(String name, String collation) {}

  /// The columns of the primary key, with its collations, which may be others than theirs; none if
  /// there is no key, or one without an index.
  private List<PrimaryColumn> primary() {
    return session.query(
        "SELECT x.name, x.coll FROM pragma_index_list(?, 'main') l,"
            + " pragma_index_xinfo(l.name, 'main') x WHERE l.origin = 'pk' AND x.key"
            + " ORDER BY x.seqno",
        row -> new PrimaryColumn(row.getString(1), row.getString(2)),
        table.name());
  }

  private List<String> texts(String sql) {
    return session.query(sql, row -> row.getString(1), table.name());
  }

  private static boolean isSpelled(ColumnInfo column) {
    TypeTable.MappedType found = SqliteTypes.TABLE.find(column.typedAs());
    return !found.cell().compares() && !(found.type() instanceof Type.Json);
  }

  /// SQLite tells the collations of an index alone. So it makes the table once more, as one of this
  /// connection, with an index on the key.
  private List<String> collations(List<String> key) {
    String sql =
        texts("SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE")
            .getFirst();
    if (!sql.startsWith(CREATE)) {
      return key.stream().map(_ -> "BINARY").toList(); // a virtual table
    }
    session.execute("CREATE TEMP TABLE " + sql.substring(CREATE.length()));
    String copy = NAMES.quoted(table.name());
    session.execute("CREATE INDEX temp.%s ON %s (%s)".formatted(INDEX, copy, NAMES.quoted(key)));
    List<String> collations =
        session.query(
            "SELECT coll FROM pragma_index_xinfo('%s', 'temp') WHERE key ORDER BY seqno"
                .formatted(INDEX),
            row -> row.getString(1));
    session.execute("DROP TABLE temp." + copy);
    return collations;
  }
}
