package millrace.testkit.oracle.sql;

import java.util.function.Predicate;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Rights;

/// What names of tables mean to a session.
///
/// @param rights what its user may do
/// @param schema the session's current schema
/// @param isView whether the dictionary has a view of that name
/// @param key by which H2's functions find the session
public record SqlNames(
    OraCatalog catalog, Rights rights, String schema, Predicate<String> isView, long key) {

  /// The table of that name.
  ///
  /// @throws OraException ORA-00942 if there is no such table
  public OraTable table(ObjectName name) throws OraException {
    OraTable table = catalog.table(name.schema(), name.name());
    if (table == null) {
      throw noTable(name);
    }
    return table;
  }

  /// ORA-00942.
  public static OraException noTable(ObjectName name) {
    return new OraException(
        942, "table or view \"%s\".\"%s\" does not exist".formatted(name.schema(), name.name()));
  }
}
