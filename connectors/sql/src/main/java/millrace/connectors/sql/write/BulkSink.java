package millrace.connectors.sql.write;

import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect.BulkLoad;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.Statements.Savepoints;
import millrace.data.Columns;
import millrace.spi.Stage;
import millrace.spi.read.Split;
import millrace.spi.write.WriteContext;

/// Loads rows in bulk. What the server would not take just as it is goes by {@link BatchInsert}
/// once more, row by row if need be, so that no value is changed without a word.
final class BulkSink implements RowSink {

  private static final String BULK = "millrace_bulk";

  private final SqlSession session;
  private final SqlLoad plan;
  private final BulkLoad load;
  private final RowBinder binder;
  private final WriteContext context;
  private final BatchInsert insert;
  private final BulkText text = new BulkText();
  private final String table;
  private final List<BulkLoad.Target> columns;

  BulkSink(
      SqlLoad plan, SqlSession session, BulkLoad load, RowBinder binder, WriteContext context) {
    this.session = session;
    this.plan = plan;
    this.load = load;
    this.binder = binder;
    this.context = context;
    insert = new BatchInsert(plan, session, binder, context);
    Names names = plan.dialect().names();
    table = plan.filled().sql(names);
    List<Slot> slots = plan.columns().slots();
    columns =
        Stream.concat(
                slots.stream()
                    .map(slot ->
                        new BulkLoad.Target(
                            names.quoted(slot.name()),
                            load.expression(slot.type(), slot.declared()))),
                plan.filledColumns().stream()
                    .skip(slots.size())
                    .map(name -> new BulkLoad.Target(names.quoted(name), "")))
            .toList();
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
      session.setSavepoint(savepoints(), BULK);
      if (isTaken(count)) {
        context.clock().sent(text.length());
        return new Took(count, 0, text.length());
      }
      session.undo(savepoints(), BULK);
      return insert.take(batch, Arrays.copyOf(good, count), false);
    } catch (SQLException e) {
      throw session.fault(e);
    } finally {
      context.clock().enter(Stage.ENCODE);
    }
  }

  private Savepoints savepoints() {
    return plan.dialect().statements().savepoints();
  }

  private boolean isTaken(int count) {
    return session.run(connection -> {
      try {
        return load.load(session, connection, table, columns, text.rows()) == count;
      } catch (SQLException e) {
        if (plan.dialect().faults().kind(e) != SqlFaults.Kind.DATA) {
          throw e;
        }
        return false;
      }
    });
  }

  @Override
  public void close() {
    insert.close();
  }
}
