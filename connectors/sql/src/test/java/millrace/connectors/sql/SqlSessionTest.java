package millrace.connectors.sql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import millrace.fault.Fault;
import millrace.testkit.PostgresServer;
import org.junit.jupiter.api.Test;

/// A session with a server that lets a statement wait for a lock without end.
class SqlSessionTest {

  private static final SqlFaults FAULTS =
      new SqlFaults(List.of(), e -> SqlFaults.firstLine(e.getMessage()));

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  /// Drivers look things up by statements of their own, which wait for locks as others do.
  @Test
  void whatTheDriverAsksForIsStoppedToo() throws SQLException {
    server.execute(database, "CREATE TABLE held (id int PRIMARY KEY)");
    try (Connection holder = server.connect(database);
        Statement statement = holder.createStatement();
        SqlSession session = new SqlSession(server.connect(database), "here", FAULTS)) {
      holder.setAutoCommit(false);
      statement.execute("LOCK TABLE held IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Boolean> requested =
          CompletableFuture.supplyAsync(() ->
              session.ask(open ->
                  open.getMetaData().getIndexInfo(null, "public", "held", false, true).next()));
      waitForWaiting();
      session.cancel();
      assertThatThrownBy(() -> requested.orTimeout(1, TimeUnit.MINUTES).join())
          .isInstanceOf(CompletionException.class)
          .hasCauseInstanceOf(Fault.Cancelled.class);
    }
  }

  private void waitForWaiting() throws SQLException {
    try (Connection connection = server.connect(database);
        SqlSession looking = new SqlSession(connection, "here", FAULTS)) {
      String waiting =
          "SELECT count(*) FROM pg_stat_activity WHERE datname = ? AND wait_event_type = 'Lock'";
      while (looking.query(waiting, row -> row.getLong(1), database).getFirst() == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
      }
    }
  }
}
