package millrace.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableCatalog.MissingSchema;
import millrace.spi.catalog.TablePattern;
import millrace.text.NameList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The schemas that the copies of a job make tables in. They are looked at once, before the first
/// row: otherwise each copy would fail by itself.
final class TargetSchemas {

  private static final Logger LOG = LoggerFactory.getLogger(TargetSchemas.class);
  private static final int NAMES_SHOWN = 3;

  private TargetSchemas() {}

  /// Sees to it that all of them are there.
  ///
  /// @throws Fault.User if one is not, with the statements that make them
  static void check(ConnectorRegistry connectors, List<TableCopy> copies) {
    Map<String, List<Endpoint>> databases = new LinkedHashMap<>();
    for (TableCopy copy : copies) {
      Endpoint to = copy.to();
      if (!TablePattern.parse(to.text("table").orElse("")).schema().isEmpty()) {
        String database = to.scheme() + ":" + to.location();
        databases.computeIfAbsent(database, _ -> new ArrayList<>()).add(to);
      }
    }
    databases.values().forEach(ends -> checkOne(connectors, ends));
  }

  private static void checkOne(ConnectorRegistry connectors, List<Endpoint> ends) {
    Endpoint end = ends.getFirst();
    TableCatalog catalog = connectors.of(end).capability(TableCatalog.class);
    Set<MissingSchema> missing =
        catalog == null ? Set.of() : new LinkedHashSet<>(missing(catalog, ends));
    if (missing.isEmpty()) {
      return;
    }
    boolean isOne = missing.size() == 1;
    String kind = missing.iterator().next().kind();
    List<String> names = missing.stream().map(MissingSchema::name).toList();
    String make =
        missing.stream()
            .map(MissingSchema::make)
            .filter(each -> !each.isEmpty())
            .map(each -> "\n    " + each + ";")
            .collect(Collectors.joining());
    throw new Fault.User(
        (isOne ? "There is no " + kind + " " : "There are no " + kind + "s ")
            + NameList.first(names, NAMES_SHOWN)
            + " in "
            + end.label()
            + ".",
        (isOne ? "Make it first" : "Make them first") + (make.isEmpty() ? "." : ":" + make));
  }

  /// A database that can't be asked is told of by each copy.
  private static List<MissingSchema> missing(TableCatalog catalog, List<Endpoint> ends) {
    try {
      return catalog.missingSchemas(ends, new OpenContext());
    } catch (Fault e) {
      LOG.debug("{}", ends.getFirst(), e);
      return List.of();
    }
  }
}
