package millrace.testkit.forwarding;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.Counters;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Journal;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Encoder;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Rejects;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Another target in all it does. A test checks that no method is left out.
public class ForwardingTarget implements Target {

  private final Target inner;

  public ForwardingTarget(Target inner) {
    this.inner = inner;
  }

  @Override
  public TargetDescription describe() {
    return inner.describe();
  }

  @Override
  public WritePlan fit(Schema incoming) {
    return inner.fit(incoming);
  }

  @Override
  public double cost(Form form) {
    return inner.cost(form);
  }

  @Override
  public String method() {
    return inner.method();
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
  public boolean journalIsClosed() {
    return inner.journalIsClosed();
  }

  @Override
  public CommitStatus durable(Split split) {
    return inner.durable(split);
  }

  @Override
  public void expectSift() {
    inner.expectSift();
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
    return inner.writer(form, context);
  }

  @Override
  public long validateStaged(Rejects rejects, PhaseTimer steps) {
    return inner.validateStaged(rejects, steps);
  }

  @Override
  public void complete(PhaseTimer steps) {
    inner.complete(steps);
  }

  @Override
  public String adviceToReadItself() {
    return inner.adviceToReadItself();
  }

  @Override
  public boolean completesAgain() {
    return inner.completesAgain();
  }

  @Override
  public boolean isGone() {
    return inner.isGone();
  }

  @Override
  public String leaves() {
    return inner.leaves();
  }

  @Override
  public List<String> notes() {
    return inner.notes();
  }

  @Override
  public @Nullable String waitsFor() {
    return inner.waitsFor();
  }

  @Override
  public void cancel() {
    inner.cancel();
  }

  @Override
  public boolean abandonLeavesRows() {
    return inner.abandonLeavesRows();
  }

  @Override
  public void abandon() {
    inner.abandon();
  }

  @Override
  public boolean keep() {
    return inner.keep();
  }

  @Override
  public @Nullable MergeCounts merged() {
    return inner.merged();
  }

  @Override
  public @Nullable Counters counters() {
    return inner.counters();
  }

  @Override
  public void close() {
    inner.close();
  }
}
