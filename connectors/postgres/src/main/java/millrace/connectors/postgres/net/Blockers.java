package millrace.connectors.postgres.net;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out who holds the locks that our connections wait for, by `pg_blocking_pids` (PostgreSQL
/// 9.6 and later) on a connection of its own, which is opened when it is first asked. Any thread.
public final class Blockers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Blockers.class);

  private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);

  private static final String QUERY =
      """
      WITH ours AS (SELECT pg_catalog.string_to_array(?, ',')::int[] AS pids)
      SELECT DISTINCT b.pid, a.usename, a.application_name, a.state,
        pg_catalog.to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS'),
        pg_catalog.pg_blocking_pids(b.pid) && ours.pids
      FROM ours CROSS JOIN LATERAL pg_catalog.unnest(ours.pids) AS w(pid)
      CROSS JOIN LATERAL pg_catalog.unnest(pg_catalog.pg_blocking_pids(w.pid)) AS b(pid)
      LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = b.pid
      WHERE NOT b.pid = ANY (ours.pids) ORDER BY b.pid
      """;

  private final ConnectionFactory connectionFactory;
  private @Nullable Session aside;
  private @Nullable String silence;
  private boolean closed;

  public Blockers(ConnectionFactory connectionFactory) {
    this.connectionFactory = connectionFactory;
  }

  /// What that connection waits for, and what ends the wait.
  public Blockable waitingOf(Session session) {
    return waiting(() -> List.of(session.process()), session::cancel);
  }

  /// What several connections wait for, and what ends the wait.
  ///
  /// @param pids the numbers of the server's processes that serve them now
  public Blockable waiting(Supplier<Collection<Integer>> pids, Runnable cancel) {
    return new Blockable() {
      @Override
      public @Nullable String waitsFor() {
        return of(pids.get());
      }

      @Override
      public void cancel() {
        cancel.run();
      }
    };
  }

  private record Blocker(int pid, String words) {}

  /// What some connections wait for, as the end of a sentence, or null if they wait for nobody, or
  /// the server can't say.
  ///
  /// @param pids the numbers of the server's processes that serve them
  /// @return also null once it is closed, which a thread that looks need not know
  /// @throws Fault.User if it is the copy's own source, which holds its locks until all is read
  public synchronized @Nullable String of(Collection<Integer> pids) {
    if (closed) {
      return null;
    }
    String ours = pids.stream().map(String::valueOf).collect(Collectors.joining(","));
    List<Blocker> others = new ArrayList<>();
    try {
      Session requested = aside == null ? connectionFactory.aside() : aside;
      aside = requested;
      requested.within(
          ANSWERS_WITHIN,
          () ->
              others.addAll(
                  requested.query(QUERY, row -> new Blocker(row.getInt(1), words(row)), ours)));
      silence = null;
    } catch (Fault.Transient e) {
      LOG.debug("the server does not say who blocks", e);
      if (aside == null ? connectionFactory.isSilence(e) : !aside.isTakenAway()) {
        silence = "the server, which does not answer any more (" + e.getMessage() + ")";
      }
      hangUp();
      return silence;
    } catch (Fault e) {
      LOG.debug("the server can't say who blocks", e);
      return null;
    }
    if (others.stream().anyMatch(other -> connectionFactory.isReadBy(other.pid))) {
      throw new Fault.User(
          "The rows come from what has to be locked before they can go in: the source and the"
              + " target would wait for each other for ever.",
          "Load into another table, or use --mode replace, or truncate with --atomic, which lock"
              + " the table when all has been read.");
    }
    return others.isEmpty()
        ? null
        : "a lock of "
            + others.stream().map(Blocker::words).collect(Collectors.joining(" and of "));
  }

  /// What others than the user's own processes do is hidden from most users.
  private static String words(ResultSet row) throws SQLException {
    int pid = row.getInt(1);
    if (pid == 0) {
      return "a prepared transaction";
    }
    String user = row.getString(2);
    String program = row.getString(3);
    String since = row.getString(5);
    String details =
        Stream.of(
                user == null ? "" : "user " + user,
                program,
                row.getString(4),
                since == null ? "" : "its transaction began at " + since + " UTC")
            .filter(detail -> detail != null && !detail.isEmpty())
            .collect(Collectors.joining(", "));
    String waits =
        row.getBoolean(6)
            ? ", which waits for this copy itself, so that neither goes on: end it with SELECT"
                + " pg_cancel_backend("
                + pid
                + ")"
            : "";
    return "the server's process " + pid + (details.isEmpty() ? "" : " (" + details + ")") + waits;
  }

  @Override
  public synchronized void close() {
    closed = true;
    hangUp();
  }

  private void hangUp() {
    if (aside != null) {
      aside.close();
      aside = null;
    }
  }
}
