package millrace.connectors.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.connectors.oracle.catalog.OracleCatalog;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Filled;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Column;
import millrace.data.Type;

/// The statements by which Oracle is written to.
///
/// @param user whose schema has what a copy keeps for itself
record OracleWriting(Dialect.Profile profile, String user) implements Writes {

  private static final String SAME = "DECODE(%s, %s, 1, 0) = 1";
  private static final String SAME_LOB =
      "COALESCE(DBMS_LOB.COMPARE(%s, %s), CASE WHEN %s IS NULL AND %s IS NULL THEN 0 ELSE 1 END) ="
          + " 0";

  @Override
  public CommentStyle commentStyle() {
    return OracleCatalog.COMMENTS;
  }

  /// A number of one digit takes truth values as 1 and 0: before version 23 there is no type for
  /// them.
  @Override
  public Type accepted(String label, Column incoming, ColumnInfo target) {
    return incoming.type() instanceof Type.Bool && target.declared().equals("NUMBER(1)")
        ? incoming.type()
        : Writes.super.accepted(label, incoming, target);
  }

  /// Keys are those that have the same bytes; documents and vectors are never known to be the same.
  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    Map<String, String> same = new HashMap<>();
    for (ColumnInfo column : found.columns()) {
      String bare = TypeTable.bare(column.typedAs());
      same.put(
          column.name(),
          bare.matches("N?CLOB|BLOB") ? SAME_LOB : bare.matches("JSON|VECTOR") ? "1 = 0" : SAME);
    }
    return Equality.of(key, name -> same.getOrDefault(name, SAME));
  }

  @Override
  public String keyed(String declared, int columns) {
    return OracleTypeTable.keyed(declared, columns);
  }

  /// A right to insert into another's table is none to make tables beside it.
  @Override
  public String ownSchema(TableName table) {
    return user;
  }

  /// NOT NULL comes along with a column, but not with an expression.
  @Override
  public String stage(
      TableName staging, TableName like, List<ColumnInfo> columns, List<String> more) {
    Names names = profile.names();
    List<String> selected = new ArrayList<>();
    for (ColumnInfo column : columns) {
      String name = names.quoted(column.name());
      boolean isFilled = column.filled() == Filled.IF_NULL;
      selected.add(isFilled ? "CASE WHEN 1 = 0 THEN %1$s END AS %1$s".formatted(name) : name);
    }
    for (String each : more) {
      int type = each.lastIndexOf(' ');
      selected.add("CAST(NULL AS" + each.substring(type) + ") AS " + each.substring(0, type));
    }
    return "CREATE TABLE %s AS SELECT %s FROM %s WHERE 1 = 0"
        .formatted(staging.sql(names), String.join(", ", selected), like.sql(names));
  }

  /// MERGE has no condition on the rows that match.
  @Override
  public MergeStatements merge(MergeTables tables) {
    MergeStatements usual = tables.statements();
    String sameKey = tables.sameKey("old.", "fresh.");
    return new MergeStatements(
        usual.dropSuperseded(),
        among ->
            "MERGE INTO %1$s old USING (SELECT fresh.* FROM %2$s fresh WHERE EXISTS (SELECT 1 FROM %1$s old WHERE %3$s AND %4$s)%5$s) fresh ON (%3$s) WHEN MATCHED THEN UPDATE SET %6$s"
                .formatted(
                    tables.target(),
                    tables.staging(),
                    sameKey,
                    tables.differ(),
                    among,
                    MergeTables.each(tables.others(), "old.%1$s = fresh.%1$s")),
        usual.insert());
  }
}
