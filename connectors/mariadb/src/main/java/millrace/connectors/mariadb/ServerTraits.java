package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.Names;

/// What of a server decides how it is spoken to.
///
/// @param isMariaDb whether it is MariaDB; else it is MySQL
/// @param version major version times 100, and the minor one
/// @param caseSensitiveTables whether tables whose names differ only by case are two
record ServerTraits(boolean isMariaDb, int version, boolean caseSensitiveTables) {

  /// What stands for a server that nobody has asked.
  static final ServerTraits USUAL = new ServerTraits(true, 1104, true);

  private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+).*", Pattern.DOTALL);

  /// Since then MariaDB's timestamps go to 2106 instead of 2038.
  private static final int LONG_TIMESTAMPS_SINCE = 1105;

  static ServerTraits of(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("SELECT version(), @@global.lower_case_table_names")) {
      row.next();
      return of(row.getString(1), row.getInt(2));
    }
  }

  /// @param reported what the server says of its version
  /// @param lowerCase its lower_case_table_names
  static ServerTraits of(String reported, int lowerCase) {
    Matcher numbers = VERSION.matcher(reported);
    int version =
        numbers.matches()
            ? 100 * Integer.parseInt(numbers.group(1)) + Integer.parseInt(numbers.group(2))
            : 0;
    return new ServerTraits(reported.contains("MariaDB"), version, lowerCase == 0);
  }

  /// The name under which columns carry their declarations. MySQL does not know all of MariaDB's,
  /// nor MariaDB all of MySQL's.
  String system() {
    return isMariaDb ? "mariadb" : "mysql";
  }

  boolean hasLongTimestamps() {
    return isMariaDb && version >= LONG_TIMESTAMPS_SINCE;
  }

  /// Columns ignore case always.
  Names names() {
    Names.Folding tables = caseSensitiveTables ? Names.Folding.EXACT : Names.Folding.IGNORED;
    return new Names('`', Names.Folding.IGNORED, 64, tables).lacking("\0");
  }
}
