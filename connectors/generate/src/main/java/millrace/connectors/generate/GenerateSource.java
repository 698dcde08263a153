package millrace.connectors.generate;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// A shape open for reading: only the columns wanted are made.
final class GenerateSource implements Source {

  /// Nanoseconds per byte of text, measured on shape unload.
  private static final double COST = 0.9;

  private final String label;
  private final Shape shape;
  private final String parameters;
  private final int[] columns;
  private final Schema schema;
  private final int conditionColumns;

  /// @throws Fault.User if the selection names a column that the shape lacks
  GenerateSource(Endpoint endpoint, Shape shape, Selection selection) {
    this.label = endpoint.label();
    parameters = new TreeMap<>(endpoint.parameters()).toString();
    this.shape = shape;
    this.columns =
        Selection.positions(label, selection.columnsToRead(), shape.schema().names()).stream()
            .mapToInt(Integer::intValue)
            .toArray();
    this.schema = selected();
    conditionColumns = selection.conditionColumns();
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    return new Described();
  }

  /// It is the same however often it is looked at.
  private final class Described implements DescribedSource {

    @Override
    public SourceDescription description() {
      return SourceDescription.of(label, schema)
          .withConditionColumns(conditionColumns)
          .withOneProcess("")
          .withSize(shape.rows(), Math.round(shape.rows() * shape.rowBytes(columns)), true);
    }

    @Override
    public double cost(Form form) {
      return form.isFrames() ? -1 : COST;
    }

    /// The same parameters make the same rows.
    @Override
    public SourceIdentity identity() {
      String all = label + " " + parameters;
      return SourceIdentity.of(all, all, List.of());
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new Making(plan.splitBytes());
    }
  }

  private final class Making implements ReadSession {

    private final long splitBytes;

    Making(long splitBytes) {
      this.splitBytes = splitBytes;
    }

    @Override
    public Splits splits() {
      long steps = shape.steps();
      double stepBytes = steps == 0 ? 1 : shape.rows() * shape.rowBytes(columns) / steps;
      return new Cuts(label, shape, Math.max(1, (long) (splitBytes / stepBytes)));
    }

    @Override
    public Reader reader(ReadContext context) {
      return new GenerateReader(schema, shape.maker(columns), shape.rowBytes(columns), context);
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }

  @Override
  public void close() {
    // It holds nothing open.
  }

  private Schema selected() {
    Schema all = shape.schema();
    List<Column> selected = new ArrayList<>();
    for (int column : columns) {
      selected.add(all.column(column));
    }
    Schema some = Schema.of(selected);
    // Part of a key is no key.
    return some.names().containsAll(all.key()) ? new Schema(selected, all.key()) : some;
  }

  /// Cuts the steps into splits of equal size.
  private static final class Cuts implements Splits {

    private final String label;
    private final Shape shape;
    private final long size;
    private int index;
    private long from;

    Cuts(String label, Shape shape, long size) {
      this.label = label;
      this.shape = shape;
      this.size = size;
    }

    @Override
    public @Nullable Split next() {
      long steps = shape.steps();
      if (from >= steps) {
        return null;
      }
      long to = steps - from <= size ? steps : from + size;
      Split split = new Split(index++, label, from, to, shape.firstRow(from), 0);
      from = to;
      return split;
    }
  }
}
