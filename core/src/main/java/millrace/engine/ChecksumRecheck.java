package millrace.engine;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import millrace.data.Batch;
import millrace.engine.lane.LaneOpener;
import millrace.engine.lane.LanePool;
import millrace.engine.lane.Receipts;
import millrace.engine.meter.Meter;
import millrace.engine.reject.RejectLog;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.retry.StallWatch;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.spi.Blockable;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ReadSession;
import millrace.spi.read.RecordFile;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.RecoverableWriter;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Reads again what an earlier run has taken, to see whether it is still the same.
///
/// The lanes of a run do it, before anything is written: each split's rows are added up and
/// dropped. Used once, on the run's thread; any other may {@link #cancel}.
final class ChecksumRecheck {

  private final Plan plan;
  private final Blockable source;
  private final ReadSession reading;
  private final RetryPolicy retryPolicy;
  private final Meter meter;
  private final AtomicReference<Fault.@Nullable Cancelled> cancelled = new AtomicReference<>();
  private volatile @Nullable LanePool lanePool;

  /// Of splits that are not the same any more, by their number.
  private final Map<Integer, Split> changed = new ConcurrentSkipListMap<>();

  /// @param plan of the run that is to go on
  /// @param reading adds up checksums; it stays open
  ChecksumRecheck(Plan plan, Blockable source, ReadSession reading, RetryPolicy retryPolicy) {
    this.plan = plan.forReading();
    this.source = source;
    this.reading = reading;
    this.retryPolicy = retryPolicy;
    meter = new Meter(this.plan.lanes());
  }

  /// Reads them.
  ///
  /// @param taken whose rows must be the same
  /// @param empty splits without receipts, which must have no rows
  /// @return how the source has changed, as a sentence without its end; empty if it has not
  String change(List<Receipt> taken, List<Split> empty) {
    Map<Split, Long> checksums = new LinkedHashMap<>();
    for (Receipt receipt : taken) {
      if (receipt.rest() != null) {
        throw new Fault.Bug("a part of a split can't be read again: " + receipt, null);
      }
      checksums.put(receipt.split(), receipt.checksum());
    }
    empty.forEach(split -> checksums.put(split, 0L));
    read(checksums);
    return changed.isEmpty() ? "" : words(changed.values().iterator().next(), empty);
  }

  private static String words(Split split, List<Split> empty) {
    String where =
        split.resource()
            + " (split "
            + split.index()
            + ", from "
            + split.from()
            + (split.to() == Long.MAX_VALUE ? " on" : " to " + split.to())
            + ")";
    return empty.contains(split)
        ? "there are more rows now in " + where
        : "rows that were copied are not the same now in " + where;
  }

  private void read(Map<Split, Long> checksums) {
    Iterator<Split> left = checksums.keySet().iterator();
    Splits each = () -> left.hasNext() ? left.next() : null;
    try (RejectLog rejects = new RejectLog(Job.RejectPolicy.NONE, meter, RecordFile.PLAIN)) {
      LanePool lanes =
          new LanePool(
              new LaneOpener(
                  plan,
                  reading,
                  WriteSession.of(_ -> new ComparingWriter(checksums)),
                  meter,
                  rejects),
              each,
              new Receipts(meter, List.of()),
              retryPolicy,
              null,
              source::cancel);
      lanePool = lanes;
      stopIfCancelled(lanes);
      try (StallWatch _ =
          StallWatch.start(
              retryPolicy.stallTimeout(), StallWatch.rows(meter, source), lanes::fail)) {
        lanes.work();
      }
      RunFailure.throwFirst(lanes.failure(), plan.lanes().first());
    }
  }

  /// Rows read so far.
  long rows() {
    return meter.rows();
  }

  /// Stops the reading soon. From any thread.
  void cancel(Fault.Cancelled why) {
    cancelled.compareAndSet(null, why);
    LanePool lanes = lanePool;
    if (lanes != null) {
      stopIfCancelled(lanes);
    }
  }

  private void stopIfCancelled(LanePool lanes) {
    Fault.Cancelled stop = cancelled.get();
    if (stop != null) {
      lanes.fail(stop);
    }
  }

  /// Takes any rows, keeps none, and looks at the checksums of their splits.
  private final class ComparingWriter implements RecoverableWriter {

    private final Map<Split, Long> checksums;
    private @Nullable Split split;
    private long rows;
    private long checksum;

    ComparingWriter(Map<Split, Long> checksums) {
      this.checksums = checksums;
    }

    @Override
    public void start(Split next) {
      split = next;
      rows = 0;
    }

    @Override
    public void write(Batch batch) {
      rows += batch.rows();
      batch.release();
    }

    @Override
    public @Nullable Receipt checkpoint(@Nullable Split rest, long sum) {
      checksum = sum;
      return null;
    }

    @Override
    public Receipt finish() {
      Split read = split;
      Long expected = read == null ? null : checksums.get(read);
      if (read == null || expected == null) {
        throw new Fault.Bug("a split that nobody asked for: " + read, null);
      }
      if (checksum != expected) {
        changed.put(read.index(), read);
      }
      return new Receipt(read, rows, 0, false);
    }

    @Override
    public Leftover leftover(boolean committing) {
      return Leftover.NOTHING;
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
