package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.sql.PartitionParser;
import millrace.testkit.oracle.sql.TokenReader;

/// What ALTER TABLE does to single partitions.
final class PartitionDdl {

  private final OraSession session;
  private final TokenReader in;

  PartitionDdl(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
  }

  void truncate(OraTable table, String partition) throws SQLException {
    Enforcement.execute(
        session,
        "DELETE FROM %s WHERE \"ORA$PART\" = '%s'"
            .formatted(Enforcement.name(table), partition.replace("'", "''")));
  }

  void drop(OraTable table, String partition) throws OraException, SQLException {
    Partitioning division = table.partitioning();
    if (division == null) {
      throw new OraException(14501, "object is not partitioned");
    }
    truncate(table, partition);
    List<Partitioning.Part> parts = new ArrayList<>(division.partitions());
    if (!parts.removeIf(part -> part.name().equals(partition))) {
      throw new OraException(2149, "Specified partition does not exist");
    }
    setParts(table, division, parts);
  }

  private static void setParts(
      OraTable table, Partitioning division, List<Partitioning.Part> parts) {
    table.setPartitioning(
        new Partitioning(
            division.method(),
            division.columns(),
            parts,
            division.subColumns(),
            division.subpartitions()));
  }

  void add(OraTable table) throws OraException {
    Partitioning division = table.partitioning();
    if (division == null) {
      throw new OraException(14501, "object is not partitioned");
    }
    Partitioning.Part part =
        new PartitionParser(in, session.database().catalog()::nextObjectId).part(division.method());
    List<Partitioning.Part> parts = new ArrayList<>(division.partitions());
    parts.add(TableDdl.withBound(session, part));
    setParts(table, division, parts);
  }
}
