package millrace.connectors.sql.read;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.ServerEnd;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.types.TypeTable;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.SqlWords;
import org.jspecify.annotations.Nullable;

/// A table, a view or a query of a database, open for reading. What it is stands here; its rows are
/// read by a {@link SqlReadSession}.
public final class SqlSource implements Source {

  /// The option that says as what columns are read.
  public static final String COLUMNS = "columns";

  private static final int SAMPLE_ROWS = 500;
  private static final int FIXED_BYTES = 8;
  private static final int SAMPLE_BYTES_MAX = 1 << 22;

  private final SqlDatabase database;
  private final TableOrQuery relation;
  private final Identity identity;
  private final Selection selection;
  private final List<Named> readAs;
  private final LazySession session;
  private String identityNow = "";

  /// How a source is known again.
  ///
  /// @param label the table or query, for plans, reports and errors
  /// @param endpoint what it reads, by whatever name it was reached
  /// @param state what tells whether the database is still the same, asked before it is opened;
  ///   empty if nothing does
  /// @param stateWhyNot why nothing does
  public record Identity(
      String label, String endpoint, Supplier<String> state, String stateWhyNot) {}

  /// What was found out by looking.
  private final class Described implements DescribedSource {

    private final SourceDescription description;
    private final TableInfo info;
    private final SqlQuery query;
    private final long rowBytes;

    /// @param rowBytes about how many bytes a row has
    Described(SourceDescription description, TableInfo info, SqlQuery query, long rowBytes) {
      this.description = description;
      this.info = info;
      this.query = query;
      this.rowBytes = rowBytes;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public SourceIdentity identity() {
      return SqlSource.this.identity(info);
    }

    @Override
    public String changeSince(String before) {
      return FileIdentity.change(before, String.valueOf(identity().content()));
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new SqlReadSession(query, session.get(), rowBytes, plan);
    }
  }

  /// Opens nothing yet.
  public SqlSource(
      SqlDatabase database, TableOrQuery relation, Identity identity, Selection selection) {
    this(database, relation, identity, selection, List.of());
  }

  /// One whose columns are read as the user says.
  ///
  /// @param readAs columns and their types
  public SqlSource(
      SqlDatabase database,
      TableOrQuery relation,
      Identity identity,
      Selection selection,
      List<Named> readAs) {
    this.readAs = List.copyOf(readAs);
    this.database = database;
    session = new LazySession(database, false);
    this.relation = relation;
    this.identity = identity;
    this.selection = selection;
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    if (!session.isOpen()) {
      identityNow = identity.state.get();
    }
    SqlSession open = session.get();
    TableInfo found = find(open);
    boolean pushes = pushes(found);
    Selection requested = selection;
    List<String> names = pushes ? requested.columns() : requested.columnsToRead();
    List<ColumnInfo> columns = asTargetWants(columns(found, names), columnRequest);
    Schema schema = schema(found, columns);
    String where = pushes ? requested.condition(words()) : null;
    String whyOneReader = whyOneReader(open, found, pushes);
    TableInfo.Cut cut = whyOneReader.isEmpty() ? found.cut() : null;
    String perLane = cut == null ? "" : cut.perLane();
    SqlQuery query =
        new SqlQuery(
            database,
            identity.label,
            relation,
            columns,
            schema,
            where == null ? "" : where,
            pushes ? requested.limit() : Long.MAX_VALUE,
            cut,
            "");
    if (where != null) {
      check(open, where);
    }
    long rowBytes = bytesPerRow(open, query);
    long rows = requested.filters() ? -1 : found.rows();
    SourceDescription description =
        SourceDescription.of(identity.label, schema)
            .withSize(
                rows, rows < 0 ? -1 : rows * rowBytes, whyOneReader.isEmpty() && perLane.isEmpty())
            .withReading(found.notes(cut), Map.of(), comments(open, columnRequest))
            .withLanes(LaneLimit.oneIf(oneLane(whyOneReader)));
    SourceDescription described =
        pushes
            ? description.pushingDown()
            : description.withConditionColumns(
                requested.columns().isEmpty() ? 0 : requested.conditionColumns());
    return new Described(described, found, query, rowBytes);
  }

