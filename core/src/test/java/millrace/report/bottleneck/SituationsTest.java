package millrace.report.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import millrace.engine.meter.CounterTrouble;
import millrace.engine.meter.CounterWatch;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.Ceilings;
import millrace.report.Report;
import millrace.report.host.HostFigures;
import millrace.spi.Counters;
import millrace.spi.ServerWait;
import millrace.spi.Stage;
import millrace.spi.write.RowCost;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Situations that were staged on purpose, by the figures that runs left in them, and the sentence
/// that each has to give. Two processors, unless a test says otherwise.
final class SituationsTest {

  private static final long SECONDS_20 = 20_000_000_000L;

  /// The figures of one run. Shares are in percent.
  private static final class Situation {

    private final List<Report.StageTime> stages = new ArrayList<>();
    private final List<ServerWaits.Waited> waits = new ArrayList<>();
    private final Map<String, String> helps = new TreeMap<>();
    private final List<CounterWatch.Counter> counters = new ArrayList<>();
    private final List<CounterTrouble> troubles = new ArrayList<>();
    private final List<LaneTuner.LaneRate> tried = new ArrayList<>();
    private final List<HostFigures.Server> servers = new ArrayList<>();
    private final List<HostFigures.Disk> disks = new ArrayList<>();
    private final List<HostFigures.Home> homes = new ArrayList<>();
    private final List<RowCost> rowCosts = new ArrayList<>();
    private final List<Ceilings.Ceiling> ceilings = new ArrayList<>();
    private final List<PhaseLog.Phase> otherSteps = new ArrayList<>();
    private final Map<String, String> stepWaits = new TreeMap<>();
    private String serverRole = "target";
    private double idle = 50;
    private double othersShare;
    private long rejects;
    private boolean intoStream;
    private double serversShare = 30;
    private HostFigures.LaneWaits laneWaits = new HostFigures.LaneWaits(1, 1, 20, 20);
    private int lanes = 2;
    private double busyLanes = 2;
    private String whyNoMore = "";
    private Evidence.Commits commits = new Evidence.Commits(0, 0, null);
    private long bytes = 180 << 20;

    Situation stages(String side, Object... labelsAndShares) {
      for (int i = 0; i < labelsAndShares.length; i += 2) {
        double share = ((Number) labelsAndShares[i + 1]).doubleValue();
        stages.add(
            new Report.StageTime(side, (String) labelsAndShares[i], (long) (share * 1e9), share));
      }
      return this;
    }

    /// A target's server whose lanes wait for it.
    Situation waitsForTarget() {
      return stages("reader", "parse", 25, "queue wait", 75)
          .stages("writer", "send", 4, "server wait", 93, "queue wait", 3);
    }

    Situation idle(double percent) {
      idle = percent;
      return this;
    }

    /// How much of the machine others took.
    Situation others(double percent) {
      othersShare = percent;
      return this;
    }

    /// A step beside the copying of rows, and what it was seen to wait for.
    Situation step(String name, long seconds, String seen) {
      otherSteps.add(new PhaseLog.Phase(name, seconds * 1_000_000_000L, 0, 0, 1));
      stepWaits.put(name, seen);
      return this;
    }

    private List<PhaseLog.Phase> steps(long rows) {
      List<PhaseLog.Phase> all = new ArrayList<>(otherSteps);
      all.add(new PhaseLog.Phase("copy rows", SECONDS_20, rows, bytes, lanes));
      return all;
    }

    /// How many bad records were set aside.
    Situation rejects(long number) {
      rejects = number;
      return this;
    }

    Situation trouble(long change, double perMinuteMax, String what, String help) {
      troubles.add(
          new CounterTrouble("target", change, new Counters.Alarm(perMinuteMax, what, help)));
      return this;
    }

    /// How often rows were committed, for how many parts of the source, by which unit.
    Situation commits(long count, long parts, @Nullable Amount unit) {
      commits = new Evidence.Commits(count, parts, unit);
      return this;
    }

    /// How much of the source there was.
    Situation bytes(long all) {
      bytes = all;
      return this;
    }

    /// For how much of the time a process of the server was stopped.
    Situation stoppedServer(double processes, double busy, double waiting, double stopped) {
      servers.add(
          new HostFigures.Server(
              serverRole, "S at localhost:1", "port", 9, processes, busy, waiting, stopped));
      return this;
    }

    /// What the server's work is, of that end alone.
    Situation work(double percent, String help) {
      helps.put(ServerWaits.at(serverRole, ""), help);
      return atWork(percent);
    }

    Situation intoStream() {
      intoStream = true;
      return this;
    }

    /// For how much of their time readers and writers waited for a processor and were on one.
    Situation laneWaits(double readers, double writers, double readersBusy, double writersBusy) {
      laneWaits = new HostFigures.LaneWaits(readers, writers, readersBusy, writersBusy);
      return this;
    }

    /// Whose server the figures are of that follow; the target's without it.
    Situation serverOf(String role) {
      serverRole = role;
      return this;
    }

    Situation server(double processes, double busy, double waiting) {
      servers.add(
          new HostFigures.Server(
              serverRole, "S at localhost:1", "port", 9, processes, busy, waiting));
      return this;
    }

    Situation farServer() {
      servers.add(new HostFigures.Server("target", "S at far:1", "", -1, -1, -1, -1));
      return this;
    }

