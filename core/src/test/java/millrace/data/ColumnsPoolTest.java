package millrace.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import millrace.fault.Location;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// A batch that comes back knows nothing of the rows that it had: readers set only what they have.
class ColumnsPoolTest {

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              Column.of("a", new Type.Int(64)),
              Column.of("b", new Type.Float(64)),
              Column.of("c", Type.Text.UNLIMITED)));

  private static final int CAPACITY = 20;
  private static final Location PLACE = new Location("there", 3, 1, 0, -1);

  /// What became of the rows on their way: a filter, a limit, bad rows that were left out.
  enum Use {
    THINNED,
    TRUNCATED,
    EMPTIED,
    BEHIND_BAD_ROWS,
    WITH_OTHER_VECTORS
  }

  @Property(tries = 500)
  void aBatchThatIsUsedAgainIsAsNew(
      @ForAll List<Use> uses,
      @ForAll @IntRange(min = 1, max = CAPACITY) int rows,
      @ForAll long seed) {
    Random random = new Random(seed);
    ColumnsPool pool = new ColumnsPool(SCHEMA, CAPACITY);
    Columns used = pool.take();
    Columns other = pool.take();
    for (Vector vector : List.of(used.vector(0), used.vector(1), used.vector(2), other.vector(0))) {
      for (int row = 0; row < rows; row++) {
        vector.nulls[row] = random.nextBoolean();
      }
    }
    used.filled(rows, 100, PLACE, null);
    used.standsBehind(40);
    uses.forEach(use -> apply(use, used, other, random));
    used.release();
    other.release();
    for (Columns again : List.of(pool.take(), pool.take())) {
      assertThat(again.rows()).isZero();
      for (int column = 0; column < SCHEMA.width(); column++) {
        assertThat(again.vector(column).nulls).doesNotContain(true);
      }
      again.filled(2, 10, PLACE, null);
      assertThat(again.rowOfSplit(1)).as("nobody says where it stands").isZero();
      assertThat(again.place(1)).isEqualTo(new Location("there", 3, 2, 0, -1));
      assertThat(again.alsoRead(0)).isNull();
    }
  }

  /// Rows are left out by a filter, then as bad ones, then by another filter.
  @Property(tries = 500)
  void aRowIsKnownHoweverOftenOthersAreLeftOut(
      @ForAll @IntRange(min = 1, max = CAPACITY) int rows,
      @ForAll @IntRange(max = 4) int times,
      @ForAll long seed) {
    Random random = new Random(seed);
    Columns batch = new ColumnsPool(SCHEMA, CAPACITY).take();
    batch.filled(rows, 100, PLACE, null);
    batch.standsBehind(40);
    List<Integer> left = IntStream.range(0, rows).boxed().toList();
    for (int i = 0; i < times; i++) {
      int[] kept = IntStream.range(0, left.size()).filter(_ -> random.nextInt(4) > 0).toArray();
      batch.thinned(kept, kept.length);
      left = Arrays.stream(kept).mapToObj(left::get).toList();
    }
    assertThat(batch.rows()).isEqualTo(left.size());
    for (int row = 0; row < left.size(); row++) {
      assertThat(batch.offset(row)).isEqualTo(left.get(row));
      assertThat(batch.place(row).firstRow()).isEqualTo(1 + left.get(row));
      assertThat(batch.rowOfSplit(row)).isEqualTo(41 + left.get(row));
    }
  }

  private static void apply(Use use, Columns used, Columns other, Random random) {
    int rows = used.rows();
    switch (use) {
      case THINNED -> {
        int[] kept = IntStream.range(0, rows).filter(_ -> random.nextBoolean()).toArray();
        used.thinned(kept, kept.length);
      }
      case TRUNCATED -> used.truncate(rows / 2);
      case EMPTIED -> used.truncate(0);
      case BEHIND_BAD_ROWS ->
          used.standAt(IntStream.range(0, rows).map(row -> 3 * row + 1).toArray());
      case WITH_OTHER_VECTORS -> used.exchange(0, other, 0);
    }
  }
}
