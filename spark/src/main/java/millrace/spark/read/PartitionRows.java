package millrace.spark.read;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.engine.transform.Converter;
import millrace.fault.Fault;
import millrace.spi.StageClock;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects;
import millrace.tuning.BestUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/// Reads a partition on the thread of its task, and lends Spark each batch as it was read.
final class PartitionRows implements PartitionReader<ColumnarBatch> {

  /// What executors are sent once for all partitions; it holds nothing.
  static final class Factory implements PartitionReaderFactory {

    private static final long serialVersionUID = 1L;

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException("it is read in columns");
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      return Opening.explained(() -> new PartitionRows((SourcePartition) partition));
    }

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }
  }

  /// Ends the task at the first bad record.
  private static final Rejects NONE_ALLOWED =
      new Rejects() {
        @Override
        public void reject(Reject reject) {
          String place = reject.line() > 0 ? "line " + reject.line() : "row " + reject.row();
          throw new Fault.Data(
              "%s, %s, column '%s': %s"
                  .formatted(reject.resource(), place, reject.column(), reject.reason()),
              "Mend the record, or give the column a type in the URL that takes it.",
              null);
        }

        @Override
        public boolean allowed() {
          return false;
        }
      };

  private final Deque<Runnable> closings = new ArrayDeque<>();
  private final Iterator<Split> splits;
  private final Reader reader;
  private final @Nullable Converter converter;
  private final List<ColumnView> views;
  private final ColumnarBatch lent;
  private boolean isStarted;
  private @Nullable Columns batch;

  private PartitionRows(SourcePartition partition) {
    try {
      Source source = Opening.opener().source(partition.end(), partition.selection());
      closings.push(source::close);
      DescribedSource described = source.describe(SourceTable.REQUEST);
      SourceScan.checkSame(described.description(), partition.columns());
      ReadSession session = described.open(SourceScan.readPlan(partition, 1));
      closings.push(session::close);
      List<Split> given = partition.splits();
      splits = (given == null ? SourceScan.splits(session) : given).iterator();
      reader =
          session.reader(
              new ReadContext(0, new StageClock(), NONE_ALLOWED, null, BestUnit.unknown(), null));
      closings.push(reader::close);
      Schema read = described.description().schema();
      Schema passed = described.description().passed(SourceTable.REQUEST);
      boolean isTyped = described.description().reading().declaredTypes().isEmpty();
      converter = isTyped ? null : Converter.between(read, passed, NONE_ALLOWED);
      views =
          IntStream.range(0, partition.width())
              .mapToObj(i -> new ColumnView(partition.columns().column(i)))
              .toList();
      lent = new ColumnarBatch(views.toArray(ColumnView[]::new));
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public boolean next() {
    return Opening.explained(this::advance);
  }

  private boolean advance() {
    release();
    while (isStarted || splits.hasNext()) {
      if (!isStarted) {
        reader.start(splits.next());
        isStarted = true;
      }
      Batch read = reader.next();
      if (read == null) {
        isStarted = false;
      } else {
        lend((Columns) read);
        return true;
      }
    }
    return false;
  }

  private void lend(Columns read) {
    Columns now = converter == null ? read : converter.apply(read);
    batch = now;
    for (int i = 0; i < views.size(); i++) {
      views.get(i).show(now.vector(i), now.rows());
    }
    lent.setNumRows(now.rows());
  }

  /// Spark has done with a batch when it asks for the next one.
  private void release() {
    Columns done = batch;
    batch = null;
    if (done != null) {
      done.release();
    }
  }

  @Override
  public ColumnarBatch get() {
    return lent;
  }

  @Override
  public void close() {
    release();
    while (!closings.isEmpty()) {
      try {
        closings.pop().run();
      } catch (Fault e) {
        Opening.note("A source does not close: " + e.clause() + ".");
      }
    }
  }
}