    Situation waits(String event, String what, String help, double percent) {
      waits.add(new ServerWaits.Waited(serverRole, event, what, Math.round(10 * percent), percent));
      helps.put(what, help);
      return this;
    }

    Situation atWork(double percent) {
      return waits("", "", "", percent);
    }

    Situation wire(long roundTrips, long answerUs, long bytesSent) {
      counters.add(
          new CounterWatch.Counter("target", "wire", "round_trips", "this run", roundTrips));
      counters.add(new CounterWatch.Counter("target", "wire", "answer_us", "this run", answerUs));
      counters.add(new CounterWatch.Counter("target", "wire", "bytes_sent", "this run", bytesSent));
      return this;
    }

    Situation wire(long roundTrips, long answerUs, long delayUs, long bytesSent) {
      counters.add(new CounterWatch.Counter("target", "wire", "delay_us", "this run", delayUs));
      return wire(roundTrips, answerUs, bytesSent);
    }

    Situation disk(String role, double queue, double busy) {
      return disk(role, queue, 0, busy);
    }

    Situation disk(String role, double readQueue, double writeQueue, double busy) {
      disks.add(new HostFigures.Disk("sda", 5, 0, readQueue, writeQueue, busy));
      homes.add(new HostFigures.Home(role, "/data/file", "ext4", List.of("sda")));
      return this;
    }

    Situation lanes(int count, double busy) {
      lanes = count;
      busyLanes = busy;
      return this;
    }

    Situation oneLane(String why) {
      whyNoMore = why;
      return lanes(1, 1);
    }

    Situation tried(int number, double megabytes) {
      tried.add(new LaneTuner.LaneRate(number, megabytes * (1 << 20)));
      return this;
    }

    Situation rowCost(Stage stage, String what, String help) {
      rowCosts.add(new RowCost(stage, what, help));
      return this;
    }

    Situation ceiling(String side, double rowsPerS) {
      ceilings.add(new Ceilings.Ceiling(side, "", rowsPerS, 1, side, -1));
      return this;
    }

    String sentence(long rows) {
      double all = 40;
      double busy = all * (100 - idle) / 100;
      double ofOthers = all * othersShare / 100;
      double ofServers = (busy - ofOthers) * serversShare / 100;
      HostFigures host =
          new HostFigures(
              20,
              HostFigures.Hardware.of(2),
              new HostFigures.Cpu(
                  new HostFigures.Cpu.ProcessTime(busy - ofServers - ofOthers, 0, 0, 0),
                  ofServers,
                  ofOthers,
                  all - busy,
                  0,
                  0,
                  HostFigures.Cpu.ProcessShare.UNKNOWN),
              laneWaits,
              servers,
              new HostFigures.Storage(disks, homes, false),
              List.of());
      return Bottleneck.sentence(
          new Evidence(
              rows,
              rejects,
              SECONDS_20,
              steps(rows),
              stepWaits,
              new Evidence.Lanes(lanes, whyNoMore, tried, Math.round(busyLanes * SECONDS_20), 2),
              stages,
              host,
              new Evidence.Ends(
                  new ServerWaits(waits, helps), counters, troubles, rowCosts, intoStream, commits),
              ceilings.isEmpty() ? null : new Ceilings(ceilings, List.of())));
    }

    String sentence() {
      return sentence(1_000_000);
    }
  }

  private static final String LOG = "A faster disk for the log would help.";

  /// 49 equal copies into one table left such figures, on either side of what was one limit.
  @ParameterizedTest
  @CsvSource({
    "5, 22, 30",
    "7, 20, 26",
    "7.9, 18, 25",
    "8.1, 18, 25",
    "9, 17, 24",
    "12, 16, 21",
    "15, 15, 19",
    "19, 6, 16",
    "19, 16, 8"
  })
  void equalCopiesGetTheSameAnswer(double idle, double lanesWaited, double serverWaited) {
    String sentence =
        new Situation()
            .waitsForTarget()
            .idle(idle)
            .laneWaits(lanesWaited, lanesWaited, 30, 10)
            .server(2, 62, serverWaited)
            .atWork(74)
            .waits("IO:WALSync", "its log", LOG, 16)
            .waits("Client:ClientRead", ServerWait.CLIENT, "", 10)
            .sentence();
    assertThat(sentence)
        .startsWith("The processors are the bottleneck: ")
        .contains("More lanes will not help: more processors")
        .doesNotContain("may help");
  }

  @Test
  void adviceIsAboutWhatTookMostOfTheTime() {
    Situation mostlyAtWork =
        new Situation()
            .waitsForTarget()
            .farServer()
            .atWork(76)
            .waits("IO:WALSync", "its log", LOG, 12);
    assertThat(mostlyAtWork.sentence())
        .contains("at work 76 % of the time, waiting for its log 12 %")
        .endsWith("More lanes help if its machine has idle processors.");
    Situation mostlyLog =
        new Situation()
            .waitsForTarget()
            .farServer()
            .atWork(35)
            .waits("IO:WALSync", "its log", LOG, 60);
    assertThat(mostlyLog.sentence()).endsWith(LOG);
  }

