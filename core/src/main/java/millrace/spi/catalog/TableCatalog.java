package millrace.spi.catalog;

import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose ends can name several tables, files or databases at once.
public interface TableCatalog {

  /// Opens the list of those that an end names. Nothing is changed.
  ///
  /// @param end names them by a pattern, see {@link TablePattern#of}, or by a glob of its own kind
  /// @param context is told what the opening waits for
  /// @return the caller closes it once all of them have been read
  /// @throws millrace.fault.Fault.User if the end can't be asked
  TableList tables(Endpoint end, OpenContext context);
}
