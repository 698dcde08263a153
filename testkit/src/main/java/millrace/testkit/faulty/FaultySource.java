package millrace.testkit.faulty;

import java.util.concurrent.CountDownLatch;
import millrace.data.Batch;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingReader;
import millrace.testkit.forwarding.ForwardingSource;
import org.jspecify.annotations.Nullable;

/// A source whose readers fail as planned.
final class FaultySource extends ForwardingSource {

  private final Injector injector;

  FaultySource(Source inner, Injector injector) {
    super(inner);
    this.injector = injector;
  }

  @Override
  protected ReadSession opened(ReadSession session) {
    return new ForwardingReadSession(session) {
      @Override
      public Reader reader(ReadContext context) {
        return new FaultyReader(super.reader(context), injector);
      }
    };
  }

  private static final class FaultyReader extends ForwardingReader {

    private final Injector injector;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private int split;

    FaultyReader(Reader inner, Injector injector) {
      super(inner);
      this.injector = injector;
    }

    @Override
    public void start(Split split) {
      this.split = split.index();
      super.start(split);
    }

    @Override
    public @Nullable Batch next() {
      injector.strike(FaultPlan.Site.READ, split, cancelled);
      return super.next();
    }

    @Override
    public void cancel() {
      cancelled.countDown();
      super.cancel();
    }
  }
}
