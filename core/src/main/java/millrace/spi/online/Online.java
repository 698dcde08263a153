package millrace.spi.online;

import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose tables can be written on a schedule while windows of them
/// are aggregated.
public interface Online {

  /// Opens the endpoint for such a run. Nothing is changed yet.
  ///
  /// @param endpoint names the table of what arrives, or what its name begins with
  /// @param layout which tables there are, and how they are made
  /// @throws millrace.fault.Fault.User if the layout can't be had there
  OnlineStore online(Endpoint endpoint, OnlineLayout layout, OpenContext context);
}
