package millrace.testkit.oracle.rules;

import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;

/// What indexes that are not kept up to date mean for a table.
public final class IndexState {
  private IndexState() {}

  /// Looks whether rows may be changed.
  ///
  /// @throws OraException ORA-01502 if rows can't be changed because a unique index is unusable
  public static void check(OraTable table) throws OraException {
    for (OraIndex index : table.indexes()) {
      if (index.unique() && !index.usable()) {
        throw new OraException(
            1502,
            "index '%s.%s' or partition of such index is in unusable state"
                .formatted(table.schema(), index.name()));
      }
    }
  }
}
