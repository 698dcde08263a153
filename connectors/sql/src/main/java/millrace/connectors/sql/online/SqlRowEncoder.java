package millrace.connectors.sql.online;

import java.sql.SQLException;
import java.util.List;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.Readings;
import org.jspecify.annotations.Nullable;

/// Makes rows into what the driver would send, on a connection of its own, and leaves it at that.
/// One thread.
final class SqlRowEncoder implements RowWriter {

  private final ConnectionPool pool;
  private final OnlineTables tables;
  private @Nullable OnlineConnection connection;
  private OnlineConnection.@Nullable RowInsert insert;

  SqlRowEncoder(ConnectionPool pool, OnlineTables tables) {
    this.pool = pool;
    this.tables = tables;
  }

  /// Whatever the table, rows are made for that of what arrives.
  @Override
  public void write(String table, Readings rows, List<Dirty> marks) {
    OnlineConnection open = connection == null ? pool.take() : connection;
    connection = open;
    try {
      OnlineConnection.RowInsert into =
          insert == null ? open.insert(tables.name(tables.raw())) : insert;
      insert = into;
      into.encode(rows);
    } catch (SQLException e) {
      throw open.fault(e);
    }
  }

  @Override
  public void close() {
    OnlineConnection open = connection;
    connection = null;
    insert = null;
    if (open != null) {
      pool.discard(open);
    }
  }
}
