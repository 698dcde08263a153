package millrace.connectors.nothing;

import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteSession;

/// Takes columns as they are, and frames if it is told to.
final class NothingTarget implements Target {

  /// What frames are said to cost, in nanoseconds per byte of text: more than any source pays to
  /// parse, because a copy into nothing is there to measure the parsing.
  private static final double FRAMES_COST = 1000;

  private final String label;

  NothingTarget(String label) {
    this.label = label;
  }

  @Override
  public DescribedTarget describe() {
    return DescribedTarget.of(
        TargetDescription.of(label, TargetDescription.State.STREAM),
        request ->
            PlannedTarget.of(
                WritePlan.of(request),
                form -> form.isFrames() ? FRAMES_COST : 0,
                _ -> WriteSession.of(NothingWriter::new)));
  }

  @Override
  public void close() {
    // It holds nothing open.
  }
}
