package millrace.copy;

import java.math.BigDecimal;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.Frames;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A target that keeps nothing of one column but its least or greatest value, and counts the rows
/// without one. Lanes write side by side; what they found is asked for once the run has ended.
final class KeyExtent implements Target {

  private final Column wanted;
  private final boolean greatest;
  private @Nullable Column read;
  private @Nullable String found;
  private long without;

  /// @param wanted the column, of the type that a source without types is to take
  /// @param greatest whether the greatest value is kept, or the least
  KeyExtent(Column wanted, boolean greatest) {
    this.wanted = wanted;
    this.greatest = greatest;
  }

  /// The value as {@link Spelling} writes it; null if there is none.
  synchronized @Nullable String found() {
    return found;
  }

  /// How many rows have no value, of those that were read.
  synchronized long without() {
    return without;
  }

  /// The type of which it is.
  synchronized Type type() {
    return read == null ? wanted.type() : read.type();
  }

  @Override
  public DescribedTarget describe() {
    String label = "the ends of " + wanted.name();
    return DescribedTarget.of(
        TargetDescription.of(label, State.STREAM)
            .with(label, List.of(TargetColumn.of(wanted, true)), List.of()),
        request -> {
          read = request.incoming().column(0);
          return PlannedTarget.ofColumns(
              WritePlan.of(request), 0, _ -> WriteSession.of(Finder::new));
        });
  }

  private synchronized void addWithout(long more) {
    without += more;
  }

  private synchronized void take(Type type, String value) {
    String before = found;
    if (before == null || isBeyond(type, value, before)) {
      found = value;
    }
  }

  /// Infinities and the like come last, so that they are told.
  private boolean isBeyond(Type type, String value, String before) {
    KeyValues values = new KeyValues(wanted.name(), type);
    int compared = values.number(value).compareTo(values.number(before));
    return greatest ? compared > 0 : compared < 0;
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  /// Looks through the rows of one lane.
  private final class Finder implements Writer {

    private final WriteContext context;
    private @Nullable Split split;
    private long rows;
    private long missing;

    Finder(WriteContext context) {
      this.context = context;
    }

    @Override
    public void start(Split next) {
      split = next;
      rows = 0;
      missing = 0;
    }

    @Override
    public void write(Batch batch) {
      switch (batch) {
        case Columns columns -> {
          context.clock().enter(Stage.ENCODE);
          Type type = columns.schema().column(0).type();
          int at = place(columns.vector(0), type, columns.rows());
          if (at >= 0) {
            take(type, Spelling.text(columns, 0, at));
          }
          rows += columns.rows();
          columns.release();
        }
        case Frames _ ->
            throw new Fault.Bug("the ends of a column were looked for in frames", null);
      }
    }

    /// Where a batch has its least or greatest value; -1 if it has none.
    private int place(Vector vector, Type type, int count) {
      int best = -1;
      for (int row = 0; row < count; row++) {
        if (vector.nulls[row]) {
          missing++;
        } else if (best < 0 || isBeyond(vector, type, row, best)) {
          best = row;
        }
      }
      return best;
    }

    private boolean isBeyond(Vector vector, Type type, int row, int best) {
      int compared =
          switch (vector) {
            case LongVector longs -> Long.compare(longs.values[row], longs.values[best]);
            case DoubleVector doubles -> Double.compare(doubles.values[row], doubles.values[best]);
            default -> number(vector, type, row).compareTo(number(vector, type, best));
          };
      return greatest ? compared > 0 : compared < 0;
    }

    private BigDecimal number(Vector vector, Type type, int row) {
      return new KeyValues(wanted.name(), type).number(Spelling.text(type, vector, row));
    }

    @Override
    public Receipt finish() {
      if (split == null) {
        throw new Fault.Bug("a split was finished that never began", null);
      }
      addWithout(missing);
      return new Receipt(split, rows, 0, false);
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
