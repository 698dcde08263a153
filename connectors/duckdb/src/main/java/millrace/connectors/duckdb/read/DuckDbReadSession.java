package millrace.connectors.duckdb.read;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import millrace.connectors.duckdb.DuckDbDatabase;
import millrace.connectors.duckdb.DuckDbFaults;
import millrace.connectors.sql.SqlSession;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Rows that are being read by lanes, each in its own transaction; all of these begin at one
/// moment.
///
/// No other process can write while this one has the file open, and commits of this process wait
/// for that moment, so the lanes see one state.
final class DuckDbReadSession implements ReadSession {

  private final DuckDbDatabase database;
  private final SelectedRows rows;
  private final ReadPlan plan;

  /// Null if the rows are not those of Parquet files.
  private final @Nullable PageChecks pages;

  /// One for each lane.
  private final List<DuckDBConnection> connections = new ArrayList<>();

  private DuckDbReadSession(DuckDbDatabase database, SelectedRows rows, ReadPlan plan) {
    this.database = database;
    this.rows = rows;
    this.plan = plan;
    pages =
        rows.relation() instanceof QuerySource.Parquet files ? new PageChecks(rows, files) : null;
  }

  /// Begins to read.
  ///
  /// @param database the source's own
  static DuckDbReadSession open(DuckDbDatabase database, SelectedRows rows, ReadPlan plan) {
    DuckDbReadSession session = new DuckDbReadSession(database, rows, plan);
    try {
      session.begin();
      return session;
    } catch (RuntimeException | Error e) {
      try (session) {
        throw e;
      }
    }
  }

  private void begin() {
    if (rows.whyOneReader().isEmpty()) {
      // Each lane computes on its own thread; more of DuckDB's only get in each other's way.
      database.threads(1);
    }
    database.moment().lock();
    try {
      connection(Math.max(1, plan.lanes()) - 1);
    } finally {
      database.moment().unlock();
    }
  }

  /// A run that goes on with another may have more lanes than that had. Nothing has been committed
  /// in between: the run itself does that when its lanes have ended.
  private synchronized DuckDBConnection connection(int lane) {
    while (connections.size() <= lane) {
      DuckDBConnection connection = database.connect();
      connections.add(connection);
      // The transaction sees what is there now.
      database.execute(connection, "BEGIN TRANSACTION");
      database.execute(connection, "SELECT 1 FROM duckdb_tables() LIMIT 0");
      database.execute(connection, "SELECT 1 FROM " + rows.relation().from() + " LIMIT 0");
    }
    return connections.get(lane);
  }

  @Override
  public Splits splits() {
    SqlSession session = new SqlSession(connection(0), rows.label(), DuckDbFaults::reading);
    return new Pieces(rows.pieces(session, plan.splitBytes()).iterator());
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
  public Reader reader(ReadContext context) {
    return new DuckDbReader(rows, pages, connection(context.lane()), context);
  }

  @Override
  public synchronized void close() {
    try {
      for (DuckDBConnection connection : connections) {
        connection.close();
      }
    } catch (SQLException e) {
      throw DuckDbFaults.of(e, rows.label());
    }
  }
}
