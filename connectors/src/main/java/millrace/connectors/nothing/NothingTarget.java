package millrace.connectors.nothing;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.Fit;
import millrace.spi.Landing;
import millrace.spi.Mode;
import millrace.spi.StepTimer;
import millrace.spi.Target;
import millrace.spi.TargetDescription;
import millrace.spi.WriteContext;
import millrace.spi.Writer;

/// Takes columns as they are, and frames where it is told to.
final class NothingTarget implements Target {

  /// What frames are said to cost, in nanoseconds per byte of text: more than any source pays to
  /// parse, because a copy into nothing is there to measure the parsing.
  private static final double FRAMES_COST = 1000;

  private final String label;
  private final Landing landing;

  NothingTarget(String label, Landing landing) {
    this.label = label;
    this.landing = landing;
  }

  @Override
  public TargetDescription describe() {
    return new TargetDescription(label, null, true, List.of(), Integer.MAX_VALUE, "");
  }

  @Override
  public Fit fit(Schema incoming) {
    Mode mode = landing.mode() == null ? Mode.APPEND : landing.mode();
    return new Fit(incoming, mode, "", List.of());
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
  public void complete(StepTimer steps) {
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
