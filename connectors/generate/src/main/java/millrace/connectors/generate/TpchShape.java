package millrace.connectors.generate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import millrace.data.Columns;
import millrace.data.Schema;

/// `tpch.TABLE`: a table of TPC-H at a scale factor. A step is one of the parts in which the
/// benchmark's generator can make it; how many there are follows from the scale factor alone, so
/// that a split means the same rows on every machine.
///
/// @param <E> what the table's generator makes for each row
/// @param scale the scale factor
record TpchShape<E>(TpchTable<E> table, double scale) implements Shape {

  /// About how much a part holds as text, in bytes; small, so that splits of any size can be cut.
  private static final double PART_BYTES = 4 << 20;

  static Shape of(TpchTable<?> table, ShapeParameters shapeParameters) {
    return new TpchShape<>(table, shapeParameters.positive("scale", 1));
  }

  @Override
  public Schema schema() {
    return table.schema();
  }

  @Override
  public double rowBytes(int[] columns) {
    double bytes = columns.length;
    for (int column : columns) {
      bytes += table.fields().get(column).bytesMean();
    }
    return bytes;
  }

  @Override
  public long steps() {
    double bytes = 0;
    for (TpchTable.Field<E> field : table.fields()) {
      bytes += 1 + field.bytesMean();
    }
    return Math.clamp((long) (rows() * bytes / PART_BYTES), 1, Integer.MAX_VALUE);
  }

  @Override
  public long rows() {
    if (table.base() == TpchTable.FIXED) {
      return table.rowsPerEntity();
    }
    long entities = (long) (table.base() * scale);
    return entities * table.rowsPerEntity();
  }

  @Override
  public long firstRow(long step) {
    return step == 0 ? 1 : 0;
  }

  @Override
  public RowMaker maker(int[] columns) {
    return new Maker<>(this, columns);
  }

  private static final class Maker<E> implements RowMaker {

    private final TpchShape<E> shape;
    private final List<TpchTable.Field<E>> fields = new ArrayList<>();
    private final int parts;
    private Iterator<E> rows = Collections.emptyIterator();
    private long part;
    private long end;

    Maker(TpchShape<E> shape, int[] columns) {
      this.shape = shape;
      this.parts = (int) shape.steps();
      for (int column : columns) {
        fields.add(shape.table().fields().get(column));
      }
    }

    @Override
    public void start(long fromStep, long toStep) {
      part = fromStep;
      end = toStep;
      rows = Collections.emptyIterator();
    }

    @Override
    public int fill(Columns batch) {
      int filled = 0;
      while (filled < batch.capacity() && advance()) {
        E row = rows.next();
        for (int i = 0; i < fields.size(); i++) {
          fields.get(i).setter().set(row, batch.vector(i), filled);
        }
        filled++;
      }
      return filled;
    }

    private boolean advance() {
      while (!rows.hasNext()) {
        if (part == end) {
          return false;
        }
        part++;
        rows = shape.table().generator().rows(shape.scale(), (int) part, parts).iterator();
      }
      return true;
    }
  }
}
