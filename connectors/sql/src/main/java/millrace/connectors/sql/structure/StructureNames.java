package millrace.connectors.sql.structure;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.TableName;
import millrace.spi.catalog.CopiedDefinition;

/// Gives indexes and constraints names that are short enough and no name of another: what clashes
/// has the name of its table in front. The same job gives the same names.
final class StructureNames {

  private final Names names;
  private final Map<String, Set<String>> taken = new HashMap<>();

  StructureNames(Names names) {
    this.names = names;
  }

  /// A name that is taken already.
  void take(TableName table) {
    of(table, true).add(names.identity(table.name()));
  }

  private Set<String> of(TableName table, boolean bySchema) {
    String scope = bySchema ? table.schema() : table.schema() + "." + table.name();
    return taken.computeIfAbsent(scope, _ -> new HashSet<>());
  }

  /// The name of something of a table.
  ///
  /// @param old what it is called in the source
  /// @param from the table's name there
  /// @param bySchema whether names are unique in a schema, else in a table
  String name(String old, String from, TableName to, boolean bySchema) {
    boolean isSame = from.equalsIgnoreCase(to.name());
    String renamed = isSame ? old : CopiedDefinition.named(old, from, to.name(), names::fits);
    Set<String> used = of(to, bySchema);
    String fresh = cut(names.fresh(renamed), "");
    if (used.add(names.identity(fresh))) {
      return fresh;
    }
    String whole = names.fresh(to.name() + "_" + renamed);
    String unique = cut(whole, "");
    for (int i = 2; !used.add(names.identity(unique)); i++) {
      unique = cut(whole, "_" + i);
    }
    return unique;
  }

  private String cut(String name, String end) {
    String begin = name;
    while (!names.fits(begin + end)) {
      begin = begin.substring(0, begin.offsetByCodePoints(begin.length(), -1));
    }
    return begin + end;
  }
}