  @Test
  void locksAreNamedFirst() {
    Situation locked =
        new Situation()
            .waitsForTarget()
            .idle(5)
            .server(2, 57, 36)
            .atWork(55)
            .waits("Lock:transactionid", ServerWait.LOCKS, "Ask who holds them.", 41);
    assertThat(locked.sentence())
        .isEqualTo(
            "Locks in the target are the bottleneck: its server says that it was at work 55 % of"
                + " the time, waiting for locks (Lock:transactionid) 41 %. Ask who holds them. More"
                + " lanes will not help.");
    Situation mostly =
        new Situation()
            .waitsForTarget()
            .server(2, 7, 3)
            .atWork(5)
            .waits("Lock:transactionid", ServerWait.LOCKS, "Ask who holds them.", 92)
            .rowCost(Stage.SERVER_WAIT, "Its index is kept up row by row", "--defer-indexes.");
    assertThat(mostly.sentence())
        .startsWith("Locks in the target are the bottleneck: ")
        .doesNotContain("--defer-indexes");
  }

  @Test
  void sendingAndTheTurnToSendAreOneThing() {
    Situation turns =
        new Situation()
            .stages("reader", "parse", 45, "queue wait", 55)
            .stages("writer", "encode", 36, "send", 32, "turn", 28, "queue wait", 4);
    assertThat(turns.sentence())
        .startsWith("The target is the bottleneck: the lanes' writers spent 32 % of their time on")
        .contains("28 % on turn")
        .endsWith("more lanes will not help, several files would.");
    Situation fewTurns =
        new Situation()
            .stages("reader", "parse", 45, "queue wait", 55)
            .stages("writer", "encode", 36, "send", 48, "turn", 12, "queue wait", 4);
    assertThat(fewTurns.sentence()).doesNotContain("several files");
  }

  /// Readers that wait for their file.
  private static Situation readsFile() {
    return new Situation()
        .stages("reader", "read", 92, "parse", 6, "queue wait", 2)
        .stages("writer", "encode", 5, "queue wait", 95)
        .laneWaits(1, 1, 8, 5);
  }

  @Test
  void aDiskThatIsHeldBackIsToldFromOneAtItsLimit() {
    Situation heldBack = readsFile().disk("source", 0.05, 11);
    assertThat(heldBack.sentence())
        .startsWith("The disk under the source is the bottleneck, held back before its limit: ")
        .contains("busy only 11 % of the time, with 0.1 requests waiting")
        .endsWith("such as a container's io.max: raise that limit. More lanes will not help.");
    Situation slow = readsFile().disk("source", 1.7, 99);
    assertThat(slow.sentence()).startsWith("The disk sda is the bottleneck: busy 99 %");
  }

  @Test
  void aLaneThatHadNothingLeftToReadIsNoReasonForMore() {
    Situation uneven =
        new Situation()
            .stages("reader", "decompress", 80, "parse", 18, "queue wait", 2)
            .stages("writer", "encode", 10, "queue wait", 90)
            .laneWaits(1, 1, 97, 10)
            .lanes(2, 1.06);
    assertThat(uneven.sentence())
        .startsWith(
            "The uneven parts of the source are the bottleneck: for 47 % of the time of 2 lanes"
                + " there was nothing left to read, while others went on. Of those at work, the"
                + " lanes' readers spent 80 % of their time on decompress")
        .doesNotContain("may help");
    // Lanes that were only tried were not there all the time.
    assertThat(uneven.tried(2, 90).tried(3, 91).sentence())
        .startsWith("Decompressing here is the bottleneck: ")
        .contains("More lanes will not help: 3 gave 91.0 MB/s, 2 gave 90.0 MB/s.");
  }

  /// A server elsewhere that mostly waits for what comes.
  private static Situation waitsForUs() {
    return new Situation()
        .waitsForTarget()
        .farServer()
        .atWork(9)
        .waits("Client:ClientRead", ServerWait.CLIENT, "", 91);
  }

  /// 877 answers of 20 ms each, in a copy of 18 s on one lane.
  @Test
  void delayIsToldFromBandwidth() {
    Situation way = waitsForUs().lanes(1, 1);
    assertThat(way.wire(877, 17_540_000, 90 << 20).sentence())
        .startsWith("The way between Millrace and the target's server is the bottleneck: ")
        .endsWith(
            "It is delay: answers were waited for 877 times, 20.0 ms each, for 88 % of the lanes'"
                + " time. Larger units mean fewer answers, and less delay a shorter wait. More"
                + " lanes help: they wait at the same time.");
    Situation narrow = waitsForUs().lanes(1, 1);
    assertThat(narrow.wire(30, 600_000, 200 << 20).sentence())
        .endsWith(
            "It is not delay: that took 3 % of the lanes' time, while 10.0"
                + " MB/s went over the connections. A faster network would help. More lanes help"
                + " where the network limits each connection.");
  }

  /// Units that went over a link of 4 MB/s: the shortest answer took 0.2 ms.
  @Test
  void theTimeThatBytesTakeIsNoDelay() {
    Situation narrow = waitsForUs().lanes(1, 1);
    assertThat(narrow.wire(220, 17_820_000, 44_000, 80 << 20).sentence())
        .contains("It is not delay: that took 0 % of the lanes' time, while 4.0 MB/s went over")
        .doesNotContain("Larger units");
    Situation local = waitsForUs().lanes(1, 1);
    assertThat(local.wire(2_000_000, 19_000_000, 19_000_000, 80 << 20).sentence())
        .doesNotContain("It is delay")
        .doesNotContain("0.0 ms each");
  }

