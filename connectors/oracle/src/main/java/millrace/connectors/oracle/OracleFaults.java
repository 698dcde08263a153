package millrace.connectors.oracle;

import static millrace.connectors.sql.SqlFaults.Row.code;

import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlFaults.Kind;
import millrace.connectors.sql.SqlFaults.Row;
import millrace.fault.Fault;

/// Sorts what the driver throws, by Oracle's error numbers (ORA-00942 is 942).
final class OracleFaults {

  static final int NO_TABLE = 942;
  static final int NO_RIGHT = 1031;

  private static final String RIGHT =
      "Ask the owner of the table or the administrator for the right (GRANT), or connect as another"
          + " user.";
  private static final String NAME = "Correct the name, the query or the condition.";
  private static final String LOST =
      "Look into the server's alert log and the listener's log if it goes on. A firewall, a limit"
          + " of the user's profile, or an administrator may have ended the connection.";
  private static final String FULL =
      "Have the administrator add a data file to the tablespace, or let one grow (AUTOEXTEND ON)."
          + " Then give the same command with --resume.";
  private static final String QUOTA =
      "Have the administrator raise it: ALTER USER … QUOTA UNLIMITED ON … . Then give the same"
          + " command with --resume.";
  private static final String REBUILD =
      "Rebuild it (ALTER INDEX … REBUILD), or have that done at the end: --method native --indexes"
          + " rebuild.";
  private static final String TWICE =
      "Keys are there twice. As long as the unique index is unusable, the server refuses even to"
          + " delete rows: disable its constraint (ALTER TABLE … DISABLE CONSTRAINT …), or drop the"
          + " index, delete what is there twice, and make it again.";
  private static final String FIRST =
      "Another statement of the transaction came before the stream, for example one of a trigger"
          + " that runs at each log-on. Have that commit what it does, or use --method normal.";
  private static final String BUSY = "Try again when others have gone, or use fewer --lanes.";
  private static final String HELD =
      "Others hold a lock. See who: SELECT * FROM v$session WHERE blocking_session IS NOT NULL.";
  private static final String DOWN = "The database goes down or comes up. Try again when it is up.";
  private static final String OLD_SNAPSHOT =
      "The undo that the read needs is gone. Raise UNDO_RETENTION or the undo tablespace, use more"
          + " --lanes so that it takes less time, or copy when fewer others write.";
  private static final String PARENT = "Load the table that the foreign key points to first.";

  private static final Pattern SHOWS_HELP = Pattern.compile("\\s*https?://\\S+.*", Pattern.DOTALL);

  static final SqlFaults TABLE = new SqlFaults(rows(), OracleFaults::words);

