package millrace.connectors.sql.online;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import millrace.connectors.sql.online.OnlineConnection.RowInsert;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import org.jspecify.annotations.Nullable;

/// Writes rows and marks in one transaction, on a connection of its own. One thread.
///
/// The connection is opened when it is first needed, and again after it has failed.
final class SqlRowWriter implements RowWriter {

  private final ConnectionPool pool;
  private final OnlineTables tables;
  private final Map<String, RowInsert> inserts = new HashMap<>();
  private @Nullable OnlineConnection connection;

  SqlRowWriter(ConnectionPool pool, OnlineTables tables) {
    this.pool = pool;
    this.tables = tables;
  }

  @Override
  public void write(String table, Readings rows, List<Dirty> marks) {
    pool.untilWon(() -> {
      OnlineConnection open = open();
      try {
        mark(open, new LinkedHashSet<>(marks));
        insert(open, table).insert(rows);
        open.jdbc().commit();
        return true;
      } catch (SQLException e) {
        forget();
        throw pool.failed(open, e);
      } catch (RuntimeException e) {
        forget();
        pool.discard(open);
        throw e;
      }
    });
  }

  private OnlineConnection open() {
    pool.refuseIfStopped();
    OnlineConnection open = connection;
    if (open == null) {
      open = pool.take();
      connection = open;
    }
    return open;
  }

  /// What belongs to a connection that has failed goes with it.
  private void forget() {
    connection = null;
    inserts.clear();
  }

  private RowInsert insert(OnlineConnection open, String table) throws SQLException {
    RowInsert insert = inserts.get(table);
    if (insert == null) {
      insert = open.insert(tables.name(table));
      inserts.put(table, insert);
    }
    return insert;
  }

  private void mark(OnlineConnection open, Set<Dirty> marks) throws SQLException {
    if (marks.isEmpty()) {
      return;
    }
    String rows =
        marks.stream()
            .map(mark ->
                "(?, "
                    + OnlineTables.time(mark.start())
                    + ", "
                    + ThreadLocalRandom.current().nextLong(Long.MAX_VALUE)
                    + ")")
            .collect(Collectors.joining(", "));
    try (PreparedStatement statement = open.jdbc().prepareStatement(tables.mark(rows))) {
      int at = 1;
      for (Dirty mark : marks) {
        statement.setString(at++, mark.level());
      }
      statement.executeUpdate();
    }
  }

  @Override
  public void close() {
    OnlineConnection open = connection;
    forget();
    if (open != null) {
      pool.discard(open);
    }
  }
}
