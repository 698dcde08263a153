package millrace.spi.online;

import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose tables can be written on a schedule while windows of them
/// are aggregated.
public interface Online {

  /// The name of the table that an endpoint names, without database or schema; empty if it names
  /// none. No server is asked.
  String tableName(Endpoint endpoint);

  /// Opens the endpoint for such a run. Nothing is changed yet.
  ///
  /// @param endpoint says where the tables are; the layout has their names
  /// @param layout which tables there are, and how they are made
  /// @throws millrace.fault.Fault.User if the layout can't be had there
  OnlineStore online(Endpoint endpoint, OnlineLayout layout, OpenContext context);
}
