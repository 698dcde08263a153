package millrace.data;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Where rows stand that a reader fills into batches, if bad ones between them stay out.
class BatchFillTest {

  private static final Schema NUMBERS = Schema.of(List.of(Column.of("n", new Type.Int(64))));

  private final BatchFill batches = new BatchFill(new ColumnsPool(NUMBERS, 4), 40);

  private void add(long... numbers) {
    for (long number : numbers) {
      batches.batch().longs(0).values[batches.rows()] = number;
      batches.add(1, 8);
    }
  }

  /// The numbers of the rows of the next batch, which are also their values.
  private List<Long> finish() {
    Columns batch = Objects.requireNonNull(batches.finish());
    List<Long> places =
        IntStream.range(0, batch.rows()).mapToObj(row -> batch.place(row).firstRow()).toList();
    assertThat(LongStream.of(batch.longs(0).values).limit(batch.rows()).boxed().toList())
        .isEqualTo(places);
    batch.release();
    return places;
  }

  @Test
  void rowsKeepTheirNumbersIfOthersAreLeftOut() {
    batches.start("t", 0, 1);
    batches.batch();
    batches.leaveOut(8);
    add(2);
    batches.leaveOut(8);
    batches.leaveOut(8);
    assertThat(batches.read()).isEqualTo(4);
    assertThat(batches.hasRoom()).isTrue();
    add(5);
    assertThat(batches.hasRoom()).as("40 bytes have been read").isFalse();
    assertThat(finish()).containsExactly(2L, 5L);
    add(6, 7, 8, 9);
    assertThat(batches.hasRoom()).as("four rows are in it").isFalse();
    assertThat(finish()).containsExactly(6L, 7L, 8L, 9L);
    add(10);
    batches.leaveOut(8);
    batches.batch().longs(0).values[1] = 12;
    batches.batch().longs(0).values[2] = 13;
    batches.add(2, 16);
    assertThat(finish()).containsExactly(10L, 12L, 13L);
    assertThat(batches.finish()).isNull();
  }

  @Test
  void aBatchOfWhichNothingIsLeftHasNoRows() {
    batches.start("t", 0, 1);
    batches.batch();
    batches.leaveOut(8);
    assertThat(finish()).isEmpty();
    batches.start("t", 1, 0);
    batches.batch();
    assertThat(batches.isEmpty()).isTrue();
    assertThat(batches.finish()).isNull();
    add(0, 0);
    assertThat(finish()).as("rows whose numbers are not known").containsExactly(0L, 0L);
  }
}