  /// Each was called a lack of processors, since others kept those busy.
  @ParameterizedTest
  @CsvSource({
    "Timeout:PgSleep, a sleep in SQL, '', 84, More lanes may help: they wait at the same time.",
    "IO:WALSync, its log, 'A faster disk for the log would help.', 64, A faster disk for the log",
    "IO:DataFileRead, its disk, 'More memory would help.', 55, More memory would help.",
    // MariaDB and MySQL
    "Waiting for handler commit, its redo log, 'Larger commit units would help.', 71, Larger",
    "Innodb_checkpoint_age, room in its redo log, 'A larger innodb_log_file_size.', 60, A larger",
    // Oracle
    "log file sync, its redo log, 'Larger commit units would help.', 83, Larger commit units",
    "log file switch (checkpoint incomplete), its redo logs to be switched, 'Larger.', 52, Larger."
  })
  void whatAServerWaitsForComesBeforeProcessorsThatOthersUse(
      String event, String what, String help, double percent, String advice) {
    Situation busy =
        new Situation()
            .waitsForTarget()
            .idle(2)
            .others(85)
            .laneWaits(25, 22, 20, 5)
            .server(1.2, 10, 20)
            .atWork(96 - percent)
            .waits(event, what, help, percent)
            .waits("Client:ClientRead", ServerWait.CLIENT, "", 4);
    assertThat(busy.sentence())
        .startsWith("The target's server is the bottleneck: ")
        .contains("waiting for " + what + " " + Math.round(percent) + " %")
        .contains(advice)
        .endsWith(
            "Others took 85 % of the machine meanwhile; what that cost this run is not known.")
        .doesNotContain("will not help");
  }

  /// A view that calls pg_sleep for every thousandth row.
  @Test
  void aSourceThatWaitsForItselfComesBeforeProcessorsThatOthersUse() {
    Situation view =
        new Situation()
            .stages("reader", "read", 96, "parse", 4)
            .stages("writer", "queue wait", 100)
            .serverOf("source")
            .idle(1)
            .others(96)
            .laneWaits(3, 3, 2, 1)
            .server(0.1, 1, 21)
            .atWork(4)
            .waits("Timeout:PgSleep", "a function that sleeps (pg_sleep)", "Without it.", 95);
    assertThat(view.sentence())
        .startsWith("The source's server is the bottleneck: ")
        .contains("waiting for a function that sleeps (pg_sleep) 95 %. Without it.")
        .endsWith(
            "Others took 96 % of the machine meanwhile; what that cost this run is not known.")
        .doesNotContain("will not help");
  }

  /// SQLite works on the lane's own threads: it has no process that could be seen.
  @Test
  void waitsOfADatabaseThatIsAFileAreNamedLikeThoseOfAServer() {
    Situation disk =
        new Situation()
            .waitsForTarget()
            .idle(3)
            .others(80)
            .laneWaits(20, 18, 20, 15)
            .atWork(22)
            .waits("D", "its disk", "A faster disk under the file would help.", 78);
    assertThat(disk.sentence())
        .startsWith("The target is the bottleneck: the lanes' writers spent 93 % of their time on")
        .contains("It was seen at work 22 % of the time, waiting for its disk 78 %.")
        .contains("A faster disk under the file would help. Others took 80 %");
    Situation locked =
        new Situation()
            .waitsForTarget()
            .idle(3)
            .others(80)
            .atWork(30)
            .waits("busy", ServerWait.LOCKS, "Another program has the file locked.", 70);
    assertThat(locked.sentence())
        .startsWith("Locks in the target are the bottleneck: it was seen at work 30 % of the time");
    Situation working =
        new Situation().waitsForTarget().idle(3).laneWaits(20, 18, 20, 75).atWork(97);
    assertThat(working.sentence()).startsWith("The processors are the bottleneck: ");
  }

  @Test
  void commitsThatTakeTheTimeAreNamedOnABusyMachineToo() {
    Situation commits =
        new Situation()
            .stages("reader", "parse", 10, "queue wait", 90)
            .stages("writer", "send", 4, "commit", 83, "queue wait", 13)
            .idle(3)
            .others(80)
            .laneWaits(20, 18, 20, 5)
            .server(1, 10, 20);
    assertThat(commits.sentence())
        .startsWith("The target's commits are the bottleneck: ")
        .contains("Larger commit units would help");
  }

  /// As staged: commits of 100 rows on a machine of which others took all.
  @Test
  void commitsThatTakeMuchAreToldBesideProcessors() {
    Situation commits =
        new Situation()
            .stages("reader", "parse", 10, "queue wait", 90)
            .stages("writer", "server wait", 49, "commit", 44, "queue wait", 4)
            .idle(0)
            .others(96)
            .laneWaits(20, 33, 20, 5)
            .server(0.8, 3, 33)
            .atWork(55)
            .waits("IO:WALSync", "its log", LOG, 30);
    assertThat(commits.sentence())
        .startsWith("The processors are the bottleneck: ")
        .contains("Commits took 44 % of the lanes' writers' time: larger commit units would help.");
    assertThat(skewed().idle(2).others(70).sentence()).doesNotContain("Commits");
  }

