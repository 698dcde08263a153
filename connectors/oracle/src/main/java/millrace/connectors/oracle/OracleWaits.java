package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import millrace.spi.ServerWait;

/// What the server's sessions of one end wait for, by V$SESSION: those that carry out a call, and
/// those in the middle of a transaction without one, which wait for us. One that waits for a lock
/// is told with whoever holds it.
///
/// Settings are named, and never changed. One thread.
final class OracleWaits {

  static final String VIEW = "V$SESSION";

  private static final String LOCKS_HELP =
      "See who holds them: SELECT sid, blocking_session, event FROM v$session WHERE"
          + " blocking_session IS NOT NULL.";

  /// Events, and what they stand for.
  private record Event(Pattern name, String what, String help) {

    Event(String name, String what, String help) {
      this(Pattern.compile(name, Pattern.CASE_INSENSITIVE), what, help);
    }
  }

  /// The first that fits counts.
  private static final List<Event> EVENTS =
      List.of(
          new Event("sql\\*net .*", ServerWait.CLIENT, ""),
          new Event(
              "log file sync|log file parallel write",
              "its redo log",
              "Commits wait until the disk has it: fewer commits would help, or a faster disk"
                  + " under the redo logs."),
          new Event(
              "log buffer space",
              "room in its redo log's buffer",
              "A faster disk under the redo logs would help, or a larger LOG_BUFFER."),
          new Event(
              "log file switch \\(archiving needed\\)",
              "its redo logs to be archived",
              "Room where archived logs go would help (DB_RECOVERY_FILE_DEST_SIZE), or a faster"
                  + " disk there. Larger redo logs would not."),
          new Event(
              "log file switch.*",
              "its redo logs to be switched",
              "Larger redo logs would help, or more of them (ALTER DATABASE ADD LOGFILE)."),
          new Event(
              "enq: HW - .*|data file init write|enq: FB - .*",
              "the table to grow",
              "Room that is made before the load would help: ALTER TABLE … ALLOCATE EXTENT (SIZE …)"
                  + ", and data files that have it already."),
          new Event(
              "enq: TX - allocate ITL entry",
              "room for transactions in blocks that lanes share",
              "A larger INITRANS of the table and its indexes would help, or fewer lanes."),
          new Event(
              "enq: (KO|CR|RO) - .*",
              "changed blocks of the table to be on disk",
              "Reads past the buffer cache and TRUNCATE wait for that: a faster disk under the"
                  + " server's data would help."),
          new Event(
              "enq: CF - .*|control file .*",
              "its control file",
              "Log switches, backups and loads with NOLOGGING write to it: larger redo logs would"
                  + " help, or fewer commits of such loads."),
          new Event(
              "enq: TX - index contention",
              "blocks of an index that lanes share",
              "Keys that grow all go to its last block: an index that is hash-partitioned would"
                  + " help, or one that is made after the load."),
          new Event(
              "enq: SQ - .*|enq: SV - .*",
              "numbers of a sequence",
              "A larger CACHE of the sequence would help."),
          new Event(
              "buffer busy waits|read by other session|gc .*",
              "blocks that others use",
              "Lanes that write to partitions of their own would help, or fewer lanes."),
          new Event("enq: .*|library cache lock|row cache lock", ServerWait.LOCKS, LOCKS_HELP),
          new Event(
              "direct path write.*|db file (single|parallel) write|db file async I/O submit",
              "blocks of its tables to be written",
              "A faster disk under the server's data would help."),
          new Event(
              "direct path read.*|db file (sequential|scattered|parallel) read",
              "blocks of its tables to be read",
              "A faster disk under the server's data would help, or a larger DB_CACHE_SIZE."),
          new Event(
              "cell .*",
              "its storage cells (Exadata)",
              "More lanes will not help once the cells are busy: see what else uses them."),
          new Event(
              "statement suspended.*",
              "room that an administrator has to make",
              "It goes on by itself then. What is full: SELECT error_msg FROM dba_resumable."),
          new Event(
              "PX .*",
              "its parallel processes",
              "The degree of the table makes them: ALTER TABLE … NOPARALLEL would help if lanes"
                  + " keep the server busy already."),
          new Event(
              "free buffer waits|write complete waits",
              "free room in its buffer cache",
              "A larger DB_CACHE_SIZE would help, or a faster disk under the server's data."),
          new Event(
              "resmgr:.*",
              "its resource manager",
              "It limits the processors that sessions may use: more lanes will not help."),
          new Event(
              "latch.*|cursor: .*|library cache: .*",
              "latches and mutexes of its memory",
              "Fewer lanes would help, or larger batches."));

  private final Connection aside;

  /// @param aside a connection that nobody else uses
  OracleWaits(Connection aside) {
    this.aside = aside;
  }

  /// What those of our sessions that have something to do wait for.
  ///
  /// @param sessions those of the instance that is asked; not empty
  List<ServerWait> of(Set<OracleSession> sessions) throws SQLException {
    List<ServerWait> waits = new ArrayList<>();
    long instance = sessions.iterator().next().instance();
    try (Statement statement = aside.createStatement()) {
      statement.setQueryTimeout(ViewReader.ANSWER_SECONDS_MAX);
      statement.setFetchSize(100);
      ResultSet row =
          statement.executeQuery(
              "SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username,"
                  + " b.program, s.blocking_instance FROM v$session s LEFT JOIN v$session b ON b.sid"
                  + " = s.blocking_session AND s.blocking_instance = "
                  + instance
                  + " WHERE "
                  + OracleSession.among(sessions, "s")
                  + " AND (s.status = 'ACTIVE' OR s.taddr IS NOT NULL)");
      while (row.next()) {
        waits.add(wait(row, sessions, instance));
      }
    }
    return waits;
  }

  private static ServerWait wait(ResultSet row, Set<OracleSession> ours, long instance)
      throws SQLException {
    String event = row.getString(1);
    boolean atWork = "ACTIVE".equals(row.getString(4)) && !"WAITING".equals(row.getString(3));
    if (atWork || event == null) {
      return ServerWait.NONE;
    }
    ServerWait wait = named(event, String.valueOf(row.getString(2)));
    long holder = row.getLong(5);
    if (holder == 0 || !wait.what().equals(ServerWait.LOCKS)) {
      return wait;
    }
    StringBuilder words = new StringBuilder("Session " + holder);
    String user = row.getString(6);
    String program = row.getString(7);
    if (row.getLong(8) != instance) {
      words.append(" of instance ").append(row.getLong(8));
    } else if (ours.stream().anyMatch(each -> each.sid() == holder)) {
      words.append(", another lane of this copy,");
    } else if (user != null) {
      words.append(" of user ").append(user);
      words.append(program == null || program.isBlank() ? "" : " (" + program.strip() + ")");
    }
    return new ServerWait(event, wait.what(), words.append(" holds them.").toString());
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
