package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.spi.Endpoint;
import millrace.spi.LaneLimit;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.junit.jupiter.api.Test;

final class LaneChoiceTest {

  private static final long SPLIT = 16 << 20;
  private static final LaneLimit ONE = new LaneLimit(1, "a view has no blocks to divide");

  private static SourceDescription source() {
    return SourceDescription.of("from", Schema.of(List.of(Column.of("n", new Type.Int(32)))));
  }

  private static TargetDescription target() {
    return TargetDescription.of("to", State.ABSENT);
  }

  private static Lanes lanes(int requested, boolean ordered, SourceDescription from) {
    return lanes(requested, ordered, from, target());
  }

  private static Lanes lanes(
      int requested, boolean ordered, SourceDescription from, TargetDescription to) {
    Endpoint end = new Endpoint("memory", "rows", Map.of(), Secret.NONE);
    Job job =
        new Job(
            end,
            end,
            Selection.ALL,
            WriteOptions.DEFAULT,
            new Job.Tuning(requested, ordered, null, null, null),
            Job.RejectPolicy.NONE);
    return LaneChoice.lanes(job, from, to, false, SPLIT);
  }

  @Test
  void whoeverAsksForAsManyAsArePossibleIsToldWhyNotMore() {
    assertThat(lanes(1, false, source().withLanes(ONE))).isEqualTo(Lanes.fixed(1, ONE.why()));
    assertThat(lanes(1, false, source(), target().withLanes(ONE)))
        .isEqualTo(Lanes.fixed(1, ONE.why()));
    assertThat(lanes(1, false, source().withSize(-1, 1_000, false)))
        .isEqualTo(Lanes.fixed(1, "the source is small"));
    assertThat(lanes(1, true, source()).why()).isEqualTo("rows were asked for in source order");
    assertThat(lanes(3, false, source().withSize(-1, 3 * SPLIT, true)))
        .isEqualTo(Lanes.fixed(3, "the source is small"));
  }

  @Test
  void whoeverAsksForFewerThanArePossibleHasNothingAgainstMore() {
    assertThat(lanes(1, false, source())).isEqualTo(Lanes.fixed(1, ""));
    assertThat(lanes(2, false, source().withSize(-1, 3 * SPLIT, true)))
        .isEqualTo(Lanes.fixed(2, ""));
  }

  @Test
  void whoeverAsksForMoreThanArePossibleIsToldBoth() {
    assertThat(lanes(4, false, source().withLanes(ONE)))
        .isEqualTo(Lanes.fixed(1, "4 lanes asked, 1 used: " + ONE.why()));
  }
}
