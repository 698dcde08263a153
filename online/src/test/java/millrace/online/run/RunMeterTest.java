package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongFunction;
import millrace.online.Jobs;
import millrace.online.judge.Judge;
import millrace.online.judge.Limits;
import millrace.online.judge.RunFacts;
import millrace.online.load.WriteListener.StartDelay;
import millrace.online.load.WriteListener.Times;
import millrace.online.load.WriteListener.Write;
import millrace.online.report.OnlineReport;
import millrace.online.report.Series;
import millrace.online.report.Series.WindowRun;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/// What is counted while a run goes on adds up to what the clients told, each row once.
final class RunMeterTest {

  private static final int CLIENTS = 3;
  private static final int SECONDS = 9;

  private final RunMeter meter = new RunMeter(CLIENTS, _ -> 0);
  private final List<Write> writes = new ArrayList<>();

  RunMeterTest() {
    Random random = new Random(3);
    for (long second = 0; second < SECONDS; second++) {
      for (int client = 0; client < CLIENTS; client++) {
        long late = random.nextInt(20);
        long rows = 50 + late + random.nextInt(9);
        writes.add(
            new Write(
                client,
                second,
                rows,
                late,
                late / 3,
                rows * 1_000 + random.nextInt(999),
                new Times(random.nextInt(90_000_000), 1_000_000 + random.nextInt(9_000_000))));
      }
    }
    for (int client = 0; client < CLIENTS; client++) {
      writes.add(new Write(client, -1, 11 + client, 11, 2, 70_000 + client, new Times(0, 5)));
    }
    writes.forEach(write -> wrote(meter, write));
  }

  /// A write that begins and ends.
  private static void wrote(RunMeter meter, Write write) {
    if (write.isScheduled()) {
      meter.starts(
          write.client(), write.second(), new StartDelay(write.times().startDelay(), 0, 0));
    }
    meter.wrote(write);
  }

  private static long sum(List<Write> writes, ToLongFunction<Write> figure) {
    return writes.stream().mapToLong(figure).sum();
  }

  private void assertCounts() {
    assertThat(meter.rows()).isEqualTo(sum(writes, Write::rows));
    assertThat(meter.watts()).isEqualTo(sum(writes, Write::watts));
    assertThat(meter.tooLate()).isEqualTo(sum(writes, Write::tooLate));
    List<Series.Second> seconds = meter.series(true, List.of(), List.of()).seconds();
    assertThat(seconds).hasSize(SECONDS);
    for (Series.Second second : seconds) {
      List<Write> own = writes.stream().filter(each -> each.second() == second.second()).toList();
      assertThat(second.rows()).isEqualTo(sum(own, Write::rows));
      assertThat(second.lateRows()).isEqualTo(sum(own, Write::lateRows));
      long service = sum(own, each -> each.times().service());
      assertThat(second.writeMean()).isCloseTo(service / 1e6 / CLIENTS, byDigits());
      assertThat(second.writeMax()).isEqualTo(longest(own, each -> each.times().service()));
      assertThat(second.startDelayMax()).isEqualTo(longest(own, each -> each.times().startDelay()));
      assertThat(second.startDelay().mean())
          .isCloseTo(sum(own, each -> each.times().startDelay()) / 1e6 / CLIENTS, byDigits());
    }
    assertThat(seconds.stream().mapToLong(Series.Second::rows).sum() + meter.rowsAfterwards())
        .as("seconds, and what came when they were over")
        .isEqualTo(meter.rows());
  }

  private static Offset<Double> byDigits() {
    return Offset.offset(1e-9);
  }

  private static double longest(List<Write> writes, ToLongFunction<Write> figure) {
    return writes.stream().mapToLong(figure).max().orElseThrow() / 1e6;
  }

  @Test
  void rowsOfEverySecondAddUpHoweverOftenTheyAreAskedFor() {
    assertCounts();
    for (long second = 0; second < SECONDS; second++) {
      meter.tick(second);
    }
    meter.endsAt(SECONDS - 1);
    assertCounts();
    assertThat(meter.neverBegun()).isZero();
  }

