package millrace.copy;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.data.Batch;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.ColumnsPool;
import millrace.data.DoubleVector;
import millrace.data.Form;
import millrace.data.Frames;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Vector;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// A few batches of some source, given again and again without end: what a target takes when the
/// source costs next to nothing. The run that reads it is cancelled when enough was seen.
final class SampleSource implements Source {

  /// So many batches make a split; a target makes a split's rows durable.
  private static final int BATCHES_PER_SPLIT = 64;

  private final SourceDescription sampled;
  private final Form form;
  private final List<Batch> batches;

  /// @param sampled what the batches come from
  /// @param form the form that they are in
  /// @param batches made by {@link #copy}; at least one
  SampleSource(SourceDescription sampled, Form form, List<Batch> batches) {
    this.sampled = sampled;
    this.form = form;
    this.batches = List.copyOf(batches);
  }

  /// A copy of a batch that outlives it.
  static Batch copy(Batch batch) {
    return switch (batch) {
      case Frames frames ->
          new Frames(
              Arrays.copyOfRange(frames.bytes(), frames.start(), frames.end()),
              0,
              frames.length(),
              frames.rows(),
              frames.form(),
              frames.source(),
              null);
      case Columns columns ->
          copy(columns, Columns.standalone(columns.schema(), columns.capacity()), true);
    };
  }

  /// @param deep whether bytes are copied too; otherwise they are shared
  private static Columns copy(Columns from, Columns to, boolean deep) {
    int rows = from.rows();
    for (int i = 0; i < from.schema().width(); i++) {
      Vector source = from.vector(i);
      Vector target = to.vector(i);
      System.arraycopy(source.nulls, 0, target.nulls, 0, rows);
      switch (source) {
        case LongVector longs -> System.arraycopy(longs.values, 0, to.longs(i).values, 0, rows);
        case DoubleVector doubles ->
            System.arraycopy(doubles.values, 0, to.doubles(i).values, 0, rows);
        case BytesVector bytes -> copy(bytes, to.bytes(i), rows, deep);
      }
    }
    to.filled(rows, from.sourceBytes(), from.location(), null);
    return to;
  }

  private static void copy(BytesVector from, BytesVector to, int rows, boolean deep) {
    if (!deep) {
      to.view(from.bytes);
      System.arraycopy(from.starts, 0, to.starts, 0, rows);
      System.arraycopy(from.ends, 0, to.ends, 0, rows);
      return;
    }
    for (int row = 0; row < rows; row++) {
      if (!from.nulls[row]) {
        to.append(row, from.bytes, from.starts[row], from.ends[row]);
      }
    }
  }

  @Override
  public DescribedSource describe(ColumnRequest columnRequest) {
    return new Described();
  }

  @Override
  public void close() {
    // It holds nothing but memory.
  }

  /// It is the same however often it is looked at.
  private final class Described implements DescribedSource {

    @Override
    public SourceDescription description() {
      return SourceDescription.of(
              "rows of " + sampled.label() + " from memory",
              // Repeated rows break any key.
              Schema.of(sampled.schema().columns()))
          .withNames(sampled.named())
          .pushingDown()
          .withForms(form.isFrames() ? List.of(form) : List.of())
          .withSize(-1, -1, true);
    }

    @Override
    public SourceIdentity identity() {
      return SourceIdentity.unknown(sampled.label(), "it is rows in memory", List.of());
    }

    @Override
    public double cost(Form wanted) {
      return wanted.equals(form) ? 0 : -1;
    }

    @Override
    public ReadSession open(ReadPlan plan) {
      return new Repeats();
    }
  }

  private final class Repeats implements ReadSession {

    @Override
    public Splits splits() {
      AtomicInteger next = new AtomicInteger();
      return () -> {
        int index = next.getAndIncrement();
        return new Split(index, "memory", index, index + 1L, 0, 0);
      };
    }

    @Override
    public Reader reader(ReadContext context) {
      return new Repeat(context.clock());
    }

    @Override
    public void close() {
      // It holds nothing but memory.
    }
  }

  /// Gives every batch in turn, each time as a copy that its taker may change.
  private final class Repeat implements Reader {

    private final StageClock clock;
    private final @Nullable ColumnsPool pool;
    private int given;

    private Repeat(StageClock clock) {
      this.clock = clock;
      pool =
          batches.getFirst() instanceof Columns columns
              ? new ColumnsPool(columns.schema(), columns.capacity())
              : null;
    }

    @Override
    public void start(Split split) {
      given = 0;
    }

    @Override
    public @Nullable Batch next() {
      clock.enter(Stage.READ);
      if (given >= BATCHES_PER_SPLIT) {
        return null;
      }
      Batch batch = batches.get(given++ % batches.size());
      return batch instanceof Columns columns && pool != null
          ? copy(columns, pool.take(), false)
          : batch;
    }

    @Override
    public void close() {
      // It holds nothing open.
    }
  }
}
