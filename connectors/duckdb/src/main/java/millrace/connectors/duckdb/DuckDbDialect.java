package millrace.connectors.duckdb;

import java.util.List;
import millrace.connectors.duckdb.load.Spellings;
import millrace.connectors.sql.CommentStyle;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.MergeTables;
import millrace.connectors.sql.MergeTables.MergeStatements;
import millrace.connectors.sql.SqlCatalog;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.Writes;
import millrace.data.Column;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How DuckDB differs from other databases.
final class DuckDbDialect implements SqlCatalog, Writes {

  private static final Dialect.Profile PROFILE =
      new Dialect.Profile(
          DuckDbSql.NAMES,
          DuckDbTypes.TYPES,
          DuckDbFaults.FAULTS,
          new Dialect.Capabilities(true, false),
          new Statements(
              "",
              Statements.Savepoints.NONE,
              Statements.Tables.USUAL,
              "SELECT 1 FROM %s LIMIT 1",
              new Statements.Reading("LIMIT 1 OFFSET %d"),
              new Statements.Merging("CREATE TEMP TABLE %s AS %s", false)));

  private static final DuckDbDialect ROLES = new DuckDbDialect();
  static final Dialect DUCKDB = new Dialect(PROFILE, ROLES, () -> PROFILE, ROLES);

  private DuckDbDialect() {}

  @Override
  public Dialect.Profile profile() {
    return PROFILE;
  }

  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    return DuckDbCatalog.find(session, table, DuckDbDefinition::of);
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return DuckDbCatalog.exists(session, table);
  }

  @Override
  public TableInfo describe(SqlSession session, String query) {
    return TableInfo.whole(
        TableInfo.Kind.QUERY, DuckDbCatalog.describe(session, "SELECT * FROM (" + query + "\n)"));
  }

  @Override
  public List<String> tables(SqlSession session, String schema) {
    return session.query(
        """
        SELECT table_name FROM information_schema.tables
        WHERE table_catalog = current_database() AND lower(table_schema) = lower(?) ORDER BY 1\
        """,
        row -> row.getString(1),
        schema.isEmpty() ? DuckDbSql.MAIN : schema);
  }

  /// Texts may be equal to DuckDB in any case, and differ all the same. A 0 that is equal to -0
  /// stays as it is.
  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    return Equality.of(
        key,
        name ->
            comparesAll(PROFILE.types().type(found.column(name).declared()))
                ? "%s IS NOT DISTINCT FROM %s"
                : "encode(CAST(%s AS VARCHAR)) IS NOT DISTINCT FROM encode(CAST(%s AS VARCHAR))");
  }

  /// The last row of every key, as the table's collations tell keys apart. The staging table has
  /// none, so its keys are put behind no row of the table.
  @Override
  public MergeStatements merge(MergeTables tables) {
    MergeStatements usual = tables.statements();
    String superseded =
        "DELETE FROM %1$s WHERE %2$s NOT IN (SELECT max(place) FROM (SELECT %3$s, NULL AS place FROM %4$s WHERE false UNION ALL SELECT %3$s, %2$s FROM %1$s) GROUP BY %3$s)"
            .formatted(
                tables.staging(),
                tables.order(),
                MergeTables.each(tables.key(), "%1$s"),
                tables.target());
    return new MergeStatements(superseded, usual.update(), usual.insert());
  }

  private static boolean comparesAll(Type type) {
    return switch (type) {
      case Type.Bool _, Type.Int _, Type.Decimal _, Type.Uuid _, Type.Bytes _ -> true;
      case Type.Float _, Type.Temporal _ -> true;
      case Type.Textual _ -> false;
    };
  }

  @Override
  public Type accepted(String label, Column incoming, ColumnInfo target) {
    String declared = incoming.declaredIn(DuckDbTypes.SYSTEM);
    boolean isOpaque = incoming.type() instanceof Type.Opaque;
    if (declared != null && isOpaque && !DuckDbTypes.keepsValueAsText(declared)) {
      throw new Fault.User(
          label
              + ": column \""
              + incoming.name()
              + "\" ("
              + declared
              + ") can't be kept: its text does not tell all that a value holds.",
          "Leave it out with --select, or select what you need of it with query=.");
    }
    String why = Spellings.refusal(target.declared(), incoming);
    if (why != null) {
      throw new Fault.User(
          label
              + ": values would not arrive as they are: column \""
              + incoming.name()
              + "\" is "
              + incoming.declaration()
              + " in the source and "
              + target.declared()
              + " in the target: "
              + why
              + ".",
          DuckDbTypes.holds(target.declared(), "UNION")
              ? "Leave it out with --select, or load it into a column of another type and make the"
                  + " union of it in DuckDB."
              : "Give the target's column another type, leave it out with --select, or convert it"
                  + " in a query.");
    }
    return DuckDbTypes.accepted(target.declared(), incoming);
  }

  @Override
  public CommentStyle commentStyle() {
    return DuckDbDefinition.COMMENTS;
  }

  @Override
  public TableComments comments(SqlSession session, TableName table) {
    return DuckDbDefinition.tableComments(session, table);
  }
}
