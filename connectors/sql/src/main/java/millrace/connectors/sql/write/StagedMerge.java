package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Merging;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes.Equality;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.fault.Fault;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.MergeSteps;

/// How staged rows are merged into their table: the last of every key updates the rows that have
/// it, or is inserted. A unique index on the key is not needed.
///
/// Keys are compared with the table once. What was found stands in a table of its own, and all that
/// follows goes by that.
///
/// @param equality how values and rows are told apart
/// @param places where the rows stood in the source
record StagedMerge(SqlLoad plan, SqlSession session, Equality equality, StagedPlaces places) {

  /// The table of this connection that writers fill.
  static final TableName STAGED = SqlLoad.MERGE_STAGING;

  /// Which staged row has which row of the table as its partner, and whether that is the same.
  private static final TableName MATCHED = new TableName("", "millrace_match");

  private static final String SAME = "millrace_same";

  /// Makes the tables, within the transaction.
  static StagedMerge begin(SqlLoad plan, SqlSession session) {
    TableInfo table =
        plan.makes() ? plan.dialect().catalog().find(session, plan.changed()) : plan.found();
    TableInfo there = Objects.requireNonNull(table, "a merge has a table");
    List<TableInfo.ColumnInfo> key = plan.key().stream().map(there::column).toList();
    Equality equality = plan.dialect().writes().equality(session, plan.changed(), there, key);
    if (equality.row().isEmpty()) {
      throw new Fault.User(
          "Table "
              + plan.table().name()
              + " has no primary key, by which a merge tells its rows apart.",
          "Give it one, or use another mode.");
    }
    StagedMerge merge = new StagedMerge(plan, session, equality, new StagedPlaces());
    merge.create();
    return merge;
  }

  private void create() {
    List<String> staged =
        new ArrayList<>(plan.columns().names().stream().map(names()::quoted).toList());
    StagedPlaces.COLUMNS.forEach(name -> staged.add("CAST(0 AS BIGINT) AS " + quoted(name)));
    create(STAGED, staged);
    if (merging().indexed()) {
      List<String> keys = new ArrayList<>(keys(names()::quoted));
      keys.add(quoted(StagedPlaces.ORDER));
      index(STAGED, "key", keys);
      index(STAGED, "order", List.of(quoted(StagedPlaces.ORDER)));
    }
    List<String> matched = new ArrayList<>();
    for (int i = 0; i < equality.row().size(); i++) {
      matched.add(equality.row().get(i) + " AS " + partner(i));
    }
    matched.add("CAST(0 AS BIGINT) AS " + quoted(StagedPlaces.ORDER));
    matched.add("0 AS " + quoted(SAME));
    create(MATCHED, matched);
    if (merging().indexed()) {
      index(MATCHED, "row", partners());
    }
  }

  private Merging merging() {
    return plan.dialect().statements().merging();
  }

  /// A table whose columns take values as those of the target do.
  private void create(TableName table, List<String> columns) {
    String none =
        "SELECT %s FROM %s WHERE 1 = 0".formatted(String.join(", ", columns), sql(plan.changed()));
    session.execute(merging().make().formatted(sql(table), none));
  }

  private void index(TableName table, String what, List<String> columns) {
    session.execute(
        "CREATE INDEX %s_%s ON %s (%s)"
            .formatted(table.name(), what, sql(table), String.join(", ", columns)));
  }

  void drop() {
    session.execute("DROP TABLE " + sql(STAGED));
    session.execute("DROP TABLE " + sql(MATCHED));
  }

  /// Does it, within the transaction.
  ///
  /// @param taken is told what the table took and what it left out
  /// @throws Fault.Data if the table refuses a row, with its place and its key
  MergeCounts run(TakenRows taken) {
    long superseded = session.update(dropSuperseded());
    session.update(match());
    String order = quoted(StagedPlaces.ORDER);
    MergeSteps steps = plan.landing().steps();
    long deleted = steps.deletes() ? session.update(deleteGone()) : 0;
    if (!steps.inserts()) {
      return new MergeCounts(0, 0, 0, superseded).deleting(deleted);
    }
    long keys = rows().count("SELECT count(*) FROM " + sql(STAGED));
    long found = rows().count("SELECT count(DISTINCT %s) FROM %s".formatted(order, sql(MATCHED)));
    String other = "FROM %s WHERE %s = 0".formatted(sql(MATCHED), quoted(SAME));
    long changed = rows().count("SELECT count(DISTINCT %s) %s".formatted(order, other));
    long updated = changed == 0 ? 0 : updated(changed, rows().count("SELECT count(*) " + other));
    long inserted = keys == found ? 0 : rows().change(this::insert);
    long ignored = (keys - found - inserted) + (changed - updated);
    taken.add(inserted, ignored);
    return new MergeCounts(inserted, updated, found - changed, superseded).deleting(deleted);
  }

  /// Updates rows. Returns how many of their keys that were; triggers may leave some out.
  private long updated(long keys, long rows) {
    long done = rows().change(this::update);
    return rows == done ? keys : Math.min(keys, done);
  }

  private String dropSuperseded() {
    String order = quoted(StagedPlaces.ORDER);
    return "DELETE FROM %1$s WHERE EXISTS (SELECT 1 FROM %1$s later WHERE %2$s AND later.%3$s > %1$s.%3$s)"
        .formatted(sql(STAGED), sameKey("later.", sql(STAGED) + "."), order);
  }

