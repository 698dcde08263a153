package millrace.engine.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.engine.RunOutcome;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.OpenContext;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import millrace.testkit.Row;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.forwarding.ForwardingWriter;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Lanes that come and go while a run goes on.
class LanePoolTest {

  private static final Schema SCHEMA = Schema.of(List.of(Column.of("id", new Type.Int(64))));
  private static final int ROWS = 20_000;
  private static final int LANES_MOST = 4;

  /// So many splits are done by others while a lane tries in vain to open.
  private static final int SPLITS_MEANWHILE = 5;

  /// So many are done before those at work wait until a lane is refused, if one has to be.
  private static final int SPLITS_BEFORE = 5;

  private final MemoryConnector memory = new MemoryConnector();
  private final List<Row> rows = new ArrayList<>();
  private volatile @Nullable Run running;

  LanePoolTest() {
    for (int i = 0; i < ROWS; i++) {
      rows.add(Row.of(i));
    }
    memory.put("from", SCHEMA, rows);
  }

  /// Wants as many as there can be.
  private static final class Greedy implements ConcurrencyPolicy {
    private int most = LANES_MOST;

    @Override
    public int lanes(boolean complete, long bytes, long nanos) {
      return most;
    }

    @Override
    public void limit(int count) {
      most = count;
    }
  }

  /// Says another number at every call, from 1 to 4 and back.
  private static final class Restless implements ConcurrencyPolicy {
    private static final int[] NUMBERS = {2, 3, 4, 3, 1, 4, 1, 2};
    private int calls;
    private int most = LANES_MOST;

    @Override
    public int lanes(boolean complete, long bytes, long nanos) {
      return Math.min(most, NUMBERS[calls++ / 3 % NUMBERS.length]);
    }

    @Override
    public void limit(int count) {
      most = Math.min(most, count);
    }
  }

  /// The memory target, told what writers are opened.
  private static final class Watched extends ForwardingTarget {
    private final int openMax;
    private final boolean refuses;
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final Set<Integer> open = Collections.synchronizedSet(new HashSet<>());

    /// @param refuses whether a lane is bound to be refused
    Watched(Target inner, int openMax, boolean refuses) {
      super(inner);
      this.openMax = openMax;
      this.refuses = refuses;
    }

    @Override
    protected WriteSession opened(WriteSession session) {
      return new ForwardingWriteSession(session) {
        @Override
        public Writer writer(Form form, WriteContext context) {
          return watched(context.lane(), () -> super.writer(form, context));
        }
      };
    }

    private Writer watched(int lane, Supplier<Writer> opening) {
      synchronized (open) {
        if (open.size() >= openMax) {
          refused.incrementAndGet();
        }
      }
      if (refused.get() > 0) {
        int before = finished.get();
        while (finished.get() < before + SPLITS_MEANWHILE && !open.isEmpty()) {
          Thread.onSpinWait();
        }
        throw new Fault.External("too many clients already", "Try again.", null);
      }
      synchronized (open) {
        opened.incrementAndGet();
        if (!open.add(lane)) {
          throw new IllegalStateException("two lanes are number " + lane);
        }
      }
      return new Closing(opening.get(), this::finishes, () -> open.remove(lane));
    }

    /// A split is about to be finished.
    private void finishes() {
      if (finished.incrementAndGet() > SPLITS_BEFORE && refuses) {
        while (refused.get() == 0) {
          Thread.onSpinWait();
        }
      }
    }
  }

  /// A writer that tells when it is closed.
  private static final class Closing extends ForwardingWriter {
    private final Runnable finishes;
    private final Runnable closed;

    Closing(Writer inner, Runnable finishes, Runnable closed) {
      super(inner);
      this.finishes = finishes;
      this.closed = closed;
    }

    @Override
    public Receipt finish() {
      finishes.run();
      return super.finish();
    }

    @Override
    public void close() {
      super.close();
      closed.run();
    }
  }

  private record Ran(Run run, RunOutcome outcome, Watched target) {}

  private Ran copy(Lanes lanes, @Nullable ConcurrencyPolicy concurrencyPolicy, int openMax) {
    return copy(lanes, concurrencyPolicy, openMax, false);
  }

