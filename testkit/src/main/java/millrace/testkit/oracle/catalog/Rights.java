package millrace.testkit.oracle.catalog;

import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.OracleRelease;

/// What a user may do with the tables of others: what was granted on one, or on any table. All of
/// it with his own.
///
/// @param administrator whether he may do all
/// @param system rights that are of no single table, such as `CREATE ANY TABLE`
public record Rights(
    String user, boolean administrator, Set<String> system, OracleRelease release) {

  private boolean owns(String schema) {
    return administrator || user.equals(schema);
  }

  private boolean has(String privilege, OraTable table) {
    return owns(table.schema())
        || system.contains(privilege + " ANY TABLE")
        || table.grants().stream()
            .anyMatch(each -> each.getFirst().equals(privilege) && isHis(each.get(1)));
  }

  private boolean isHis(String grantee) {
    return grantee.equals(user) || grantee.equals("PUBLIC");
  }

  /// Whether he sees that there is such a table.
  public boolean sees(OraTable table) {
    return owns(table.schema())
        || system.stream().anyMatch(each -> each.endsWith(" ANY TABLE"))
        || table.grants().stream().anyMatch(each -> isHis(each.get(1)));
  }

  /// Makes sure that he may do something with a table.
  ///
  /// @throws OraException ORA-41900, or ORA-01031 of releases before 23, if he may not do that with
  ///   a table; ORA-00942 if he does not even see it
  public void check(String privilege, OraTable table) throws OraException {
    checkSees(table);
    boolean may = has(privilege, table) || (privilege.equals("SELECT") && has("READ", table));
    if (!may && release == OracleRelease.R23) {
      throw new OraException(
          41900,
          "missing %s privilege on \"%s\".\"%s\""
              .formatted(privilege, table.schema(), table.name()));
    }
    if (!may) {
      throw lacking();
    }
  }

  /// Makes sure that he sees a table.
  ///
  /// @throws OraException ORA-00942 if he does not see a table
  public void checkSees(OraTable table) throws OraException {
    if (!sees(table)) {
      throw new OraException(
          942,
          "table or view \"%s\".\"%s\" does not exist".formatted(table.schema(), table.name()));
    }
  }

  /// Makes sure that he has a right in a schema.
  ///
  /// @throws OraException ORA-01031 if he may not do something in another's schema
  public void checkSystem(String privilege, String schema) throws OraException {
    if (!owns(schema) && !system.contains(privilege)) {
      throw lacking();
    }
  }

  /// Makes sure that he may make a table.
  ///
  /// @throws OraException ORA-01031 if he may not make a table in a schema
  public void checkMakes(String schema) throws OraException {
    boolean isHis = user.equals(schema) && system.contains("CREATE TABLE");
    if (!isHis && !administrator && !system.contains("CREATE ANY TABLE")) {
      throw lacking();
    }
  }

  private static OraException lacking() {
    return new OraException(1031, "insufficient privileges");
  }
}
