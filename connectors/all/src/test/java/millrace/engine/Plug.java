package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.data.Batch;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import millrace.testkit.forwarding.ForwardingReader;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriter;
import org.jspecify.annotations.Nullable;

/// Is pulled in the midst of a copy: its source gives so many batches and then fails as a disk or a
/// network does, but not before its target has made out the receipts that the test is about.
public final class Plug {

  public static final String PULLED = "the plug was pulled";

  private final AtomicInteger batches;
  private final CountDownLatch receipts;
  private final boolean inFirstSplit;

  /// @param batches how many of them are read
  /// @param receipts how many of them the target makes out, 0 where it may be any number
  public Plug(int batches, int receipts) {
    this(batches, receipts, false);
  }

  private Plug(int batches, int receipts, boolean inFirstSplit) {
    this.batches = new AtomicInteger(batches);
    this.receipts = new CountDownLatch(receipts);
    this.inFirstSplit = inFirstSplit;
  }

  /// One that is never pulled.
  public static Plug never() {
    return new Plug(Integer.MAX_VALUE, 0);
  }

  /// One that is pulled before the first split gives anything, when another has a receipt.
  public static Plug inFirstSplit() {
    return new Plug(Integer.MAX_VALUE, 1, true);
  }

  public Source of(Source source) {
    return new CutSource(source);
  }

  public Target of(Target target) {
    return new TellingTarget(target);
  }

  private void pull() {
    try {
      assertThat(receipts.await(30, TimeUnit.SECONDS)).as("the receipts were made out").isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new Fault.External(PULLED, "", null);
  }

  private final class CutSource extends ForwardingSource {

    CutSource(Source inner) {
      super(inner);
    }

    @Override
    public Reader reader(Form form, ReadContext context) {
      return new CutReader(super.reader(form, context));
    }
  }

  private final class CutReader extends ForwardingReader {
    private boolean isCut;

    CutReader(Reader inner) {
      super(inner);
    }

    @Override
    public void start(Split split) {
      isCut = inFirstSplit && split.index() == 0;
      super.start(split);
    }

    @Override
    public @Nullable Batch next() {
      if (isCut || batches.getAndDecrement() <= 0) {
        pull();
      }
      return super.next();
    }
  }

  private final class TellingTarget extends ForwardingTarget {

    TellingTarget(Target inner) {
      super(inner);
    }

    @Override
    public Writer writer(Form form, WriteContext context) {
      return new TellingWriter(super.writer(form, context));
    }
  }

  private final class TellingWriter extends ForwardingWriter {

    TellingWriter(Writer inner) {
      super(inner);
    }

    @Override
    public @Nullable Receipt reached(@Nullable Split rest, long checksum) {
      Receipt receipt = super.reached(rest, checksum);
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
