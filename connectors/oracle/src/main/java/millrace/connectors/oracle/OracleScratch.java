package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.StagingName;
import org.jspecify.annotations.Nullable;

/// Tables that are there to measure and check by, in the schema of the table that an endpoint
/// names, and without a trace afterwards.
///
/// @param environment of the process, for the password
record OracleScratch(Function<String, @Nullable String> environment) {

  private static final String TABLE = "table";

  /// A table of that name beside the one that the endpoint names, if it names one.
  Endpoint beside(Endpoint endpoint, String name) {
    Names names = OracleTraits.USUAL.names();
    TableName usual = TableName.parse(endpoint.text(TABLE).orElse("t"), names, "");
    Map<String, String> parameters = new HashMap<>(endpoint.parameters());
    parameters.remove("query");
    parameters.put(TABLE, new TableName(usual.schema(), names.folded(name)).sql(names));
    return new Endpoint(endpoint.scheme(), endpoint.location(), parameters, endpoint.secret());
  }

  /// Drops the table and what is staged for it.
  void discard(Endpoint scratch) {
    try (OracleConnections connections = new OracleConnections(scratch, environment)) {
      Names names = connections.traits().names();
      TableName table = table(scratch, connections);
      try {
        drop(connections, table.sql(names));
        for (TableName staged : staged(connections, table)) {
          drop(connections, staged.sql(names));
        }
      } catch (Fault e) {
        throw left(table, "DROP TABLE " + table.sql(names) + " PURGE;", e);
      }
    }
  }

  private static Fault left(TableName table, String dropIt, Fault e) {
    String left = "The scratch table " + table.name() + " is left behind: " + e.getMessage();
    return e instanceof Fault.Transient passing
        ? new Fault.Transient(left, "Drop it: " + dropIt, passing.retryAfterMillis(), e)
        : new Fault.External(left, "Drop it: " + dropIt, e);
  }

  private static TableName table(Endpoint scratch, OracleConnections connections) {
    OracleTraits traits = connections.traits();
    return TableName.parse(scratch.text(TABLE).orElseThrow(), traits.names(), traits.schema());
  }

  private static void drop(OracleConnections connections, String table) {
    try {
      run(connections, "DROP TABLE " + table + " CASCADE CONSTRAINTS PURGE");
    } catch (Fault e) {
      if (!(e.getCause() instanceof SQLException cause)
          || cause.getErrorCode() != OracleFaults.NO_TABLE) {
        throw e;
      }
    }
  }

  /// What runs that were cut off have staged for the table.
  private static List<TableName> staged(OracleConnections connections, TableName table) {
    String sql = "SELECT table_name FROM all_tables WHERE owner = ?";
    String mark = (table.name() + StagingName.MARK).toUpperCase(Locale.ROOT);
    List<TableName> staged = new ArrayList<>();
    try (Connection connection = connections.open();
        PreparedStatement select = connection.prepareStatement(sql)) {
      select.setFetchSize(1000);
      select.setString(1, table.schema());
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          String name = row.getString(1);
          if (name.toUpperCase(Locale.ROOT).startsWith(mark)) {
            staged.add(table.beside(name));
          }
        }
      }
      return staged;
    } catch (SQLException e) {
      throw OracleFaults.TABLE.of(e, connections.address().server());
    }
  }

  private static void run(OracleConnections connections, String sql) {
    try (Connection connection = connections.open();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw OracleFaults.TABLE.of(e, connections.address().server());
    }
  }
}
