package millrace.connectors.oracle.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableInfo.Cut;
import millrace.connectors.sql.TableInfo.Definition;
import millrace.connectors.sql.TableInfo.Filled;
import millrace.connectors.sql.TableName;
import millrace.data.TableComments;
import org.jspecify.annotations.Nullable;

/// Looks tables up in the views `ALL_…`, which everybody may read and which show what the user may
/// see.
public final class OracleCatalog {

  /// A comment has room for 4,000 bytes, and a letter may take four.
  public static final CommentStyle COMMENTS =
      new CommentStyle(CommentStyle.Location.STATEMENTS, 1000, Names::text);

  private final SqlSession session;
  private final Dialect.Profile profile;
  private final SplitBy splitBy;

  public OracleCatalog(SqlSession session, Dialect.Profile profile, SplitBy splitBy) {
    this.session = session;
    this.profile = profile;
    this.splitBy = splitBy;
  }

  /// What there is of a name.
  ///
  /// @param isTable whether it is a table whose rows lie still
  private record ResolvedName(TableName name, boolean isTable) {}

  /// Looks a table or view up; null if there is none.
  ///
  /// @throws millrace.fault.Fault.User if it can't be cut as the user wants
  public @Nullable TableInfo find(TableName table) {
    ResolvedName found = found(table);
    if (found == null) {
      return null;
    }
    TableName name = found.name;
    OracleColumns described = OracleColumns.of(session, name, profile.names());
    List<ColumnInfo> declared = described.columns();
    if (!found.isTable) {
      if (splitBy == SplitBy.PARTITION) {
        throw OracleStorage.undivided(name.sql(profile.names()));
      }
      Cut cut = splitBy == SplitBy.HASH ? HashCut.of("The view", declared, profile) : null;
      return new TableInfo(
          TableInfo.Kind.VIEW,
          declared,
          List.of(),
          cut,
          -1,
          List.of(),
          Definition.NONE,
          TableInfo.RowRules.NONE);
    }
    OracleRules ruled = OracleRules.of(session, name);
    List<ColumnInfo> columns =
        ruled.fills()
            ? declared.stream().map(each -> each.filledByTrigger(Filled.IF_NULL)).toList()
            : declared;
    OracleStorage storage = OracleStorage.of(session, name);
    List<String> rules = new ArrayList<>(ruled.ofKeys());
    rules.addAll(described.rules());
    rules.addAll(ruled.ofTriggers());
    rules.addAll(storage.rules());
    rules.addAll(ruled.dependentObjects());
    return new TableInfo(
        TableInfo.Kind.TABLE,
        columns,
        ruled.key(),
        switch (splitBy) {
          case NOTHING -> null;
          case PARTITION -> storage.cutByParts(name, profile);
          case USUAL, HASH -> storage.cut(session, name, profile, keyCut(columns, ruled.key()));
        },
        storage.rows(),
        ruled.dependents(),
        new Definition(rules, List.of()),
        ruled.rowRules());
  }

  /// Whether there is a table or view, without a look at what it is like.
  public boolean exists(TableName table) {
    return found(table) != null;
  }

  private @Nullable ResolvedName found(TableName table) {
    List<String> types =
        session.query(
            "SELECT object_type FROM all_objects WHERE owner = ? AND object_name = ?"
                + " AND object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW')",
            row -> row.getString(1),
            table.schema(),
            table.name());
    if (!types.isEmpty()) {
      return new ResolvedName(table, types.equals(List.of("TABLE")));
    }
    return session
        .query(
            "SELECT table_owner, table_name FROM all_synonyms WHERE owner IN (?, 'PUBLIC')"
                + " AND synonym_name = ? AND db_link IS NULL"
                + " ORDER BY CASE owner WHEN 'PUBLIC' THEN 1 ELSE 0 END",
            row -> new TableName(row.getString(1), row.getString(2)),
            table.schema(),
            table.name())
        .stream()
        .filter(other -> !other.equals(table))
        .map(this::found)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /// By ranges of the first column of the key, which the index finds at once. If its type has no
  /// ranges, or the user says so because it has few values, by hashes of all of the key.
  private @Nullable Cut keyCut(List<ColumnInfo> columns, List<String> key) {
    List<ColumnInfo> keyed =
        columns.stream().filter(column -> key.contains(column.name())).toList();
    Cut ranges =
        splitBy == SplitBy.HASH
            ? null
            : keyed.stream()
                .filter(column -> column.name().equals(key.getFirst()))
                .findFirst()
                .map(column -> Cut.of(column, profile))
                .orElse(null);
    return ranges == null ? HashCut.of("The table", keyed, profile) : ranges;
  }

  /// Names of the tables and views of a schema, but for tables in which the server keeps parts of
  /// others: of indexes of texts, overflowing rows, nested tables and logs of materialized views.
  public static List<String> tables(SqlSession session, String schema) {
    return session.query(
        "SELECT o.object_name FROM all_objects o LEFT JOIN all_tables t ON t.owner = o.owner"
            + " AND t.table_name = o.object_name WHERE o.owner = ?"
            + " AND o.object_type IN ('TABLE', 'VIEW') AND o.secondary = 'N'"
            + " AND (t.nested IS NULL OR t.nested = 'NO')"
            + " AND (t.iot_type IS NULL OR t.iot_type = 'IOT')"
            + " AND o.object_name NOT LIKE 'MLOG$%' ORDER BY 1",
        row -> row.getString(1), schema);
  }

  /// What is written down about a table and its columns.
  public static TableComments comments(SqlSession session, TableName table) {
    List<Map.Entry<String, String>> rows = new ArrayList<>();
    rows.addAll(
        session.query(
            "SELECT comments FROM all_tab_comments WHERE owner = ? AND table_name = ?"
                + " AND comments IS NOT NULL",
            row -> Map.entry("", row.getString(1)),
            table.schema(),
            table.name()));
    rows.addAll(
        session.query(
            "SELECT column_name, comments FROM all_col_comments WHERE owner = ?"
                + " AND table_name = ? AND comments IS NOT NULL",
            row -> Map.entry(row.getString(1), row.getString(2)),
            table.schema(),
            table.name()));
    return TableComments.of(rows);
  }
}
