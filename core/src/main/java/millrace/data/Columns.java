package millrace.data;

import org.jspecify.annotations.Nullable;

/// Rows as typed arrays, one vector a column.
///
/// Made by a {@link ColumnsPool}, filled by a reader, drained by a writer; see {@link Batch} for
/// who owns it when.
public final class Columns implements Batch {

  private static final Location NOWHERE = new Location("", 0, 0, 0, -1);

  private final Schema schema;
  private final Vector[] vectors;
  private final int capacity;
  private final @Nullable ColumnsPool home;
  private int rows;
  private long sourceBytes;
  private Location location = NOWHERE;
  private @Nullable Records origin;

  Columns(Schema schema, int capacity, @Nullable ColumnsPool home) {
    this.schema = schema;
    this.capacity = capacity;
    this.home = home;
    vectors = new Vector[schema.width()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = Vector.of(schema.column(i).type(), capacity);
    }
  }

  /// A batch that belongs to no pool; for tests and small results.
  public static Columns standalone(Schema schema, int capacity) {
    return new Columns(schema, capacity, null);
  }

  /// The columns.
  public Schema schema() {
    return schema;
  }

  /// The most rows that fit.
  public int capacity() {
    return capacity;
  }

  /// The vector of a column, counted from 0.
  public Vector vector(int column) {
    return vectors[column];
  }

  /// The vector of a column held in longs.
  public LongVector longs(int column) {
    return (LongVector) vectors[column];
  }

  /// The vector of a column held in doubles.
  public DoubleVector doubles(int column) {
    return (DoubleVector) vectors[column];
  }

  /// The vector of a column held in bytes.
  public BytesVector bytes(int column) {
    return (BytesVector) vectors[column];
  }

  /// Says what the vectors now hold; the reader calls it once, when the batch is filled.
  ///
  /// @param rows how many rows
  /// @param sourceBytes how many bytes of the source they stand for
  /// @param location where they begin
  /// @param origin the records that they were parsed from, or null where there are none
  public void filled(int rows, long sourceBytes, Location location, @Nullable Records origin) {
    this.rows = rows;
    this.sourceBytes = sourceBytes;
    this.location = location;
    this.origin = origin;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long sourceBytes() {
    return sourceBytes;
  }

  @Override
  public Location location() {
    return location;
  }

  /// The records that the rows were parsed from, or null where the source has none.
  public @Nullable Records origin() {
    return origin;
  }

  @Override
  public void release() {
    origin = null;
    if (home != null) {
      home.giveBack(this);
    }
  }

  void clear() {
    rows = 0;
    for (Vector vector : vectors) {
      java.util.Arrays.fill(vector.nulls, false);
      if (vector instanceof BytesVector bytes) {
        bytes.reset();
      }
    }
  }
}
