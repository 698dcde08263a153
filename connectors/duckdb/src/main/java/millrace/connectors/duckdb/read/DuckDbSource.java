package millrace.connectors.duckdb.read;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.Column;
import millrace.data.ColumnsPool;
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
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.text.Amount;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Rows of a table, a query or Parquet files, selected by DuckDB.
///
/// All lanes read in transactions that began at one moment. No other process can write while this
/// one has the file open, and commits of this process wait for that moment, so the lanes see one
/// state.
public final class DuckDbSource implements Source {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV) and a target that drops them: 2.7 from a table, 3.4 from a Parquet file.
  private static final double COLUMNS_COST = 3;

  private static final int SAMPLE_ROWS = 2048;
  private static final int FIXED_BYTES = 8;

  /// More rows than any split or batch has, so that sums stay in range.
  private static final long ROWS_MAX = 1L << 40;

  private static final int BATCH_ROWS_MAX = 1 << 20;

  /// Finds the relation in an open database.
  @FunctionalInterface
  public interface Finder {
    QuerySource find(DuckDbCatalog catalog);
  }

  private final String label;
  private final String endpointIdentity;
  private final Supplier<DuckDbDatabase> opener;
  private final Finder finder;
  private final Selection selection;
  private final List<DuckDBConnection> connections = new ArrayList<>();
  private @Nullable DuckDbDatabase database;
  private @Nullable QuerySource querySource;
  private List<DuckDbCatalog.Described> columns = List.of();
  private long bytesPerRow = 1;
  private final Supplier<String> identity;
  private String fileIdentity = "";

  /// @param endpointIdentity what it reads, by whatever name it was reached
  /// @param identity what tells whether the database's file is the same later, asked before it is
  ///   opened; gives nothing where there is none
  public DuckDbSource(
      String label,
      String endpointIdentity,
      Supplier<String> identity,
      Supplier<DuckDbDatabase> opener,
      Finder finder,
      Selection selection) {
    this.label = label;
    this.endpointIdentity = endpointIdentity;
    this.identity = identity;
    this.opener = opener;
    this.finder = finder;
    this.selection = selection;
  }

  @Override
  public SourceDescription describe(ColumnRequest columnRequest) {
    if (database == null) {
      fileIdentity = identity.get();
      database = opener.get();
    }
    DuckDBConnection connection = connections.isEmpty() ? connect() : connections.getFirst();
    DuckDbCatalog catalog = new DuckDbCatalog(connection, label);
    QuerySource found = finder.find(catalog);
    querySource = found;
    columns = selected(found.found());
    bytesPerRow = bytesPerRow(catalog);
    if (selection.where() != null) {
      checkCondition(catalog);
    }
    String whole = whole();
    long rows = selection.where() == null ? found.rows(catalog) : -1;
    return SourceDescription.of(label, schema(found.found()))
        .pushingDown()
        .withSize(rows, rows < 0 ? -1 : rows * bytesPerRow, whole.isEmpty())
        .withLanes(LaneLimit.oneIf(whole))
        .withReading("", notes(columns))
        .meaning(meant(columnRequest));
  }

  /// Old timestamps of Parquet are timestamps to who wants types: what has nanoseconds is bad then.
  private Map<String, Type> meant(ColumnRequest columnRequest) {
    return columnRequest instanceof ColumnRequest.Untyped
        ? Map.of()
        : columns.stream()
            .map(DuckDbCatalog.Described::name)
            .filter(querySource().times()::contains)
            .collect(Collectors.toMap(name -> name, _ -> new Type.Timestamp(false)));
  }

  private static List<String> notes(List<DuckDbCatalog.Described> columns) {
    return columns.stream()
        .filter(column -> !DuckDbTypes.keepsValueAsText(column.declared()))
        .map(column ->
            "\""
                + column.name()
                + "\" ("
                + column.declared()
                + ") is read as text, which does not tell all that a value holds")
        .toList();
  }

  private List<DuckDbCatalog.Described> selected(DuckDbCatalog.Found found) {
    if (selection.columns().isEmpty()) {
      return found.columns();
    }
    return selection.columns().stream().map(name -> column(found, name)).toList();
  }

  private DuckDbCatalog.Described column(DuckDbCatalog.Found found, String name) {
    for (DuckDbCatalog.Described column : found.columns()) {
      if (column.name().equalsIgnoreCase(name)) {
        return column;
      }
    }
    String all =
        found.columns().stream()
            .map(DuckDbCatalog.Described::name)
            .collect(Collectors.joining(", "));
    throw new Fault.User(label + " has no column \"" + name + "\".", "It has " + all + ".");
  }

  private Schema schema(DuckDbCatalog.Found found) {
    List<Column> described =
        columns.stream()
            .map(c -> DuckDbTypes.column(c.name(), c.declared(), c.nullable()))
            .toList();
    List<String> names = described.stream().map(Column::name).toList();
    return new Schema(described, names.containsAll(found.key()) ? found.key() : List.of());
  }

  /// Has DuckDB look at the condition before anything is touched.
  ///
  /// By itself as well, so that it does not end the parentheses that it stands in otherwise.
  private void checkCondition(DuckDbCatalog catalog) {
    String all = "SELECT 1 FROM " + querySource().from() + " WHERE ";
    catalog.describe(all + "(" + selection.where() + "\n)");
    catalog.describe(all + selection.where() + "\n");
  }

  /// Why it is read as one; empty where it is not.
  private String whole() {
    return selection.limit() != Long.MAX_VALUE ? "a limit is one query" : querySource().whole();
  }

  /// About how many bytes a row has, by the first rows; in the measure in which readers count.
  private long bytesPerRow(DuckDbCatalog catalog) {
    long fixed = FIXED_BYTES * columns.stream().filter(c -> !isText(c)).count();
    List<String> texts =
        columns.stream()
            .filter(DuckDbSource::isText)
            .map(
                c -> "coalesce(strlen(CAST(" + querySource().column(c.name()) + " AS VARCHAR)), 0)")
            .toList();
    if (texts.isEmpty() || querySource() instanceof QuerySource.Query) {
      return Math.max(1, fixed + FIXED_BYTES * 2L * texts.size());
    }
    String names =
        columns.stream()
            .filter(DuckDbSource::isText)
            .map(c -> querySource().column(c.name()))
            .collect(Collectors.joining(", "));
    return Math.max(
        1,
        fixed
            + catalog.number(
                "SELECT CAST(avg("
                    + String.join(" + ", texts)
                    + ") AS BIGINT) FROM (SELECT "
                    + names
                    + " FROM "
                    + querySource().from()
                    + " LIMIT "
                    + SAMPLE_ROWS
                    + ")"));
  }

  private static boolean isText(DuckDbCatalog.Described column) {
    return DuckDbTypes.reading(column.declared()).type().layout() == Type.Layout.BYTES;
  }

  @Override
  public String endpointIdentity() {
    return endpointIdentity;
  }

  @Override
  public double cost(Form form) {
    return form.isFrames() ? -1 : COLUMNS_COST;
  }

  /// What a table or Parquet files hold is as long the same as the files are.
  @Override
  public @Nullable String identity() {
    String identity =
        switch (querySource()) {
          case QuerySource.Table table -> table.found().view() ? "" : fileIdentity;
          case QuerySource.Parquet parquet -> identity(parquet);
          case QuerySource.Query _ -> "";
        };
    return identity.isEmpty() ? null : identity;
  }

  /// Blocks of every file are read for it, once.
  private String identity(QuerySource.Parquet parquet) {
    if (fileIdentity.isEmpty()) {
      fileIdentity = DuckDbDatabase.identity(label, parquet.paths());
    }
    return fileIdentity;
  }

  @Override
  public String identityWhyNot() {
    boolean isTable = querySource() instanceof QuerySource.Table table && !table.found().view();
    return isTable
        ? label + " is in the very file that the copy writes to"
        : "a view or query may give other rows by now (" + label + ")";
  }

  @Override
  public String changeSince(String identity) {
    return FileIdentity.change(identity, String.valueOf(identity()));
  }

  @Override
  public List<String> origins() {
    if (querySource() instanceof QuerySource.Parquet parquet) {
      return FileIdentity.origins(identity(parquet));
    }
    return fileIdentity.isEmpty()
        ? List.of()
        : FileIdentity.origins(fileIdentity).stream()
            .map(file -> file + " " + querySource().from())
            .toList();
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    DuckDbDatabase open = database();
    boolean one = !whole().isEmpty();
    if (!one) {
      // Each lane computes on its own thread; more of DuckDB's only get in each other's way.
      open.threads(1);
    }
    open.moment().lock();
    try {
      begin(open, connections.getFirst());
      while (connections.size() < lanes) {
        begin(open, connect());
      }
    } finally {
      open.moment().unlock();
    }
    DuckDbCatalog catalog = new DuckDbCatalog(connections.getFirst(), label);
    List<QuerySource.Piece> pieces =
        one
            ? List.of(new QuerySource.Piece(label, 0, Long.MAX_VALUE))
            : querySource().pieces(catalog, Math.clamp(splitBytes / bytesPerRow, 1, ROWS_MAX));
    return new Pieces(pieces.iterator());
  }

  /// The transaction sees what is there now.
  private void begin(DuckDbDatabase open, DuckDBConnection connection) {
    open.execute(connection, "BEGIN TRANSACTION");
    open.execute(connection, "SELECT 1 FROM duckdb_tables() LIMIT 0");
    open.execute(connection, "SELECT 1 FROM " + querySource().from() + " LIMIT 0");
  }

  /// Pieces as splits.
  private static final class Pieces implements Splits {
    private final Iterator<QuerySource.Piece> pieces;
    private int index;

    Pieces(Iterator<QuerySource.Piece> pieces) {
      this.pieces = pieces;
    }

    @Override
    public @Nullable Split next() {
      if (!pieces.hasNext()) {
        return null;
      }
      QuerySource.Piece piece = pieces.next();
      return new Split(index++, piece.resource(), piece.from(), piece.to(), piece.from() + 1, 0);
    }
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    return new DuckDbReader(this, connection(context.lane()), context);
  }

  /// A run that goes on with another may have more lanes than that had. Nothing has been committed
  /// in between: the run itself does that when its lanes have ended.
  private synchronized DuckDBConnection connection(int lane) {
    while (connections.size() <= lane) {
      begin(database(), connect());
    }
    return connections.get(lane);
  }

  /// The statement that selects a split.
  String sql(Split split) {
    String values =
        columns.stream()
            .map(c ->
                String.format(
                    DuckDbTypes.reading(c.declared()).sql(), querySource().column(c.name())))
            .collect(Collectors.joining(", "));
    QuerySource.Part part = querySource().part(split.resource(), split.from(), split.to());
    List<String> conditions = new ArrayList<>();
    if (!part.condition().isEmpty() && whole().isEmpty()) {
      conditions.add(part.condition());
    }
    if (selection.where() != null) {
      conditions.add("(" + selection.where() + "\n)");
    }
    return "SELECT "
        + values
        + " FROM "
        + (whole().isEmpty() ? part.from() : querySource().from())
        + (conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions))
        + (selection.limit() == Long.MAX_VALUE ? "" : " LIMIT " + selection.limit());
  }

  /// The columns as readers give them.
  Schema schema() {
    return schema(querySource().found());
  }

  /// How each column lies in the result.
  List<Fetch> fetches() {
    return columns.stream().map(c -> DuckDbTypes.reading(c.declared()).fetch()).toList();
  }

  /// How many rows a batch holds.
  ///
  /// @param readUnit what the user asked for, or null
  int batchRows(@Nullable Amount readUnit) {
    return readUnit == null
        ? ColumnsPool.rowsFor(schema())
        : Math.clamp(readUnit.rows(bytesPerRow), 1, BATCH_ROWS_MAX);
  }

  /// How the source is named in errors.
  String label() {
    return label;
  }

  private DuckDBConnection connect() {
    DuckDBConnection connection = database().connect();
    connections.add(connection);
    return connection;
  }

  private QuerySource querySource() {
    QuerySource found = querySource;
    if (found == null) {
      throw new Fault.Bug("splits before describe", null);
    }
    return found;
  }

  private DuckDbDatabase database() {
    DuckDbDatabase open = database;
    if (open == null) {
      throw new Fault.Bug("splits before describe", null);
    }
    return open;
  }

  @Override
  public void close() {
    DuckDbDatabase open = database;
    database = null;
    if (open == null) {
      return;
    }
    try {
      for (DuckDBConnection connection : connections) {
        connection.close();
      }
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, label);
    } finally {
      open.close();
    }
  }
}
