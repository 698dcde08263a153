package millrace.connectors.mariadb;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.StatementParameters;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.connectors.sql.sink.BatchInsert;
import millrace.connectors.sql.sink.LaneLoad;
import millrace.connectors.sql.sink.RowBinder;
import millrace.connectors.sql.sink.RowSink;
import millrace.connectors.sql.write.Slot;
import millrace.connectors.sql.write.SqlLoad;
import millrace.data.Columns;
import millrace.spi.Stage;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;
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
  private final Savepoints savepoints;
  private final String sql;

  LoadDataSink(LaneLoad lane) {
    session = lane.session();
    context = lane.context();
    binder = lane.binder(lane.plan().dialect().types());
    insert = new BatchInsert(lane, binder, StatementParameters::of);
    faults = lane.plan().dialect().faults();
    savepoints = lane.savepoints();
    sql = sql(lane.plan());
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
    try {
      for (int row = 0; row < batch.rows(); row++) {
        if (binder.bind(batch, row, text, true)) {
          text.endRow();
          good[count++] = row;
        } else {
          text.dropRow();
        }
      }
      if (count == 0) {
        return Took.NOTHING;
      }
      context.clock().enter(Stage.SERVER_WAIT);
      session.setSavepoint(savepoints, BULK);
      if (isTaken(count)) {
        context.clock().sent(text.length());
        return new Took(count, 0, text.length());
      }
      session.undo(savepoints, BULK);
      return insert.take(batch, Arrays.copyOf(good, count), false);
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      context.clock().enter(Stage.ENCODE);
    }
  }

  private boolean isTaken(int count) {
    return session.run(connection -> {
      try {
        return load(connection) == count;
      } catch (SQLException e) {
        if (faults.kind(e) != SqlFaults.Kind.DATA) {
          throw e;
        }
        return false;
      }
    });
  }

  /// How many rows the table has taken as they are; -1 if it refused or changed any.
  private long load(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement().unwrap(Statement.class)) {
      session.runs(statement);
      statement.setLocalInfileInputStream(text.rows());
      long taken = statement.executeLargeUpdate(sql);
      try (ResultSet warnings = statement.executeQuery("SELECT @@warning_count")) {
        return warnings.next() && warnings.getLong(1) == 0 ? taken : -1;
      }
    }
  }

  @Override
  public void close() {
    insert.close();
  }
}
