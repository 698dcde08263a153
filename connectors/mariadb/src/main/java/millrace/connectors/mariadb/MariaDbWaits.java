package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.spi.ServerWait;

/// What the server's threads of one end wait for: their states in the list of processes, locks of
/// rows, and InnoDB's own figures of waits. A thread that has no statement is not looked at, unless
/// it is in the middle of a transaction that has changed rows: it waits for us.
///
/// Settings are named, and never changed. One thread.
final class MariaDbWaits {

  /// A state, by both servers' names of it, and what it stands for.
  private record State(Pattern name, ServerWait meaning) {

    State(String name, String what, String help) {
      this(Pattern.compile(name, Pattern.CASE_INSENSITIVE), new ServerWait("", what, help));
    }
  }

  private static final String LOCKS_HELP =
      "Others, or other lanes, hold them: SHOW FULL PROCESSLIST and information_schema.innodb_trx"
          + " say who.";
  private static final ServerWait ROW_LOCK =
      new ServerWait("Innodb_row_lock_current_waits", ServerWait.LOCKS, LOCKS_HELP);

  private static final List<State> STATES =
      List.of(
          new State("reading from net|writing to net|.* (from|to) client", ServerWait.CLIENT, ""),
          new State("waiting for .*(lock|flush).*", ServerWait.LOCKS, LOCKS_HELP),
          new State(
              "waiting for .*semi-sync.*",
              "its replicas",
              "Each commit waits for them (rpl_semi_sync): fewer commits would help."),
          new State(
              "user sleep",
              "a function that sleeps (sleep)",
              "What is read calls it, or a trigger, default or view of the table that is written:"
                  + " the copy is faster without."),
          new State(
              "user lock",
              "a lock of a function's (get_lock)",
              "What is read calls it, or a trigger of the table that is written."),
          new State(
              "creating sort index|sorting .*|.*filesort.*",
              "its sort of the rows",
              "Rows come sooner without ORDER BY, or with an index in that order."),
          new State(
              "(creating|copying to) (tmp|group) table.*|converting heap to .*|removing duplicates",
              "its temporary tables",
              "What is read groups, sorts or joins rows: it is faster without."),
          new State(
              ".*binlog.*", "its binary log", "A faster disk under the binary log would help."));

  /// A thread without a statement, in the middle of a transaction.
  private static final ServerWait BETWEEN = new ServerWait("Sleep", ServerWait.CLIENT, "");

