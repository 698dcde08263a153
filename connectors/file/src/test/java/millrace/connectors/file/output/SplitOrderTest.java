package millrace.connectors.file.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.StageClock;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Splits written at the same time come out in their order, in bounded memory, and never lock up.
class SplitOrderTest {

  private static Chunk chunk(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return Chunk.owning(bytes, bytes.length);
  }

  /// What was written, of which the end can be taken back.
  private static final class Text implements SplitOrder.Stream {
    private final StringBuilder text = new StringBuilder();
    private int kept;

    @Override
    public void write(Chunk chunk) {
      text.append(new String(chunk.bytes(), StandardCharsets.UTF_8));
    }

    @Override
    public void keep(Receipt receipt) {
      kept = text.length();
    }

    @Override
    public boolean undo() {
      text.setLength(kept);
      return true;
    }
  }

  @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
  void lanesThatTakeSplitsInOrderGiveOneStreamInSplitOrder(
      @ForAll @IntRange(min = 1, max = 6) int lanes,
      @ForAll @IntRange(min = 0, max = 40) int splits,
      @ForAll @IntRange(min = 0, max = 200) int memory,
      @ForAll long seed)
      throws Exception {
    Text out = new Text();
    SplitOrder order = new SplitOrder(out, memory, 0);
    AtomicInteger next = new AtomicInteger();
    try (ExecutorService threads = Executors.newFixedThreadPool(lanes)) {
      List<Future<?>> done = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        Random random = new Random(seed + lane);
        done.add(threads.submit(() -> work(order, next, splits, random)));
      }
      for (Future<?> each : done) {
        each.get(60, TimeUnit.SECONDS);
      }
    }
    StringBuilder expected = new StringBuilder();
    for (int split = 0; split < splits; split++) {
      for (int i = 0; i < split % 5; i++) {
        expected.append(split).append('.').append(i).append(' ');
      }
    }
    assertThat(out.text.toString()).isEqualTo(expected.toString());
  }

  private static void work(SplitOrder order, AtomicInteger next, int splits, Random random) {
    StageClock clock = new StageClock();
    for (int split = next.getAndIncrement(); split < splits; split = next.getAndIncrement()) {
      for (int i = 0; i < split % 5; i++) {
        for (int spin = random.nextInt(2_000); spin > 0; spin--) {
          Thread.onSpinWait();
        }
        order.write(split, chunk(split + "." + i + " "), clock);
        if (random.nextInt(4) == 0) {
          assertThat(order.undo(split)).isTrue();
          i = -1;
        }
      }
      Split done = new Split(split, "", 0, 0, 0, 0);
      order.finish(new Receipt(done, 0, 0, false), clock);
    }
  }

  @Example
  void aLaneThatHasToLetOthersWriteFirstIsSaidToWaitForItsTurn() throws Exception {
    SplitOrder order = new SplitOrder(new Text(), 0, 0);
    StageClock clock = new StageClock();
    Thread lane = Thread.ofPlatform().start(() -> order.write(1, chunk("behind"), clock));
    while (lane.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    assertThat(clock.stage()).isEqualTo(Stage.TURN);
    order.finish(new Receipt(new Split(0, "first", 0, 1, 0, 0), 0, 0, false), new StageClock());
    lane.join();
    assertThat(clock.stage()).isEqualTo(Stage.SEND);
  }

  @Example
  void aLaneThatWaitsForRoomIsFreedByACancel() throws Exception {
    SplitOrder order = new SplitOrder(_ -> {}, 10, 0);
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<?> waiting =
          threads.submit(() -> order.write(1, chunk("more than fits"), new StageClock()));
      order.cancel();
      assertThatThrownBy(() -> waiting.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(Fault.Cancelled.class);
    }
  }
}
