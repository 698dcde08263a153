package millrace.connectors.jdbc;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.JdbcCatalog;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.Reads;
import millrace.connectors.sql.SnapshotConnections;
import millrace.connectors.sql.SqlCatalog;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.Writes;
import millrace.connectors.sql.types.TypeTable;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// How a database differs from others: by what its driver says, and by the file of its product.
record JdbcDialect(DialectFile file, Dialect.Profile profile) implements SqlCatalog, Reads, Writes {

  Dialect dialect() {
    return new Dialect(profile, this, this, this);
  }

  /// The dialect of a database that is connected to.
  ///
  /// @throws SQLException what the driver says against it
  static JdbcDialect of(Connection connection) throws SQLException {
    DatabaseMetaData meta = connection.getMetaData();
    DialectFile file = DialectFile.of(meta.getDatabaseProductName());
    boolean undoesTables =
        file.text("ddl").isEmpty()
            ? meta.supportsDataDefinitionAndDataManipulationTransactions()
                && !meta.dataDefinitionCausesTransactionCommit()
                && !meta.dataDefinitionIgnoredInTransactions()
            : file.text("ddl").equals("undone");
    TypeTable types = new MeaningOfTypes(file).table(system(file, meta));
    return new JdbcDialect(
        file,
        new Dialect.Profile(
            names(meta),
            types,
            new SqlFaults(file.faults(), JdbcDialect::words),
            new Dialect.Capabilities(
                undoesTables,
                false,
                takesEmptyForMissing(file, connection)
                    ? Dialect.EmptyText.TEXT_MISSING
                    : Dialect.EmptyText.PRESERVED,
                file.text("batch").equals("stops") ? Integer.MAX_VALUE : 0),
            file.statements()));
  }

  private static boolean takesEmptyForMissing(DialectFile file, Connection connection)
      throws SQLException {
    if (file.text("empty").isEmpty()) {
      return false;
    }
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(file.text("empty"))) {
      return row.next() && row.getBoolean(1);
    }
  }

  /// Declarations hold in databases of the same product.
  private static String system(DialectFile file, DatabaseMetaData meta) throws SQLException {
    return file.isStandard() ? meta.getDatabaseProductName().toLowerCase(Locale.ROOT) : file.name();
  }

  private static String words(SQLException e) {
    return SqlFaults.firstLine(e.getMessage()).replaceFirst("; SQL statement:.*", "");
  }

  private static Names names(DatabaseMetaData meta) throws SQLException {
    String quote = meta.getIdentifierQuoteString().strip();
    if (quote.length() != 1) {
      throw new Fault.User(
          meta.getDatabaseProductName() + " has no quotes for names.",
          "Millrace needs them: unload to a file with the database's own tool.");
    }
    Names.Folding folding =
        !meta.supportsMixedCaseQuotedIdentifiers()
            ? Names.Folding.IGNORED
            : meta.storesUpperCaseIdentifiers()
                ? Names.Folding.UPPER
                : meta.storesLowerCaseIdentifiers() ? Names.Folding.LOWER : Names.Folding.EXACT;
    int most = Math.min(meta.getMaxColumnNameLength(), meta.getMaxTableNameLength());
    return new Names(quote.charAt(0), folding, most <= 0 ? Integer.MAX_VALUE : most);
  }

  /// A table is cut only if all ranges are read in one state, and the next key can be asked for.
  @Override
  public @Nullable TableInfo find(SqlSession session, TableName table) {
    TableInfo found = JdbcCatalog.find(session, table, profile);
    if (found == null || found.kind() != TableInfo.Kind.TABLE) {
      return found;
    }
    boolean cuts = file.isolation() != null && !file.text("next").isEmpty();
    List<Trigger> triggers =
        requested(
            "triggers", session, table, row -> new Trigger(row.getString(1), row.getString(2)));
    TableInfo info =
        new TableInfo(
            found.kind(),
            found.columns(),
            found.key(),
            cuts ? found.cut() : null,
            found.rows(),
            found.dependents(),
            found.definition(),
            new TableInfo.RowRules(
                false, Trigger.on("INSERT", triggers), Trigger.on("UPDATE", triggers)));
    return info.requiredBy(requested("views", session, table, row -> row.getString(1)))
        .ruled(triggers.stream().map(trigger -> "trigger " + trigger.name).toList())
        .ruled(
            file.text("checks").isEmpty()
                ? List.of("checks, if there are any: Millrace can't see them")
                : requested("checks", session, table, row -> "check " + row.getString(1)));
  }

  /// A trigger of a table.
  ///
  /// @param events such as `INSERT, UPDATE`
  private record Trigger(String name, String events) {

    static List<String> on(String event, List<Trigger> triggers) {
      return triggers.stream()
          .filter(trigger -> trigger.events.contains(event))
          .map(Trigger::name)
          .toList();
    }
  }

  /// What a query of the file finds of a table; nothing if the file has no such query.
  private <T> List<T> requested(
      String query, SqlSession session, TableName table, SqlSession.RowMapper<T> reader) {
    return file.text(query).isEmpty()
        ? List.of()
        : session.query(file.text(query), reader, schema(session, table), table.name());
  }

  private static String schema(SqlSession session, TableName table) {
    return table.schema().isEmpty()
        ? session.run(connection -> String.valueOf(connection.getSchema()))
        : table.schema();
  }

  @Override
  public String refuses(ColumnInfo column) {
    return meaning(column).equals(MeaningOfTypes.UNKNOWN)
        ? "is of type "
            + column.declared()
            + ", which Millrace does not know in this database ("
            + file.name()
            + ")"
        : "";
  }

  /// The first word of what the file says of a column's type.
  private String meaning(ColumnInfo column) {
    int row = profile.types().rowOf(column.typedAs());
    return row < file.reads().size()
        ? file.reads().get(row).meaning().getFirst()
        : MeaningOfTypes.UNKNOWN;
  }

  @Override
  public boolean exists(SqlSession session, TableName table) {
    return JdbcCatalog.exists(session, table, profile);
  }

  /// Transactions that see one state, or keep others from writing; a table that is not cut is one
  /// statement.
  @Override
  public SnapshotConnections snapshot(
      SqlDatabase database, SqlSession first, int lanes, TableOrQuery relation) {
    Integer isolation = file.isolation();
    return isolation == null
        ? SnapshotConnections.of(first)
        : SnapshotConnections.isolated(first, isolation);
  }

  @Override
  public String keyed(String declared, int columns) {
    return declared.equals(file.text("make.text"))
        ? file.values().getOrDefault("make.key", declared)
        : declared;
  }

  /// Rows are known by what the product has for that, or by their primary key.
  @Override
  public Equality equality(
      SqlSession session, TableName table, TableInfo found, List<ColumnInfo> key) {
    String same = file.text("same");
    return Equality.of(key, name -> same(found.column(name), same));
  }

  private String same(ColumnInfo column, String otherwise) {
    return file.values().getOrDefault("same." + meaning(column), otherwise);
  }
}
