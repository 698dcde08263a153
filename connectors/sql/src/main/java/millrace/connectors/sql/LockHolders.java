package millrace.connectors.sql;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Finds out who holds the locks that the sessions of one end wait for, or that their server does
/// not answer any more, on a connection of its own, which is opened when it is first asked. Once
/// the server says that it can't tell, it is not asked again. Any thread.
public final class LockHolders implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(LockHolders.class);

  private static final int ANSWER_SECONDS_MAX = 5;

  private static final String SILENCE = "the server, which does not answer any more";

  private final Supplier<Set<Long>> sessions;
  private final Supplier<Connection> opening;
  private final Question question;
  private @Nullable Connection aside;
  private boolean over;

  /// {@link #SILENCE} since nothing came for too long, until something does; else null.
  private @Nullable String silence;

  /// Asks a server.
  @FunctionalInterface
  public interface Question {

    /// What sessions wait for, as the end of a sentence; null if for nobody.
    ///
    /// @param ours their numbers, with commas between them
    /// @throws SQLException if the server can't say
    @Nullable String waitsFor(Statement statement, String ours) throws SQLException;
  }

  /// @param sessions the server's numbers of them
  /// @param opening opens the connection, which waits for some seconds only
  public LockHolders(
      Supplier<Set<Long>> sessions, Supplier<Connection> opening, Question question) {
    this.sessions = sessions;
    this.opening = opening;
    this.question = question;
  }

  private synchronized @Nullable String waitsFor() {
    String ours = sessions.get().stream().map(String::valueOf).collect(Collectors.joining(", "));
    if (over || ours.isEmpty()) {
      return null;
    }
    try {
      Connection open = aside == null ? opening.get() : aside;
      aside = open;
      try (Statement statement = open.createStatement()) {
        statement.setQueryTimeout(ANSWER_SECONDS_MAX);
        String holder = question.waitsFor(statement, ours);
        silence = null;
        return holder;
      }
    } catch (SQLException | Fault e) {
      LOG.debug("the server can't say who blocks", e);
      hangUp();
      if (isCausedBy(e, InterruptedIOException.class) || isCausedBy(e, TimeoutException.class)) {
        silence = SILENCE;
      } else if (!isCausedBy(e, IOException.class)) {
        over = true;
        silence = null;
      }
      // A connection that was refused or cut says nothing of those that are open.
      return silence;
    }
  }

  private static boolean isCausedBy(@Nullable Throwable failure, Class<? extends Exception> type) {
    return failure != null && (type.isInstance(failure) || isCausedBy(failure.getCause(), type));
  }

  /// What waits, which tells who holds the lock if that is known.
  ///
  /// @param blockable what tells otherwise, and is stopped
  public Blockable alongside(Blockable blockable) {
    return new Blockable() {
      @Override
      public @Nullable String waitsFor() {
        String holder = LockHolders.this.waitsFor();
        return holder == null ? blockable.waitsFor() : holder;
      }

      @Override
      public void cancel() {
        blockable.cancel();
      }
    };
  }

  @Override
  public synchronized void close() {
    over = true;
    hangUp();
  }

  private void hangUp() {
    try (Connection _ = aside) {
      aside = null;
    } catch (SQLException e) {
      LOG.debug("not closed", e);
    }
  }
}