  private OracleFaults() {}

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    add(rows, Kind.DATA, "", 1, 1400, 1407, 1438, 1426, 1722, 1401, 12899, 2290, 1465, 1830, 1843);
    add(rows, Kind.DATA, "", 1847, 1858, 1861, 1841, 1867, 1873, 40441, 1877, 1482, 26563);
    add(rows, Kind.DATA, TWICE, 2437, 1452);
    add(rows, Kind.DATA, PARENT, 2291);
    add(rows, Kind.DATA, "Rows of another table point to it.", 2292);
    add(rows, Kind.DATA, "Add a partition for it.", 14400);
    add(rows, Kind.DATA, "", 2293, 2298, 2299);
    add(rows, Kind.DATA, "It belongs to another partition than --partition names.", 14401);
    add(
        rows,
        Kind.USER,
        "See which there are: SELECT partition_name FROM all_tab_partitions WHERE table_name = ….",
        2149,
        14501);
    add(
        rows,
        Kind.DATA,
        "Servers refuse text of which the driver declares more bytes than a column can have. Copy"
            + " with --method native, or make the column a CLOB.",
        1461,
        24816);
    add(rows, Kind.USER, NAME, NO_TABLE, 903, 904, 907, 911, 913, 918, 920, 923, 933, 936, 1747);
    add(rows, Kind.USER, NAME, 917, 932, 947, 972, 979, 1727, 1789, 1795, 1756, 908, 900, 1788);
    add(rows, Kind.USER, "Give the table or the column another name.", 955, 957);
    add(rows, Kind.USER, RIGHT, 1031, 1720, 1749, 990);
    add(rows, Kind.USER, "Correct the user or the password.", 1017, 1005);
    add(
        rows,
        Kind.USER,
        "Take the foreign keys that point to it away first, or use another mode.",
        2266,
        2449);
    add(rows, Kind.USER, "Have the administrator give it: ALTER USER … QUOTA … ON … .", 1950);
    add(rows, Kind.USER, "Use --method normal.", 26086, 26046);
    add(rows, Kind.USER, "Use --method direct, or load the table without --partition.", 26017);
    add(rows, Kind.USER, FIRST, 26085);
    add(rows, Kind.USER, REBUILD, 26026, 26002, 1502);
    add(rows, Kind.LOCKED, HELD, 54, 30006, 4021, 14450);
    add(
        rows,
        Kind.UNDONE,
        "Two transactions waited for each other, and one has to begin again. Use fewer --lanes if"
            + " it happens again.",
        60);
    add(rows, Kind.UNDONE, "Others changed the same rows.", 8177);
    add(rows, Kind.TRANSIENT, OLD_SNAPSHOT, 1555, 22924);
    add(
        rows,
        Kind.TRANSIENT,
        "Somebody altered or dropped the table meanwhile. Start again.",
        1466,
        8103,
        1410);
    add(rows, Kind.EXTERNAL, QUOTA, 1536);
    add(rows, Kind.EXTERNAL, FULL, 1652, 1653, 1654, 1655, 1658, 1683, 1688, 1691, 1692, 30036);
    add(rows, Kind.EXTERNAL, "The pluggable database is open for reading only.", 16000, 65040);
    add(rows, Kind.UNREACHABLE, BUSY, 18, 20, 2391, 12516, 12519, 12520, 12526, 12528);
    add(rows, Kind.UNREACHABLE, DOWN, 1033, 1034, 1089, 1090, 1092, 1109);
    add(rows, Kind.UNREACHABLE, LOST, 28, 1012, 2396, 2399, 3113, 3114, 3135, 12170, 12537, 12547);
    add(rows, Kind.UNREACHABLE, LOST, 12560, 12570, 12571, 17002, 17008, 17410, 17447, 18730);
    add(rows, Kind.CANCELLED, "", 1013, 17283);
    return rows;
  }

  private static void add(List<Row> rows, Kind kind, String advice, int... codes) {
    IntStream.of(codes).forEach(code -> rows.add(code(code, kind, advice)));
  }

  /// What the server says, without the address of a page about it.
  private static String words(SQLException e) {
    String line = SqlFaults.firstLine(e.getMessage());
    return SHOWS_HELP.matcher(line).replaceFirst("");
  }

  /// A failure to connect.
  static Fault connecting(SQLException e, OracleAddress address) {
    String server = address.server();
    String user = address.at().user();
    String said = TABLE.sentence(e);
    return switch (e.getErrorCode()) {
      case 1017, 1005 ->
          new Fault.User(
              server + " refuses user " + user + ": " + said,
              address.at().secret().reveal() == null
                  ? "Give a password: set ORACLE_PASSWORD, or write it into the connection."
                  : "Check the password and the user's name: the server does not say which is"
                      + " wrong. Both may be case-sensitive.",
              e);
      case 28000 ->
          new Fault.User(
              "The account of user " + user + " at " + server + " is locked: " + said,
              "Have the administrator open it: ALTER USER " + user + " ACCOUNT UNLOCK.",
              e);
      case 28001, 28002 ->
          new Fault.User(
              "The password of user " + user + " at " + server + " has expired: " + said,
              "Change it, for example with sqlplus.",
              e);
      case 28150 ->
          new Fault.User(
              "User " + user + " may not act as a proxy at " + server + ": " + said,
              "Have the administrator allow it: ALTER USER the other GRANT CONNECT THROUGH "
                  + user
                  + ".",
              e);
      case 17957, 17971 ->
          new Fault.User(
              "The wallet can't be read: " + said,
              "Name the folder of cwallet.sso, of ewallet.p12 (with ORACLE_WALLET_PASSWORD), or of"
                  + " ewallet.pem with lines that end in LF.",
              e);
      case 1045 ->
          new Fault.User(
              "User " + user + " may not connect to " + server + ": " + said,
              "Have the administrator allow it: GRANT CREATE SESSION TO " + user + ".",
              e);
      case 12514, 12505, 12521 ->
          new Fault.User(
              "The listener at " + server + " knows no service " + address.at().database() + ".",
              "See which it knows: lsnrctl services. A database that has just started tells the"
                  + " listener after up to a minute.",
              e);
      case 12541, 12543, 12545, 17820 -> noListener(e, server);
      case 12154, 12263, 12161 -> noName(e, server, said);
      case 28040, 28860 ->
          new Fault.External(
              server + " and the driver have no way to log on in common: " + said,
              "Oracle supports this driver with version 19 and later. Have the administrator lower"
                  + " SQLNET.ALLOWED_LOGON_VERSION_SERVER or give the user a newer verifier.",
              e);
      default -> unreachable(e, address, said);
    };
  }

  private static Fault noListener(SQLException e, String server) {
    return Fault.Transient.unreachable(
        "No Oracle listener answers at " + server + ".",
        "Check the host and the port, and that the listener runs: lsnrctl status.",
        e);
  }

  private static Fault noName(SQLException e, String name, String said) {
    return new Fault.User(
        "There is no " + name + ": " + said,
        "Check the name in tnsnames.ora, and the folder in TNS_ADMIN or tns-admin.",
        e);
  }

  private static Fault unreachable(SQLException e, OracleAddress address, String said) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof UnknownHostException) {
        return address.tns().isEmpty()
            ? new Fault.User(
                "There is no host " + address.at().host() + ".",
                "Check the host's name in the URL.",
                e)
            : noName(e, address.server(), said);
      }
      if (cause instanceof ConnectException) {
        return noListener(e, address.server());
      }
      if (cause instanceof javax.net.ssl.SSLException) {
        return new Fault.External(
            "No TLS connection to " + address.server() + ": " + cause.getMessage(),
            "Name the folder of a wallet that has the server's certificate: wallet=…",
            e);
      }
    }
    return e.getErrorCode() == 0
        ? new Fault.External(address.server() + ": " + said, "", e)
        : TABLE.of(e, address.server());
  }
}
