package millrace.connectors.oracle;

import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.Names;
import oracle.jdbc.OracleDatabaseException;

/// Which right a user lacks: servers say so since release 23, and before it the statement tells.
///
/// @param user who has logged on
record OracleGrants(Names names, String user) {

  private static final Pattern MISSING_PRIVILEGE =
      Pattern.compile("missing ([A-Z ]+) privilege on (\"[^\"]+\"\\.\"[^\"]+\")");

  /// Statements, with TABLE for a table and USER for the own schema, and what they need; the first
  /// that fits counts.
  private static final String NEEDS =
      """
      CREATE TABLE .* FROM TABLE.* -> SELECT ON $1
      CREATE TABLE USER.* -> CREATE TABLE
      CREATE TABLE .* -> CREATE ANY TABLE
      (DROP|TRUNCATE) TABLE .* -> DROP ANY TABLE
      ALTER TABLE .* RENAME TO .* -> ALTER ANY TABLE
      ALTER TABLE TABLE.* -> ALTER ON $1
      INSERT .*?INTO TABLE.* FROM \\1.* -> SELECT, INSERT ON $1
      INSERT .*?INTO TABLE.* -> INSERT ON $1
      MERGE INTO TABLE.* -> SELECT, UPDATE ON $1
      DELETE FROM TABLE.* -> DELETE ON $1
      SELECT .*? FROM TABLE.* -> SELECT ON $1\
      """;

  /// What an administrator, or the owner of a table, has to do; empty if nobody knows.
  String advice(SQLException e) {
    String right = right(e);
    return right.isEmpty()
        ? ""
        : "Have the owner or the administrator give the right: GRANT %s TO %s;"
            .formatted(right, user.matches("[A-Z0-9_$#]+") ? user : names.quoted(user));
  }

  private String right(SQLException e) {
    Matcher matcher = MISSING_PRIVILEGE.matcher(String.valueOf(e.getMessage()));
    if (matcher.find()) {
      return matcher.group(1) + " ON " + matcher.group(2);
    }
    boolean isReported = e.getErrorCode() == OracleFaults.NO_RIGHT;
    if (isReported && e.getCause() instanceof OracleDatabaseException databaseException) {
      for (String need : NEEDS.lines().toList()) {
        int arrow = need.indexOf(" -> ");
        String sql =
            need.substring(0, arrow)
                .replace(" TABLE.*", " (\"[^\"]+\"\\.\"[^\"]+\").*")
                .replace("USER", Pattern.quote(names.quoted(user)));
        Matcher needs =
            Pattern.compile(sql, Pattern.DOTALL).matcher(databaseException.getOriginalSql());
        if (needs.matches()) {
          return needs.replaceFirst(need.substring(arrow + 4));
        }
      }
    }
    return "";
  }
}
