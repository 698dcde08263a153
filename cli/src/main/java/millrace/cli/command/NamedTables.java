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
import millrace.spi.catalog.TablePattern;

/// The tables that FROM names, each with its other end.
final class NamedTables {

  private static final String UNLISTED = "unlisted";

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
        listOrOne(context.endOpener(retryPolicy, output), from, "Name one table at a time.");
    if (!output.quiet) {
      TableTargets.idle(list, many.excluded())
          .forEach(name ->
              context
                  .console()
                  .err()
                  .println("millrace: --exclude " + name + " leaves nothing out."));
    }
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

  /// The same for copies: an end that names one table may mean a view, which no list has.
  static List<TableEntry> listOrOne(EndOpener endOpener, Endpoint end, String advice) {
    List<TableEntry> list = list(endOpener, end, advice);
    String table = end.text("table").orElse("");
    return list.isEmpty() && !table.isEmpty() && !TablePattern.isIn(end)
        ? List.of(unlisted(table, end, -1))
        : list;
  }

  /// What its system's list of tables does not have: a view, a query, or what is not there.
  static TableEntry unlisted(String named, Endpoint end, long bytes) {
    TablePattern name = TablePattern.parse(named);
    return new TableEntry(
        name.schema(), name.bare(), name.name(), UNLISTED, -1, bytes, List.of(), end);
  }

  /// Whether the system's list has it.
  static boolean isListed(TableEntry entry) {
    return !entry.kind().equals(UNLISTED);
  }

  /// Whether two ends are of one system.
  static boolean sameSystem(Endpoint from, Endpoint to) {
    return Connectors.ALL.of(from).equals(Connectors.ALL.of(to));
  }
}
