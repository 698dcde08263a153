package millrace.connectors.mariadb;

import static millrace.connectors.sql.SqlFaults.Row.byMessage;
import static millrace.connectors.sql.SqlFaults.Row.code;
import static millrace.connectors.sql.SqlFaults.Row.state;

import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import millrace.connectors.sql.ServerAddress;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.fault.Fault;

/// Sorts what the driver throws, by the error numbers that MariaDB and MySQL share
/// (https://mariadb.com/kb/en/mariadb-error-codes/) and those that each has alone.
final class MariaDbFaults {

  private static final String RIGHT =
      "Ask the owner of the database for the right (GRANT), or connect as another user.";
  private static final String NAME = "Correct the name, the query or the condition.";
  private static final String ROOM = "Make room on the server's disk.";
  private static final String LOST =
      "Look into the server's error log if it goes on. A wait_timeout or net_write_timeout may have"
          + " ended the connection, a row longer than max_allowed_packet, or somebody who killed"
          + " it.";
  private static final String LOCAL_INFILE =
      "Set it on the server (SET GLOBAL local_infile = 1), or start again: rows are inserted then.";
  private static final String PARENT = "Load the table that the foreign key points to first.";
  private static final String WIDE =
      "Copy fewer columns, or make the table yourself, with TEXT or BLOB in the place of long"
          + " VARCHAR.";
  private static final String COLUMNS = "A table of InnoDB has at most 1,017 columns. Copy fewer.";
  private static final String READ_ONLY =
      "Connect to the primary server, or have the administrator change the server's option.";
  static final String PACKET =
      "Raise max_allowed_packet on the server, or leave out the long value.";

  /// What the driver says of what the server would end the connection for.
  static final String PACKET_STATE = "HZ000";

  private static final String FULL =
      "Try again when others have gone, use fewer --lanes, or raise max_connections.";

  /// What the driver puts in front: the number of its connection.
  private static final Pattern CONNECTION = Pattern.compile("^\\(conn[=:]\\d+\\) ");

  /// The host of the account that a server names.
  private static final Pattern ACCOUNT = Pattern.compile("user '[^']*'@'([^'%]+)'");

  static final SqlFaults TABLE =
      new SqlFaults(
          List.of(
              code(1021, Kind.EXTERNAL, ROOM),
              code(1040, Kind.UNREACHABLE, FULL),
              code(1203, Kind.UNREACHABLE, FULL),
              code(1226, Kind.UNREACHABLE, FULL),
              code(1044, Kind.USER, RIGHT),
              code(1142, Kind.USER, RIGHT),
              code(1143, Kind.USER, RIGHT),
              code(1227, Kind.USER, RIGHT),
              code(1370, Kind.USER, RIGHT),
              code(1045, Kind.USER, "Correct the user or the password."),
              code(1049, Kind.USER, "List databases with SHOW DATABASES, and name one in the URL."),
              code(1054, Kind.USER, NAME),
              code(1064, Kind.USER, NAME),
              code(1146, Kind.USER, NAME),
              code(1113, Kind.USER, "A table needs a column at least."),
              byMessage("not counting BLOBs, is 65535", Kind.USER, WIDE),
              code(1118, Kind.DATA, WIDE),
              code(1117, Kind.USER, COLUMNS),
              byMessage("errno: 185", Kind.USER, COLUMNS),
              code(1170, Kind.USER, "Give the key's column a length: VARCHAR, not TEXT or BLOB."),
              code(1071, Kind.USER, "Shorten the key's columns, or leave some out of the key."),
              code(1273, Kind.USER, "Make the table yourself, with a collation that it knows."),
              code(1290, Kind.EXTERNAL, READ_ONLY),
              code(1792, Kind.EXTERNAL, READ_ONLY),
              code(1836, Kind.EXTERNAL, READ_ONLY),
              code(3948, Kind.EXTERNAL, LOCAL_INFILE),
              code(4166, Kind.EXTERNAL, LOCAL_INFILE),
              code(1048, Kind.DATA, ""),
              code(1062, Kind.DATA, ""),
              code(1264, Kind.DATA, ""),
              code(1265, Kind.DATA, ""),
              code(1292, Kind.DATA, ""),
              code(1366, Kind.DATA, ""),
              code(1406, Kind.DATA, ""),
              code(1690, Kind.DATA, ""),
              code(1452, Kind.DATA, PARENT),
              code(1216, Kind.DATA, PARENT),
              code(1451, Kind.DATA, "Rows of another table point to it."),
              code(1217, Kind.DATA, "Rows of another table point to it."),
              code(3819, Kind.DATA, ""),
              code(4025, Kind.DATA, ""),
              code(1364, Kind.USER, "Give the column a value or a default."),
              code(1153, Kind.DATA, PACKET),
              code(1301, Kind.DATA, PACKET),
              state(PACKET_STATE, Kind.DATA, PACKET),
              code(
                  1205,
                  Kind.LOCKED,
                  "Others hold a lock for longer than innodb_lock_wait_timeout or"
                      + " lock_wait_timeout. See who: SHOW FULL PROCESSLIST."),
              code(
                  1213,
                  Kind.UNDONE,
                  "Two transactions waited for each other, and the server has undone this one. Use"
                      + " fewer --lanes if it happens again."),
              code(
                  1412,
                  Kind.TRANSIENT,
                  "Somebody altered or emptied the table meanwhile. Start again."),
              code(1317, Kind.CANCELLED, ""),
              code(
                  1969,
                  Kind.EXTERNAL,
                  "The server's max_statement_time ended it. Raise that for this user."),
              code(
                  3024,
                  Kind.EXTERNAL,
                  "The server's max_execution_time ended it. Raise that for this user."),
              code(1114, Kind.EXTERNAL, ROOM),
              code(1053, Kind.UNREACHABLE, "The server goes down. Try again when it is back."),
              code(1927, Kind.UNREACHABLE, LOST),
              code(2006, Kind.UNREACHABLE, LOST),
              code(2013, Kind.UNREACHABLE, LOST),
              state("08", Kind.UNREACHABLE, LOST),
              state("70100", Kind.CANCELLED, ""),
              state("45", Kind.DATA, "A trigger of the table refuses it.")),
          MariaDbFaults::words);

