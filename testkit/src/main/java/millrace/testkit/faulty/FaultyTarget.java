package millrace.testkit.faulty;

import java.util.concurrent.CountDownLatch;
import millrace.data.Batch;
import millrace.data.Form;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.Completed;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.forwarding.ForwardingWriter;
import org.jspecify.annotations.Nullable;

/// A target whose writers and whose completion fail as planned.
final class FaultyTarget extends ForwardingTarget {

  private final Injector injector;

  FaultyTarget(Target inner, Injector injector) {
    super(inner);
    this.injector = injector;
  }

  @Override
  protected WriteSession opened(WriteSession session) {
    return new ForwardingWriteSession(session) {
      @Override
      public Writer writer(Form form, WriteContext context) {
        return new FaultyWriter(super.writer(form, context), injector);
      }

      @Override
      public Completed complete(PhaseTimer steps) {
        injector.strike(FaultPlan.Site.COMPLETE, -1, null);
        return super.complete(steps);
      }
    };
  }

  private static final class FaultyWriter extends ForwardingWriter {

    private final Injector injector;
    private final CountDownLatch cancelled = new CountDownLatch(1);
    private int split;
    private boolean answerLost;

    FaultyWriter(Writer inner, Injector injector) {
      super(inner);
      this.injector = injector;
    }

    @Override
    public void start(Split split) {
      this.split = split.index();
      super.start(split);
    }

    @Override
    public void write(Batch batch) {
      try {
        injector.strike(FaultPlan.Site.WRITE, split, cancelled);
      } catch (RuntimeException e) {
        batch.release();
        throw e;
      }
      super.write(batch);
    }

    @Override
    public Receipt finish() {
      injector.strike(FaultPlan.Site.FINISH, split, cancelled);
      return answer(super.finish());
    }

    @Override
    public @Nullable Receipt checkpoint(@Nullable Split rest, long checksum) {
      Receipt receipt = super.checkpoint(rest, checksum);
      return receipt == null ? null : answer(receipt);
    }

    @Override
    public @Nullable Receipt finishLater() {
      Receipt later = super.finishLater();
      if (later != null) {
        injector.strike(FaultPlan.Site.FINISH, split, cancelled);
      }
      return later;
    }

    @Override
    public void commitFinished() {
      injector.strike(FaultPlan.Site.FINISH, split, cancelled);
      super.commitFinished();
      loseAnswer();
    }

    private Receipt answer(Receipt receipt) {
      loseAnswer();
      return receipt;
    }

    private void loseAnswer() {
      answerLost = true;
      injector.strike(FaultPlan.Site.COMMITTED, split, cancelled);
      answerLost = false;
    }

    /// The inner writer has been told of its commit. One that has not knows as little as this.
    @Override
    public Leftover leftover(boolean committing) {
      return answerLost && committing ? Leftover.UNKNOWN : super.leftover(committing);
    }

    @Override
    public void cancel() {
      cancelled.countDown();
      super.cancel();
    }
  }
}