  @Test
  void theBacklogIsWhatIsDueAndNotBegun() {
    RunMeter slow = new RunMeter(2, _ -> 0);
    Times times = new Times(0, 1);
    wrote(slow, new Write(0, 0, 1, 0, 0, 1, times));
    wrote(slow, new Write(1, 0, 1, 0, 0, 1, times));
    wrote(slow, new Write(1, 1, 1, 0, 0, 1, times));
    slow.tick(3);
    slow.tick(3);
    assertThat(slow.series(false, List.of(), List.of()).seconds())
        .as("those that are over, though they were not written")
        .extracting(Series.Second::startDelayMax)
        .containsExactly(0.0, 3_001.0, 2_001.0);
    assertThat(slow.series(false, List.of(), List.of()).seconds())
        .extracting(each -> each.startDelay().mean())
        .containsExactly(0.0, 1_500.5, 2_001.0);
    assertThat(slow.watermark()).isZero();
    slow.endsAt(3);
    assertThat(slow.series(true, List.of(), List.of()).seconds())
        .extracting(Series.Second::backlog)
        .containsExactly(0, 0, 0, 3 + 2);
    assertThat(slow.neverBegun()).isEqualTo(3 + 2);
    assertThat(slow.series(true, List.of(), List.of()).seconds())
        .extracting(Series.Second::startDelayMax)
        .as("as late as that, when the schedule ended")
        .containsExactly(0.0, 3_001.0, 2_001.0, 1_001.0);
  }

  @Test
  void aWriteThatIsUnderWayIsAsLateAsItBegan() {
    RunMeter slow = new RunMeter(1, _ -> 0);
    slow.starts(0, 0, new StartDelay(7_000_000, 0, 0));
    for (long second = 0; second < 4; second++) {
      slow.tick(second);
    }
    assertThat(slow.series(true, List.of(), List.of()).seconds())
        .extracting(Series.Second::startDelayMax)
        .containsExactly(7.0, 3_001.0, 2_001.0, 1_001.0);
    slow.endsAt(3);
    assertThat(slow.neverBegun()).isEqualTo(3);
  }

  /// The disk is full after 26 seconds: each write since is less late by the end than the one
  /// before, and yet more and more is behind.
  @Test
  void whatIsBehindGrowsIfWritesNeverBegin() {
    RunMeter full = new RunMeter(2, _ -> 0);
    for (long second = 0; second < 60; second++) {
      if (second < 26) {
        full.starts(0, second, new StartDelay(2_000_000, 0, 0));
        full.starts(1, second, new StartDelay(4_000_000, 0, 0));
      }
      full.tick(second);
    }
    full.endsAt(59);
    List<Series.Second> seconds = full.series(true, List.of(), List.of()).seconds();
    assertThat(seconds.get(26).startDelayMax()).isEqualTo(34_001);
    assertThat(seconds.get(25).startDelay().behind()).isEqualTo(3);
    assertThat(seconds.get(26).startDelay().behind()).isEqualTo(3);
    assertThat(seconds.get(59).startDelay().behind()).isEqualTo(33_003);
    RunFacts facts =
        new RunFacts(
            seconds,
            List.of(),
            RunFacts.Machine.NONE,
            new RunFacts.Requested(20, List.of()),
            0,
            0,
            0,
            List.of());
    assertThat(Judge.of(facts, Limits.of(Jobs.of("rows: 20", "share: 0 %").pass())).criteria())
        .filteredOn(criterion -> criterion.name().equals("the backlog does not grow"))
        .allMatch(OnlineReport.Criterion::isBroken);
  }

  /// A client that is late by the same time all along has not begun its last writes in the end.
  @Test
  void aBacklogThatStandsStillIsNoneThatGrowsAtTheEnd() {
    RunMeter late = new RunMeter(1, _ -> 0);
    for (long second = 0; second < 60; second++) {
      if (second < 57) {
        late.starts(0, second, new StartDelay(2_600_000_000L, 0, 0));
      }
      late.tick(second);
    }
    late.endsAt(59);
    assertThat(late.series(true, List.of(), List.of()).seconds())
        .extracting(each -> each.startDelay().behind())
        .allMatch(behind -> behind >= 2_600 && behind <= 3_001);
  }

