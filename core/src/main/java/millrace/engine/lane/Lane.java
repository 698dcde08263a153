package millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.engine.transform.BatchTransform;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.write.Encoder;
import millrace.spi.write.RecoverableWriter.Leftover;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// One reader, one bounded exchange, one writer: works splits off until there are none.
///
/// The two halves run on two threads, so that reading and writing overlap. They are platform
/// threads, because both halves spend their time computing.
final class Lane {

  /// Batches that may wait between the halves: enough to even out bursts, few enough that memory
  /// stays small whatever the size of the source.
  private static final int EXCHANGE_PARCELS = 4;

  /// Batches that a lane holds at most: those that wait, and one in either half.
  static final long BATCHES_MAX = EXCHANGE_PARCELS + 2;

  /// What a lane works on. Called on the reader's thread but for one.
  interface Work {

    /// The next split, or null if the lane is to end.
    @Nullable Split next();

    /// A batch has been read, of so many bytes of the source.
    void read(long bytes);

    /// A split is done. Called on the writer's thread.
    void finished();
  }

  /// How far a split has come that is not finished.
  static final class SplitProgress {
    private final Split split;
    private final long sinceNanos = System.nanoTime();
    private long bytesRead;
    private boolean writerBegan;
    private long rowsBefore;
    private long rowsWritten;
    private boolean inDoubt;
    private boolean undone = true;
    private @Nullable Receipt receipt;

    private SplitProgress(Split split) {
      this.split = split;
    }

    Split split() {
      return split;
    }

    /// What the writer has left of it, which failed and was closed.
    void settle(Leftover leftover) {
      inDoubt = leftover == Leftover.UNKNOWN;
      undone = leftover != Leftover.ROWS;
    }

    /// Something of it was made durable.
    void committed(Receipt last) {
      receipt = last;
    }

    /// When the lane took it, by the system's clock.
    long sinceNanos() {
      return sinceNanos;
    }

    /// Bytes of the source that were read of it, and are to be read again.
    long bytesRead() {
      return bytesRead;
    }

    /// Rows that the writer took and did not refuse, and that are to be written again.
    long rowsWritten() {
      return rowsWritten;
    }

    /// Whether the writer has begun it, so that the target may hold something of it.
    boolean wasWritten() {
      return writerBegan;
    }

    /// Whether it failed while it was made durable, so that nobody knows whether it is.
    boolean isInDoubt() {
      return inDoubt;
    }

    /// What was made durable of it before, or null if nothing was.
    @Nullable Receipt receipt() {
      return receipt;
    }

    /// Whether the writer has left nothing behind.
    boolean isUndone() {
      return undone;
    }
  }

  private final Exchange exchange = new Exchange(EXCHANGE_PARCELS);
  private final CountDownLatch writerOpened = new CountDownLatch(1);
  private final Work work;
  private final List<BatchTransform> steps;
  private final StageClock readerClock;
  private final StageClock writerClock;
  private final LaneCommits commits;
  private final AtomicBoolean cancelled = new AtomicBoolean();
  private final AtomicBoolean readerCancelled = new AtomicBoolean();
  private final AtomicReference<@Nullable SplitProgress> failedAt = new AtomicReference<>();
  private volatile boolean givenUp;

  /// Splits that have been taken and are not finished, in the order in which both halves do them.
  private final ConcurrentLinkedDeque<SplitProgress> unfinished = new ConcurrentLinkedDeque<>();

  private volatile @Nullable Reader reader;
  private volatile @Nullable Writer writer;

  Lane(
      Work work,
      List<BatchTransform> steps,
      StageClock readerClock,
      StageClock writerClock,
      LaneCommits commits) {
    this.work = work;
    this.steps = steps;
    this.readerClock = readerClock;
    this.writerClock = writerClock;
    this.commits = commits;
  }

  /// The reader's half, on its own thread, from opening to closing. It takes its first split once
  /// both halves are open: a lane that can't open has taken none.
  ///
  /// @param encoder what the target's writer needs columns to be made into, if anything
  void read(Supplier<Reader> open, Supplier<@Nullable Encoder> encoder) {
    readerClock.begin();
    readerClock.enter(Stage.READ);
    try (Reader mine = open.get()) {
      reader = mine;
      stopIfCancelled();
      Encoder encoding = encoder.get();
      awaitWriter();
      for (Split split = nextSplit(); split != null; split = nextSplit()) {
        put(new Exchange.Parcel.Begin(split));
        mine.start(split);
        if (encoding != null) {
          encoding.start(split);
        }
        for (Batch batch = mine.next(); batch != null; batch = wantsMore() ? mine.next() : null) {
          pass(prepare(batch), encoding);
          Split rest = mine.rest();
          if (rest != null && !rest.isEmpty()) {
            put(new Exchange.Parcel.Checkpoint(rest, mine.checksum()));
          }
        }
        put(new Exchange.Parcel.Checkpoint(null, mine.checksum()));
        put(new Exchange.Parcel.End());
      }
    } catch (RuntimeException | Error e) {
      failedAt(unfinished.peekLast());
      throw e;
    } finally {
      reader = null;
      readerClock.enter(Stage.QUEUE_WAIT);
    }
    exchange.finish();
  }

