package millrace.testkit.faulty;

import java.util.concurrent.CountDownLatch;
import millrace.data.Batch;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.Durable;
import millrace.spi.Encoder;
import millrace.spi.Fit;
import millrace.spi.Journal;
import millrace.spi.Receipt;
import millrace.spi.Split;
import millrace.spi.StepTimer;
import millrace.spi.Target;
import millrace.spi.TargetDescription;
import millrace.spi.WriteContext;
import millrace.spi.Writer;
import org.jspecify.annotations.Nullable;

/// A target whose writers and whose completion fail as planned.
final class FaultyTarget implements Target {

  private final Target inner;
  private final Injector injector;

  FaultyTarget(Target inner, Injector injector) {
    this.inner = inner;
    this.injector = injector;
  }

  @Override
  public TargetDescription describe() {
    return inner.describe();
  }

  @Override
  public Fit fit(Schema incoming) {
    return inner.fit(incoming);
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public void begin(int lanes) {
    inner.begin(lanes);
  }

  @Override
  public @Nullable Encoder encoder(WriteContext context) {
    return inner.encoder(context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new FaultyWriter(inner.writer(form, context), injector);
  }

  @Override
  public void complete(StepTimer steps) {
    injector.strike(FaultPlan.Site.COMPLETE, -1, null);
    inner.complete(steps);
  }

  @Override
  public @Nullable Journal journal() {
    return inner.journal();
  }

  @Override
  public String journalWhyNot() {
    return inner.journalWhyNot();
  }

  @Override
  public Durable durable(Split split) {
    return inner.durable(split);
  }

  @Override
  public void keep() {
    inner.keep();
  }

  @Override
  public void cancel() {
    inner.cancel();
  }

  @Override
  public void abandon() {
    inner.abandon();
  }

  @Override
  public void close() {
    inner.close();
  }

  private static final class FaultyWriter implements Writer {

    private final Writer inner;
    private final Injector injector;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private int split;

    FaultyWriter(Writer inner, Injector injector) {
      this.inner = inner;
      this.injector = injector;
    }

    @Override
    public void start(Split split) {
      this.split = split.index();
      inner.start(split);
    }

    @Override
    public void write(Batch batch) {
      try {
        injector.strike(FaultPlan.Site.WRITE, split, cancelled);
      } catch (RuntimeException e) {
        batch.release();
        throw e;
      }
      inner.write(batch);
    }

    @Override
    public @Nullable Receipt reached(@Nullable Split rest, long checksum) {
      return inner.reached(rest, checksum);
    }

    @Override
    public Receipt finish() {
      injector.strike(FaultPlan.Site.FINISH, split, cancelled);
      return inner.finish();
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

    @Override
    public boolean undone() {
      return inner.undone();
    }
  }
}
