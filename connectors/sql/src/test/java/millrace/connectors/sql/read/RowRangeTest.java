package millrace.connectors.sql.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;

class RowRangeTest {

  /// No gap, no overlap, no overflow, and never more ranges than were wanted.
  @Property
  void everyKeyIsInOneRange(
      @ForAll long one, @ForAll long other, @ForAll @LongRange(min = 1, max = 1_000) long count) {
    List<RowRange> ranges = RowRange.cut(Math.min(one, other), Math.max(one, other), count);
    assertThat(ranges).hasSizeBetween(1, (int) count);
    assertThat(ranges.getFirst().from()).isEqualTo(Long.MIN_VALUE);
    assertThat(ranges.getLast().to()).isEqualTo(Long.MAX_VALUE);
    for (int i = 1; i < ranges.size(); i++) {
      assertThat(ranges.get(i).from()).isEqualTo(ranges.get(i - 1).to());
      assertThat(ranges.get(i).from()).isGreaterThan(ranges.get(i - 1).from());
    }
  }
}
