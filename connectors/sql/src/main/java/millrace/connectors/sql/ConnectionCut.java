package millrace.connectors.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends what a connection is doing if the driver does not: drivers lose cancels, and servers and
/// networks go silent. The server then undoes by itself what was not committed. From any thread.
record ConnectionCut(Connection connection, SqlDatabase.Connector driver) {

  /// How long a session that was stopped may take to end.
  private static final int STOPPED_SECONDS = 5;

  /// How long any other may take to close: a server may have much to undo.
  private static final int CLOSED_SECONDS = 30;

  /// How long a driver may take to send a cancel, for which some connect once more.
  private static final long CANCEL_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionCut.class);

  /// Has the driver end a statement, if there is one, and waits for that for a moment.
  void cancel(@Nullable Statement statement) {
    if (statement == null) {
      return;
    }
    Thread cancel = Thread.ofPlatform().name("cancel").daemon().start(() -> cancelNow(statement));
    try {
      cancel.join(CANCEL_MILLIS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void cancelNow(Statement statement) {
    try {
      driver.cancel(statement);
    } catch (SQLException | NullPointerException e) {
      // It ended by itself in between; HSQLDB's driver does not look whether it is closed.
      LOG.debug("cancel failed", e);
    }
  }

  /// Cuts the connection in some seconds, unless whoever uses it has ended by then.
  ///
  /// @param stopped whether that was stopped; else it is being closed
  void unless(BooleanSupplier hasEnded, boolean stopped) {
    int seconds = stopped ? STOPPED_SECONDS : CLOSED_SECONDS;
    CompletableFuture.delayedExecutor(
            seconds, TimeUnit.SECONDS, cut -> Thread.ofPlatform().name("cut").daemon().start(cut))
        .execute(() -> {
          if (!hasEnded.getAsBoolean()) {
            now();
          }
        });
  }

  /// Cuts the connection.
  void now() {
    try {
      driver.cut(connection);
    } catch (SQLException | RuntimeException | AbstractMethodError e) {
      LOG.debug("the connection is not cut", e);
    }
  }
}
