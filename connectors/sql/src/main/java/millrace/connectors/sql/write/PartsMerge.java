package millrace.connectors.sql.write;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.Writes.Equality;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.fault.Fault;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;

/// How rows that several sessions have staged are merged into their table, within a transaction.
///
/// @param places where the rows stood in the source
record PartsMerge(SqlLoad plan, SqlSession session, StagedPlaces places) {

  private Dialect dialect() {
    return plan.dialect();
  }

  /// Does it.
  ///
  /// @throws millrace.fault.Fault.Data if the table refuses a row, with its place and its key
  MergeCounts run() {
    StagedRows rows = new StagedRows(plan, session, plan.staging(), places);
    MergeStatements statements = dialect().writes().merge(tables());
    long superseded = session.update(statements.dropSuperseded());
    MergeSteps steps = plan.landing().steps();
    long deleted = steps.deletes() ? session.update(deleteGone()) : 0;
    if (!steps.inserts()) {
      return new MergeCounts(0, 0, 0, superseded).deleting(deleted);
    }
    long keys = rows.count("SELECT count(*) FROM " + staging());
    long found = rows.count(statements.countFound());
    long changed =
        others().isEmpty() || !steps.updates() ? 0 : rows.count(statements.countChanged());
    if (changed > 0) {
      rows.change(among -> statements.update().apply(among.apply(order())));
    }
    long inserted =
        keys == found ? 0 : rows.change(among -> statements.insert().apply(among.apply(order())));
    return new MergeCounts(inserted, changed, found - changed, superseded).deleting(deleted);
  }

  /// What has no key is equal to nothing that could come, so it stays.
  private String deleteGone() {
    String target = plan.table().sql(names());
    List<String> key = plan.key().stream().map(names()::quoted).toList();
    return "DELETE FROM %s WHERE %s AND NOT EXISTS (SELECT 1 FROM %s fresh WHERE %s)"
        .formatted(
            target,
            key.stream().map(name -> name + " IS NOT NULL").collect(Collectors.joining(" AND ")),
            staging(),
            key.stream()
                .map(name -> "fresh." + name + " = " + target + "." + name)
                .collect(Collectors.joining(" AND ")));
  }

  private String order() {
    return "fresh." + names().quoted(StagedPlaces.ORDER);
  }

  private MergeTables tables() {
    return new MergeTables(
        plan.table().sql(names()),
        staging(),
        plan.key().stream().map(names()::quoted).toList(),
        others(),
        names().quoted(StagedPlaces.ORDER),
        same());
  }

  /// By the quoted names of columns.
  private UnaryOperator<String> same() {
    TableInfo table = dialect().catalog().find(session, plan.table());
    if (table == null) {
      throw new Fault.User(
          plan.table().name() + " is gone, and staged rows were to be merged into it.",
          "Begin again with --fresh.");
    }
    List<TableInfo.ColumnInfo> key = plan.key().stream().map(table::column).toList();
    Map<String, String> same = new HashMap<>();
    Equality equality = dialect().writes().equality(session, plan.table(), table, key);
    plan.columns()
        .names()
        .forEach(name -> same.put(names().quoted(name), numbered(equality.same().apply(name))));
    return name -> Objects.requireNonNull(same.get(name));
  }

  /// Places that stand for one value and the other in turn, by their numbers.
  private static String numbered(String sql) {
    String[] parts = sql.split("%s", -1);
    StringBuilder numbered = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      numbered.append(i % 2 == 1 ? "%1$s" : "%2$s").append(parts[i]);
    }
    return numbered.toString();
  }

  private Names names() {
    return dialect().names();
  }

  private String staging() {
    return plan.staging().sql(names());
  }

  /// The columns that are no part of the key: those of it stay as the table has them.
  private List<String> others() {
    return plan.columns().names().stream()
        .filter(name -> !plan.key().contains(name))
        .map(names()::quoted)
        .toList();
  }
}
