package millrace.connectors.kudu.online;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.fault.Fault;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Sums by device, compared with those of a HashMap.
class DeviceSumsTest {

  private record Sum(int type, long watts) {

    Sum plus(Sum other) {
      return new Sum(Math.max(type, other.type), watts + other.watts);
    }
  }

  /// From few devices to many, so that some rows are of the same device as the row before and the
  /// table grows; numbers are of all sizes, and one part is added to another.
  @Property(tries = 200)
  void sumsAreThoseOfAHashMap(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 20) int bits,
      @ForAll @IntRange(max = 20_000) int rows) {
    Random random = new Random(seed);
    Map<List<Integer>, Sum> expected = new HashMap<>();
    DeviceSums first = new DeviceSums();
    DeviceSums second = new DeviceSums();
    for (int i = 0; i < rows; i++) {
      int number = random.nextInt(1 << bits);
      int building = bits % 2 == 0 ? number : -(number >>> 10);
      int floor = number >>> 5 << 27;
      long watts = random.nextLong() >> 20;
      expected.merge(List.of(building, floor, number), new Sum(number % 4, watts), Sum::plus);
      (random.nextBoolean() ? first : second).add(building, floor, number, watts, number % 4);
    }
    first.addAll(second);
    assertThat(contents(first)).isEqualTo(expected);
  }

  private static Map<List<Integer>, Sum> contents(DeviceSums sums) {
    Map<List<Integer>, Sum> contents = new HashMap<>();
    for (int i = 0; i < sums.size(); i++) {
      List<Integer> device = List.of(sums.building(i), sums.floor(i), sums.device(i));
      assertThat(contents.put(device, new Sum(sums.type(i), sums.watts(i)))).isNull();
    }
    return contents;
  }

  @Example
  void aSumBeyondAnInt64IsAFault() {
    for (long sign : new long[] {1, -1}) {
      DeviceSums sums = new DeviceSums();
      sums.add(1, 2, 3, sign * Long.MAX_VALUE, 1);
      sums.add(1, 2, 4, sign * Long.MAX_VALUE, 1);
      ThrowingCallable more = () -> sums.add(1, 2, 3, sign * 2, 1);
      assertThatThrownBy(more)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("building 1, floor 2, device 3");
      assertThat(sums.watts(0)).isEqualTo(sign * Long.MAX_VALUE);
    }
  }
}
