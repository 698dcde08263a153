package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSavepoint;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.plan.Slot;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.sink.BatchInsert;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.RowBinder;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.types.StatementParameters;
import millrace.data.Columns;
import millrace.spi.Stage;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;
import org.mariadb.jdbc.Statement;

/// Loads rows by `LOAD DATA LOCAL INFILE`. It takes what it can and warns of the rest, so its rows
/// and warnings are counted. What the server would not take just as it is goes by {@link
/// BatchInsert} once more, row by row if need be, so that no value is changed without a word.
final class LoadDataSink implements RowSink {

  private static final String BULK = "millrace_bulk";

  /// How a column takes its value from the text just as it is, see {@link MariaDbTypes#loaded}.
  private static final String PLAIN = "%s";

  private final SqlSession session;
  private final WriteContext context;
  private final RowBinder binder;
  private final BatchInsert insert;
  private final LoadDataText text = new LoadDataText();
  private final SqlFaults faults;
  private final SqlSavepoint savepoint;
  private final String sql;
  private final int columns;
  private final int packetMax;

  LoadDataSink(LaneLoad lane) {
    session = lane.session();
    context = lane.context();
    binder = lane.binder(lane.plan().dialect().types());
    insert = new BatchInsert(lane, binder, StatementParameters::of);
    faults = lane.plan().dialect().faults();
    savepoint = new SqlSavepoint(session, lane.savepoints(), BULK);
    sql = sql(lane.plan());
    columns = lane.plan().filledColumns().size();
    packetMax = session.run(PacketParameters::bytesMax);
  }

  /// The statement. Some columns take their values by an expression, from a variable.
  private static String sql(SqlLoad plan) {
    Names names = plan.dialect().names();
    List<Slot> slots = plan.columns().slots();
    List<String> into = new ArrayList<>();
    List<String> sets = new ArrayList<>();
    for (String name : plan.filledColumns()) {
      int i = into.size();
      String expression = i < slots.size() ? MariaDbTypes.loaded(slots.get(i).declared()) : PLAIN;
      boolean plain = expression.equals(PLAIN);
      into.add(plain ? names.quoted(name) : "@millrace_" + i);
      if (!plain) {
        sets.add(names.quoted(name) + " = " + expression.replace("%s", "@millrace_" + i));
      }
    }
    return "LOAD DATA LOCAL INFILE 'millrace' INTO TABLE "
        + plan.filled().sql(names)
        + " CHARACTER SET utf8mb4 FIELDS TERMINATED BY '\\t' ESCAPED BY '\\\\'"
        + " LINES TERMINATED BY '\\n' ("
        + String.join(", ", into)
        + ")"
        + (sets.isEmpty() ? "" : " SET " + String.join(", ", sets));
  }

  @Override
  public Took take(Columns batch, Split split, long before) {
    context.clock().enter(Stage.ENCODE);
    binder.start(batch, split, before);
    text.clear();
    int[] good = new int[batch.rows()];
    int count = 0;
    BitSet large = new BitSet();
    try {
      for (int row = 0; row < batch.rows(); row++) {
        if (binder.bind(batch, row, text, true)) {
          large.set(row, PacketParameters.most(text.endRow(), columns) >= packetMax);
          good[count++] = row;
        } else {
          text.dropRow();
        }
      }
      if (count == 0) {
        return Took.NOTHING;
      }
      if (refusal(count) == null) {
        return new Took(count, 0, sent());
      }
      int[] small = IntStream.of(good).limit(count).filter(row -> !large.get(row)).toArray();
      Took took = insert.take(batch, small, false);
      for (int row = large.nextSetBit(0); row >= 0; row = large.nextSetBit(row + 1)) {
        took = took.plus(alone(batch, row));
      }
      return took;
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      context.clock().enter(Stage.ENCODE);
    }
  }

  private int sent() {
    context.clock().sent(text.length());
    return text.length();
  }

  /// A row that may be too long for an insert.
  private Took alone(Columns batch, int row) throws SQLException {
    text.clear();
    binder.bind(batch, row, text, false);
    text.endRow();
    SQLException why = refusal(1);
    if (why == null) {
      return new Took(1, 0, sent());
    }
    binder.refuse(batch, row, why);
    return Took.NOTHING;
  }

  /// Has the table take the rows of the text as they are, or none.
  ///
  /// @return why it takes none; null if it has taken them
  private @Nullable SQLException refusal(int count) {
    context.clock().enter(Stage.SERVER_WAIT);
    savepoint.set();
    SQLException why =
        session.<@Nullable SQLException>run(connection -> {
          try {
            return load(connection, count);
          } catch (SQLException e) {
            if (faults.kind(e) != SqlFaults.Kind.DATA) {
              throw e;
            }
            return e;
          }
        });
    if (why != null) {
      savepoint.undo();
    }
    return why;
  }

  /// Loads the text. Returns why the table did not take so many rows as they are.
  private @Nullable SQLException load(Connection connection, int count) throws SQLException {
    try (Statement statement = connection.createStatement().unwrap(Statement.class)) {
      session.runs(statement);
      statement.setLocalInfileInputStream(text.rows(packetMax - 1));
      long taken = statement.executeLargeUpdate(sql);
      try (ResultSet warnings = statement.executeQuery("SHOW COUNT(*) WARNINGS")) {
        if (taken == count && warnings.next() && warnings.getLong(1) == 0) {
          return null;
        }
      }
      try (ResultSet first = statement.executeQuery("SHOW WARNINGS LIMIT 1")) {
        return first.next()
            ? new SQLException(first.getString(3), "", first.getInt(2))
            : new SQLException("the table does not take it as it is");
      }
    }
  }

  @Override
  public void close() {
    insert.close();
  }
}
