package millrace.connectors.postgres.net;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.PKIXReason;
import java.sql.SQLException;
import java.util.List;
import javax.net.ssl.SSLException;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/// Sorts what the driver throws, by SQLSTATE
/// (https://www.postgresql.org/docs/current/errcodes-appendix.html).
public final class PostgresFaults {

  private static final long SERVER_RETRY_AFTER_MILLIS = 500;

  /// The state of an error about a value that is missing.
  public static final String NOT_NULL = "23502";

  private static final String STANDBY_ADVICE =
      "Read from the primary server, or have the standby keep what is read: hot_standby_feedback ="
          + " on against VACUUM, a longer max_standby_streaming_delay against who alters, empties"
          + " or drops a table.";

  private PostgresFaults() {}

  /// A failure after the connection was made.
  public static Fault of(SQLException e) {
    return of(e, message(e));
  }

  /// A failure after the connection was made, told in the caller's words.
  static Fault of(SQLException e, String message) {
    String state = state(e);
    Fault passing = passing(e, state, message);
    if (passing != null) {
      return passing;
    }
    return switch (state) {
      case "42501" ->
          new Fault.External(
              message, "Ask the owner for the right, or connect as another user.", e);
      case "25006" ->
          new Fault.User(
              message, "The server or the session is read-only: connect to the primary server.", e);
      // What it is to be done with is not in the state for it; the server's hint says how to get it
      // there.
      case "55000" -> new Fault.User(message, "", e);
      case "2BP01" -> new Fault.User(message, "Use --mode truncate, which keeps the table.", e);
      case "57014" ->
          new Fault.External(message, "Somebody, or a time limit of the server, stopped it.", e);
      case "54000" ->
          isAboutRow(e, message)
              ? new Fault.Data(message, "", null)
              : new Fault.User(message, "", e);
      case "53100" -> new Fault.External(message, "Make room on the server's disk.", e);
      default -> isAboutValue(e) ? new Fault.Data(message, "", null) : byClass(e, state, message);
    };
  }

  /// A type may say of a value that it is an error of syntax, or that there is no such table.
  private static boolean isAboutValue(SQLException e) {
    return CopyLine.isInColumn(context(e));
  }

  /// What the server was at; empty if it does not say.
  private static String context(SQLException e) {
    ServerErrorMessage server = server(e);
    String where = server == null ? null : server.getWhere();
    return where == null ? "" : where;
  }

  private static Fault byClass(SQLException e, String state, String message) {
    return switch (state.length() < 2 ? "" : state.substring(0, 2)) {
      case "22", "23", "P0" -> new Fault.Data(message, "", null);
      case "28", "3D", "3F", "42", "0A", "54" -> new Fault.User(message, "", e);
      default -> new Fault.External(message, "", e);
    };
  }

  /// A row that fits no block of the table or of an index, and a value that is too long for its
  /// type, have the same state as a statement that is too much for the server.
  private static boolean isAboutRow(SQLException e, String message) {
    return CopyLine.isIn(context(e))
        || message.contains("row is too big")
        || message.contains("index row");
  }

  /// What may work when tried again, or null. A server that goes down, or a connection that is
  /// lost, needs a moment; who lost to another transaction may try at once.
  private static Fault.@Nullable Transient passing(SQLException e, String state, String message) {
    return switch (state) {
      case "57P01", "57P02", "57P03", "57P05", "25P03", "53000", "53200", "53300" ->
          transientFault(message, SERVER_RETRY_AFTER_MILLIS, e);
      case "40001" ->
          isStandbyConflict(e)
              ? new Fault.Transient(message, STANDBY_ADVICE, 0, e)
              : transientFault(message, 0, e);
      case "40P01", "40003", "55P03" -> transientFault(message, 0, e);
      default ->
          state.startsWith("08") || isLostConnection(e)
              ? transientFault(message, SERVER_RETRY_AFTER_MILLIS, e)
              : null;
    };
  }

