package millrace.connectors.oracle.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlServerEnds.Route;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.LeftOut;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Scope;

/// Reads how tables are defined, and makes others like them.
public final class OracleDefinitions {

  /// A table or index, a key, a constraint or its name, a foreign key, or an index of these columns
  /// that is there already.
  public static final Set<Integer> THERE_ALREADY = Set.of(955, 2260, 2261, 2264, 2275, 1408);

  private OracleDefinitions() {}

  /// The definitions of tables; none of one whose target is there. All else is named as left.
  ///
  /// @param routes in the order of the tables
  public static Found of(
      SqlSession source, SqlSession target, Dialect dialect, List<Route> routes, Scope scope) {
    Map<TableName, TableName> targets = new HashMap<>();
    routes.forEach(each -> targets.put(each.from(), each.to()));
    List<CopiedDefinition> definitions = new ArrayList<>();
    Set<String> schemas = new TreeSet<>();
    for (Route each : routes) {
      schemas.add(each.from().schema());
      definitions.add(
          dialect.catalog().exists(target, each.to())
              ? CopiedDefinition.NONE
              : new ShapeStatements(
                      dialect.names(),
                      new ShapeReader(source, dialect).read(each.from()),
                      each.to())
                  .all(targets::get));
    }
    return Found.ofTables(
        definitions,
        schemas.stream().flatMap(each -> leftOut(source, each).stream()).toList(),
        advice(String.join(",", schemas)));
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
