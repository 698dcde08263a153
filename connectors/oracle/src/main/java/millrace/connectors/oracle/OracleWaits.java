package millrace.connectors.oracle;

import static java.util.regex.Pattern.CASE_INSENSITIVE;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;

/// What the server's sessions of one end wait for, by V$SESSION: those that carry out a call, and
/// those in the middle of a transaction without one, which wait for us. One that waits for a lock
/// is told with whoever holds it.
///
/// Settings are named, and never changed. One thread.
final class OracleWaits {

  static final String VIEW = "V$SESSION";

  /// What sessions wait for, and who holds it; of a holder on another instance (RAC) that alone.
  private static final String HOLDERS =
      "SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username,"
          + " b.program, CASE WHEN s.blocking_instance <> "
          + OracleSession.ASKED
          + " THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid ="
          + " s.blocking_session AND s.blocking_instance = "
          + OracleSession.ASKED
          + " WHERE ";

  /// Events, what they stand for, and what would help; the first that fits counts.
  private static final List<Event> EVENTS =
      """
      log file sync|log file parallel write :: its redo log :: Commits wait until the disk has \
      it: fewer commits would help, or a faster disk under the redo logs.
      log buffer space :: room in its redo log's buffer :: A faster disk under the redo logs \
      would help, or a larger LOG_BUFFER.
      log file switch \\(archiving needed\\) :: its redo logs to be archived :: Room where \
      archived logs go would help (DB_RECOVERY_FILE_DEST_SIZE). Larger redo logs would not.
      log file switch.* :: its redo logs to be switched :: Larger redo logs would help, or more \
      of them (ALTER DATABASE ADD LOGFILE).
      enq: HW - .*|data file init write|enq: FB - .* :: the table to grow :: Room that is made \
      before the load would help: ALTER TABLE … ALLOCATE EXTENT (SIZE …), and data files that \
      have it already.
      enq: TX - allocate ITL entry :: room for transactions in blocks that lanes share :: A \
      larger INITRANS of the table and its indexes would help, or fewer lanes.
      enq: (KO|CR|RO) - .* :: changed blocks of the table to be on disk :: Reads past the buffer \
      cache and TRUNCATE wait for that: a faster disk under the server's data would help.
      enq: CF - .*|control file .* :: its control file :: Log switches, backups and loads with \
      NOLOGGING write to it: larger redo logs would help, or fewer commits of such loads.
      enq: TX - index contention :: blocks of an index that lanes share :: Keys that grow all go \
      to its last block: an index that is hash-partitioned would help, or one that is made after \
      the load.
      enq: SQ - .*|enq: SV - .* :: numbers of a sequence :: A larger CACHE would help.
      buffer busy waits|read by other session|gc .* :: blocks that others use :: Lanes that \
      write to partitions of their own would help, or fewer lanes.
      enq: .*|library cache lock|row cache lock :: locks :: See who holds them: SELECT sid, \
      blocking_session, event FROM v$session WHERE blocking_session IS NOT NULL.
      direct path write.*|db file (single|parallel) write|db file async I/O submit :: blocks of \
      its tables to be written :: A faster disk under the server's data would help.
      direct path read.*|db file (sequential|scattered|parallel) read :: blocks of its tables to \
      be read :: A faster disk under the server's data would help, or a larger DB_CACHE_SIZE.
      cell .* :: its storage cells (Exadata) :: More lanes will not help once the cells are \
      busy: see what else uses them.
      statement suspended.* :: room that an administrator has to make :: It goes on by itself \
      then. What is full: SELECT error_msg FROM dba_resumable.
      PX .* :: its parallel processes :: The degree of the table makes them: ALTER TABLE … \
      NOPARALLEL would help if lanes keep the server busy already.
      free buffer waits|write complete waits :: free room in its buffer cache :: A larger \
      DB_CACHE_SIZE would help, or a faster disk under the server's data.
      resmgr:.* :: its resource manager :: It limits the processors that sessions may use: more \
      lanes will not help.
      latch.*|cursor: .*|library cache: .* :: latches and mutexes of its memory :: Fewer lanes \
      would help, or larger batches.\
      """
          .lines()
          .map(line -> line.split(" :: ", 3))
          .map(part -> new Event(Pattern.compile(part[0], CASE_INSENSITIVE), part[1], part[2]))
          .toList();

  private record Event(Pattern name, String what, String help) {}

  private OracleWaits() {}

  /// What those of our sessions that have something to do wait for.
  ///
  /// @param aside a connection that nobody else uses
  /// @param sessions not empty
  static List<ServerWait> of(Connection aside, Set<OracleSession> sessions) throws SQLException {
    List<ServerWait> waits = new ArrayList<>();
    try (Statement statement = aside.createStatement()) {
      statement.setQueryTimeout(ViewReader.ANSWER_SECONDS_MAX);
      statement.setFetchSize(100);
      ResultSet row =
          statement.executeQuery(
              HOLDERS
                  + OracleSession.among(sessions, "s")
                  + " AND (s.status = 'ACTIVE' OR s.taddr IS NOT NULL)");
      while (row.next()) {
        waits.add(wait(row, sessions));
      }
    }
    return waits;
  }

  /// Who holds what sessions wait for, as the end of a sentence; null if they wait for nobody.
  static @Nullable String holders(Statement statement, Set<OracleSession> sessions)
      throws SQLException {
    Set<String> holders = new TreeSet<>();
    ResultSet row =
        statement.executeQuery(
            HOLDERS + OracleSession.among(sessions, "s") + " AND s.blocking_session IS NOT NULL");
    while (row.next()) {
      holders.add("the server's session " + holder(row));
    }
    return holders.isEmpty() ? null : "a lock of " + String.join(" and of ", holders);
  }

  private static ServerWait wait(ResultSet row, Set<OracleSession> ours) throws SQLException {
    String event = row.getString("event");
    boolean atWork =
        "ACTIVE".equals(row.getString("status")) && !"WAITING".equals(row.getString("state"));
    if (atWork || event == null) {
      return ServerWait.NONE;
    }
    ServerWait wait = named(event, String.valueOf(row.getString("wait_class")));
    long holder = row.getLong("blocking_session");
    if (holder == 0 || !wait.what().equals(ServerWait.LOCKS)) {
      return wait;
    }
    boolean isOurs =
        row.getLong("far") == 0 && ours.stream().anyMatch(each -> each.sid() == holder);
    String who = isOurs ? holder + ", another lane of this copy," : holder(row);
    return new ServerWait(event, wait.what(), "Session " + who + " holds them.");
  }

  private static String holder(ResultSet row) throws SQLException {
    String number = row.getString("blocking_session");
    String user = row.getString("username");
    String program = row.getString("program");
    if (row.getLong("far") != 0) {
      return number + " of instance " + row.getLong("far");
    }
    return user == null
        ? number
        : number + " (user " + user + (program == null ? ")" : ", " + program.strip() + ")");
  }

  /// An event in words. Those that have none here keep the server's name.
  ///
  /// @param waitClass its class, as the server names it
  static ServerWait named(String event, String waitClass) {
    String kind = waitClass.toLowerCase(Locale.ROOT);
    // A session that waits for its parallel processes is not idle, whatever its class is.
    if ((kind.equals("idle") || kind.equals("network")) && !event.startsWith("PX ")) {
      return new ServerWait(event, ServerWait.CLIENT, "");
    }
    return EVENTS.stream()
        .filter(known -> known.name.matcher(event).matches())
        .findFirst()
        .map(known -> new ServerWait(event, known.what, known.help))
        .orElse(new ServerWait(event, event, ""));
  }
}