  private String sameKey(String one, String other) {
    List<String> left = keys(name -> one + quoted(name));
    List<String> right = keys(name -> other + quoted(name));
    return IntStream.range(0, left.size())
        .mapToObj(i -> left.get(i) + " = " + right.get(i))
        .collect(Collectors.joining(" AND "));
  }

  /// What stays as it is is not written, so that no trigger fires for it.
  private String match() {
    String same =
        others().stream()
            .map(name ->
                put(equality.same().apply(name), "old." + quoted(name), "fresh." + quoted(name)))
            .collect(Collectors.joining(" AND "));
    return "INSERT INTO %s SELECT %s, fresh.%s, %s FROM %s fresh JOIN %s old ON %s"
        .formatted(
            sql(MATCHED),
            equality.row().stream().map("old."::concat).collect(Collectors.joining(", ")),
            quoted(StagedPlaces.ORDER),
            others().isEmpty() ? "1" : "CASE WHEN " + same + " THEN 1 ELSE 0 END",
            sql(STAGED),
            sql(plan.changed()),
            sameKey("old.", "fresh."));
  }

  /// What has no key is equal to nothing that could come, so it stays.
  private String deleteGone() {
    String target = quoted(plan.changed().name()) + ".";
    return "DELETE FROM %s WHERE %s AND NOT EXISTS (SELECT 1 FROM %s millrace_m WHERE %s)"
        .formatted(
            sql(plan.changed()),
            plan.key().stream()
                .map(name -> quoted(name) + " IS NOT NULL")
                .collect(Collectors.joining(" AND ")),
            sql(MATCHED),
            IntStream.range(0, equality.row().size())
                .mapToObj(i -> "millrace_m." + partner(i) + " = " + target + equality.row().get(i))
                .collect(Collectors.joining(" AND ")));
  }

  /// Aliases that no table has: the one that is updated is named too.
  private String update(Function<String, String> among) {
    String order = quoted(StagedPlaces.ORDER);
    String target = quoted(plan.changed().name()) + ".";
    String isPartner =
        IntStream.range(0, equality.row().size())
            .mapToObj(i -> "millrace_m." + partner(i) + " = " + target + equality.row().get(i))
            .collect(Collectors.joining(" AND "));
    Function<List<String>, String> fresh =
        columns ->
            "(SELECT %s FROM %s millrace_m JOIN %s millrace_f ON millrace_f.%s = millrace_m.%s WHERE %s)"
                .formatted(
                    each(columns, ", ", "millrace_f."::concat),
                    sql(MATCHED),
                    sql(STAGED),
                    order,
                    order,
                    isPartner);
    String changed = quoted(SAME) + " = 0" + among.apply("millrace_m." + order);
    if (!merging().rowValues()) {
      return "UPDATE %s SET %s WHERE EXISTS (SELECT 1 FROM %s millrace_m WHERE %s AND millrace_m.%s)"
          .formatted(
              sql(plan.changed()),
              others().stream()
                  .map(name -> quoted(name) + " = " + fresh.apply(List.of(name)))
                  .collect(Collectors.joining(", ")),
              sql(MATCHED),
              isPartner,
              changed);
    }
    return "UPDATE %s SET (%s) = %s WHERE (%s) IN (SELECT %s FROM %s millrace_m WHERE millrace_m.%s)"
        .formatted(
            sql(plan.changed()),
            names().quoted(others()),
            fresh.apply(others()),
            String.join(", ", equality.row()),
            String.join(", ", partners()),
            sql(MATCHED),
            changed);
  }

  private String insert(Function<String, String> among) {
    List<String> all = plan.columns().names();
    String order = quoted(StagedPlaces.ORDER);
    return "INSERT INTO %s (%s) SELECT %s FROM %s fresh WHERE fresh.%s NOT IN (SELECT %s FROM %s)%s"
        .formatted(
            sql(plan.changed()),
            names().quoted(all),
            each(all, ", ", "fresh."::concat),
            sql(STAGED),
            order,
            order,
            sql(MATCHED),
            among.apply("fresh." + order));
  }

  private StagedRows rows() {
    return new StagedRows(plan, session, STAGED, places);
  }

  private Names names() {
    return plan.dialect().names();
  }

  private String quoted(String name) {
    return names().quoted(name);
  }

  private String sql(TableName table) {
    return table.sql(names());
  }

  /// The columns that are no part of the key: those of it stay as the table has them.
  private List<String> others() {
    return plan.landing().steps().updates()
        ? plan.columns().names().stream().filter(name -> !plan.key().contains(name)).toList()
        : List.of();
  }

  private static String partner(int column) {
    return "millrace_row_" + column;
  }

  private List<String> partners() {
    return IntStream.range(0, equality.row().size()).mapToObj(StagedMerge::partner).toList();
  }

  /// What the key's columns are compared by.
  private List<String> keys(Function<String, String> column) {
    return IntStream.range(0, plan.key().size())
        .mapToObj(i -> put(equality.key().get(i), column.apply(plan.key().get(i))))
        .toList();
  }

  /// SQL with values in the places that are left for them; their names may hold anything.
  private static String put(String sql, String... values) {
    StringBuilder out = new StringBuilder();
    String[] parts = sql.split("%s", -1);
    for (int i = 0; i < parts.length; i++) {
      out.append(i == 0 ? "" : values[(i - 1) % values.length]).append(parts[i]);
    }
    return out.toString();
  }

  /// SQL of columns, by their names as SQL spells them.
  private String each(List<String> columns, String between, Function<String, String> sql) {
    return columns.stream().map(this::quoted).map(sql).collect(Collectors.joining(between));
  }
}
