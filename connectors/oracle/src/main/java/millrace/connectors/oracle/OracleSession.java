package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Properties;
import java.util.stream.Collectors;
import oracle.jdbc.OracleConnection;

/// A session of the server's. Its number alone does not tell it: another instance (RAC) has one of
/// the same number, and so does a session that comes after it.
record OracleSession(long instance, long sid, long serial) {

  /// The number of the instance that is asked.
  static final String ASKED = "SYS_CONTEXT('USERENV', 'INSTANCE')";

  /// By what the server says at log-on.
  static OracleSession of(Connection connection) throws SQLException {
    Properties properties = connection.unwrap(OracleConnection.class).getServerSessionInfo();
    return new OracleSession(
        Long.parseLong(properties.getProperty("AUTH_INSTANCE_NO", "1")),
        Long.parseLong(properties.getProperty("AUTH_SESSION_ID", "0")),
        Long.parseLong(properties.getProperty("AUTH_SERIAL_NUM", "0")));
  }

  /// The condition of the rows of some sessions in V$SESSION, which has those of one instance.
  ///
  /// @param sessions not empty
  static String among(Collection<OracleSession> sessions, String alias) {
    return sessions.stream()
        .map(each ->
            "(%1$s.sid = %2$s AND %1$s.serial# = %3$s AND %4$s = %5$s)"
                .formatted(alias, each.sid, each.serial, ASKED, each.instance))
        .collect(Collectors.joining(" OR ", "(", ")"));
  }
}
