package millrace.engine.transform;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.spelling.JsonValue;

/// Counts the JSON documents of which a target loses something, because it keeps only the last of
/// an object's members with one name. One thread.
public final class RepeatedMembers implements BatchTransform {

  private final List<Integer> columns;
  private final LongAdder documents;
  private final JsonValue value = new JsonValue((hash, member) -> hash ^ member);

  /// @param columns where in a batch the documents stand
  /// @param documents counts those with repeated members
  public RepeatedMembers(List<Integer> columns, LongAdder documents) {
    this.columns = columns;
    this.documents = documents;
  }

  @Override
  public Columns apply(Columns batch) {
    for (int column : columns) {
      if (batch.vector(column) instanceof BytesVector texts) {
        count(texts, batch.rows());
      }
    }
    return batch;
  }

  private void count(BytesVector texts, int rows) {
    for (int row = 0; row < rows; row++) {
      if (!texts.nulls[row]
          && value.read(texts.bytes, texts.starts[row], texts.ends[row])
          && value.repeatsMembers()) {
        documents.increment();
      }
    }
  }
}
