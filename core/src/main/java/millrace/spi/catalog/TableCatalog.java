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

  /// Which schemas are not there that tables are to be made in. Nothing is changed.
  ///
  /// @param ends name tables of one database, each with its schema
  /// @return none if the copies make them
  /// @throws millrace.fault.Fault if the database can't be asked
  default List<MissingSchema> missingSchemas(List<Endpoint> ends, OpenContext context) {
    return List.of();
  }

  /// A schema that is not there.
  ///
  /// @param kind what the system calls it, such as `schema`
  /// @param make the statement that makes it; empty if it is made in no plain way
  record MissingSchema(String kind, String name, String make) {}
}
