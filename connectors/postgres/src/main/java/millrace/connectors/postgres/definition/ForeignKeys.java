package millrace.connectors.postgres.definition;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.postgres.catalog.NamedRelations;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.net.Session;
import millrace.spi.catalog.LeftOut;

/// The foreign keys of tables: those to tables of the job, and to others that the target has.
final class ForeignKeys {

  /// Gives the place of the table, the key, and the table that it refers to.
  static final String QUERY =
      """
      SELECT asked.place, k.conname, pg_catalog.pg_get_constraintdef(k.oid),
        pg_catalog.format('%I.%I', n.nspname, c.relname), n.nspname, c.relname
      FROM asked
      JOIN pg_catalog.pg_constraint k ON k.conrelid = asked.oid
      JOIN pg_catalog.pg_class c ON c.oid = k.confrelid
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE k.contype = 'f' AND k.conparentid = 0
      ORDER BY 1, 2
      """;

  private final Session target;
  private final Map<String, QualifiedName> targets;
  private final Map<String, String> labels;
  private final Map<String, List<ForeignKey>> toOthers = new HashMap<>();

  /// @param target is asked which other tables are there
  /// @param targets where the tables of the job go, by their names
  /// @param labels what they are called
  ForeignKeys(Session target, Map<String, QualifiedName> targets, Map<String, String> labels) {
    this.target = target;
    this.targets = targets;
    this.labels = labels;
  }

  /// Takes one in.
  int read(DefinitionStatements table, ResultSet row) throws SQLException {
    ForeignKey key = new ForeignKey(table, row.getString(2), row.getString(3), row.getString(4));
    String name = new QualifiedName(row.getString(5), row.getString(6), true).sql();
    QualifiedName to = targets.get(name);
    if (to != null) {
      return key.add(labels.getOrDefault(name, ""), to);
    }
    toOthers.computeIfAbsent(name, _ -> new ArrayList<>()).add(key);
    return 0;
  }

  /// Adds those to tables that are not of the job, if they are there.
  void addOthers() {
    List<QualifiedName> others = toOthers.keySet().stream().map(QualifiedName::parse).toList();
    List<Boolean> areThere =
        others.isEmpty() ? List.of() : new NamedRelations(target).areThere(others);
    for (int i = 0; i < others.size(); i++) {
      QualifiedName other = others.get(i);
      boolean isThere = areThere.get(i);
      toOthers
          .getOrDefault(other.sql(), List.of())
          .forEach(key -> {
            if (isThere) {
              key.add("", other);
            } else {
              key.leaveOut();
            }
          });
    }
  }

  /// @param referenced the table that it refers to, as its definition spells it
  private record ForeignKey(
      DefinitionStatements table, String name, String definition, String referenced) {

    /// @param label of the table that it refers to; empty if that is not of the job
    int add(String label, QualifiedName to) {
      String spelled = "REFERENCES " + referenced;
      return table.foreignKey(
          label,
          name,
          definition.replaceFirst(
              Pattern.quote(spelled), Matcher.quoteReplacement("REFERENCES " + to.sql())));
    }

    void leaveOut() {
      table.leaveOut(LeftOut.of("foreign key", name, "to " + referenced + ", which is not copied"));
    }
  }
}
