package millrace.connectors.oracle.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlServerEnds.Route;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Made;
import millrace.spi.catalog.TableDefinitions.Scope;
import millrace.spi.catalog.TableDefinitions.Step;

/// Reads how tables are defined, and makes others like them.
public final class OracleDefinitions {

  /// A table or index, a key, a constraint or its name, a foreign key, an index of these columns,
  /// or a trigger that is there already.
  public static final Set<Integer> THERE_ALREADY = Set.of(955, 2260, 2261, 2264, 2275, 1408, 4081);

  private OracleDefinitions() {}

  /// The definitions of tables; none of one whose target is there. All else comes along if no table
  /// gets another name and the tables of a schema stay together; else it is named as left.
  ///
  /// @param routes in the order of the tables
  public static Found of(
      SqlSession source, SqlSession target, Dialect dialect, List<Route> routes, Scope scope) {
    Map<TableName, TableName> targets = new HashMap<>();
    Map<String, String> schemas = new TreeMap<>();
    routes.forEach(each -> targets.put(each.from(), each.to()));
    routes.forEach(each -> schemas.put(each.from().schema(), each.to().schema()));
    boolean isTogether =
        Set.copyOf(schemas.values()).size() == schemas.size()
            && routes.stream()
                .allMatch(each ->
                    each.to()
                        .equals(
                            new TableName(
                                schemas.getOrDefault(each.from().schema(), ""),
                                each.from().name())));
    List<LeftOut> leftOut = new ArrayList<>();
    MovedText text = new MovedText(dialect.names(), schemas);
    OracleObjects objects =
        isTogether && scope.reach() != Scope.Reach.TABLES
            ? new OracleObjects(source, target, text, leftOut)
            : null;
    boolean isWhole = objects != null && scope.isWhole(objects::isEmpty);
    List<CopiedDefinition> definitions = new ArrayList<>();
    for (Route each : routes) {
      definitions.add(
          dialect.catalog().exists(target, each.to())
              ? CopiedDefinition.NONE
              : new ShapeStatements(
                      dialect.names(),
                      new ShapeReader(source, dialect, isWhole ? text : null).read(each.from()),
                      each.to())
                  .all(targets::get));
    }
    List<String> advice = advice(String.join(",", schemas.keySet()));
    if (objects != null && isWhole) {
      List<Step> before = new ArrayList<>(objects.beforeTables());
      List<Made> after = objects.afterRows(targets.keySet());
      return new Found(definitions, before, after, leftOut, advice, true);
    }
    return Found.ofTables(
        definitions,
        schemas.keySet().stream().flatMap(each -> leftOut(source, each).stream()).toList(),
        advice);
  }

  private static List<String> advice(String schemas) {
    return List.of(
        "They come along with Data Pump, triggers last:",
        "  expdp USER@SOURCE schemas=" + schemas + " content=metadata_only dumpfile=rest.dmp",
        "  impdp USER@TARGET dumpfile=rest.dmp exclude=TABLE",
        "  impdp USER@TARGET dumpfile=rest.dmp include=TRIGGER");
  }

  /// Sequences of identities belong to their tables.
  static List<LeftOut> leftOut(SqlSession source, String schema) {
    return source.query(
        "SELECT object_type, object_name FROM all_objects WHERE owner = ? AND object_type IN"
            + " ('VIEW', 'MATERIALIZED VIEW', 'SEQUENCE', 'PROCEDURE', 'FUNCTION', 'PACKAGE',"
            + " 'SYNONYM', 'TYPE') AND object_name NOT LIKE 'ISEQ$$%' ORDER BY object_type,"
            + " object_name",
        row ->
            LeftOut.of(row.getString(1).toLowerCase(Locale.ROOT), schema + "." + row.getString(2)),
        schema);
  }
}