  private void awaitWriter() {
    readerClock.enter(Stage.QUEUE_WAIT);
    boolean interrupted = false;
    while (writerOpened.getCount() > 0) {
      try {
        writerOpened.await();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    readerClock.enter(Stage.READ);
    stopIfCancelled();
  }

  private @Nullable Split nextSplit() {
    Split next = wantsMore() ? work.next() : null;
    if (next != null) {
      unfinished.add(new SplitProgress(next));
    }
    return next;
  }

  private boolean wantsMore() {
    return steps.stream().allMatch(BatchTransform::wantsMore);
  }

  private Batch prepare(Batch batch) {
    readerClock.passed(batch.rows(), batch.sourceBytes());
    unfinished.getLast().bytesRead += batch.sourceBytes();
    work.read(batch.sourceBytes());
    if (steps.isEmpty() || !(batch instanceof Columns read)) {
      return batch;
    }
    readerClock.enter(Stage.CONVERT);
    Columns columns = read;
    for (BatchTransform batchTransform : steps) {
      columns = batchTransform.apply(columns);
    }
    return columns;
  }

  private void pass(Batch batch, @Nullable Encoder encoder) {
    if (encoder == null || !(batch instanceof Columns columns)) {
      put(new Exchange.Parcel.Rows(batch));
      return;
    }
    readerClock.enter(Stage.ENCODE);
    encoder.encode(
        columns,
        frames -> {
          put(new Exchange.Parcel.Rows(frames));
          readerClock.enter(Stage.ENCODE);
        });
    readerClock.enter(Stage.READ);
  }

  private void put(Exchange.Parcel parcel) {
    readerClock.enter(Stage.QUEUE_WAIT);
    exchange.put(parcel);
    readerClock.enter(Stage.READ);
  }

  /// The writer's half, on its own thread, from opening to closing.
  void write(Supplier<Writer> open) {
    writerClock.begin();
    writerClock.enter(Stage.SERVER_WAIT);
    Writer opened = null;
    try (Writer mine = open.get()) {
      opened = mine;
      writer = mine;
      writerOpened.countDown();
      stopIfCancelled();
      for (Exchange.Parcel parcel = take(); parcel != null; parcel = take()) {
        switch (parcel) {
          case Exchange.Parcel.Begin(Split split) -> begin(mine, split);
          case Exchange.Parcel.Rows(Batch batch) -> write(mine, batch);
          case Exchange.Parcel.Checkpoint(Split rest, long checksum) ->
              commits.reached(mine, unfinished.getFirst(), rest, checksum);
          case Exchange.Parcel.End() -> finish(mine);
        }
      }
      commits.end(mine);
    } catch (RuntimeException | Error e) {
      failedAt(unfinished.peekFirst());
      throw e;
    } finally {
      writer = null;
      writerClock.enter(Stage.QUEUE_WAIT);
      if (opened != null) {
        settle(opened);
      }
    }
  }

  private void settle(Writer closed) {
    SplitProgress left = unfinished.peekFirst();
    if (left != null && left.writerBegan) {
      left.rowsWritten = writerClock.rows() - left.rowsBefore;
      commits.settle(closed, left);
    } else {
      commits.settle(closed, null);
    }
  }

  /// The first half to fail is the one to blame; its failure ends the other.
  private void failedAt(@Nullable SplitProgress at) {
    failedAt.compareAndSet(null, at);
  }

  /// The split that the lane failed at, or null if it had none in hand.
  @Nullable SplitProgress failedAt() {
    return failedAt.get();
  }

  private void begin(Writer mine, Split split) {
    SplitProgress taken = unfinished.getFirst();
    taken.writerBegan = true;
    taken.rowsBefore = writerClock.rows();
    mine.start(split);
  }

  private void write(Writer mine, Batch batch) {
    int rows = batch.rows();
    mine.write(batch);
    writerClock.passed(rows, 0);
  }

  private void finish(Writer mine) {
    SplitProgress taken = unfinished.getFirst();
    taken.rowsWritten = writerClock.rows() - taken.rowsBefore;
    boolean isCommitted = commits.finish(mine, taken);
    unfinished.removeFirst();
    if (isCommitted) {
      work.finished();
    }
  }

  private Exchange.@Nullable Parcel take() {
    writerClock.enter(Stage.QUEUE_WAIT);
    Exchange.Parcel parcel = exchange.take();
    writerClock.enter(Stage.ENCODE);
    return parcel;
  }

  /// The splits that were taken and not finished, in order. Once both halves have ended.
  List<SplitProgress> unfinished() {
    List<SplitProgress> all = new ArrayList<>(commits.waiting());
    all.addAll(unfinished);
    return all;
  }

  /// Ends both halves because one of them has failed, and lets the writer end what it does: a
  /// target that answers is not disturbed, for what it is about to finish need not be written
  /// again.
  void giveUp() {
    givenUp = true;
    breakOff();
    cancelReader();
  }

  private void cancelReader() {
    Reader reading = reader;
    if (reading != null && readerCancelled.compareAndSet(false, true)) {
      quietly(reading::cancel);
    }
  }

  /// Stops both halves soon; from any thread, any number of times, also after they ended.
  void cancel() {
    if (!cancelled.compareAndSet(false, true)) {
      return;
    }
    breakOff();
    cancelReader();
    Writer writing = writer;
    if (writing != null) {
      quietly(writing::cancel);
    }
  }

  /// One half could not open: ends the other, without disturbing what it has open.
  void breakOff() {
    exchange.breakOff();
    writerOpened.countDown();
  }

  /// For a half that was still opening when the cancel came, so that nobody told it.
  private void stopIfCancelled() {
    if (cancelled.get() || givenUp) {
      throw new Fault.Cancelled("the run was stopped while the lane opened");
    }
  }

  /// A cancel that fails has nothing to add to the fault that caused it.
  private static void quietly(Runnable cancel) {
    try {
      cancel.run();
    } catch (Fault fault) {
      org.slf4j.LoggerFactory.getLogger(Lane.class).debug("cancel failed", fault);
    }
  }
}