  /// As staged: commits of 100 rows on a quiet machine, in a copy that was too short for its server
  /// to be asked what it waits for.
  @Test
  void commitsThatTakeMuchAreToldIfNobodyKnowsWhatTheServerWaitsFor() {
    Situation commits =
        new Situation()
            .stages("reader", "parse", 10, "queue wait", 90)
            .stages("writer", "server wait", 47, "commit", 42, "queue wait", 7)
            .idle(50)
            .server(1, 44, 5);
    assertThat(commits.sentence())
        .startsWith("The target's server is the bottleneck, but not its processor time: ")
        .endsWith("Commits took 42 % of the lanes' writers' time: larger commit units would help.");
  }

  /// Equal copies from a slow disk for the log were on either side of the line.
  @Test
  void evidenceNearTheLineNamesBoth() {
    for (double log : List.of(30.0, 40.0, 47.0, 49.0, 60.0)) {
      String sentence =
          new Situation()
              .waitsForTarget()
              .idle(3)
              .others(60)
              .laneWaits(25, 22, 20, 5)
              .server(1.5, 30, 25)
              .atWork(96 - log)
              .waits("IO:WALSync", "its log", LOG, log)
              .waits("Client:ClientRead", ServerWait.CLIENT, "", 4)
              .sentence();
      if (log < 32) {
        assertThat(sentence).startsWith("The processors are").doesNotContain("log");
      } else {
        assertThat(sentence).contains("its log " + Math.round(log) + " %").contains(LOG);
      }
    }
  }

  /// As staged: of five equal copies from a pipe, some were named by what parsing took and some by
  /// the processors.
  @Test
  void parsingThatTakesNearlyAllProcessorsNamesBoth() {
    for (double idle : List.of(3.0, 7.0, 12.0, 19.0, 21.0, 34.0)) {
      assertThat(parsesAPipe(idle))
          .contains("parse", "processors", Math.round(100 - idle) + " % busy")
          .containsPattern("More lanes (will not help|are not possible)");
    }
    assertThat(parsesAPipe(60)).startsWith("Parsing here").doesNotContain("busy");
  }

  private static String parsesAPipe(double idle) {
    return new Situation()
        .oneLane("standard input is one stream")
        .stages("reader", "parse", 47, "read", 30, "queue wait", 17)
        .stages("writer", "encode", 20, "queue wait", 70)
        .laneWaits(16, 10, 60, 9)
        .idle(idle)
        .sentence();
  }

  /// Others' writes were in the queue of the disk that readers waited for.
  @Test
  void requestsOfOtherProgramsDoNotHideADiskThatIsHeldBack() {
    Situation heldBack = readsFile().disk("source", 0.05, 3.1, 20);
    assertThat(heldBack.sentence())
        .startsWith("The disk under the source is the bottleneck, held back before its limit: ");
  }

  /// As staged: a disk that is held to 6 MB/s, of which 5.2 were read, on a machine of which others
  /// took all.
  @Test
  void aDiskThatIsHeldBackIsNamedBesideProcessorsThatOthersUse() {
    Situation both =
        new Situation()
            .stages("reader", "read", 79, "parse", 11, "queue wait", 10)
            .stages("writer", "encode", 1, "queue wait", 99)
            .laneWaits(27, 8, 2, 0)
            .idle(0)
            .others(98)
            .disk("source", 0.02, 0.4, 10);
    assertThat(both.sentence())
        .startsWith("The processors are the bottleneck: ")
        .contains(
            "They also waited for the disk under the source, which was busy only 10 % of the time,"
                + " with 0.0 requests waiting: something may limit it, such as a container's"
                + " io.max.")
        .endsWith(
            "Others took 98 % of the machine meanwhile; what that cost this run is not known.")
        .doesNotContain("would be faster");
  }

  @Test
  void moreRequestsAreNotAdvisedIfMoreLanesWillNotHelp() {
    Situation reading = readsFile().disk("source", 1.5, 70);
    assertThat(reading.sentence()).contains("more requests at once may help");
    assertThat(reading.tried(2, 90).tried(3, 91).sentence())
        .contains("Its disk is not at its limit. More lanes will not help")
        .doesNotContain("more requests");
  }

  /// A lock that another had while the target was completed.
  @Test
  void whatAStepWaitedForIsNamed() {
    Situation locked =
        new Situation()
            .waitsForTarget()
            .step("complete target", 60, "the target waits for a lock that process 4711 holds");
    assertThat(locked.sentence())
        .startsWith(
            "The step \"complete target\" is the bottleneck: it took 1m00s of 1m20s, and this was"
                + " seen: the target waits for a lock that process 4711 holds. What makes rows"
                + " faster helps only with the rest. While rows moved: ");
  }

  /// As staged: on a machine of which others took all, other steps were slow, too.
  @Test
  void whatAStepWaitedForIsNamedThoughOtherStepsTookLonger() {
    Situation locked =
        new Situation()
            .waitsForTarget()
            .step("complete target", 9, "the target waits for a lock that process 4711 holds");
    assertThat(locked.sentence())
        .startsWith("The target is the bottleneck: ")
        .endsWith(
            "The step \"complete target\" took 9.00 s of 29.00 s, and this was seen: the target"
                + " waits for a lock that process 4711 holds.");
    Situation brief = new Situation().waitsForTarget().step("complete target", 1, "a lock");
    assertThat(brief.sentence()).doesNotContain("a lock");
  }

