package millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import millrace.engine.meter.Meter;
import millrace.plan.Lanes;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/// Rows are told as durable once, however many receipts speak of them.
class ReceiptsTest {

  private final Meter meter = new Meter(Lanes.fixed(1, ""));

  private static Split split(int index, long from) {
    return new Split(index, "f", from, 1_000, 0, 0);
  }

  private static Receipt receipt(Split split, long rows, boolean durable) {
    return new Receipt(split, rows, 10 * rows, durable);
  }

  /// Splits with checkpoints in any order between each other, some of them told twice; a run before
  /// may have taken the first rows.
  @Property(tries = 200)
  void whatIsDurableIsEachSplitsLastReceipt(@ForAll long seed) {
    Random random = new Random(seed);
    int splits = 1 + random.nextInt(5);
    long[] taken = new long[splits];
    List<Receipt> before = new ArrayList<>();
    for (int i = 0; i < splits; i++) {
      if (random.nextInt(3) == 0) {
        taken[i] = random.nextInt(50);
        before.add(receipt(split(i, 0), taken[i], true));
      }
    }
    Meter run = new Meter(Lanes.fixed(1, ""));
    Receipts receipts = new Receipts(run, before);
    for (int step = 0; step < 30; step++) {
      int split = random.nextInt(splits);
      taken[split] += random.nextInt(20);
      Receipt next = receipt(split(split, 0), taken[split], true);
      receipts.record(next);
      if (random.nextBoolean()) {
        receipts.record(next);
      }
      long all = 0;
      for (long rows : taken) {
        all += rows;
      }
      assertThat(run.rowsDurable()).isEqualTo(all);
      assertThat(receipts.rows()).isEqualTo(all);
    }
  }

  @Test
  void whatGoesOnBehindAReceiptComesBesideIt() {
    Receipts receipts = new Receipts(meter, List.of(receipt(split(0, 0), 5, true)));
    receipts.record(receipt(split(0, 500), 7, true));
    receipts.record(receipt(split(1, 0), 11, true));
    assertThat(meter.rowsDurable()).isEqualTo(5 + 7 + 11);
    assertThat(receipts.rows()).isEqualTo(5 + 7 + 11);
  }

  /// Whoever hears of the end of a split takes what comes behind it for that of a late attempt.
  @Property(tries = 100)
  void partsOfASplitStayInTheirOrder(@ForAll long seed) {
    Random random = new Random(seed);
    List<Receipt> parts = new ArrayList<>();
    long from = random.nextInt(100);
    for (int part = 0; part < 4; part++) {
      parts.add(receipt(split(3, from), 10, true));
      from += 1 + random.nextInt(10_000_000);
    }
    Receipts receipts = new Receipts(meter, parts.subList(0, 3));
    receipts.record(receipt(split(3, parts.getLast().split().from()), 5, true));
    receipts.record(parts.getLast());
    assertThat(receipts.all()).isEqualTo(parts);
  }

  @Test
  void rowsThatWaitForTheEndAreNotDurableUntilTheyAre() {
    Receipts receipts = new Receipts(meter, List.of());
    receipts.record(receipt(split(0, 0), 5, false));
    assertThat(meter.rowsDurable()).isZero();
    assertThat(receipts.rows()).isEqualTo(5);
    receipts.record(receipt(split(0, 0), 5, true));
    assertThat(meter.rowsDurable()).isEqualTo(5);
  }
}
