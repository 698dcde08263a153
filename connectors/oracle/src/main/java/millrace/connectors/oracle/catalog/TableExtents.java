package millrace.connectors.oracle.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;

/// Cuts a table by where its rows lie, from what the dictionary says of its extents. Few users may
/// see that, but it works if nobody can be asked to cut the table ({@link RowidChunks}): a standby
/// has it, too.
///
/// Ranges have no gaps between them. So it does no harm if a table gets more extents meanwhile.
final class TableExtents {

  /// An index may have the name of a table.
  private static final String STARTS =
      "SELECT DBMS_ROWID.ROWID_CREATE(1, o.data_object_id, e.relative_fno, e.block_id, 0), e.bytes"
          + " FROM dba_extents e JOIN all_objects o ON o.owner = e.owner"
          + " AND o.object_name = e.segment_name AND o.object_type = e.segment_type"
          + " AND (o.subobject_name = e.partition_name OR e.partition_name IS NULL)"
          + " WHERE e.owner = ? AND e.segment_name = ? AND e.segment_type LIKE 'TABLE%'"
          + " AND o.data_object_id IS NOT NULL";

  private record Extent(String start, long bytes) {}

  private TableExtents() {}

  /// Whether the user may see extents.
  static boolean areSeen(SqlSession session) {
    try {
      session.query("SELECT 1 FROM dba_extents WHERE ROWNUM = 0", row -> row.getInt(1));
      return true;
    } catch (Fault.User _) {
      return false;
    }
  }

  /// A range ends in front of the extent with which it would be larger than asked for.
  static List<String> starts(SqlSession session, TableName table, long rangeBytes) {
    List<Extent> extents =
        session
            .query(
                STARTS,
                row -> new Extent(row.getString(1), row.getLong(2)),
                table.schema(),
                table.name())
            .stream()
            .sorted(Comparator.comparing(extent -> RowidChunks.place(extent.start)))
            .toList();
    List<String> starts = new ArrayList<>();
    long inRange = 0;
    for (Extent extent : extents) {
      if (inRange > 0 && inRange + extent.bytes > rangeBytes) {
        starts.add(extent.start);
        inRange = 0;
      }
      inRange += extent.bytes;
    }
    return starts;
  }
}
