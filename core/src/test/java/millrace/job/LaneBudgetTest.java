package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.copy.CopySpec;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/// How lanes are shared out among tables.
class LaneBudgetTest {

  private static final long GB = 1L << 30;

  private static TableCopy copy(String name, long bytes) {
    return copy(name, bytes, 0);
  }

  private static TableCopy copy(String name, long bytes, int lanes) {
    Endpoint end = new Endpoint("x", "//h/db", Map.of(), Secret.NONE);
    Job job =
        new Job(
            end,
            end,
            Selection.ALL,
            new WriteOptions(null, false, List.of(), false),
            new Job.Tuning(lanes, false, null, null, null),
            Job.RejectPolicy.NONE);
    return new TableCopy(name, CopySpec.of(job, RetryPolicy.NONE), bytes);
  }

  @Test
  void largeTablesBeginFirstAndGetLanesByTheirShare() {
    List<LaneBudget.Share> shares =
        new LaneBudget(8, false)
            .shares(List.of(copy("small", 1000), copy("a", 6 * GB), copy("b", 2 * GB)));
    assertThat(shares).extracting(share -> share.copy().name()).containsExactly("a", "b", "small");
    assertThat(shares).extracting(LaneBudget.Share::lanes).containsExactly(6, 2, 1);
  }

  @Test
  void tablesOfAnUnknownSizeGetALaneEach() {
    assertThat(new LaneBudget(4, false).shares(List.of(copy("a", -1), copy("b", -1))))
        .extracting(LaneBudget.Share::lanes)
        .containsExactly(1, 1);
  }

  @Test
  void aTableThatAsksForFewerLanesThanThereAreGetsThose() {
    assertThat(
            new LaneBudget(8, false)
                .shares(List.of(copy("a", GB), copy("own", -1, 3), copy("all", 5, 8))))
        .allMatch(share -> share.requested() == share.lanes())
        .extracting(LaneBudget.Share::lanes)
        .containsExactly(8, 1, 3);
  }

  @Test
  void copiesIntoOneFileHaveAllLanesInTurnAndFindOutHowManyHelp() {
    assertThat(new LaneBudget(4, false).oneAtATime().shares(List.of(copy("a", 5), copy("b", GB))))
        .allMatch(share -> share.lanes() == 4 && share.requested() == 0);
  }

  @Property
  void everyTableGetsAtLeastALaneAndNoneMoreThanThereAre(
      @ForAll @IntRange(min = 1, max = 64) int lanes,
      @ForAll @Size(min = 1, max = 30) List<@LongRange(min = -1, max = 1L << 44) Long> sizes) {
    List<TableCopy> copies = new ArrayList<>();
    sizes.forEach(size -> copies.add(copy("t" + copies.size(), size)));
    List<LaneBudget.Share> shares = new LaneBudget(lanes, false).shares(copies);
    assertThat(shares)
        .extracting(LaneBudget.Share::copy)
        .containsExactlyInAnyOrderElementsOf(copies);
    assertThat(shares).allMatch(share -> share.lanes() >= 1 && share.lanes() <= lanes);
  }
}
