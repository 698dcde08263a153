package millrace.cli.show;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.data.spelling.ValueFormatter;
import millrace.fault.Fault;
import millrace.spi.LaneLimit;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Takes the first rows as text, so that a preview reads as a copy would.
public final class PreviewTarget implements Target {

  private final int rowsMax;
  private final List<List<String>> rows = new ArrayList<>();
  private Schema schema = Schema.of(List.of());

  public PreviewTarget(int rowsMax) {
    this.rowsMax = rowsMax;
  }

  /// The rows, once the run has ended; control characters escaped, `NULL` for what is missing.
  public List<List<String>> rows() {
    return List.copyOf(rows);
  }

  @Override
  public DescribedTarget describe() {
    TargetDescription description =
        TargetDescription.of("preview", TargetDescription.State.STREAM)
            .withLanes(new LaneLimit(1, "a preview needs one"));
    return DescribedTarget.of(
        description,
        request ->
            PlannedTarget.ofColumns(WritePlan.of(request), 0, _ -> open(request.incoming())));
  }

  @Override
  public void close() {
    // It holds nothing open.
  }

  private WriteSession open(Schema shown) {
    schema = shown;
    return WriteSession.of(_ -> new Collector());
  }

  private final class Collector implements Writer {

    private final List<ValueFormatter> formatters =
        schema.columns().stream()
            .map(column -> Spelling.formatter(column.type(), SpellingStyle.ISO))
            .toList();
    private @Nullable Split split;
    private long taken;

    @Override
    public void start(Split next) {
      split = next;
      taken = 0;
    }

    @Override
    public void write(Batch batch) {
      if (!(batch instanceof Columns columns)) {
        throw new Fault.Bug("a preview takes columns only", null);
      }
      for (int row = 0; row < columns.rows() && rows.size() < rowsMax; row++) {
        List<String> cells = new ArrayList<>();
        for (int i = 0; i < formatters.size(); i++) {
          cells.add(cell(formatters.get(i), columns.vector(i), row));
        }
        rows.add(cells);
      }
      taken += columns.rows();
      columns.release();
    }

    private static String cell(ValueFormatter formatter, Vector vector, int row) {
      if (vector.nulls[row]) {
        return "NULL";
      }
      byte[] bytes = new byte[formatter.lengthMax(vector, row)];
      int length = formatter.format(vector, row, bytes, 0);
      return visible(new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    @Override
    public Receipt finish() {
      if (split == null) {
        throw new Fault.Bug("finish before start", null);
      }
      return new Receipt(split, taken, 0, true);
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }

  /// Control characters would move the cursor of the terminal that the value is shown on.
  public static String visible(String text) {
    StringBuilder visible = new StringBuilder();
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '\n' -> visible.append("\\n");
            case '\r' -> visible.append("\\r");
            case '\t' -> visible.append("\\t");
            default -> {
              if (Character.isISOControl(point)) {
                visible.append(String.format("\\x%02x", point));
              } else {
                visible.appendCodePoint(point);
              }
            }
          }
        });
    return visible.toString();
  }
}
