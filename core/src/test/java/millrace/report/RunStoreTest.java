package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.fault.Fault;
import millrace.plan.RunId;
import millrace.report.host.HostFigures;
import millrace.spi.TuningHint;
import millrace.spi.write.MergeCounts;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunStoreTest {

  @TempDir private Path folder;

  private static final HostFigures HOST =
      new HostFigures(
          1.5,
          new HostFigures.Hardware("Fast One", 2, 2000, 2000, 2000),
          new HostFigures.Cpu(
              new HostFigures.Cpu.ProcessTime(1, 0.5, 0.2, 0.1),
              2,
              0.1,
              0.3,
              0.1,
              0,
              new HostFigures.Cpu.ProcessShare(1.5, 43, 42)),
          new HostFigures.LaneWaits(3, 4, 50, 60),
          List.of(new HostFigures.Server("target", "S at x:1", "port 1", 2, 1.5, 57, 36)),
          new HostFigures.Storage(
              List.of(new HostFigures.Disk("sda", 10, 20, 0.5, 1.5, 40)),
              List.of(new HostFigures.Home("source", "/data", "ext4", List.of("sda"))),
              true),
          List.of("something"));

  private static final TuningHint FOUND = new TuningHint(3, new Amount(2_000, false), null);

  private static Report report(String id) {
    return new Report(
        new Report.Header(id, "copy", Instant.parse("2026-03-14T15:09:26Z"), "ok"),
        new Report.JobSummary(
            "orders.csv", "null:", List.of("from orders.csv"), List.of("it was empty")),
        new Report.Totals(2_000_000_000L, 10, 10, 1, new MergeCounts(1, 2, 3, 4), 1000, 900),
        new Report.Concurrency(
            2,
            "",
            List.of(new LaneTuner.LaneRate(2, 1000)),
            FOUND,
            List.of(new Meter.Retry("reset", 1, 3))),
        new Report.TimeBreakdown(
            List.of(new PhaseLog.Phase("copy rows", 5, 10, 900, 2)),
            List.of(new Report.StageTime("reader", "parse", 5, 100)),
            "Parsing."),
        new Report.ResourceUsage(7, -1, HOST),
        new Report.EndStatistics(
            List.of(new CounterWatch.Counter("target", "wire", "calls", "this run", 3)),
            List.of("source: asleep"),
            List.of(new ServerWaits.Waited("target", "Lock:extend", "the table to grow", 2, 100))),
        new Report.Baselines(
            new Ceilings(
                List.of(new Ceilings.Ceiling("target alone", "so", 10, 100, "target", 90)),
                List.of("that")),
            Goal.parse("9m")));
  }

  private RunStore store() {
    return new RunStore(folder.resolve("a/runs"));
  }

  @Test
  void aRunComesBackAsItWasKept() throws IOException {
    store().keep(report("20260314-150926-abcd"));
    assertThat(store().find("20260314")).isEqualTo(report("20260314-150926-abcd"));
    assertThat(store().find("last")).isEqualTo(report("20260314-150926-abcd"));
    assertThat(Files.readString(folder.resolve("a/runs/20260314-150926-abcd.json")))
        .contains(
            "\"rows_durable\" : 10",
            "\"started_at\" : \"2026-03-14T15:09:26Z\"",
            "\"millrace_us_per_row\" : 1.5",
            "\"write_mb_per_s\" : 20.0");
  }

  @Test
  void whatWasFoundBestIsRememberedForThatPairOfEndsAndThatMethod() throws IOException {
    store().remember(report("a"), "direct");
    assertThat(store().found("orders.csv", "null:", "direct")).isEqualTo(FOUND);
    assertThat(store().found("orders.csv", "null:", "normal")).isEqualTo(TuningHint.NOTHING);
    assertThat(store().found("null:", "orders.csv", "direct")).isEqualTo(TuningHint.NOTHING);
    try (Stream<Path> files = Files.list(folder.resolve("a/runs/found"))) {
      Files.writeString(files.findFirst().orElseThrow(), "{");
    }
    assertThat(store().found("orders.csv", "null:", "direct"))
        .as("not readable")
        .isEqualTo(TuningHint.NOTHING);
    assertThat(store().last(9)).as("is no run").isEmpty();
  }

  @Test
  void whatIsFoundLaterTakesThePlaceOfWhatWasFoundBefore() {
    TuningHint later = new TuningHint(0, null, new Amount(1 << 20, true));
    assertThat(later.or(FOUND))
        .isEqualTo(new TuningHint(3, new Amount(2_000, false), new Amount(1 << 20, true)));
    assertThat(FOUND.or(later)).isEqualTo(later.or(FOUND));
  }

  @Test
  void theLastRunsAreListedOldestFirst() throws IOException {
    for (String id : List.of("b", "c", "a")) {
      store().keep(report(id));
    }
    assertThat(store().last(2)).extracting(RunStore.StoredRun::id).containsExactly("b", "c");
    assertThat(store().last(9)).hasSize(3);
  }

  @Test
  void anUnreadableRunHidesNoOther() throws IOException {
    store().keep(report("a"));
    Files.writeString(folder.resolve("a/runs/b.json"), "{\"id\": \"b\"");
    Files.writeString(folder.resolve("a/runs/c.json"), "{\"id\": \"c\"}");
    Files.writeString(folder.resolve("a/runs/d.json"), "null");
    Files.writeString(
        folder.resolve("a/runs/e.json"), "{\"plan\": [], \"steps\": [], \"stages\": []}");
    assertThat(store().last(9))
        .extracting(RunStore.StoredRun::id)
        .containsExactly("a", "b", "c", "d", "e");
    assertThat(store().last(4)).allSatisfy(storedRun -> assertThat(storedRun.report()).isNull());
    assertThatThrownBy(() -> store().find("b"))
        .isInstanceOf(Fault.External.class)
        .hasMessageContaining("b.json");
    assertThatThrownBy(() -> store().find("d"))
        .isInstanceOf(Fault.External.class)
        .hasMessageEndingWith("d.json is not a report of a run.");
  }

  @Test
  void unknownAndAmbiguousNamesAreRefused() throws IOException {
    assertThat(store().last(5)).isEmpty();
    assertThatThrownBy(() -> store().find("last")).isInstanceOf(Fault.User.class);
    store().keep(report("2026-a"));
    store().keep(report("2026-b"));
    assertThatThrownBy(() -> store().find("2026"))
        .isInstanceOf(Fault.User.class)
        .hasMessage("Several runs begin with 2026.");
    assertThatThrownBy(() -> store().find("x")).isInstanceOf(Fault.User.class);
  }

  @Test
  void onlyTheNewestAreKept() throws IOException {
    RunStore store = store();
    store.keep(report("0000"));
    Path recording = Files.writeString(folder.resolve("a/runs/0000.jfr"), "of an earlier version");
    for (int i = 1; i < RunStore.RUNS_MAX; i++) {
      Files.copy(
          folder.resolve("a/runs/0000.json"), folder.resolve(String.format("a/runs/%04d.json", i)));
    }
    store.keep(report("9999"));
    assertThat(store.last(5000))
        .hasSize(RunStore.RUNS_MAX)
        .extracting(RunStore.StoredRun::id)
        .contains("0001", "9999")
        .doesNotContain("0000");
    assertThat(recording).doesNotExist();
  }

  @Test
  void copiesOfJobsAreFoundAndPushNoOtherRunOut() throws IOException {
    RunStore store = store();
    store.keep(report("1000"));
    store.keepOfJob(report("0000"));
    for (int i = 1; i < RunStore.JOB_COPIES_MAX; i++) {
      Files.copy(
          folder.resolve("a/runs/jobs/0000.json"),
          folder.resolve(String.format("a/runs/jobs/2%04d.json", i)));
    }
    store.keepOfJob(report("3000"));
    assertThat(store.last(5000))
        .hasSize(RunStore.JOB_COPIES_MAX + 1)
        .extracting(RunStore.StoredRun::id)
        .startsWith("1000")
        .endsWith("3000")
        .isSorted();
    assertThat(store.find("last").header().id()).isEqualTo("3000");
    assertThat(store.find("1000").header().id()).isEqualTo("1000");
  }

  @Test
  void namesSortByAge() {
    String early = RunId.begun(Instant.parse("2026-03-14T15:09:26Z"));
    assertThat(early).matches("20260314-150926-[a-z]{5}");
    String next = RunId.begun(Instant.parse("2026-03-14T15:09:26.001Z"));
    assertThat(next).as("what `last` names is the newest of a second, too").isGreaterThan(early);
    String last = RunId.begun(Instant.parse("2026-03-14T15:09:26.999999999Z"));
    assertThat(last).matches("20260314-150926-zzz[a-z]{2}").isGreaterThan(next);
    assertThat(RunId.begun(Instant.parse("2026-03-14T15:09:27Z"))).isGreaterThan(last);
  }
}
