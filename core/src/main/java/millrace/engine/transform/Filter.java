package millrace.engine.transform;

import millrace.data.Columns;
import millrace.data.Schema;
import millrace.fault.Fault;

/// Keeps the rows for which a `--where` is true, for sources that can't filter by themselves.
///
/// Rows for which it is unknown, because a value is missing, are left out, as in SQL.
public final class Filter implements BatchTransform {

  private final Condition condition;
  private int[] passing = {};

  private Filter(Condition condition) {
    this.condition = condition;
  }

  /// A filter on batches of that schema; each lane has its own.
  ///
  /// @param where an SQL condition
  /// @throws Fault.User if it is none, or asks for what does not work here
  public static Filter of(String where, Schema schema) {
    return new Filter(FilterCompiler.compile(where, schema));
  }

  @Override
  public Columns apply(Columns batch) {
    int rows = batch.rows();
    if (passing.length < rows) {
      passing = new int[rows];
    }
    int count = 0;
    for (int row = 0; row < rows; row++) {
      if (condition.test(batch, row) == Condition.TRUE) {
        passing[count++] = row;
      }
    }
    Compactor.keep(batch, passing, count);
    return batch;
  }
}