  private TableComments comments(SqlSession open, ColumnRequest request) {
    return request instanceof ColumnRequest.Typed
            && relation instanceof TableOrQuery.Table(TableName name)
        ? database.dialect().catalog().comments(open, name)
        : TableComments.NONE;
  }

  private SqlWords words() {
    Dialect dialect = database.dialect();
    return new SqlWords(
        dialect.names()::quoted, relation.from(dialect.names()), dialect.statements().moments());
  }

  private TableInfo find(SqlSession open) {
    Dialect dialect = database.dialect();
    return switch (relation) {
      case TableOrQuery.Query(String sql) -> dialect.catalog().describe(open, sql);
      case TableOrQuery.Table(TableName name) -> {
        TableInfo found = dialect.catalog().find(open, name);
        if (found == null) {
          throw new Fault.User(
              database.label() + " has no table " + name.name() + ".",
              TableOrQuery.tables(dialect.catalog().tables(open, name.schema())));
        }
        yield found;
      }
    };
  }

  private List<ColumnInfo> columns(TableInfo found, List<String> names) {
    List<String> known = found.columns().stream().map(ColumnInfo::name).toList();
    checkReadAs(known);
    return Selection.positions(identity.label, names, known).stream()
        .map(at -> asUserSays(found.columns().get(at), at, known))
        .peek(this::checkKnown)
        .toList();
  }

  private void checkKnown(ColumnInfo column) {
    String refused = database.dialect().catalog().refuses(column);
    if (!refused.isEmpty()) {
      throw new Fault.User(
          identity.label + ": column \"" + column.name() + "\" " + refused + ".",
          "Leave it out with --select, or convert it in a query with --query.");
    }
  }

  /// @throws Fault.User if the user gives a type to a column that is not there, or none to one
  private void checkReadAs(List<String> known) {
    Selection.positions(identity.label, readAs.stream().map(Named::name).toList(), known);
    for (Named requested : readAs) {
      if (requested.type() == null) {
        throw new Fault.User(
            identity.label + ": columns gives no type to column \"" + requested.name() + "\".",
            "Write for example " + requested.name() + ":text");
      }
    }
  }

  /// The column as the user wants it read: it is not declared as that.
  private ColumnInfo asUserSays(ColumnInfo column, int at, List<String> known) {
    Dialect dialect = database.dialect();
    for (Named requested : readAs) {
      if (requested.type() != null && Selection.position(requested.name(), known) == at) {
        return new ColumnInfo(
            column.name(),
            "",
            dialect.reads().readAs(column, requested.type(), requested.heldAs()),
            column.nullable(),
            column.hasDefault(),
            column.generated());
      }
    }
    return column;
  }

  /// What the database has no type of its own for is what it is to the target.
  private List<ColumnInfo> asTargetWants(List<ColumnInfo> columns, ColumnRequest request) {
    if (!(request instanceof ColumnRequest.Like(Schema wanted, boolean byPosition))) {
      return columns;
    }
    Dialect dialect = database.dialect();
    List<ColumnInfo> requested = new ArrayList<>(columns);
    for (int i = 0; i < requested.size(); i++) {
      ColumnInfo column = requested.get(i);
      int partner = byPosition ? i : Selection.position(column.name(), wanted.names());
      if (partner >= 0 && partner < wanted.width()) {
        Type type = wanted.column(partner).type();
        if (dialect.reads().readsAsTarget(column, type)) {
          requested.set(i, column.typedAs(dialect.reads().readAs(column, type, "")));
        }
      }
    }
    return requested;
  }

  private Schema schema(TableInfo found, List<ColumnInfo> columns) {
    TypeTable types = database.dialect().types();
    Schema schema = Schema.of(columns.stream().map(column -> column.column(types)).toList());
    boolean hasKey = schema.names().containsAll(found.key());
    return hasKey ? new Schema(schema.columns(), found.key()) : schema;
  }

