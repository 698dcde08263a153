package millrace.connectors.duckdb.read;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbDefinition;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.connectors.sql.TableName;
import millrace.data.Form;
import millrace.data.TableComments;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.spi.LaneLimit;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Rows of a table, a query or Parquet files, selected by DuckDB.
public final class DuckDbSource implements Source {

  /// Nanoseconds of CPU per byte of text, measured with a million rows of shape `unload` (129 MB as
  /// CSV) and a target that drops them: 2.7 from a table, 3.4 from a Parquet file.
  private static final double COLUMNS_COST = 3;

  /// Finds the relation in an open database.
  @FunctionalInterface
  public interface Finder {
    QuerySource find(SqlSession session);
  }

  private final String label;
  private final String endpointIdentity;
  private final Supplier<String> fileIdentities;
  private final Supplier<DuckDbDatabase> opener;
  private final Finder finder;
  private final Selection selection;

  /// Null until it is first looked at.
  private @Nullable Opened opened;

  /// The open database.
  ///
  /// @param fileIdentity what tells whether its file is the same later; empty if nothing does
  private record Opened(
      DuckDbDatabase database, DuckDBConnection connection, String fileIdentity) {}

  /// @param endpointIdentity what it reads, by whatever name it was reached
  /// @param fileIdentities tells whether the database's file is the same later, asked before it is
  ///   opened; gives nothing if it can't tell
  public DuckDbSource(
      String label,
      String endpointIdentity,
      Supplier<String> fileIdentities,
      Supplier<DuckDbDatabase> opener,
      Finder finder,
      Selection selection) {
    this.label = label;
    this.endpointIdentity = endpointIdentity;
    this.fileIdentities = fileIdentities;
    this.opener = opener;
    this.finder = finder;
    this.selection = selection;
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    Opened open = opened();
    SqlSession session = new SqlSession(open.connection, label, DuckDbFaults::reading);
    QuerySource relation = finder.find(session);
    SelectedRows selected = selected(relation, session);
    String whyOneReader = selected.whyOneReader();
    long count = selected.count(session);
    SourceDescription description =
        SourceDescription.of(label, selected.schema())
            .pushingDown()
            .withSize(
                count, count < 0 ? -1 : count * selected.bytesPerRow(), whyOneReader.isEmpty())
            .withLanes(LaneLimit.oneIf(whyOneReader))
            .withOneProcess(
                relation instanceof QuerySource.Parquet
                    ? ""
                    : "no second process can open the file")
            .withReading(
                notes(selected.columns()),
                declaredTypes(selected, columnRequest),
                columnRequest instanceof ColumnRequest.Typed
                        && relation instanceof QuerySource.Table(TableName name, TableInfo _)
                    ? DuckDbDefinition.tableComments(session, name)
                    : TableComments.NONE);
    return new DescribedRows(open, selected, description);
  }

  /// Rows are sampled for it, which may find damage.
  private SelectedRows selected(QuerySource relation, SqlSession session) {
    try {
      return SelectedRows.of(label, relation, selection, session);
    } catch (Fault e) {
      throw relation instanceof QuerySource.Parquet files
          ? ParquetDamage.of(e, files, opened().connection)
          : e;
    }
  }

  private Opened opened() {
    Opened known = opened;
    if (known == null) {
      String fileIdentity = fileIdentities.get();
      DuckDbDatabase database = opener.get();
      try {
        known = new Opened(database, database.connect(), fileIdentity);
      } catch (Fault e) {
        database.close();
        throw e;
      }
      opened = known;
    }
    return known;
  }

  /// Old timestamps of Parquet are timestamps to who wants types: what has nanoseconds is bad then.
  private static Map<String, Type> declaredTypes(SelectedRows rows, ColumnRequest columnRequest) {
    return columnRequest instanceof ColumnRequest.Untyped
        ? Map.of()
        : rows.columns().stream()
            .map(ColumnInfo::name)
            .filter(rows.relation().times()::contains)
            .collect(Collectors.toMap(name -> name, _ -> new Type.Timestamp(false)));
  }

  private static List<String> notes(List<ColumnInfo> columns) {
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

  @Override
  public void close() {
    Opened known = opened;
    opened = null;
    if (known == null) {
      return;
    }
    known.database.closeWith(known.connection, label);
  }

  /// The rows as they were looked at.
  private final class DescribedRows implements DescribedSource {

    private final Opened open;
    private final SelectedRows rows;
    private final SourceDescription description;

    /// Blocks of every file are read for it, once; null until it is asked for.
    private @Nullable SourceIdentity identity;

    DescribedRows(Opened open, SelectedRows rows, SourceDescription description) {
      this.open = open;
      this.rows = rows;
      this.description = description;
    }

    @Override
    public SourceDescription description() {
      return description;
    }

    @Override
    public double cost(Form form) {
      return form.isFrames() ? -1 : COLUMNS_COST;
    }

    /// What a table or Parquet files hold is as long the same as the files are.
    @Override
    public SourceIdentity identity() {
      SourceIdentity known = identity;
      if (known == null) {
        known =
            switch (rows.relation()) {
              case QuerySource.Table table -> identity(table);
              case QuerySource.Parquet parquet -> {
                String content = DuckDbDatabase.identity(label, parquet.paths());
                List<String> origins = FileIdentity.origins(content);
                yield SourceIdentity.of(endpointIdentity, content, origins);
              }
              case QuerySource.Query query -> other(query);
            };
        identity = known;
      }
      return known;
    }

    private SourceIdentity identity(QuerySource.Table table) {
      if (table.found().kind() == TableInfo.Kind.VIEW) {
        return other(table);
      }
      String content = open.fileIdentity;
      return content.isEmpty()
          ? SourceIdentity.unknown(
              endpointIdentity,
              label + " is in the very file that the copy writes to",
              origins(table))
          : SourceIdentity.of(endpointIdentity, content, origins(table));
    }

    private SourceIdentity other(QuerySource relation) {
      return SourceIdentity.unknown(
          endpointIdentity,
          "a view or query may give other rows by now (" + label + ")",
          origins(relation));
    }

    private List<String> origins(QuerySource relation) {
      String content = open.fileIdentity;
      return content.isEmpty()
          ? List.of()
          : FileIdentity.origins(content).stream()
              .map(file -> file + " " + relation.from())
              .toList();
    }

    @Override
    public String changeSince(String before) {
      return FileIdentity.change(before, String.valueOf(identity().content()));
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return DuckDbReadSession.open(open.database, rows, plan);
    }
  }
}
