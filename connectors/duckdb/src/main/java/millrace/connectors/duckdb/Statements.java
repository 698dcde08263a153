package millrace.connectors.duckdb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import millrace.fault.Fault;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Statements of one connection that may take long, so that they can be stopped.
///
/// One thread runs them; any may {@link #cancel}.
public final class Statements {

  private final DuckDBConnection connection;
  private final String label;
  private volatile @Nullable Statement running;
  private volatile boolean cancelled;

  /// @param label how to name the database in errors
  Statements(DuckDBConnection connection, String label) {
    this.connection = connection;
    this.label = label;
  }

  /// Takes what a query gives.
  public interface Taker {
    void take(ResultSet rows) throws SQLException;
  }

  /// Runs a statement.
  ///
  /// @throws Fault what DuckDB said against it, or that it was stopped
  public void execute(String sql) {
    run(statement -> statement.execute(sql));
  }

  /// Runs a statement that changes rows. Returns how many.
  ///
  /// @throws Fault as {@link #execute}
  public long update(String sql) {
    long[] rows = {0};
    run(statement -> rows[0] = statement.executeLargeUpdate(sql));
    return rows[0];
  }

  /// Runs a query.
  ///
  /// @throws Fault as {@link #execute}
  public void query(String sql, Taker taker) {
    run(statement -> {
      try (ResultSet rows = statement.executeQuery(sql)) {
        taker.take(rows);
      }
    });
  }

  /// What is done with a statement.
  private interface Work {
    void with(Statement statement) throws SQLException;
  }

  private void run(Work work) {
    try (Statement statement = connection.createStatement()) {
      running = statement;
      stopIfCancelled();
      work.with(statement);
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    } finally {
      running = null;
    }
  }

  /// @throws Fault.Cancelled where it was cancelled
  void stopIfCancelled() {
    if (cancelled) {
      throw new Fault.Cancelled(label + " was stopped");
    }
  }

  /// Ends the statement that runs soon, and lets no other begin.
  void cancel() {
    cancelled = true;
    Statement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        // It ended by itself in between.
        org.slf4j.LoggerFactory.getLogger(Statements.class).debug("cancel failed", e);
      }
    }
  }
}
