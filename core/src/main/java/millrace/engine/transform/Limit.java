package millrace.engine.transform;

import millrace.data.Columns;

/// Lets only so many rows through, for sources that can't limit rows themselves; such a run has one
/// lane.
public final class Limit implements BatchTransform {

  private long left;

  public Limit(long rows) {
    left = rows;
  }

  @Override
  public Columns apply(Columns batch) {
    if (batch.rows() > left) {
      batch.truncate((int) left);
    }
    left -= batch.rows();
    return batch;
  }

  @Override
  public boolean wantsMore() {
    return left > 0;
  }
}
