package millrace.connectors.generate;

import java.util.List;
import millrace.data.Columns;
import millrace.data.Schema;

/// A table in which every value follows from the seed and the row's number; a step is a row.
///
/// @param made its columns
/// @param key names of its key's columns, or none
/// @param rows how many rows
/// @param seed the user's
record RowShape(List<MadeColumn> made, List<String> key, long rows, long seed) implements Shape {

  @Override
  public Schema schema() {
    return new Schema(made.stream().map(MadeColumn::column).toList(), key);
  }

  @Override
  public double rowBytes(int[] columns) {
    double bytes = columns.length;
    for (int column : columns) {
      bytes += made.get(column).bytesMean();
    }
    return bytes;
  }

  @Override
  public long steps() {
    return rows;
  }

  @Override
  public long firstRow(long step) {
    return step + 1;
  }

  @Override
  public RowMaker maker(int[] columns) {
    return new Maker(this, columns);
  }

  private static final class Maker implements RowMaker {

    private final RowShape shape;
    private final int[] columns;
    private long row;
    private long end;

    Maker(RowShape shape, int[] columns) {
      this.shape = shape;
      this.columns = columns;
    }

    @Override
    public void start(long fromStep, long toStep) {
      row = fromStep;
      end = toStep;
    }

    @Override
    public int fill(Columns batch) {
      int rows = (int) Math.min(batch.capacity(), end - row);
      for (int i = 0; i < columns.length; i++) {
        long seed = Counter.at(shape.seed(), columns[i]);
        shape.made().get(columns[i]).maker().fill(batch.vector(i), seed, row, rows);
      }
      row += rows;
      return rows;
    }
  }
}
