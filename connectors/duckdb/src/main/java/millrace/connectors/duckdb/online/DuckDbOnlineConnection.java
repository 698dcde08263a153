package millrace.connectors.duckdb.online;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.online.OnlineConnection;
import millrace.fault.Fault;
import millrace.spi.online.Readings;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A connection of an online run to a DuckDB file.
///
/// @param stopper stops whatever the connection runs
/// @param closed whether it is closed
record DuckDbOnlineConnection(
    DuckDBConnection connection, Statement stopper, String label, CountDownLatch closed)
    implements OnlineConnection {

  private static final Logger LOG = LoggerFactory.getLogger(DuckDbOnlineConnection.class);

  /// DuckDB forgets that it was to stop when the next statement begins.
  private static final long STOP_AGAIN_MILLIS = 50;

  static DuckDbOnlineConnection of(DuckDbDatabase database, String label) {
    DuckDBConnection connection = database.connect();
    try {
      connection.setAutoCommit(false);
      return new DuckDbOnlineConnection(
          connection, connection.createStatement(), label, new CountDownLatch(1));
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    }
  }

  @Override
  public Connection jdbc() {
    return connection;
  }

  @Override
  public RowInsert insert(TableName table) throws SQLException {
    return new Append(connection, table, connection.createAppender(table.schema(), table.name()));
  }

  /// DuckDB never waits for another transaction: who comes second is refused, and may try again.
  @Override
  public Fault fault(SQLException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("conflict on") || message.contains("write-write conflict")) {
      return new Fault.Transient(
          label + ": a transaction lost to another one.", "It may work when tried again.", 0, e);
    }
    Fault fault = DuckDbFaults.of(e, label);
    // What else is advised is about the records of a copy.
    return fault instanceof Fault.Data ? new Fault.Data(fault.clause() + ".", "", null) : fault;
  }

  @Override
  public void cancel() {
    Thread.ofVirtual().name("cancel").start(this::stop);
  }

  private void stop() {
    try {
      do {
        stopper.cancel();
      } while (!closed.await(STOP_AGAIN_MILLIS, TimeUnit.MILLISECONDS));
    } catch (SQLException e) {
      LOG.debug("closed meanwhile", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("close failed", e);
    }
  }

  /// Appends rows, without SQL. What fails in it ends the transaction.
  private record Append(DuckDBConnection connection, TableName table, DuckDBAppender appender)
      implements RowInsert {

    @Override
    public void insert(Readings rows) throws SQLException {
      begin();
      append(rows, appender);
      appender.flush();
    }

    /// An appender that finds no transaction commits its own, in parts if there are many rows; a
    /// query begins one.
    private void begin() throws SQLException {
      try (Statement begins = connection.createStatement()) {
        begins.execute("SELECT 1");
      }
    }

    /// An appender has no way to forget its rows: they go into a transaction that is undone.
    @Override
    public void encode(Readings rows) throws SQLException {
      if (rows.rows() == 0) {
        return;
      }
      begin();
      try (DuckDBAppender appender = connection.createAppender(table.schema(), table.name())) {
        append(rows, appender);
      } finally {
        connection.rollback();
      }
    }

    private static void append(Readings rows, DuckDBAppender appender) throws SQLException {
      for (int i = 0; i < rows.rows(); i++) {
        appender
            .beginRow()
            .append(rows.building[i])
            .append(rows.floor[i])
            .append(rows.device[i])
            .appendEpochMicros(rows.time[i])
            .append(rows.load[i])
            .append(rows.type[i])
            .endRow();
      }
    }
  }
}
