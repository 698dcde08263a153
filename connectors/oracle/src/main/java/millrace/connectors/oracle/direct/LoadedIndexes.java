package millrace.connectors.oracle.direct;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// The indexes of a table that direct path writes to, or those parts of them that belong to the one
/// partition that it writes to: others may be writing to the others. The target's thread.
///
/// @param partition the partition; null if the whole table is written
record LoadedIndexes(Names names, TableName table, @Nullable String partition) {

  private static final String UNUSABLE_INDEXES =
      "SELECT owner, index_name, uniqueness FROM all_indexes WHERE table_owner = ?"
          + " AND table_name = ? AND status = 'UNUSABLE' ORDER BY 1, 2";

  /// Parts of an index stand in the order of the table's, under names that may be others.
  private static final String OF_PARTITION =
      " AND EXISTS (SELECT 1 FROM all_ind_partitions o JOIN all_tab_partitions t"
          + " ON t.partition_position = o.partition_position WHERE o.index_owner = p.index_owner"
          + " AND o.index_name = p.index_name AND o.partition_name = p.partition_name"
          + " AND t.table_owner = i.table_owner AND t.table_name = i.table_name"
          + " AND t.partition_name = ?)";

  private static final String UNDIVIDED =
      "SELECT index_name FROM all_indexes WHERE table_owner = ? AND table_name = ?"
          + " AND partitioned = 'NO' AND index_type <> 'LOB' ORDER BY 1";

  /// An index, or a part of one, that is not kept up to date.
  ///
  /// @param sql its name
  /// @param part `PARTITION name`, or empty
  record Unusable(String sql, boolean isUnique, String part) {

    /// @throws Fault.User if it keeps streams from the table
    void checkStreams() {
      if (isUnique) {
        throw new Fault.User(
            "The unique index " + sql + " is unusable, so that no rows can be streamed.",
            "Rebuild it first, or have that done at the end: --indexes rebuild. The command: "
                + rebuild()
                + ";");
      }
    }

    /// What makes it what it is.
    String again() {
      return "ALTER INDEX " + sql + (part.isEmpty() ? "" : " MODIFY " + part) + " UNUSABLE";
    }

    String rebuild() {
      return "ALTER INDEX " + sql + " REBUILD" + (part.isEmpty() ? "" : " " + part);
    }
  }

  /// @throws Fault.User if the table has an index that is not divided as it is, which the server
  ///   does not take streams into a single partition with
  void checkStreams(SqlSession session) {
    List<String> undivided =
        partition == null
            ? List.of()
            : session.query(UNDIVIDED, row -> row.getString(1), table.schema(), table.name());
    if (!undivided.isEmpty()) {
      throw new Fault.User(
          "--method native can't load a single partition of "
              + table.sql(names)
              + ": index "
              + undivided.getFirst()
              + " is of the whole table (ORA-26017).",
          "Use --method direct, or load the table without --partition.");
    }
  }

  /// Those that are not kept up to date.
  List<Unusable> unusable(SqlSession session) {
    List<Unusable> found = new ArrayList<>();
    if (partition == null) {
      found.addAll(
          session.query(UNUSABLE_INDEXES, row -> unusable(row, ""), table.schema(), table.name()));
    }
    for (String kind : List.of("PARTITION", "SUBPARTITION")) {
      String sql =
          """
          SELECT p.index_owner, p.index_name, i.uniqueness, p.%1$s_name FROM all_ind_%1$ss p
          JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name
          WHERE i.table_owner = ? AND i.table_name = ? AND p.status = 'UNUSABLE'%2$s
          ORDER BY 1, 2, 4\
          """
              .formatted(kind.toLowerCase(Locale.ROOT), partition == null ? "" : OF_PARTITION);
      String[] values =
          partition == null
              ? new String[] {table.schema(), table.name()}
              : new String[] {table.schema(), table.name(), partition};
      found.addAll(
          session.query(
              sql, row -> unusable(row, kind + " " + names.quoted(row.getString(4))), values));
    }
    return found;
  }

  private Unusable unusable(ResultSet row, String part) throws SQLException {
    String sql = new TableName(row.getString(1), row.getString(2)).sql(names);
    return new Unusable(sql, row.getString(3).equals("UNIQUE"), part);
  }
}
