package millrace.data;

import millrace.fault.Location;
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
  private int originStart;
  private int @Nullable [] offsets;
  private @Nullable Columns lender;
  private ReadRows asRead;
  private long rowOfSplit;

  Columns(Schema schema, int capacity, @Nullable ColumnsPool home) {
    this.schema = schema;
    this.capacity = capacity;
    this.home = home;
    vectors = new Vector[schema.width()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = Vector.of(schema.column(i).type(), capacity);
    }
    asRead = new ReadRows(schema, vectors);
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
  /// @param origin the records that they were parsed from, or null if there are none
  public void filled(int rows, long sourceBytes, Location location, @Nullable Records origin) {
    this.rows = rows;
    this.sourceBytes = sourceBytes;
    this.location = location;
    this.origin = origin;
    originStart = origin == null || rows == 0 ? 0 : origin.starts()[0];
    offsets = null;
    rowOfSplit = 0;
    asRead = new ReadRows(schema, vectors.clone());
  }

  /// Says how many rows of its split were read before it, so that a row is known when the split is
  /// read once more; after {@link #filled}.
  public void standsBehind(long rowsOfSplit) {
    rowOfSplit = rowsOfSplit + 1;
  }

  /// Says how many rows after the first each stood in the source, if bad ones between them were
  /// left out; after {@link #filled}.
  ///
  /// @param places ascending; only differences from the first count; copied
  public void standAt(int[] places) {
    int[] now = new int[rows];
    for (int i = 0; i < rows; i++) {
      now[i] = places[i] - places[0];
    }
    offsets = now;
  }

  /// Says that only some of the rows are left, moved to the front, and which they were: {@link
  /// #offset} and the origin's records go on telling where each came from.
  ///
  /// @param retained the former positions in ascending order; copied
  /// @param count how many of them count
  public void thinned(int[] retained, int count) {
    int[] now = new int[count];
    for (int i = 0; i < count; i++) {
      now[i] = offset(retained[i]);
      if (origin != null) {
        origin.starts()[i] = origin.starts()[retained[i]];
        origin.ends()[i] = origin.ends()[retained[i]];
      }
    }
    offsets = now;
    rows = count;
  }

  /// Drops the rows at the end beyond that many.
  public void truncate(int count) {
    rows = count;
  }

  /// How many rows after the first of the {@link #location} a row stood in the source.
  public int offset(int row) {
    return offsets == null ? row : offsets[row];
  }

  /// Where a row stood in the source: its number, line and byte, as far as they are known. Counts
  /// lines, so it is for rows that something is to be said of.
  public Location place(int row) {
    long number = location.firstRow() == 0 ? 0 : location.firstRow() + offset(row);
    Records records = origin;
    if (records == null) {
      boolean isFirst = offset(row) == 0;
      return new Location(
          location.resource(),
          location.split(),
          number,
          isFirst ? location.firstLine() : 0,
          byteOffset(row));
    }
    int start = records.starts()[row];
    return new Location(
        location.resource(),
        location.split(),
        number,
        location.firstLine() == 0
            ? 0
            : location.firstLine() + records.lines().between(originStart, start),
        byteOffset(row));
  }

  /// The byte of the source that a row begins at, from 0; -1 if it is not known.
  public long byteOffset(int row) {
    if (origin == null) {
      return offset(row) == 0 ? location.byteOffset() : -1;
    }
    return location.byteOffset() < 0
        ? -1
        : location.byteOffset() + origin.starts()[row] - originStart;
  }

  /// The lines that all rows begin on, from 1, as {@link #place} gives them one by one; 0 if there
  /// are none.
  public long[] lines() {
    long[] lines = new long[rows];
    Records records = origin;
    if (records == null || location.firstLine() == 0) {
      for (int row = 0; row < rows; row++) {
        lines[row] = place(row).firstLine();
      }
      return lines;
    }
    long line = location.firstLine();
    int at = originStart;
    for (int row = 0; row < rows; row++) {
      line += records.lines().between(at, records.starts()[row]);
      at = records.starts()[row];
      lines[row] = line;
    }
    return lines;
  }

  /// Takes over what another batch says of its rows, and releases it together with this one, so
  /// that values may stay views on its bytes.
  public void stemsFrom(Columns other) {
    filled(other.rows, other.sourceBytes, other.location, other.origin);
    originStart = other.originStart;
    offsets = other.offsets;
    rowOfSplit = other.rowOfSplit;
    asRead = other.asRead;
    lender = other;
  }

  /// Swaps a vector for another batch's, so that its values cross without a copy; both are of one
  /// layout and capacity.
  public void exchange(int column, Columns other, int otherColumn) {
    Vector mine = vectors[column];
    vectors[column] = other.vectors[otherColumn];
    other.vectors[otherColumn] = mine;
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

  /// The number of a row within its split, from 1; 0 if unknown. A reader counts alike whenever it
  /// reads the split.
  public long rowOfSplit(int row) {
    return rowOfSplit == 0 ? 0 : rowOfSplit + offset(row);
  }

  /// The rows as the source gave them, whatever types they have by now.
  public ReadRows asRead() {
    return asRead;
  }

  /// The vector of a column as it was read; null if it is one of this batch's own.
  public @Nullable Vector alsoRead(int column) {
    Vector read = asRead.vectors()[column];
    // Where columns before it were dropped, it stands further to the front.
    for (int i = Math.min(column, vectors.length - 1); i >= 0; i--) {
      if (vectors[i] == read) {
        return null;
      }
    }
    return read;
  }

  /// The records that the rows were parsed from, or null if the source has none.
  public @Nullable Records origin() {
    return origin;
  }

  @Override
  public void release() {
    origin = null;
    offsets = null;
    Columns lent = lender;
    lender = null;
    if (home != null) {
      home.giveBack(this);
    }
    if (lent != null) {
      lent.release();
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
