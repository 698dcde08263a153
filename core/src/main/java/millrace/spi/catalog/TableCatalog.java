package millrace.spi.catalog;

import java.util.List;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;

/// The capability of a connector whose ends can name several tables, files or databases at once.
public interface TableCatalog {

  /// Lists those that an end names, in the order of their names. Nothing is changed.
  ///
  /// @param end names them by a pattern, see {@link TablePattern#of}, or by a glob of its own kind
  /// @param context is told what the opening waits for
  /// @throws millrace.fault.Fault.User if the end can't be asked
  List<TableEntry> tables(Endpoint end, OpenContext context);
}
