package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.Meter;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.host.HostFigures;
import millrace.spi.TuningHint;
import millrace.spi.write.MergeCounts;
import millrace.text.Amount;
import org.junit.jupiter.api.Test;

final class ReportTextTest {

  @Test
  void aReportIsATableOfStepsThenStagesThenCosts() {
    Report report =
        new Report(
            new Report.Header("id", "copy", Instant.EPOCH, "ok"),
            new Report.JobSummary(
                "orders.csv",
                "null:",
                List.of("form     COLUMNS"),
                List.of("rows went into a table of another name")),
            new Report.Totals(
                2_500_000_000L,
                1_000_000,
                1_000_000,
                3,
                new MergeCounts(1_200, 30, 4, 5),
                10L << 20,
                5L << 20),
            new Report.Concurrency(
                2,
                "the heap is small",
                List.of(new LaneTuner.LaneRate(2, 141 << 20), new LaneTuner.LaneRate(3, 139 << 20)),
                new TuningHint(2, new Amount(2_000, false), new Amount(512 << 10, true)),
                List.of(new Meter.Retry("the connection was reset", 2, 1_500_000_000L))),
            new Report.TimeBreakdown(
                List.of(
                    new PhaseLog.Phase("prepare target", 500_000_000L, 0, 0, 1),
                    new PhaseLog.Phase("copy rows", 2_000_000_000L, 1_000_000, 5L << 20, 2)),
                List.of(
                    new Report.StageTime("reader", "parse", 2_700_000_000L, 75),
                    new Report.StageTime("reader", "queue wait", 900_000_000L, 25),
                    new Report.StageTime("writer", "queue wait", 12, 100)),
                "Parsing here is the bottleneck."),
            new Report.ResourceUsage(3_000_000_000L, 100L << 20, null),
            new Report.EndStatistics(
                List.of(
                    new CounterWatch.Counter("target", "wire", "calls", "this run", 1_200),
                    new CounterWatch.Counter("target", "wire", "round_trips", "this run", 12),
                    new CounterWatch.Counter("target", "wire", "bytes_sent", "this run", 5L << 20),
                    new CounterWatch.Counter("target", "wire", "bytes_received", "this run", 800),
                    new CounterWatch.Counter("target", "inserts", "executes", "this run", 400),
                    new CounterWatch.Counter("target", "inserts", "rows", "this run", 1_000_000),
                    new CounterWatch.Counter("target", "pg_stat_wal", "wal_fpi", "whole server", 0),
                    new CounterWatch.Counter(
                        "target", "pg_stat_wal", "wal_bytes", "whole server", 7_000)),
                List.of("target: pg_stat_io: permission denied"),
                List.of(
                    new ServerWaits.Waited("target", "", "", 71, 71),
                    new ServerWaits.Waited("target", "IO:WALSync", "its log", 6, 6),
                    new ServerWaits.Waited("target", "LWLock:WALWrite", "its log", 8, 8),
                    new ServerWaits.Waited("target", "Timeout:PgSleep", "Timeout:PgSleep", 13, 13),
                    new ServerWaits.Waited("target", "Lock:extend", "its growth", 2, 2),
                    new ServerWaits.Waited("source", "", "", 19, 100))),
            Report.Baselines.NONE);
    assertThat(String.join("\n", ReportText.lines(report)))
        .isEqualTo(
            """
            copy done: 1,000,000 rows and 3 rejects (10.0 MB) in 2.50 s, 400,000 rows/s, 4.0 MB/s
              merge 1,200 rows inserted, 30 updated, 4 unchanged; 5 superseded by later rows of the same key
              from  orders.csv
              to    null:
              note  rows went into a table of another name

              step            duration       rows  transfer  concurrency
              --------------  --------  ---------  --------  -----------
              prepare target    0.50 s                                 1
              copy rows         2.00 s  1,000,000    5.0 MB            2
              total             2.50 s  1,000,000    5.0 MB

              share of the lanes' time  readers  writers
              ------------------------  -------  -------
              parse                      75.0 %
              queue wait                 25.0 %  100.0 %

              lanes      2, found by trying: 2 gave 141.0 MB/s, 3 gave 139.0 MB/s; 1.8 at work on the average (the heap is small)
              units      read 2000, write 524288B, found by trying
              read       10.0 MB
              written    5.0 MB
              wire       target 1,200 calls, 12 round trips, 5.0 MB sent, 800 B received
              inserts    target 1,000,000 rows in 400 executes, 2,500.0 rows each
              rejects    3
              retried    2 times, 1.50 s of all lanes' time lost: the connection was reset
              processor  3.00 µs a row in this process, 3.00 s in all
              memory     at most 100.0 MB resident
              waits      the target's server was at work 71 % of the time, waiting for its log (LWLock:WALWrite, IO:WALSync) 14 %, for Timeout:PgSleep 13 %

              Parsing here is the bottleneck.

              end     counter                   change  counts
              ------  ---------------------  ---------  ------------
              target  wire.calls                 1,200  this run
              target  wire.round_trips              12  this run
              target  wire.bytes_sent        5,242,880  this run
              target  wire.bytes_received          800  this run
              target  inserts.executes             400  this run
              target  inserts.rows           1,000,000  this run
              target  pg_stat_wal.wal_bytes      7,000  whole server
              not counted: target: pg_stat_io: permission denied

              form     COLUMNS\
            """);
  }

  /// SQLite works in this process.
  @Test
  void anEndWithoutAServerIsNotCalledOne() {
    HostFigures host =
        new HostFigures(
            20,
            HostFigures.Hardware.of(2),
            new HostFigures.Cpu(
                new HostFigures.Cpu.ProcessTime(1, 0, 0, 0),
                0,
                0,
                1,
                0,
                0,
                HostFigures.Cpu.ProcessShare.UNKNOWN),
            new HostFigures.LaneWaits(1, 1, 1, 1),
            List.of(new HostFigures.Server("target", "S at far:1", "", -1, -1, -1, -1)),
            new HostFigures.Storage(List.of(), List.of(), false),
            List.of());
    assertThat(ReportText.atWork(host, "target")).isEqualTo("the target's server");
    assertThat(ReportText.atWork(host, "source")).isEqualTo("the source");
    assertThat(ReportText.atWork(null, "source")).isEqualTo("the source's server");
  }

  @Test
  void sizesAndDurationsAreShort() {
    assertThat(ReportText.size(0)).isEqualTo("0 B");
    assertThat(ReportText.size(1536)).isEqualTo("1.5 kB");
    assertThat(ReportText.size(20L << 30)).isEqualTo("20.0 GB");
    assertThat(ReportText.duration(12_340_000L)).isEqualTo("0.01 s");
    assertThat(ReportText.duration(185_000_000_000L)).isEqualTo("3m05s");
    assertThat(ReportText.duration(7_380_000_000_000L)).isEqualTo("2h03m");
    assertThat(ReportText.clock(12)).isEqualTo("0:12");
    assertThat(ReportText.clock(7385)).isEqualTo("2:03:05");
  }
}
