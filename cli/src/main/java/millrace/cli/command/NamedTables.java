package millrace.cli.command;

import java.util.List;
import millrace.cli.Context;
import millrace.cli.option.ManyOptions;
import millrace.cli.option.OutputOptions;
import millrace.connectors.Connectors;
import millrace.copy.EndOpener;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.job.NameTemplate;
import millrace.job.TableTargets;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;

/// The tables that FROM names, each with its other end.
final class NamedTables {

  private NamedTables() {}

  /// Lists the tables and pairs them up.
  ///
  /// @param ends FROM, which names tables, and TO, which is a template
  /// @param retryPolicy how long others are waited for
  /// @throws Fault.User if that makes no sense
  static List<TableTargets.Pair> pairs(
      Context context,
      List<Endpoint> ends,
      ManyOptions many,
      RetryPolicy retryPolicy,
      OutputOptions output) {
    Endpoint from = ends.getFirst();
    Endpoint to = ends.getLast();
    if (from.isStandardStream() || to.isStandardStream()) {
      throw new Fault.User(
          "Standard input and output are one stream, and many tables are asked for.",
          "Name files: 'out/{table}.csv'.");
    }
    List<TableEntry> list =
        list(context.endOpener(retryPolicy, output), from, "Name one table at a time.");
    return TableTargets.pairs(
        TableTargets.chosen(list, from, many.only(), many.excluded()),
        new NameTemplate(to),
        sameSystem(from, to));
  }

  /// The tables that an end names.
  ///
  /// @param advice what to do if the end can't be asked
  /// @throws Fault.User if it can't
  static List<TableEntry> list(EndOpener endOpener, Endpoint end, String advice) {
    TableCatalog catalog = Connectors.ALL.of(end).capability(TableCatalog.class);
    if (catalog == null) {
      throw new Fault.User(end.label() + " can't be asked which tables it has.", advice);
    }
    return endOpener.tables(end, catalog);
  }

  /// Whether two ends are of one system.
  static boolean sameSystem(Endpoint from, Endpoint to) {
    return Connectors.ALL.of(from).equals(Connectors.ALL.of(to));
  }
}
