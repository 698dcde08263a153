package millrace.testkit.oracle.engine;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.sql.ObjectName;

/// Changes how identities number rows.
final class IdentityDdl {
  private IdentityDdl() {}

  /// The column as MODIFY leaves it; one that is no identity, as it is given.
  ///
  /// @param now what MODIFY says of it
  static OraColumn modified(OraSession session, OraTable table, OraColumn before, OraColumn now)
      throws OraException, SQLException {
    if (now.equals(before) || !now.generation().isIdentity()) {
      return now;
    }
    if (!before.generation().isIdentity()) {
      throw new OraException(30673, "column to be modified is not an identity column");
    }
    String options = String.valueOf(now.defaultText());
    String column = ObjectName.quote(before.name());
    String alter = "ALTER TABLE " + Enforcement.name(table) + " ALTER COLUMN " + column;
    boolean always = now.generation() == OraColumn.Generation.IDENTITY_ALWAYS;
    Enforcement.execute(session, alter + " SET GENERATED " + (always ? "ALWAYS" : "BY DEFAULT"));
    if (options.contains("LIMIT VALUE")) {
      String greatest = "SELECT MAX(" + column + ") FROM " + Enforcement.name(table);
      try (Statement statement = session.connection().createStatement();
          ResultSet row = statement.executeQuery(greatest)) {
        if (row.next() && row.getObject(1) != null) {
          Enforcement.execute(
              session, alter + " RESTART WITH " + (row.getLong(1) + before.increment()));
        }
      }
    }
    return before.numberedAs(now.generation());
  }
}