  private static Fault.Transient transientFault(String message, long afterMillis, SQLException e) {
    return new Fault.Transient(message, "It may work when tried again.", afterMillis, e);
  }

  /// Whether a standby server has ended a statement or a connection, because what it read is gone
  /// from the primary server.
  private static boolean isStandbyConflict(SQLException e) {
    // Transactions that lose to each other do so within a statement.
    ServerErrorMessage server = server(e);
    String routine = server == null ? null : server.getRoutine();
    return routine != null && routine.startsWith("Process");
  }

  /// Whether the server refused a statement for want of a right.
  public static boolean lacksRight(Fault fault) {
    return fault.getCause() instanceof SQLException cause && "42501".equals(state(cause));
  }

  /// A transaction could not begin that sees what another has exported: if that has ended, the
  /// server knows its snapshot no more, and says so in three ways.
  public static Fault ofSharing(Fault fault) {
    if (!(fault.getCause() instanceof SQLException e)
        || !List.of("22023", "42704", "55000").contains(state(e))) {
      return fault;
    }
    return Fault.Transient.endingRun(
        "The connection that held what is read in one state is gone: " + message(e),
        "Begin again; a copy goes on with --resume.",
        e);
  }

  /// Whether the server refused a connection because there are as many as it allows.
  static boolean isFull(Fault fault) {
    return fault.getCause() instanceof SQLException cause && "53300".equals(state(cause));
  }

  /// Whether who listens took the connection and has not answered in time.
  static boolean isUnanswered(Fault fault) {
    return fault.getCause() instanceof SQLException cause && isUnanswered(cause);
  }

  /// The same of what the driver throws: it gives no cause if it has waited long enough.
  static boolean isUnanswered(SQLException e) {
    return "08001".equals(state(e)) && server(e) == null && e.getCause() == null;
  }

  /// The driver has no state of its own for some failures of its socket.
  private static boolean isLostConnection(SQLException e) {
    return server(e) == null && (caused(e, SocketException.class) || caused(e, EOFException.class));
  }

  /// Whether the server had no word in it.
  static boolean isSilence(Fault fault) {
    return fault.getCause() instanceof SQLException cause && server(cause) == null;
  }

  /// A failure to connect.
  ///
  /// @param again whether an earlier connection to the same server went well, so that another try
  ///   makes sense
  static Fault connecting(SQLException e, Address address, boolean again) {
    String server = address.server();
    return switch (stateOfLogin(e)) {
      case "28P01" ->
          new Fault.User(
              "Wrong password for user " + address.user() + " at " + server + ".",
              "Check PGPASSWORD, ~/.pgpass or the connection's password, and the user's name: the"
                  + " server does not say which is wrong.",
              e);
      case "28000" ->
          new Fault.User(
              server + " refuses user " + address.user() + ": " + message(e),
              "Check the user's name, the sslmode, and the server's pg_hba.conf.",
              e);
      case "3D000" ->
          new Fault.User(
              "There is no database " + address.database() + " at " + server + ".",
              "List them with psql -l, and name one in the URL: postgresql://host/database.",
              e);
      case "57P01", "57P02", "57P03", "53300" ->
          new Fault.Transient(
              server + " takes no connection now: " + message(e),
              "Try again soon, or use fewer --lanes.",
              SERVER_RETRY_AFTER_MILLIS,
              e);
      default -> unreachable(e, address, again);
    };
  }

  /// The state of a login that was refused; PgBouncer 1.18 has one for all of them.
  private static String stateOfLogin(SQLException e) {
    String message = message(e);
    if (!state(e).equals("08P01")) {
      return state(e);
    }
    if (message.endsWith("authentication failed")) {
      return "28P01";
    }
    return message.startsWith("no such database") ? "3D000" : state(e);
  }