  private static final Pattern READS_ROWS =
      Pattern.compile("^\\s*\\(?\\s*(select|with)\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern COMMITS =
      Pattern.compile(
          "commit|waiting for handler commit|waiting for prior transaction to commit",
          Pattern.CASE_INSENSITIVE);

  /// Waits that InnoDB counts. Which thread it was is not told: as many of ours as have waited
  /// since the last look are taken for it.
  private static final List<ServerWait> COUNTED =
      List.of(
          new ServerWait(
              "Innodb_log_waits",
              "room in its redo log's buffer",
              "A larger innodb_log_buffer_size would help."),
          new ServerWait(
              "Innodb_buffer_pool_wait_free",
              "free pages in its memory",
              "A larger innodb_buffer_pool_size would help, or a faster disk under the server's"
                  + " data."));

  /// Waits of this moment.
  private static final ServerWait READS =
      new ServerWait(
          "Innodb_data_pending_reads",
          "pages of its tables to be read",
          "A larger innodb_buffer_pool_size would help, or a faster disk under the server's data.");

  private static final ServerWait CHECKPOINT =
      new ServerWait(
          "Innodb_checkpoint_age",
          "room in its redo log",
          "A larger innodb_log_file_size would help.");

  private static final String FIGURES =
      "SHOW GLOBAL STATUS WHERE variable_name IN ('Innodb_row_lock_current_waits',"
          + " 'Innodb_log_waits', 'Innodb_buffer_pool_wait_free', 'Innodb_data_pending_reads',"
          + " 'Innodb_checkpoint_age', 'Innodb_checkpoint_max_age')";

  private static final long TRANSACTIONS_EACH = TimeUnit.MILLISECONDS.toNanos(150);

  private final Connection aside;
  private final int answerSecondsMax;
  private final ServerWait commit;
  private final boolean isMariaDb;

  /// That a thread is at work, with what would make its work shorter.
  private ServerWait work = ServerWait.NONE;

  private boolean looked;
  private boolean seesTransactions = true;
  private long lastRead = System.nanoTime() - TRANSACTIONS_EACH;
  private Transactions transactions = Transactions.UNKNOWN;
  private final Map<String, Long> before = new HashMap<>();

  /// @param aside a connection that nobody else uses
  /// @throws SQLException if the server does not tell its settings
  MariaDbWaits(Connection aside, int answerSecondsMax) throws SQLException {
    this.aside = aside;
    this.answerSecondsMax = answerSecondsMax;
    try (Statement statement = aside.createStatement()) {
      statement.setQueryTimeout(answerSecondsMax);
      ResultSet row =
          statement.executeQuery(
              "SELECT @@global.innodb_flush_log_at_trx_commit, @@global.log_bin,"
                  + " @@global.sync_binlog, version() LIKE '%MariaDB%'");
      row.next();
      isMariaDb = row.getBoolean(4);
      commit = commit(row.getInt(1), row.getBoolean(2) ? row.getLong(3) : 0);
    }
  }

  /// What a thread waits for that commits.
  ///
  /// @param flushes innodb_flush_log_at_trx_commit
  /// @param syncs sync_binlog; 0 if there is no binary log
  static ServerWait commit(int flushes, long syncs) {
    List<String> logs = new ArrayList<>();
    List<String> settings = new ArrayList<>();
    if (flushes == 1) {
      logs.add("redo log");
      settings.add("innodb_flush_log_at_trx_commit = 1");
    }
    if (syncs > 0) {
      logs.add("binary log");
      settings.add("sync_binlog = " + syncs);
    }
    return logs.isEmpty()
        ? new ServerWait("", "commits to end", "Fewer commits would help.")
        : new ServerWait(
            "",
            "its " + String.join(" and ", logs),
            "Commits wait until the disk has it ("
                + String.join(", ", settings)
                + "): fewer commits would help, or a faster disk under it.");
  }

  /// What those of our threads that have something to do wait for.
  List<ServerWait> of(Collection<Long> threads) throws SQLException {
    String ours = threads.stream().map(String::valueOf).collect(Collectors.joining(","));
    try (Statement statement = aside.createStatement()) {
      statement.setQueryTimeout(answerSecondsMax);
      List<ServerWait> waits = new ArrayList<>();
      int atWork = 0;
      for (ServerThread thread : threads(statement, ours)) {
        ServerWait wait = named(thread.state, commit);
        if (thread.sleeps) {
          if (transactions(statement, ours).changing.contains(thread.id)) {
            waits.add(BETWEEN);
          }
        } else if (wait.equals(ServerWait.NONE)) {
          atWork++;
          lookAt(statement, thread);
        } else {
          waits.add(wait);
        }
      }
      List<ServerWait> innoDb = atWork == 0 ? List.of() : innoDbWaits(statement, ours, atWork);
      for (int i = 0; i < atWork; i++) {
        waits.add(i < innoDb.size() ? innoDb.get(i) : work);
      }
      return waits;
    }
  }

  /// A thread of ours.
  ///
  /// @param sleeps whether it has no statement
  private record ServerThread(long id, String state, boolean sleeps, String statement) {}

  /// What it reads is looked at once.
  private void lookAt(Statement by, ServerThread thread) {
    if (work.equals(ServerWait.NONE) && !looked && READS_ROWS.matcher(thread.statement).find()) {
      looked = true;
      work = new ServerWait("", "", StatementWork.help(by, thread.statement, isMariaDb));
    }
  }

  private static List<ServerThread> threads(Statement statement, String ours) throws SQLException {
    List<ServerThread> threads = new ArrayList<>();
    ResultSet row =
        statement.executeQuery(
            "SELECT id, coalesce(state, ''), command = 'Sleep', coalesce(info, '') FROM"
                + " information_schema.processlist"
                + " WHERE id <> connection_id() AND id IN ("
                + ours
                + ")");
    while (row.next()) {
      threads.add(
          new ServerThread(row.getLong(1), row.getString(2), row.getBoolean(3), row.getString(4)));
    }
    return threads;
  }

  /// What InnoDB knew of our transactions at some time.
  ///
  /// @param changing threads in the middle of one that has changed rows
  /// @param lockWaits how many waited for locks of rows
  private record Transactions(Set<Long> changing, long lockWaits) {

    static final Transactions UNKNOWN = new Transactions(Set.of(), 0);
  }

  /// Both servers keep what this table says as it is for as long as somebody reads it more often
  /// than every 0.1 s; so it is read less often.
  private Transactions transactions(Statement statement, String ours) throws SQLException {
    long now = System.nanoTime();
    if (seesTransactions && now - lastRead >= TRANSACTIONS_EACH) {
      lastRead = now;
      try {
        transactions = read(statement, ours);
      } catch (java.sql.SQLSyntaxErrorException e) {
        org.slf4j.LoggerFactory.getLogger(MariaDbWaits.class).debug("no right to see them", e);
        seesTransactions = false;
        transactions = Transactions.UNKNOWN;
      }
    }
    return transactions;
  }

  private static Transactions read(Statement statement, String ours) throws SQLException {
    Set<Long> changing = new HashSet<>();
    long lockWaits = 0;
    ResultSet row =
        statement.executeQuery(
            "SELECT trx_mysql_thread_id, trx_rows_modified > 0, trx_state = 'LOCK WAIT' FROM"
                + " information_schema.innodb_trx WHERE trx_mysql_thread_id IN ("
                + ours
                + ")");
    while (row.next()) {
      if (row.getBoolean(2)) {
        changing.add(row.getLong(1));
      }
      lockWaits += row.getBoolean(3) ? 1 : 0;
    }
    return new Transactions(changing, lockWaits);
  }

  /// A thread's state in words.
  ///
  /// @param commit what a thread waits for that commits
  static ServerWait named(String state, ServerWait commit) {
    if (COMMITS.matcher(state).matches()) {
      return new ServerWait(state, commit.what(), commit.help());
    }
    return STATES.stream()
        .filter(known -> known.name.matcher(state).matches())
        .findFirst()
        .map(known -> new ServerWait(state, known.meaning.what(), known.meaning.help()))
        .orElse(ServerWait.NONE);
  }

  /// What InnoDB tells of threads whose states tell nothing, an element for each that waits.
  private List<ServerWait> innoDbWaits(Statement statement, String ours, int threads)
      throws SQLException {
    Map<String, Long> now = new HashMap<>();
    ResultSet row = statement.executeQuery(FIGURES);
    while (row.next()) {
      now.put(row.getString(1), row.getLong(2));
    }
    List<ServerWait> waits = new ArrayList<>();
    if (now.getOrDefault(ROW_LOCK.event(), 0L) > 0) {
      add(waits, ROW_LOCK, transactions(statement, ours).lockWaits, threads);
    }
    long age = now.getOrDefault(CHECKPOINT.event(), 0L);
    if (age > now.getOrDefault("Innodb_checkpoint_max_age", Long.MAX_VALUE)) {
      add(waits, CHECKPOINT, threads, threads);
    }
    for (ServerWait counted : COUNTED) {
      long count = now.getOrDefault(counted.event(), 0L);
      Long last = before.put(counted.event(), count);
      add(waits, counted, last == null ? 0 : count - last, threads);
    }
    add(waits, READS, now.getOrDefault(READS.event(), 0L), threads);
    return waits;
  }

  private static void add(List<ServerWait> waits, ServerWait wait, long times, int timesMax) {
    waits.addAll(Collections.nCopies(Math.clamp(times, 0, timesMax), wait));
  }
}
