package millrace.data;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Batches of one schema that go round between one lane's reader and writer.
///
/// The reader takes, the writer gives back (through {@link Columns#release}); both from any thread.
/// How many batches exist is bounded by the lane's exchange, not here.
public final class ColumnsPool {

  /// About how many bytes of fixed-size values a batch holds; it bounds the rows of wide tables so
  /// that a thousand columns fit a small heap.
  private static final int BATCH_BYTES_MAX = 1 << 20;

  /// In a small heap batches are smaller: each holds this part of it at most.
  private static final int HEAP_PART = 256;

  private static final int ROWS_MAX = 16_384;

  private final Schema schema;
  private final int capacity;
  private final ConcurrentLinkedQueue<Columns> idle = new ConcurrentLinkedQueue<>();

  public ColumnsPool(Schema schema) {
    this(schema, rowsFor(schema));
  }

  public ColumnsPool(Schema schema, int capacity) {
    this.schema = schema;
    this.capacity = capacity;
  }

  /// About how many bytes of fixed-size values a batch holds in this heap.
  public static long batchBytes() {
    return Math.min(BATCH_BYTES_MAX, Runtime.getRuntime().maxMemory() / HEAP_PART);
  }

  /// How many rows a batch of this schema holds by default.
  public static int rowsFor(Schema schema) {
    return Math.clamp(batchBytes() / (9L * schema.width()), 64, ROWS_MAX);
  }

  /// How many rows a batch of this pool holds.
  public int capacity() {
    return capacity;
  }

  /// An empty batch, all flags cleared.
  public Columns take() {
    Columns columns = idle.poll();
    if (columns == null) {
      return new Columns(schema, capacity, this);
    }
    columns.clear();
    return columns;
  }

  void giveBack(Columns columns) {
    idle.add(columns);
  }
}
