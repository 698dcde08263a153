package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.data.Batch;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingReader;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.forwarding.ForwardingWriter;
import org.jspecify.annotations.Nullable;

/// Interrupts a copy in its midst: the source gives so many batches and then does something else,
/// but not before its target has made out the receipts that the test is about.
public final class SourceHook {

  public static final String CUT_OFF = "the source was cut off";

  private final AtomicInteger batches;
  private final CountDownLatch receipts;
  private final Where where;
  private final Runnable action;

  /// In which splits it acts.
  private enum Where {
    ANYWHERE,
    IN_FIRST_SPLIT,
    BEHIND_FIRST_SPLIT
  }

  private SourceHook(int batches, int receipts, Where where, Runnable action) {
    this.batches = new AtomicInteger(batches);
    this.receipts = new CountDownLatch(receipts);
    this.where = where;
    this.action = action;
  }

  /// The source fails, as a disk or a network does.
  ///
  /// @param batches how many of them are read
  /// @param receipts how many of them the target makes out, 0 if it may be any number
  public static SourceHook after(int batches, int receipts) {
    return after(batches, receipts, SourceHook::fail);
  }

  /// Something else happens.
  ///
  /// @param action what happens in place of the next batch; called by a lane's thread
  public static SourceHook after(int batches, int receipts, Runnable action) {
    return new SourceHook(batches, receipts, Where.ANYWHERE, action);
  }

  /// The same, but that the first split is read to its end: what writes rows in the order of the
  /// source has a receipt by then.
  public static SourceHook behindFirstSplit(int batches, Runnable action) {
    return new SourceHook(batches, 1, Where.BEHIND_FIRST_SPLIT, action);
  }

  /// One that never acts.
  public static SourceHook never() {
    return after(Integer.MAX_VALUE, 0);
  }

  /// One that acts before the first split gives anything, when another has a receipt.
  public static SourceHook inFirstSplit() {
    return new SourceHook(Integer.MAX_VALUE, 1, Where.IN_FIRST_SPLIT, SourceHook::fail);
  }

  private static void fail() {
    throw new Fault.External(CUT_OFF, "", null);
  }

  /// A source that this hook belongs to.
  public Source of(Source source) {
    return new CutSource(source);
  }

  /// The target of the same copy.
  public Target of(Target target) {
    return new TellingTarget(target);
  }

  private void act() {
    try {
      assertThat(receipts.await(30, TimeUnit.SECONDS)).as("the receipts were made out").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    action.run();
  }

  private final class CutSource extends ForwardingSource {

    CutSource(Source inner) {
      super(inner);
    }

    @Override
    protected ReadSession opened(ReadSession session) {
      return new ForwardingReadSession(session) {
        @Override
        public Reader reader(ReadContext context) {
          return new CutReader(super.reader(context));
        }
      };
    }
  }

  private final class CutReader extends ForwardingReader {
    private boolean isFirst;

    CutReader(Reader inner) {
      super(inner);
    }

    @Override
    public void start(Split split) {
      isFirst = split.index() == 0;
      super.start(split);
    }

    @Override
    public @Nullable Batch next() {
      boolean isDue = batches.getAndDecrement() <= 0;
      boolean isNow =
          switch (where) {
            case ANYWHERE -> isDue;
            case IN_FIRST_SPLIT -> isFirst;
            case BEHIND_FIRST_SPLIT -> isDue && !isFirst;
          };
      if (isNow) {
        act();
      }
      return super.next();
    }
  }

  private final class TellingTarget extends ForwardingTarget {

    TellingTarget(Target inner) {
      super(inner);
    }

    @Override
    protected WriteSession opened(WriteSession session) {
      return new ForwardingWriteSession(session) {
        @Override
        public Writer writer(Form form, WriteContext context) {
          return new TellingWriter(super.writer(form, context));
        }
      };
    }
  }

  private final class TellingWriter extends ForwardingWriter {

    TellingWriter(Writer inner) {
      super(inner);
    }

    @Override
    public @Nullable Receipt checkpoint(@Nullable Split rest, long checksum) {
      Receipt receipt = super.checkpoint(rest, checksum);
      if (receipt != null) {
        receipts.countDown();
      }
      return receipt;
    }

    @Override
    public Receipt finish() {
      Receipt receipt = super.finish();
      receipts.countDown();
      return receipt;
    }
  }
}