  /// 30 % of the records of a CSV were bad, and a processor was never idle.
  @Test
  void badRecordsAreNamedIfTheyTakeTheTime() {
    Situation bad =
        new Situation()
            .stages("reader", "read", 4, "parse", 24, "reject", 70, "queue wait", 2)
            .stages("writer", "encode", 9, "queue wait", 91)
            .idle(4)
            .laneWaits(20, 5, 78, 9)
            .rejects(428_571);
    assertThat(bad.sentence())
        .startsWith(
            "The bad records are the bottleneck: the lanes' readers spent 70 % of their time on"
                + " reject (setting bad records aside) and 2 % waiting for the writers; 428,571 of"
                + " 1,428,571 (30 %) were set aside, 163.3 µs each. Fewer of them would help")
        .contains("More lanes will not")
        .doesNotContain("may help");
  }

  @Test
  void badRecordsThatTakeLessAreToldBesideTheCause() {
    Situation some =
        new Situation()
            .stages("reader", "parse", 80, "reject", 18, "queue wait", 2)
            .stages("writer", "encode", 9, "queue wait", 91)
            .laneWaits(1, 1, 97, 9)
            .rejects(10_000);
    assertThat(some.sentence())
        .startsWith("Parsing here is the bottleneck: ")
        .endsWith(
            "Setting bad records aside took 18 % of the lanes' readers' time: 10,000 of 1,010,000"
                + " (1 %) were set aside, 1800.0 µs each.");
    Situation few =
        new Situation()
            .stages("reader", "parse", 97, "reject", 1, "queue wait", 2)
            .stages("writer", "encode", 9, "queue wait", 91)
            .laneWaits(1, 1, 97, 9)
            .rejects(100);
    assertThat(few.sentence()).doesNotContain("aside");
  }

  /// Checkpoints, since max_wal_size was small; one that was due is no trouble.
  @Test
  void whatTheServerCountedThatItShouldNotIsTold() {
    Situation log =
        new Situation()
            .waitsForTarget()
            .server(1.2, 40, 2)
            .atWork(45)
            .waits("IO:WALSync", "its log", LOG, 50);
    String told =
        "The target's server counted checkpoints before their time (9): a larger max_wal_size would"
            + " help.";
    String what = "checkpoints before their time";
    String help = "a larger max_wal_size would help";
    assertThat(log.trouble(9, 2, what, help).sentence())
        .startsWith("The target's server is the bottleneck: ")
        .endsWith(LOG + " " + told);
    Situation due = new Situation().waitsForTarget().server(1.2, 40, 2).atWork(95);
    assertThat(due.trouble(2, 2, what, help).sentence()).doesNotContain("checkpoints");
    // Kudu's client tries again by itself what the server refuses.
    Situation refused = new Situation().waitsForTarget().server(2, 40, 2);
    assertThat(refused.trouble(1, 0, "writes that it refused for want of memory", "…").sentence())
        .endsWith("The target's server counted writes that it refused for want of memory (1): ….");
    Situation parsing =
        new Situation()
            .stages("reader", "parse", 97, "queue wait", 3)
            .stages("writer", "queue wait", 100)
            .laneWaits(1, 1, 97, 9);
    assertThat(parsing.trouble(9, 2, what, help).sentence()).doesNotContain("checkpoints");
  }

  /// A trigger that sleeps: the server is not at work, and yet it is what each row costs.
  @Test
  void whatEachRowCostsIsToldIfTheServerWaitsForItselfToo() {
    Situation sleeps =
        new Situation()
            .waitsForTarget()
            .idle(2)
            .others(85)
            .server(1.2, 10, 20)
            .atWork(10)
            .waits("Timeout:PgSleep", "a function that sleeps (pg_sleep)", "Without it.", 86)
            .rowCost(Stage.SERVER_WAIT, "Its triggers run for each row (slow)", "Disable them.");
    assertThat(sleeps.sentence())
        .startsWith("The target's server is the bottleneck: ")
        .contains("waiting for a function that sleeps (pg_sleep) 86 %")
        .contains("Without it. Its triggers run for each row (slow): Disable them.");
  }

  /// One lane of two had nothing to do for most of the time, while others kept processors busy.
  private static Situation skewed() {
    return new Situation()
        .stages("reader", "decompress", 80, "parse", 18, "queue wait", 2)
        .stages("writer", "encode", 10, "queue wait", 90)
        .laneWaits(45, 5, 50, 4)
        .lanes(2, 1.06);
  }

  @Test
  void skewIsFoundOnABusyMachineToo() {
    assertThat(skewed().idle(2).others(70).sentence())
        .startsWith("The uneven parts of the source are the bottleneck: for 47 % of the time")
        .endsWith("Others took 70 % of the machine meanwhile: the same run alone would be faster.");
    // Two of eight lanes at the end are enough for two processors.
    assertThat(skewed().lanes(8, 6).idle(2).others(70).sentence())
        .startsWith("The processors are the bottleneck: ");
    assertThat(skewed().idle(2).sentence()).startsWith("The processors are the bottleneck: ");
  }

