package millrace.job;

import java.util.List;
import java.util.Optional;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableEntry;
import millrace.spi.catalog.TablePattern;

/// The tables that ends name.
public final class NamedTables {

  private static final String UNLISTED = "unlisted";

  private NamedTables() {}

  /// Lists the tables that FROM names, and pairs each up with its other end.
  ///
  /// @throws Fault.User if that makes no sense
  public static List<TableTargets.Pair> pairs(JobContext context, TablesRequest request) {
    Endpoint from = request.from();
    Endpoint to = request.to();
    if (from.isStandardStream() || to.isStandardStream()) {
      throw new Fault.User(
          "Standard input and output are one stream, and many tables are asked for.",
          "Name files: 'out/{table}.csv'.");
    }
    List<TableEntry> list =
        listOrOne(context, request.each().retryPolicy(), from, "Name one table at a time.");
    TableTargets.idle(list, request.excluded())
        .forEach(name -> context.listener().says("--exclude " + name + " leaves nothing out."));
    return TableTargets.pairs(
        TableTargets.chosen(list, from, request.only(), request.excluded()),
        new NameTemplate(to),
        context.sameSystem(from, to));
  }

  /// The tables that an end names.
  ///
  /// @param retryPolicy how long others are waited for
  /// @param advice what to do if the end can't be asked
  /// @throws Fault.User if it can't
  public static List<TableEntry> list(
      JobContext context, RetryPolicy retryPolicy, Endpoint end, String advice) {
    TableCatalog catalog = context.connectors().of(end).capability(TableCatalog.class);
    if (catalog == null) {
      throw new Fault.User(end.label() + " can't be asked which tables it has.", advice);
    }
    return context.endOpener(retryPolicy).tables(end, catalog);
  }

  /// How many rows a table without columns has; nothing if there is no such table.
  public static Optional<Long> rowsWithoutColumns(
      JobContext context, RetryPolicy retryPolicy, Endpoint end) {
    String name = TablePattern.of(end).bare();
    return list(context, retryPolicy, end, "Compare the others.").stream()
        .filter(table -> table.name().equals(name))
        .filter(table -> table.kind().equals(TableEntry.NO_COLUMNS))
        .map(TableEntry::rows)
        .findFirst();
  }

  /// The same for copies: an end that names one table may mean a view, which no list has.
  static List<TableEntry> listOrOne(
      JobContext context, RetryPolicy retryPolicy, Endpoint end, String advice) {
    List<TableEntry> list = list(context, retryPolicy, end, advice);
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
}
