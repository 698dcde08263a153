package millrace.connectors.oracle;

import java.sql.SQLException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.Names;
import oracle.jdbc.OracleDatabaseException;

/// Which right a user lacks: newer servers say so, and of others the statement tells.
///
/// @param user who has logged on
record OracleGrants(Names names, String user) {

  private static final String TABLE = "(\"[^\"]+\"\\.\"[^\"]+\")";

  /// As servers say it since release 23.
  private static final Pattern SAID = Pattern.compile("missing ([A-Z ]+) privilege on " + TABLE);

  /// A statement and what it needs.
  private record Need(Pattern sql, String right) {

    Need(String sql, String right) {
      this(Pattern.compile(sql, Pattern.DOTALL), right);
    }
  }

  /// The first that fits counts.
  private static final List<Need> NEEDS =
      List.of(
          new Need("^CREATE TABLE .* FROM " + TABLE + ".*", "SELECT ON $1"),
          new Need("^(DROP|TRUNCATE) TABLE .*", "DROP ANY TABLE"),
          new Need("^ALTER TABLE .* RENAME TO .*", "ALTER ANY TABLE"),
          new Need("^ALTER TABLE " + TABLE + ".*", "ALTER ON $1"),
          new Need("^INSERT .*?INTO " + TABLE + ".* FROM \\1.*", "SELECT, INSERT ON $1"),
          new Need("^INSERT .*?INTO " + TABLE + ".*", "INSERT ON $1"),
          new Need("^MERGE INTO " + TABLE + ".*", "SELECT, UPDATE ON $1"),
          new Need("^DELETE FROM " + TABLE + ".*", "DELETE ON $1"),
          new Need("^SELECT .*? FROM " + TABLE + ".*", "SELECT ON $1"));

  /// What an administrator, or the owner of a table, has to do; empty if nobody knows.
  String advice(SQLException e) {
    String right = right(e);
    return right.isEmpty()
        ? ""
        : "Have the owner or the administrator give the right: GRANT %s TO %s;"
            .formatted(right, names.fresh(user).equals(user) ? user : names.quoted(user));
  }

  private String right(SQLException e) {
    Matcher said = SAID.matcher(String.valueOf(e.getMessage()));
    if (said.find()) {
      return said.group(1) + " ON " + said.group(2);
    }
    if (e.getErrorCode() != OracleFaults.NO_RIGHT
        || !(e.getCause() instanceof OracleDatabaseException told)) {
      return "";
    }
    String sql = told.getOriginalSql();
    if (sql.matches("(?s)CREATE TABLE \\S+ \\(.*")) {
      return sql.startsWith("CREATE TABLE " + names.quoted(user))
          ? "CREATE TABLE"
          : "CREATE ANY TABLE";
    }
    for (Need need : NEEDS) {
      Matcher needs = need.sql.matcher(sql);
      if (needs.matches()) {
        return needs.replaceFirst(need.right);
      }
    }
    return "";
  }
}
