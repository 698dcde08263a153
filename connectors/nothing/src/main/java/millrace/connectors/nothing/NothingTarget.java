package millrace.connectors.nothing;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.PhaseTimer;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.Writer;

/// Takes columns as they are, and frames where it is told to.
final class NothingTarget implements Target {

  /// What frames are said to cost, in nanoseconds per byte of text: more than any source pays to
  /// parse, because a copy into nothing is there to measure the parsing.
  private static final double FRAMES_COST = 1000;

  private final String label;
  private final WriteOptions writeOptions;

  NothingTarget(String label, WriteOptions writeOptions) {
    this.label = label;
    this.writeOptions = writeOptions;
  }

  @Override
  public TargetDescription describe() {
    return TargetDescription.of(label, null);
  }

  @Override
  public WritePlan fit(Schema incoming) {
    Mode mode = writeOptions.mode() == null ? Mode.APPEND : writeOptions.mode();
    return new WritePlan(incoming, mode, "", List.of());
  }

  @Override
  public double cost(Form form) {
    return form.isFrames() ? FRAMES_COST : 0;
  }

  @Override
  public void begin(int lanes) {
    // There is nothing to make ready.
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return new NothingWriter(context);
  }

  @Override
  public void complete(PhaseTimer steps) {
    // Every row has been dropped already.
  }

  @Override
  public void abandon() {
    // Nothing was kept, so nothing is left to undo.
  }

  @Override
  public void close() {
    // It holds nothing open.
  }
}