  /// As staged with Kudu: one of two lanes had nothing left to read for the last third.
  @Test
  void aTargetThatTakesMostOfTheTimeComesBeforeSkew() {
    Situation beside =
        new Situation()
            .stages("reader", "parse", 12, "queue wait", 88)
            .stages("writer", "encode", 28, "send", 3, "server wait", 68)
            .lanes(2, 1.7)
            .laneWaits(20, 25, 8, 6);
    assertThat(beside.idle(0).others(88).server(2.6, 3, 42).sentence())
        .startsWith("The processors are the bottleneck: ")
        .doesNotContain("uneven");
    Situation alone = new Situation().waitsForTarget().lanes(2, 1.6).server(1.7, 95, 1).idle(40);
    assertThat(alone.sentence())
        .startsWith("The target's server is the bottleneck: ")
        .doesNotContain("uneven");
    // One lane of ten that goes on alone: even parts help more than a faster target.
    Situation last = new Situation().waitsForTarget().lanes(10, 0.5).server(0.5, 95, 1).idle(40);
    assertThat(last.sentence()).startsWith("The uneven parts of the source are the bottleneck: ");
  }

  @Test
  void aNetworkThatTakesMostOfTheTimeComesBeforeSkew() {
    for (double idle : List.of(60.0, 2.0)) {
      Situation narrow = waitsForUs().wire(30, 600_000, 200 << 20).lanes(2, 1.2);
      assertThat(narrow.idle(idle).others(98 - idle).sentence())
          .startsWith("The way between Millrace and the target's server is the bottleneck: ")
          .doesNotContain("uneven");
    }
  }

  /// A condition that 0.1 % of the rows of a CSV meet, or none: reading is what takes the time.
  @Test
  void aFilterThatDropsNearlyAllRowsNamesTheSource() {
    for (long rows : List.of(1_000L, 0L)) {
      Situation filtered =
          new Situation()
              .stages("reader", "read", 62, "parse", 30, "convert", 8)
              .stages("writer", "queue wait", 100)
              .laneWaits(1, 0, 45, 0)
              .idle(40)
              .disk("source", 1.5, 70);
      assertThat(filtered.sentence(rows))
          .startsWith(
              (rows == 0 ? "Of what was read, no row was left to write. " : "")
                  + "The source is the bottleneck: the lanes' readers spent 62 % of their time on")
          .contains("Its disk is not at its limit, so that more requests at once may help.")
          .contains("More lanes may help")
          .doesNotContain("will not help");
    }
  }

  @Test
  void whoeverReadsTheOutputIsNamed() {
    Situation piped =
        new Situation()
            .stages("reader", "parse", 25, "queue wait", 75)
            .stages("writer", "encode", 6, "send", 60, "turn", 30, "queue wait", 4)
            .laneWaits(1, 1, 20, 8)
            .intoStream();
    assertThat(piped.sentence())
        .startsWith("Whoever reads the output is the bottleneck: 9.0 MB/s are taken; ")
        .doesNotContain("several files");
  }

  @Test
  void whoeverReadsTheOutputIsNamedOnABusyMachineToo() {
    Situation piped =
        new Situation()
            .stages("reader", "parse", 25, "queue wait", 75)
            .stages("writer", "encode", 6, "send", 42, "turn", 37, "queue wait", 5)
            .idle(0)
            .others(98)
            .intoStream();
    assertThat(piped.laneWaits(20, 22, 2, 3).sentence())
        .startsWith("Whoever reads the output is the bottleneck: ")
        .endsWith(
            "Others took 98 % of the machine meanwhile; what that cost this run is not known.");
    assertThat(piped.laneWaits(20, 45, 2, 3).sentence())
        .startsWith("The processors are the bottleneck: ")
        .endsWith("the same run alone would be faster.");
  }

  @Test
  void moreLanesAreNotAdvisedWhereTheyWereTriedAndMovedTheSame() {
    Situation way = waitsForUs().wire(30, 600_000, 200 << 20).tried(2, 9.9).tried(3, 10.0);
    assertThat(way.sentence())
        .endsWith("More lanes will not help: 3 gave 10.0 MB/s, 2 gave 9.9 MB/s.");
  }

  @Test
  void compressingIsToldWithWhatIsCheaper() {
    Situation gzip =
        new Situation()
            .stages("reader", "parse", 15, "queue wait", 85)
            .stages("writer", "encode", 9, "compress", 88, "queue wait", 3)
            .laneWaits(1, 1, 15, 97)
            .rowCost(Stage.COMPRESS, "gzip takes its time", ".zst takes a fifth of it.");
    assertThat(gzip.sentence())
        .startsWith("Compressing here is the bottleneck: ")
        .endsWith("gzip takes its time: .zst takes a fifth of it.");
  }

  @Test
  void indexesAndTriggersAreNamedWhereTheServerIsAtWork() {
    Situation upkeep =
        new Situation()
            .waitsForTarget()
            .server(1.9, 95, 2)
            .rowCost(Stage.SERVER_WAIT, "Its 6 indexes are kept up row by row", "--defer-indexes.")
            .rowCost(Stage.SERVER_WAIT, "Its triggers run for each row (audit)", "Disable them.");
    String named =
        "Its 6 indexes are kept up row by row: --defer-indexes. Its triggers run for each row"
            + " (audit): Disable them.";
    assertThat(upkeep.sentence())
        .startsWith("The target's server is the bottleneck: ")
        .endsWith(named);
    assertThat(upkeep.idle(3).laneWaits(20, 20, 40, 10).sentence())
        .startsWith("The processors are the bottleneck: ")
        .endsWith(named);
    assertThat(upkeep.atWork(20).waits("Client:ClientRead", ServerWait.CLIENT, "", 80).sentence())
        .doesNotContain("defer-indexes");
  }

