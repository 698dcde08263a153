package millrace.connectors.sql.online;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.spi.Blockable;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;

/// The tables of an online run in a database with SQL.
///
/// Windows are aggregated by the database, in one statement each. Calls take connections from a
/// pool, so that those of several threads do not wait for each other.
public final class SqlOnlineStore implements OnlineStore, Blockable {

  private final OnlineDialect dialect;
  private final OnlineTables tables;
  private final ConnectionPool pool;
  private final AggregatedMarks marks = new AggregatedMarks();

  /// Nothing is opened yet.
  public SqlOnlineStore(OnlineDialect dialect, OnlineTables tables) {
    this.dialect = dialect;
    this.tables = tables;
    pool = new ConnectionPool(dialect);
  }

  @Override
  public void claim() {
    dialect.claim(tables);
  }

  @Override
  public void create() {
    pool.transaction(connection -> {
      tables.layout().checkNotForeign(dialect.label(), there(connection));
      make(connection, tables.layout().tables());
      return true;
    });
    marks.clear();
  }

  @Override
  public void restore(long start, long devices) {
    OnlineLayout layout = tables.layout();
    pool.transaction(connection -> {
      make(
          connection, layout.tables().stream().filter(each -> !layout.isAggregated(each)).toList());
      try (Statement statement = connection.jdbc().createStatement()) {
        for (Level level : layout.levels().subList(1, layout.levels().size())) {
          statement.execute(tables.deleteAllBut(level, start, devices));
        }
      }
      return true;
    });
    marks.clear();
  }

  /// Makes tables anew.
  private void make(OnlineConnection connection, List<String> made) throws SQLException {
    List<String> statements = new ArrayList<>();
    for (String table : made) {
      statements.add(tables.drop(table));
      if (table.equals(tables.layout().dirtyTable())) {
        statements.add(tables.createDirty());
      } else {
        statements.addAll(dialect.create(tables, table));
      }
    }
    try (Statement statement = connection.jdbc().createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /// The tables of the layout that are there.
  private List<String> there(OnlineConnection connection) throws SQLException {
    try (PreparedStatement statement = connection.jdbc().prepareStatement(tables.list())) {
      statement.setString(1, tables.schema());
      List<String> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getString(1));
        }
      }
      found.retainAll(tables.layout().tables());
      return found;
    }
  }

  @Override
  public List<Long> addPartitions(Window span) {
    long width = tables.layout().partition().toNanos() / 1000;
    if (width == 0 || span.start() >= span.end()) {
      return List.of();
    }
    List<Long> starts = new ArrayList<>();
    for (long at = Math.floorDiv(span.start(), width) * width; at < span.end(); at += width) {
      starts.add(at);
    }
    return pool.transaction(connection -> dialect.addPartitions(connection, tables, starts));
  }

  @Override
  public RowWriter writer() {
    return new SqlRowWriter(pool, tables);
  }

  @Override
  public RowWriter encoder() {
    return new SqlRowEncoder(pool, tables);
  }

  @Override
  public long aggregate(Level below, Level level, Window window) {
    Dirty marked = new Dirty(level.name(), window.start());
    marks.begin(marked);
    try {
      record Done(List<Long> marks, long rows) {}
      Done done =
          pool.transaction(connection -> {
            List<Long> before = marksOf(connection, marked);
            try (Statement statement = connection.jdbc().createStatement()) {
              String sql = tables.aggregate(below, level, window);
              return new Done(before, statement.executeLargeUpdate(sql));
            }
          });
      marks.takenIn(marked, done.marks);
      return done.rows;
    } finally {
      marks.end(marked);
    }
  }

  private List<Long> marksOf(OnlineConnection connection, Dirty window) throws SQLException {
    String sql = tables.marks("SELECT mark", window.start());
    try (PreparedStatement statement = connection.jdbc().prepareStatement(sql)) {
      statement.setString(1, window.level());
      List<Long> found = new ArrayList<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getLong(1));
        }
      }
      return found;
    }
  }

  @Override
  public Sums sums(String table, Window span) {
    return one(tables.sums(table, span), row -> new Sums(row.getLong(1), row.getLong(2)));
  }

  @Override
  public long differing(Level below, Level level, Window window) {
    return one(tables.differing(below, level, window), row -> row.getLong(1));
  }

  @Override
  public long probe(Level level, long device, Window span) {
    return one(tables.probe(level.table(), device, span), row -> row.getLong(1));
  }

  @FunctionalInterface
  private interface RowMapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  private <T> T one(String sql, RowMapper<T> mapper) {
    return all(sql, mapper).getFirst();
  }

  private <T> List<T> all(String sql, RowMapper<T> mapper) {
    return pool.transaction(connection -> {
      List<T> found = new ArrayList<>();
      try (Statement statement = connection.jdbc().createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        while (rows.next()) {
          found.add(mapper.map(rows));
        }
      }
      return found;
    });
  }

  @Override
  public List<Dirty> dirty() {
    return all(
        tables.dirty(),
        row ->
            new Dirty(
                row.getString(1), OnlineTables.micros(row.getObject(2, LocalDateTime.class))));
  }

  @Override
  public void clean(Dirty window) {
    List<Long> mayGo = marks.mayGo(window);
    if (mayGo != null && mayGo.isEmpty()) {
      return;
    }
    String all = tables.marks("DELETE", window.start());
    String sql = mayGo == null ? all : all + " AND mark IN (" + joined(mayGo) + ")";
    pool.transaction(connection -> {
      try (PreparedStatement statement = connection.jdbc().prepareStatement(sql)) {
        statement.setString(1, window.level());
        return statement.executeUpdate();
      }
    });
  }

  private static String joined(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  @Override
  public void cancel() {
    pool.cancel();
  }

  @Override
  public void close() {
    pool.close();
    dialect.close();
  }
}