  /// Whether the database applies condition and limit. It may compare what it keeps as text in
  /// another order than that of the values.
  private boolean pushes(TableInfo found) {
    TypeTable types = database.dialect().types();
    List<String> named = selection.conditionNames();
    return named.isEmpty()
        || columns(found, named).stream()
            .allMatch(column -> types.find(column.typedAs()).cell().compares());
  }

  /// Why it is read as one; empty if it is not.
  private String whyOneReader(SqlSession open, TableInfo found, boolean pushes) {
    if (pushes && selection.limit() != Long.MAX_VALUE) {
      return "a limit is one query";
    }
    if (pushes && !selection.oneQuery().isEmpty()) {
      return selection.oneQuery();
    }
    return found.whole().isEmpty() && relation instanceof TableOrQuery.Table(TableName name)
        ? database.dialect().reads().whyOneReader(open, name)
        : found.whole();
  }

  /// Why one lane reads; empty if more can.
  private String oneLane(String why) {
    return why.isEmpty() && !database.dialect().capabilities().sharesState()
        ? "only one connection sees one state of this database"
        : why;
  }

  /// Has the database look at the condition before anything is touched. By itself as well, so that
  /// it does not end the parentheses that it stands in otherwise.
  private void check(SqlSession open, String where) {
    String all = "SELECT 1 FROM " + relation.from(database.dialect().names()) + " WHERE ";
    for (String sql : List.of(all + "(" + where + "\n)", all + where + "\n")) {
      open.run(connection -> {
        try (java.sql.PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setMaxRows(1);
          open.runs(statement);
          return statement.getParameterMetaData() != null;
        }
      });
    }
  }

  /// About how many bytes a row has, by the first rows; in the measure in which readers count.
  private long bytesPerRow(SqlSession open, SqlQuery query) {
    List<Integer> texts = new ArrayList<>();
    for (int i = 0; i < query.schema().width(); i++) {
      if (query.schema().column(i).type().layout() == Type.Layout.BYTES) {
        texts.add(i + 1);
      }
    }
    long fixed = (long) FIXED_BYTES * (query.schema().width() - texts.size());
    if (texts.isEmpty() || relation instanceof TableOrQuery.Query) {
      return Math.max(1, fixed + 2L * FIXED_BYTES * texts.size());
    }
    return Math.max(
        1,
        fixed
            + open.run(connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(SAMPLE_ROWS);
                open.runs(statement);
                return average(
                    statement.executeQuery(query.sql(KeyRanges.ALL, SAMPLE_ROWS)), texts);
              }
            }));
  }

  private static long average(ResultSet rows, List<Integer> columns) throws SQLException {
    long count = 0;
    long bytes = 0;
    while (bytes < SAMPLE_BYTES_MAX && rows.next()) {
      count++;
      for (int column : columns) {
        bytes +=
            switch (rows.getObject(column)) {
              case String text -> text.length();
              case byte[] array -> array.length;
              case java.sql.Clob text -> text.length();
              case java.sql.Blob array -> array.length();
              case null -> 0;
              case Object _ -> FIXED_BYTES;
            };
      }
    }
    return bytes / Math.max(1, count);
  }

  private SourceIdentity identity(TableInfo info) {
    boolean isTable = info.kind() == TableInfo.Kind.TABLE;
    String from = relation.identity(database.dialect().names());
    List<String> origins =
        identityNow.isEmpty()
            ? List.of()
            : FileIdentity.origins(identityNow).stream().map(file -> file + " " + from).toList();
    return isTable && !identityNow.isEmpty()
        ? SourceIdentity.of(identity.endpoint, identityNow, origins)
        : SourceIdentity.unknown(
            identity.endpoint,
            isTable
                ? identity.label + " " + identity.stateWhyNot
                : "a view or query may give other rows by now (" + identity.label + ")",
            origins);
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    T found = database.capability(type, session);
    return found == null ? Source.super.capability(type) : found;
  }

  @Override
  public void close() {
    try (ServerEnd _ = database.end()) {
      session.close();
    }
  }
}