  /// 1 / 8.46 + 1 / 12.33 = 1 / 5.0.
  @Test
  void halvesThatShareOneResourceAreToldAsThat() {
    Situation shared =
        new Situation()
            .waitsForTarget()
            .idle(4)
            .laneWaits(20, 20, 50, 10)
            .server(2, 60, 30)
            .ceiling("source", 423_000)
            .ceiling("target", 616_500);
    assertThat(shared.sentence(5_000_000))
        .startsWith("The processors are the bottleneck: ")
        .endsWith(
            "By themselves the source gives 423,000 rows/s and the target takes 616,500; this run"
                + " moved 250,000, as if they worked one after the other: both need the same thing,"
                + " processors or a disk, and only more of it would help.");
    assertThat(shared.sentence(8_000_000)).endsWith("; this run moved 400,000.");
  }

  /// 473 commits of a million rows, as staged with `--commit-unit 20`.
  @Test
  void theCommitUnitThatWasAskedIsNamed() {
    for (double idle : List.of(50.0, 3.0)) {
      String sentence =
          committing(91)
              .commits(473, 4, new Amount(20, false))
              .idle(idle)
              .others(90 - idle)
              .sentence();
      assertThat(sentence)
          .containsIgnoringCase(
              "the commit unit of 20 rows made 473 of them, so that a larger one would help");
    }
    assertThat(committing(91).commits(12, 12, null).sentence())
        .contains("There were 12, as few as the parts of the source allow, or a faster disk")
        .doesNotContain("commit unit");
  }

  /// A target whose commits take the time.
  private static Situation committing(double percent) {
    return new Situation()
        .stages("reader", "parse", 5, "queue wait", 95)
        .stages("writer", "send", 2, "commit", percent, "queue wait", 98 - percent)
        .laneWaits(20, 18, 20, 5)
        .server(1, 10, 20);
  }

  /// 3,000 files of five rows, each of which is a transaction: no unit joins them.
  @Test
  void smallFilesAreNamedAndNoLargerUnit() {
    for (double idle : List.of(60.0, 2.0)) {
      Situation alone = committing(80).commits(3_000, 3_000, null).bytes(200_000).idle(idle);
      assertThat(alone.others(95 - idle).sentence())
          .containsIgnoringCase(
              "each of the source's 3,000 small files or other parts is a transaction of its own,"
                  + " so that fewer and larger ones would help, and a larger commit unit would not")
          .doesNotContain("arger commit units", "arger units");
      Situation shared = committing(80).commits(30, 3_000, null).bytes(200_000).idle(idle);
      assertThat(shared.others(95 - idle).sentence())
          .containsIgnoringCase(
              "there were 30 for the source's 3,000 small files or other parts, so that fewer and"
                  + " larger ones would help")
          .doesNotContain("arger commit unit", "arger units");
      Situation way = waitsForUs().wire(12_000, 19_000_000, 2 << 20).lanes(1, 1);
      assertThat(way.commits(30, 3_000, null).bytes(200_000).idle(idle).sentence())
          .contains(
              "It is delay: answers were waited for 12,000 times, 1.6 ms each, for 95 % of the"
                  + " lanes' time. Each of the source's 3,000 small files or other parts needs"
                  + " some, so that fewer and larger ones mean fewer answers")
          .doesNotContain("arger units");
    }
    Situation large = committing(80).commits(3_000, 3_000, null).bytes(60L << 30);
    assertThat(large.sentence()).doesNotContain("small files");
  }

  /// One backend that was stopped in the middle of adding pages, while the others wait for those.
  @Test
  void stoppedProcessesAreNoTableThatGrows() {
    for (double idle : List.of(95.0, 2.0)) {
      Situation stopped =
          new Situation()
              .waitsForTarget()
              .idle(idle)
              .others(97 - idle)
              .stoppedServer(0.1, 2, 1, 88)
              .waits("Lock:extend", "the table to grow", "PostgreSQL 16 adds more at once.", 85)
              .waits("Lock:relation", ServerWait.LOCKS, "Ask who holds them.", 15);
      assertThat(stopped.sentence())
          .startsWith(
              "Stopped processes of the target's server are the bottleneck: one or more were"
                  + " stopped for 88 % of the time")
          .contains("kill -CONT")
          .doesNotContain("to grow", "may help");
    }
    Situation unseen = new Situation().waitsForTarget().server(2, 95, 2);
    assertThat(unseen.sentence()).doesNotContain("topped");
  }

  /// A view that calls a function of the user's, and a sort, on a quiet machine and a busy one.
  @Test
  void whatAReadingServerWorksOnIsNamed() {
    String help = "What is read calls the function busy. The copy is faster without.";
    for (double idle : List.of(45.0, 2.0)) {
      Situation view =
          new Situation()
              .stages("reader", "read", 96, "parse", 4)
              .stages("writer", "queue wait", 100)
              .serverOf("source")
              .idle(idle)
              .others(96 - idle)
              .oneLane("a view has no blocks to divide")
              .server(1, 60, 38)
              .work(99, help);
      assertThat(view.sentence()).contains(help).doesNotContain("More lanes may help");
    }
    Situation target = new Situation().waitsForTarget().server(1, 95, 1).atWork(99);
    target.helps.put(ServerWaits.at("source", ""), help);
    assertThat(target.sentence()).as("the other end's work").doesNotContain(help);
  }
}
