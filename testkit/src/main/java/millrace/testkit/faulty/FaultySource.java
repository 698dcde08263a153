package millrace.testkit.faulty;

import java.util.concurrent.CountDownLatch;
import millrace.data.Batch;
import millrace.data.Form;
import millrace.spi.ReadContext;
import millrace.spi.Reader;
import millrace.spi.Source;
import millrace.spi.SourceDescription;
import millrace.spi.Split;
import millrace.spi.Splits;
import millrace.spi.Wanted;
import org.jspecify.annotations.Nullable;

/// A source whose readers fail as planned.
final class FaultySource implements Source {

  private final Source inner;
  private final Injector injector;

  FaultySource(Source inner, Injector injector) {
    this.inner = inner;
    this.injector = injector;
  }

  @Override
  public SourceDescription describe(Wanted wanted) {
    return inner.describe(wanted);
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public Splits splits(long splitBytes, int lanes) {
    return inner.splits(splitBytes, lanes);
  }

  @Override
  public Reader reader(Form form, ReadContext context) {
    return new FaultyReader(inner.reader(form, context), injector);
  }

  @Override
  public void close() {
    inner.close();
  }

  private static final class FaultyReader implements Reader {

    private final Reader inner;
    private final Injector injector;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private int split;

    FaultyReader(Reader inner, Injector injector) {
      this.inner = inner;
      this.injector = injector;
    }

    @Override
    public void start(Split split) {
      this.split = split.index();
      inner.start(split);
    }

    @Override
    public @Nullable Batch next() {
      injector.strike(FaultPlan.Site.READ, split, cancelled);
      return inner.next();
    }

    @Override
    public void cancel() {
      cancelled.countDown();
      inner.cancel();
    }

    @Override
    public void close() {
      inner.close();
    }
  }
}