  private Ran copy(
      Lanes lanes, @Nullable ConcurrencyPolicy concurrencyPolicy, int openMax, boolean refuses) {
    Job job =
        new Job(
            memory.endpoint("from", Map.of("batch-rows", "10", "split-rows", "50")),
            memory.endpoint("to"),
            Selection.ALL,
            WriteOptions.DEFAULT,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    try (Source source = memory.source(job.from(), Selection.ALL, new OpenContext());
        Target inner = memory.target(job.to(), WriteOptions.DEFAULT, new OpenContext())) {
      Watched target = new Watched(inner, openMax, refuses);
      Planned settled = Planner.plan(job, source, target);
      Planned planned = settled.with(settled.plan().with(lanes, 16 << 20));
      Run run = new Run(planned, new RunOptions(RetryPolicy.NONE, concurrencyPolicy, _ -> {}));
      running = run;
      return new Ran(run, run.execute().orThrow(), target);
    }
  }

  @Test
  void lanesComeAndGoAndEveryRowArrivesOnce() {
    Ran ran = copy(new Lanes(2, LANES_MOST, ""), new Restless(), LANES_MOST);
    // The memory target joins splits in order: the same rows in the same order, none twice.
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.run.meter().rows()).isEqualTo(ROWS);
    assertThat(ran.run.meter().rowsDurable()).isEqualTo(ROWS);
    assertThat(ran.target.opened.get()).isGreaterThan(4);
    assertThat(ran.target.open).isEmpty();
  }

  @Test
  void aNumberThatWasAskedForStaysAndOpensNoMore() {
    Ran ran = copy(Lanes.fixed(3, ""), null, LANES_MOST);
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.target.opened).hasValue(3);
    assertThat(ran.outcome.lanes().number()).isEqualTo(3);
    assertThat(ran.outcome.lanes().tried()).isEmpty();
  }

  @Test
  void aShortRunOpensNoLaneBeyondTheFirst() {
    Ran ran = copy(new Lanes(2, LANES_MOST, ""), null, LANES_MOST);
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.target.opened).hasValue(2);
    assertThat(ran.outcome.lanes().number()).isEqualTo(2);
  }

  /// Often, because those at work may just be about to leave.
  @RepeatedTest(30)
  void whereALaneIsRefusedTheOthersWorkOn() {
    Ran ran = copy(new Lanes(2, LANES_MOST, ""), new Restless(), 2);
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.run.meter().rows()).isEqualTo(ROWS);
  }

  @Test
  void aLaneThatIsRefusedWhenItIsAddedHarmsNothingAndTheReportSaysWhy() {
    Ran ran = copy(new Lanes(2, LANES_MOST, ""), new Greedy(), 2, true);
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.target.refused.get()).isBetween(1, 2);
    assertThat(ran.outcome.lanes().limitWhy())
        .isEqualTo("another could not open: too many clients already");
  }

  @Test
  void nobodyLeavesForALaneThatMayNeverOpen() {
    ConcurrencyPolicy oneMoreAndBack =
        new ConcurrencyPolicy() {
          private boolean wasAsked;

          @Override
          public int lanes(boolean complete, long bytes, long nanos) {
            int lanes = wasAsked ? 1 : 2;
            wasAsked = true;
            return lanes;
          }

          @Override
          public void limit(int most) {
            assertThat(most).isEqualTo(1);
          }
        };
    Ran ran = copy(new Lanes(1, LANES_MOST, ""), oneMoreAndBack, 1, true);
    assertThat(memory.rows("to")).isEqualTo(rows);
    assertThat(ran.target.refused).hasValue(1);
  }

  @Test
  void aLaneThatIsRefusedAtTheBeginningEndsTheRun() {
    assertThatThrownBy(() -> copy(Lanes.fixed(2, ""), null, 0))
        .isInstanceOf(Fault.External.class)
        .hasMessage("too many clients already");
    assertThat(memory.table("to")).isEmpty();
  }

  @Test
  void aFailureStopsLanesThatWereAddedToo() {
    ConcurrencyPolicy failing =
        new ConcurrencyPolicy() {
          private int calls;

          @Override
          public int lanes(boolean complete, long bytes, long nanos) {
            calls++;
            if (calls == 100) {
              throw new Fault.External("the disk is full", "", null);
            }
            return LANES_MOST;
          }

          @Override
          public void limit(int most) {
            throw new AssertionError("nothing was refused");
          }
        };
    assertThatThrownBy(() -> copy(new Lanes(1, LANES_MOST, ""), failing, LANES_MOST))
        .isInstanceOf(Fault.External.class)
        .hasMessage("the disk is full");
    assertThat(memory.table("to")).isEmpty();
  }

  @Test
  void aCancelStopsLanesThatComeAndGo() {
    AtomicInteger calls = new AtomicInteger();
    ConcurrencyPolicy cancelling =
        new ConcurrencyPolicy() {
          private final Restless restless = new Restless();

          @Override
          public int lanes(boolean complete, long bytes, long nanos) {
            if (calls.incrementAndGet() == 100) {
              Objects.requireNonNull(running).cancel("enough");
            }
            return restless.lanes(complete, bytes, nanos);
          }

          @Override
          public void limit(int most) {
            restless.limit(most);
          }
        };
    assertThatThrownBy(() -> copy(new Lanes(2, LANES_MOST, ""), cancelling, LANES_MOST))
        .isInstanceOf(Fault.Cancelled.class)
        .hasMessage("enough");
    assertThat(memory.table("to")).isEmpty();
  }
}
