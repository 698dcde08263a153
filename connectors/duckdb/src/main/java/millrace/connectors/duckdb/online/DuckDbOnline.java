package millrace.connectors.duckdb.online;

import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.online.OnlineConnection;
import millrace.connectors.sql.online.OnlineDialect;
import millrace.connectors.sql.online.OnlineTables;
import millrace.connectors.sql.online.SqlOnlineStore;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineStore;
import org.jspecify.annotations.Nullable;

/// Tables of an online run in a DuckDB file, which is opened when it is first needed.
///
/// What arrives has no primary key: its index would take most of the time of a write. So a row that
/// is written twice is there twice. No caller has a reason to: the database runs in this process,
/// and a write that failed was rolled back. There is no commit whose outcome nobody knows.
public final class DuckDbOnline implements OnlineDialect {

  private final String label;
  private final Supplier<DuckDbDatabase> opener;
  private @Nullable DuckDbDatabase database;

  private DuckDbOnline(String label, Supplier<DuckDbDatabase> opener) {
    this.label = label;
    this.opener = opener;
  }

  /// Opens the tables of a layout, in the schema of the table that the endpoint names.
  ///
  /// @param opener opens the file
  /// @throws Fault.User if the layout has partitions
  public static OnlineStore open(
      Endpoint endpoint,
      Supplier<DuckDbDatabase> opener,
      OnlineLayout layout,
      OpenContext context) {
    if (!layout.partition().isZero()) {
      throw new Fault.User(
          endpoint.label() + ": DuckDB has no range partitions.", "Leave the partitions out.");
    }
    String schema = DuckDbSql.table(endpoint.text("table").orElse("t")).schema();
    OnlineTables tables = new OnlineTables(layout, DuckDbSql.NAMES, schema);
    SqlOnlineStore store = new SqlOnlineStore(new DuckDbOnline(endpoint.label(), opener), tables);
    context.needs(store);
    return store;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public OnlineConnection connect() {
    return DuckDbOnlineConnection.of(database(), label);
  }

  private synchronized DuckDbDatabase database() {
    DuckDbDatabase open = database;
    if (open == null) {
      open = opener.get();
      database = open;
    }
    return open;
  }

  @Override
  public List<String> create(OnlineTables tables, String table) {
    return List.of(tables.create(table, tables.layout().isAggregated(table)));
  }

  @Override
  public List<Long> addPartitions(
      OnlineConnection connection, OnlineTables tables, List<Long> starts) {
    return List.of();
  }

  @Override
  public synchronized void close() {
    DuckDbDatabase open = database;
    database = null;
    if (open != null) {
      open.close();
    }
  }
}