  /// In milliseconds: late by all, the whole process stood still, the client waited for a
  /// processor.
  private static StartDelay late(long all, long paused, long queued) {
    return new StartDelay(all * 1_000_000, paused * 1_000_000, queued * 1_000_000);
  }

  @Test
  void whatTheClientsWereLateByThemselvesIsTakenOut() {
    RunMeter own = new RunMeter(2, _ -> 0);
    own.starts(0, 0, late(7_000, 6_900, 40));
    own.starts(1, 0, late(6_500, 6_900, 40));
    own.starts(0, 1, late(1_200, 0, 1_100));
    own.starts(1, 1, late(900, 0, 0));
    own.tick(1);
    assertThat(own.series(true, List.of(), List.of()).seconds())
        .extracting(each -> each.startDelay().own())
        .as("the target is the reason of 100 and of 1,200 ms")
        .containsExactly(6_900.0, 0.0);
    own.crowded();
    assertThat(own.series(true, List.of(), List.of()).seconds())
        .extracting(each -> each.startDelay().own())
        .as("and of 100 and 900 ms, if others had the processors")
        .containsExactly(6_900.0, 300.0);
  }

  @Test
  void aWriteThatCouldNotBeginWhileTheProcessStoodStillIsNotLateByTheTarget() {
    RunMeter own = new RunMeter(1, second -> second == 1 ? 1_900_000_000L : 0);
    own.starts(0, 0, late(0, 0, 0));
    own.endsAt(2);
    assertThat(own.series(true, List.of(), List.of()).seconds())
        .extracting(each -> each.startDelay().ofTarget().max())
        .containsExactly(0.0, 101.0, 1_001.0);
  }

  /// A full disk, and what 20 clients say of the database afterwards.
  @Test
  void equalErrorsAreOneAndTheFirstComesFirst() {
    meter.writeFailed(7, "the disk is full", 7.5);
    for (int i = 0; i < 20; i++) {
      meter.writeFailed(8, "the database is invalid", 8 + i / 10.0);
    }
    meter.writeFailed(9, "the disk is full", 11);
    assertThat(meter.errors())
        .containsExactly(
            Map.entry("write: the disk is full", new RunMeter.Occurrences(2, 7.5, 11)),
            Map.entry("write: the database is invalid", new RunMeter.Occurrences(20, 8, 9.9)));
    assertThat(meter.writeErrors()).isEqualTo(22);
  }

  private static WindowRun run(String window, boolean running, String error) {
    return new WindowRun("small", window, 1, running ? 0 : 2, 5, false, running, error);
  }

  @Test
  void anAggregateIsShownOnceWhetherItRunsOrHasEnded() {
    meter.aggregates(run("a", true, ""));
    meter.aggregates(run("b", true, ""));
    assertThat(meter.series(false, List.of(), List.of()).windows())
        .extracting(WindowRun::window)
        .containsExactly("a", "b");
    meter.aggregated(run("a", false, ""));
    meter.aggregated(run("b", false, "it is locked"));
    meter.aggregated(run("c", false, ""));
    assertThat(meter.series(true, List.of(), List.of()).windows())
        .as("one that was begun when the run was over is on no clock")
        .containsExactly(run("a", false, ""), run("b", false, "it is locked"));
    assertThat(meter.errors())
        .containsExactly(
            Map.entry("small aggregate: it is locked", new RunMeter.Occurrences(1, 3, 3)));
  }

  /// One that was begun by the clock, failed, and was done when the schedule was over.
  @Test
  void aWindowThatFailedIsShownOnceItIsDone() {
    meter.aggregates(run("a", true, ""));
    meter.aggregated(run("a", false, "it is locked"));
    meter.aggregated(run("a", false, ""));
    meter.aggregated(run("a", false, ""));
    assertThat(meter.series(true, List.of(), List.of()).windows())
        .containsExactly(run("a", false, "it is locked"), run("a", false, ""));
  }
}