  private MariaDbFaults() {}

  private static String words(SQLException e) {
    String line = CONNECTION.matcher(SqlFaults.firstLine(e.getMessage())).replaceFirst("");
    return line.equals("Socket error") ? "The connection was lost: " + deepest(e) : line;
  }

  /// A failure to connect.
  ///
  /// @param address may hold a password, which stands in no message
  static Fault connecting(SQLException e, ServerAddress address, String tlsMode) {
    String server = address.server();
    String message = TABLE.sentence(e);
    return switch (e.getErrorCode()) {
      case 1045, 1698 ->
          new Fault.User(
              server + " refuses user " + address.user() + ": " + message,
              (address.secret().reveal() == null
                      ? "Give a password: set MYSQL_PWD, or write it into the connection."
                      : "Check the password and the user's name: the server does not say which is"
                          + " wrong. A user may be known for some hosts only.")
                  + anonymous(message),
              e);
      case 1044 ->
          new Fault.User(
              "User "
                  + address.user()
                  + " may not use database "
                  + address.database()
                  + " at "
                  + server
                  + ".",
              message.contains("user ''@'")
                  ? "The server takes it for an anonymous user. Give a password, or have the"
                      + " administrator drop that user:"
                      + drop(message)
                  : RIGHT,
              e);
      case 1049 ->
          new Fault.User(
              "There is no database " + address.database() + " at " + server + ".",
              "List them with SHOW DATABASES, and name one in the URL, or make it: CREATE"
                  + " DATABASE.",
              e);
      case 1130, 1129 ->
          new Fault.User(
              server + " refuses this host: " + message,
              "Have the administrator allow user "
                  + address.user()
                  + " from here, or unblock the host: mariadb-admin flush-hosts.",
              e);
      case 1040, 1203, 1226 ->
          Fault.Transient.unreachable(server + " takes no connection now: " + message, FULL, e);
      case 3159 ->
          new Fault.User(
              server + " takes connections with TLS only.",
              "Leave ssl-mode out, or write ssl-mode=required.",
              e);
      default -> unreachable(e, address, message, tlsMode);
    };
  }

  /// What to say of a user that the server knows by another account: it takes the one of the
  /// nearest host, whatever its name.
  private static String anonymous(String message) {
    String drop = drop(message);
    return drop.isEmpty()
        ? ""
        : " An anonymous user of this host comes before users of all hosts ('%'). If there is one,"
            + " have the administrator drop it:"
            + drop;
  }

  private static String drop(String message) {
    Matcher host = ACCOUNT.matcher(message);
    return host.find() ? "\n    DROP USER ''@'" + host.group(1) + "'" : "";
  }

  private static Fault unreachable(
      SQLException e, ServerAddress address, String message, String tlsMode) {
    String server = address.server();
    if (caused(e, UnknownHostException.class)) {
      return new Fault.User(
          "There is no host " + address.host() + ".", "Check the host's name in the URL.", e);
    }
    if (caused(e, SSLException.class)
        || caused(e, GeneralSecurityException.class)
        || message.toLowerCase(Locale.ROOT).contains("ssl")) {
      return noTls(e, server, message, tlsMode);
    }
    if (message.contains("RSA public key")) {
      return new Fault.User(
          server + " takes the password over TLS only, or encrypted with its public key.",
          "Use ssl-mode=required. If you trust the network, add get-server-public-key=true.",
          e);
    }
    if (caused(e, ConnectException.class) || caused(e, SocketTimeoutException.class)) {
      return Fault.Transient.unreachable(
          "No MariaDB or MySQL server answers at " + server + ".",
          "Check the host and the port, and that the server runs and listens on that address.",
          e);
    }
    return TABLE.of(e, server);
  }

  private static Fault noTls(SQLException e, String server, String message, String tlsMode) {
    if (message.contains("ssl not enabled in the server")) {
      return new Fault.User(
          "No TLS connection to " + server + ": the server has no TLS.",
          "Have the administrator set it up. On a network that you trust, leave ssl-mode out.",
          e);
    }
    boolean isUntrusted =
        caused(e, CertPathBuilderException.class) || message.contains("Self signed certificates");
    return new Fault.External(
        "No TLS connection to "
            + server
            + ": "
            + (isUntrusted
                ? "its certificate is signed by no authority that is trusted."
                : deepest(e)),
        "Name the authority's certificate with ssl-ca. ssl-mode="
            + tlsMode
            + " is what was requested; required checks no certificate.",
        e);
  }

  private static boolean caused(Throwable e, Class<? extends Exception> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return true;
      }
    }
    return false;
  }

  private static String deepest(Throwable e) {
    Throwable cause = e;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
