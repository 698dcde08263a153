package millrace.connectors.duckdb;

import java.util.List;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;

/// Names as DuckDB's SQL spells them.
public final class DuckDbSql {

  /// It tells no names apart by their case.
  public static final Names NAMES = new Names('"', Names.Folding.IGNORED).lacking("\0");

  /// The schema of a table that is named alone.
  static final String MAIN = "main";

  private DuckDbSql() {}

  /// A name in double quotes, whatever it contains.
  public static String name(String name) {
    return NAMES.quoted(name);
  }

  /// Names in double quotes, joined by commas.
  public static String names(List<String> names) {
    return NAMES.quoted(names);
  }

  /// A table as SQL names it.
  public static String name(TableName table) {
    return table.sql(NAMES);
  }

  /// A table, by whatever case it is spelled in.
  public static String identity(TableName table) {
    return table.identity(NAMES);
  }

  /// A table as a user reads it.
  public static String shown(TableName table) {
    return table.schema().equals(MAIN) ? table.name() : table.schema() + "." + table.name();
  }

  /// Reads `table` or `schema.table`.
  ///
  /// @throws Fault.User if it is neither
  public static TableName table(String text) {
    return TableName.parse(text, NAMES, MAIN);
  }
}
