package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect.StreamLoad;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TypeTable;
import millrace.fault.Fault;
import oracle.jdbc.internal.OracleConnection;
import org.jspecify.annotations.Nullable;

/// The two ways in which rows are written past the buffer cache into new blocks: the driver's
/// direct path streams (`--method native`), and direct-path inserts (`--method direct`).
///
/// A stream is there at its own commit, and lost if it is closed without one. The driver converts
/// and checks nothing: what is bound is what arrives. So each column is bound as its own type, by
/// values that were checked before.
///
/// @param method which of them
/// @param types how values are handed over
/// @param names how the database spells names
/// @param note what the report says, or empty
record DirectPath(OracleOptions.Method method, TypeTable types, Names names, String note)
    implements StreamLoad {

  @Override
  public boolean endsAlone() {
    return method == OracleOptions.Method.NATIVE;
  }

  @Override
  public PreparedStatement open(
      Connection connection, TableName table, List<String> columns, @Nullable TableInfo filled)
      throws SQLException {
    if (!endsAlone()) {
      String marks = "?" + ", ?".repeat(columns.size() - 1);
      return connection.prepareStatement(
          "INSERT /*+ APPEND_VALUES */ INTO "
              + table.sql(names)
              + " ("
              + names.quoted(columns)
              + ") VALUES ("
              + marks
              + ")");
    }
    Properties options = new Properties();
    // Other lanes may load a table at the same time only if it has no indexes.
    options.setProperty(
        "DPPDEF_IN_PARALLEL", String.valueOf(filled == null || indexes(filled).isEmpty()));
    // The server takes names without quotes for names in capitals.
    return connection
        .unwrap(OracleConnection.class)
        .prepareDirectPath(
            names.quoted(table.schema()),
            names.quoted(table.name()),
            columns.stream().map(names::quoted).toArray(String[]::new),
            options);
  }

  /// Names of what orders or restricts a table's rows by their keys.
  static List<String> indexes(TableInfo table) {
    List<String> indexes = new ArrayList<>();
    if (!table.key().isEmpty()) {
      indexes.add("the primary key");
    }
    table.definition().rules().stream()
        .filter(rule -> rule.startsWith("unique ") || rule.startsWith("index "))
        .forEach(indexes::add);
    return indexes;
  }

  /// Why a table can't be loaded so, as the end of a sentence; empty if it can.
  ///
  /// @param filled the table that is there and gets the rows; null if one is made for them
  /// @param columns declarations of the columns that get values, by their names
  String refusal(@Nullable TableInfo filled, Map<String, String> columns) {
    if (endsAlone()) {
      for (Map.Entry<String, String> column : columns.entrySet()) {
        String bare = TypeTable.bare(column.getValue());
        if (bare.matches("BOOLEAN|JSON|LONG.*|U?ROWID|TIMESTAMP WITH LOCAL.*|VECTOR")) {
          return "column "
              + column.getKey()
              + " is "
              + column.getValue()
              + ", which it does not load";
        }
      }
    }
    return filled == null ? "" : ofTable(filled, columns);
  }

  private String ofTable(TableInfo table, Map<String, String> columns) {
    if (!table.rowRules().onInsert().isEmpty()) {
      return "triggers of the table would not run ("
          + String.join(", ", table.rowRules().onInsert())
          + ")";
    }
    for (String rule : table.definition().rules()) {
      if (rule.startsWith("foreign key") || (endsAlone() && rule.startsWith("check"))) {
        return "the table's " + rule + " would not be checked";
      }
    }
    if (table.cut() == null || table.cut().keys() == null) {
      return "the table is temporary or organized by its index";
    }
    for (ColumnInfo column : table.columns()) {
      boolean isLeftOut = !columns.containsKey(column.name());
      if (endsAlone() && isLeftOut && column.hasDefault()) {
        return "the default of column " + column.name() + " would not be applied";
      }
    }
    return "";
  }

  /// A stream takes rows whose keys are there already, and leaves the index unusable.
  @Override
  public void check(SqlSession session, TableName table) {
    List<String> hurt =
        session.query(
            "SELECT index_name FROM all_indexes WHERE table_owner = ? AND table_name = ?"
                + " AND status = 'UNUSABLE'",
            row -> row.getString(1),
            table.schema(),
            table.name());
    if (!hurt.isEmpty()) {
      throw new Fault.Data(
          "Rows with keys that the table had already, or twice among them, have left its indexes"
              + " unusable: "
              + String.join(", ", hurt)
              + ".",
          "The rows are in the table. Delete those that are there twice, then: ALTER INDEX "
              + names.quoted(hurt.getFirst())
              + " REBUILD",
          null);
    }
  }
}
