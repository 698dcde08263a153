package millrace.connectors.postgres;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import millrace.connectors.postgres.net.Session;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;

/// What the server's processes of one end wait for, by `wait_event` of `pg_stat_activity`
/// (https://www.postgresql.org/docs/current/monitoring-stats.html#WAIT-EVENT-TABLE). One that is in
/// the middle of a transaction without a statement waits for us.
///
/// The function under that view is asked, since the view's joins cost more than all else. All looks
/// are one transaction, so that they count as one; within it the server would show the same picture
/// again if it were not told to clear it. One thread.
final class PostgresWaits {

  /// A part of every look's text, by which it is known in `pg_stat_statements`.
  static final String FUNCTION = "pg_stat_get_activity";

  private static final String LOG =
      "A faster disk for the server's write-ahead log (pg_wal) would help, or larger wal_buffers.";
  private static final String GROWTH =
      "One process at a time may add pages to a table; PostgreSQL 16 and later add more at once.";
  private static final String READING =
      "A faster disk under the table would help, or more of it in the server's memory.";
  private static final String WRITING =
      "Larger shared_buffers would help, or a faster disk under the server's data.";
  private static final String LOCKS =
      "Others, or other lanes, hold them: SELECT pid, pg_blocking_pids(pid), query FROM"
          + " pg_stat_activity WHERE wait_event_type = 'Lock' says who.";
  private static final String SLEEPS =
      "A trigger, default or rule of the table calls it: the copy is faster without.";
  private static final String SLEEPS_READING =
      "What is read calls it: the query, a view, or a function of these. The copy is faster"
          + " without.";
  private static final String SPACE =
      "A sort or a hash of what is read has no room in memory: a larger work_mem would help.";
  private static final String STANDBYS = "Each commit waits for them: fewer commits would help.";

  private final Session aside;
  private final int holder;

  /// That it is at work, with what the work is; null until it was seen to read.
  private @Nullable ServerWait work;

  /// @param aside a connection that nobody else uses until {@link #end}
  /// @param holder the process that may be there only to hold a transaction open
  PostgresWaits(Session aside, int holder) {
    this.aside = aside;
    this.holder = holder;
    aside.begin();
  }

  /// What one of the processes does.
  ///
  /// @param kind of what it waits for; null if it waits for nothing
  private record Doing(@Nullable String kind, @Nullable String event, String statement) {}

  /// What those of the processes that have something to do wait for.
  List<ServerWait> of(Collection<Integer> pids) {
    String list = pids.stream().map(String::valueOf).collect(Collectors.joining(","));
    List<Doing> seen =
        aside.query(
            "SELECT wait_event_type, wait_event, query"
                + " FROM pg_catalog.pg_stat_clear_snapshot(), pg_catalog."
                + FUNCTION
                + "(NULL) WHERE pid IN ("
                + list
                + ") AND (state = 'active' OR state LIKE 'idle in transaction%' AND pid <> "
                + holder
                + ")",
            row ->
                new Doing(
                    row.getString(1),
                    row.getString(2),
                    Objects.requireNonNullElse(row.getString(3), "")));
    return seen.stream().map(this::named).toList();
  }

  private ServerWait named(Doing doing) {
    boolean reads = ReadWork.isReading(doing.statement);
    if (doing.kind != null) {
      return named(doing.kind, String.valueOf(doing.event), reads);
    }
    if (work == null && reads) {
      work = new ServerWait("", "", ReadWork.of(aside, doing.statement));
    }
    return work == null ? ServerWait.NONE : work;
  }

  /// Ends the transaction.
  void end() {
    aside.commit();
  }

  /// An event in words. Those that have none here keep the server's name.
  ///
  /// @param reads whether the process reads rows for us
  static ServerWait named(String kind, String event, boolean reads) {
    String name = kind + ":" + event;
    if (kind.equals("Client")) {
      return new ServerWait(name, ServerWait.CLIENT, "");
    }
    if (event.toUpperCase(Locale.ROOT).startsWith("WAL")) {
      return new ServerWait(name, "its write-ahead log", LOG);
    }
    return switch (name) {
      case "Lock:extend", "IO:DataFileExtend" -> new ServerWait(name, "the table to grow", GROWTH);
      case "IO:DataFileRead", "IO:DataFilePrefetch" ->
          new ServerWait(name, "pages of its tables to be read", READING);
      case "IO:DataFileWrite", "IO:DataFileFlush", "IO:DataFileSync" ->
          new ServerWait(name, "pages of its tables to be written", WRITING);
      case "Timeout:PgSleep" ->
          new ServerWait(
              name, "a function that sleeps (pg_sleep)", reads ? SLEEPS_READING : SLEEPS);
      case "IO:BufFileRead", "IO:BufFileWrite" ->
          new ServerWait(name, "its temporary files", SPACE);
      case "IPC:SyncRep" -> new ServerWait(name, "its standby servers", STANDBYS);
      default ->
          kind.equals("Lock")
              ? new ServerWait(name, ServerWait.LOCKS, LOCKS)
              : new ServerWait(name, name, "");
    };
  }
}
