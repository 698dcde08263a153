package millrace.connectors.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// A table, a view or a query of a database, open for reading. What it is stands here; its rows are
/// read by a {@link ReadSession}.
public final class SqlSource implements Source {

  private static final int SAMPLE_ROWS = 500;
  private static final int FIXED_BYTES = 8;
  private static final int SAMPLE_BYTES_MAX = 1 << 22;

  private final SqlDatabase database;
  private final Relation relation;
  private final Identity identity;
  private final Selection selection;
  private @Nullable SqlSession session;
  private @Nullable ReadSession reading;
  private @Nullable TableInfo info;
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

  /// Opens nothing yet.
  public SqlSource(
      SqlDatabase database, Relation relation, Identity identity, Selection selection) {
    this.database = database;
    this.relation = relation;
    this.identity = identity;
    this.selection = selection;
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    if (session == null) {
      identityNow = identity.state.get();
      session = SqlSession.open(database, false);
    }
    SqlSession open = session;
    TableInfo found = find(open);
    info = found;
    boolean pushes = pushes(found);
    Selection asked = selection;
    List<String> names = pushes ? asked.columns() : asked.columnsToRead();
    List<ColumnInfo> columns =
        names.isEmpty() ? found.columns() : names.stream().map(n -> column(found, n)).toList();
    Schema schema = schema(found, columns);
    SqlQuery query =
        new SqlQuery(
            database,
            identity.label,
            relation,
            columns,
            schema,
            pushes && asked.where() != null ? asked.where() : "",
            pushes ? asked.limit() : Long.MAX_VALUE,
            whole(found, pushes).isEmpty() ? found.cut() : null);
    if (pushes && asked.where() != null) {
      check(open, asked.where());
    }
    long rowBytes = bytesPerRow(open, query);
    reading = new ReadSession(database, query, open, rowBytes);
    String whole = whole(found, pushes);
    long rows = asked.where() == null ? found.rows() : -1;
    SourceDescription description =
        SourceDescription.of(identity.label, schema)
            .withSize(rows, rows < 0 ? -1 : rows * rowBytes, whole.isEmpty())
            .withLanes(LaneLimit.oneIf(oneLane(whole)));
    return pushes
        ? description.pushingDown()
        : description.withConditionColumns(
            asked.columns().isEmpty() ? 0 : asked.conditionColumns());
  }

  private TableInfo find(SqlSession open) {
    Dialect dialect = database.dialect();
    return switch (relation) {
      case Relation.Query(String sql) -> dialect.describe(open, sql);
      case Relation.Table(TableName name) -> {
        TableInfo found = dialect.find(open, name);
        if (found == null) {
          throw new Fault.User(
              database.label() + " has no table " + name.name() + ".",
              Relation.tables(dialect.tables(open)));
        }
        yield found;
      }
    };
  }

  private ColumnInfo column(TableInfo found, String name) {
    for (ColumnInfo column : found.columns()) {
      if (column.name().equals(name)) {
        return column;
      }
    }
    for (ColumnInfo column : found.columns()) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    String all = found.columns().stream().map(ColumnInfo::name).collect(Collectors.joining(", "));
    throw new Fault.User(
        identity.label + " has no column \"" + name + "\".", "It has " + all + ".");
  }

  private Schema schema(TableInfo found, List<ColumnInfo> columns) {
    TypeTable types = database.dialect().types();
    Schema schema = Schema.of(columns.stream().map(types::column).toList());
    boolean hasKey = schema.names().containsAll(found.key());
    return hasKey ? new Schema(schema.columns(), found.key()) : schema;
  }

  /// Whether the database applies condition and limit. It may compare what it keeps as text in
  /// another order than that of the values.
  private boolean pushes(TableInfo found) {
    TypeTable types = database.dialect().types();
    return selection.conditionNames().stream()
        .map(name -> column(found, name))
        .allMatch(column -> types.find(column.typedAs()).cell().compares());
  }

  /// Why it is read as one; empty if it is not.
  private String whole(TableInfo found, boolean pushes) {
    return pushes && selection.limit() != Long.MAX_VALUE ? "a limit is one query" : found.whole();
  }

  /// Why one lane reads; empty if more can.
  private String oneLane(String whole) {
    return whole.isEmpty() && !database.dialect().capabilities().sharesState()
        ? "only one connection sees one state of this database"
        : whole;
  }

  /// Has the database look at the condition before anything is touched. By itself as well, so that
  /// it does not end the parentheses that it stands in otherwise.
  private void check(SqlSession open, String where) {
    String all = "SELECT 1 FROM " + relation.from(database.dialect().names()) + " WHERE ";
    for (String sql : List.of(all + "(" + where + "\n)", all + where + "\n")) {
      open.run(connection -> {
        try (java.sql.PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setMaxRows(1);
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
    if (texts.isEmpty() || relation instanceof Relation.Query) {
      return Math.max(1, fixed + 2L * FIXED_BYTES * texts.size());
    }
    return Math.max(
        1,
        fixed
            + open.run(connection -> {
              try (Statement statement = connection.createStatement()) {
                statement.setMaxRows(SAMPLE_ROWS);
                return average(statement.executeQuery(query.sql(KeyRange.ALL)), texts);
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
              case null -> 0;
              case Object _ -> FIXED_BYTES;
            };
      }
    }
    return bytes / Math.max(1, count);
  }

  @Override
  public String endpointIdentity() {
    return identity.endpoint;
  }

  @Override
  public @Nullable String identity() {
    TableInfo found = info;
    return found == null || found.kind() != TableInfo.Kind.TABLE || identityNow.isEmpty()
        ? null
        : identityNow;
  }

  @Override
  public String identityWhyNot() {
    return info != null && info.kind() == TableInfo.Kind.TABLE
        ? identity.label + " " + identity.stateWhyNot
        : "a view or query may give other rows by now (" + identity.label + ")";
  }

  @Override
  public String changeSince(String before) {
    return FileIdentity.change(before, String.valueOf(identity()));
  }

  @Override
  public List<String> origins() {
    String from = relation.identity(database.dialect().names());
    return identityNow.isEmpty()
        ? List.of()
        : FileIdentity.origins(identityNow).stream().map(file -> file + " " + from).toList();
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    return session().splits(splitBytes, lanes);
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    return session().reader(context);
  }

  @Override
  public void allRead() {
    session().close();
  }

  private ReadSession session() {
    ReadSession open = reading;
    if (open == null) {
      throw new Fault.Bug("splits before describe", null);
    }
    return open;
  }

  @Override
  public @Nullable String waitsFor() {
    SqlSession open = session;
    return open == null ? null : open.waitsFor();
  }

  @Override
  public void cancel() {
    SqlSession open = session;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void close() {
    ReadSession ended = reading;
    SqlSession open = session;
    session = null;
    try {
      if (ended != null) {
        ended.close();
      }
    } finally {
      if (open != null) {
        open.close();
      }
    }
  }
}
