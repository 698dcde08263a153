package millrace.connectors.mariadb;

import java.util.List;
import java.util.Objects;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableName;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Cuts a table that has no key to cut it by, but is divided: each of its partitions is read as a
/// whole.
final class PartitionCut {

  private static final String NOTE =
      "The table is read by its partitions, each as a whole: it has no key to cut it by.";

  private PartitionCut() {}

  /// Null if messages could name no row by a short value.
  static @Nullable Cut of(TableName table, List<ColumnInfo> columns, Dialect.Profile profile) {
    return columns.stream()
        .map(column -> Cut.of(column, profile))
        .filter(Objects::nonNull)
        .filter(cut -> cut.type().type().layout() != Type.Layout.BYTES)
        .findFirst()
        .map(cut ->
            new Cut(
                cut.sql(),
                cut.type(),
                cut.nullable(),
                (session, _) -> names(session, table).stream(),
                NOTE,
                " PARTITION (%s)"))
        .orElse(null);
  }

  /// The largest come first, so that lanes end at about the same time.
  private static List<String> names(SqlSession session, TableName table) {
    return session.query(
        "SELECT partition_name FROM information_schema.partitions WHERE table_schema = ?"
            + " AND table_name = ? AND partition_name IS NOT NULL GROUP BY partition_name"
            + " ORDER BY sum(table_rows) DESC, min(partition_ordinal_position)",
        row -> row.getString(1),
        table.schema(),
        table.name());
  }
}