  private static Fault unreachable(SQLException e, Address address, boolean again) {
    String server = address.server();
    if (caused(e, UnknownHostException.class)) {
      String message = "There is no host " + address.host() + ".";
      String advice = "Check the host's name in the URL.";
      // It was there before: the request was right, and what was staged is worth keeping.
      return again ? new Fault.External(message, advice, e) : new Fault.User(message, advice, e);
    }
    if (again && (state(e).startsWith("08") || isLostConnection(e))) {
      return new Fault.Transient(
          "The connection to " + server + " failed: " + message(e),
          "It may work when tried again.",
          SERVER_RETRY_AFTER_MILLIS,
          e);
    }
    if (caused(e, ConnectException.class) || caused(e, SocketTimeoutException.class)) {
      return new Fault.Transient(
          "No PostgreSQL server answers at " + server + ".",
          "Check the host and the port, and that the server runs and listens on that address.",
          SERVER_RETRY_AFTER_MILLIS,
          e);
    }
    if (isUnanswered(e)) {
      return new Fault.Transient(
          server + " took the connection and has not answered.",
          "Check that it is a PostgreSQL server that listens there, or, if it is a connection"
              + " pooler, that it has a session left.",
          SERVER_RETRY_AFTER_MILLIS,
          e);
    }
    if (aboutTls(e)) {
      return noTls(e, address);
    }
    if (isLostConnection(e)) {
      return new Fault.Transient(
          "The connection to " + server + " was lost before it stood: " + deepest(e),
          "Check that it is a PostgreSQL server that listens there, and try again.",
          SERVER_RETRY_AFTER_MILLIS,
          e);
    }
    return new Fault.External("No connection to " + server + ": " + message(e), "", e);
  }

  private static Fault noTls(SQLException e, Address address) {
    String authorities = address.tls().getOrDefault("sslrootcert", "~/.postgresql/root.crt");
    String why =
        isUntrusted(e)
            ? "its certificate is not signed by an authority in " + authorities + "."
            : deepest(e);
    return new Fault.External(
        "No TLS connection to " + address.server() + ": " + why,
        "Check sslmode and sslrootcert; sslmode="
            + address.tls().get("sslmode")
            + " is what was requested.",
        e);
  }

  /// Whether the driver or the server wants a password and got none.
  static boolean wantsPassword(SQLException e) {
    return state(e).equals("28P01") || (state(e).equals("08004") && !aboutTls(e));
  }

  private static boolean aboutTls(SQLException e) {
    return caused(e, SSLException.class)
        || caused(e, GeneralSecurityException.class)
        || message(e).contains("SSL")
        || message(e).contains("hostname");
  }

  private static boolean isUntrusted(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      boolean noAnchor =
          cause instanceof CertPathValidatorException path
              && path.getReason() == PKIXReason.NO_TRUST_ANCHOR;
      if (noAnchor || cause instanceof CertPathBuilderException) {
        return true;
      }
    }
    return false;
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

  public static String state(SQLException e) {
    return e.getSQLState() == null ? "" : e.getSQLState();
  }

  /// What the server said, with its detail and hint; else what the driver said.
  public static String message(SQLException e) {
    ServerErrorMessage server = server(e);
    if (server == null || server.getMessage() == null) {
      return String.valueOf(e.getMessage());
    }
    StringBuilder message = new StringBuilder(server.getMessage());
    String table = server.getTable();
    // Before version 13 the words do not say where a value is missing.
    if (NOT_NULL.equals(state(e)) && table != null && message.indexOf(table) < 0) {
      message.append(" (table ").append(table).append(')');
    }
    if (server.getDetail() != null) {
      message.append(" (").append(server.getDetail().replace('\n', ' ')).append(')');
    }
    if (server.getHint() != null) {
      message.append(" (hint: ").append(server.getHint().replace('\n', ' ')).append(')');
    }
    return message.toString();
  }

  public static @Nullable ServerErrorMessage server(SQLException e) {
    return e instanceof PSQLException driver ? driver.getServerErrorMessage() : null;
  }
}
