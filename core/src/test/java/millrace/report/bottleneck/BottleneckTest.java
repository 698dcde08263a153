package millrace.report.bottleneck;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.engine.meter.PhaseLog;
import millrace.engine.meter.ServerWaits;
import millrace.engine.tuning.LaneTuner;
import millrace.report.Report;
import millrace.report.host.HostFigures;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a user is told to be the slowest part, for figures as runs have left them.
final class BottleneckTest {

  /// A server whose processes are not seen from here.
  private static final HostFigures.Server FAR =
      new HostFigures.Server("target", "S at far:1", "", -1, -1, -1, -1);

  private static final long SECONDS_20 = 20_000_000_000L;

  /// Readers that parse, and wait for the writers for the rest.
  private static List<Report.StageTime> stages(
      Map<String, Double> readers, Map<String, Double> writers) {
    List<Report.StageTime> times = new ArrayList<>();
    readers.forEach((stage, share) ->
        times.add(new Report.StageTime("reader", stage, Math.round(share * 1e9), share)));
    writers.forEach((stage, share) ->
        times.add(new Report.StageTime("writer", stage, Math.round(share * 1e9), share)));
    return times;
  }

  private static final List<Report.StageTime> WAITS_FOR_TARGET =
      stages(
          Map.of("parse", 30.0, "queue wait", 70.0),
          Map.of("send", 2.0, "server wait", 94.0, "queue wait", 4.0));

  private static final List<Report.StageTime> PARSES =
      stages(
          Map.of("read", 10.0, "parse", 85.0, "queue wait", 5.0),
          Map.of("encode", 20.0, "queue wait", 80.0));

  private static final List<Report.StageTime> READS =
      stages(
          Map.of("read", 90.0, "parse", 8.0, "queue wait", 2.0),
          Map.of("encode", 10.0, "queue wait", 90.0));

  /// Eight processors watched for 20 seconds.
  private static HostFigures host(
      double millraceS, double serversS, double restS, HostFigures.@Nullable Server server) {
    return host(millraceS, serversS, restS, server, List.of(), null, null);
  }

  private static HostFigures host(
      double millraceS,
      double serversS,
      double restS,
      HostFigures.@Nullable Server server,
      List<HostFigures.Disk> disks,
      @Nullable Boolean shareDisk,
      HostFigures.@Nullable LaneWaits waits) {
    double idleS = 160 - millraceS - serversS - restS;
    return new HostFigures(
        20,
        HostFigures.Hardware.of(8),
        new HostFigures.Cpu(
            new HostFigures.Cpu.ProcessTime(millraceS, 0, 0, 0),
            serversS,
            restS,
            idleS,
            0,
            0,
            HostFigures.Cpu.ProcessShare.UNKNOWN),
        waits,
        server == null ? List.of() : List.of(server),
        new HostFigures.Storage(disks, List.of(), shareDisk),
        List.of());
  }

  private static HostFigures.Server server(double busyProcesses, double busyPercent) {
    return server(busyProcesses, busyPercent, -1);
  }

  private static HostFigures.Server server(
      double busyProcesses, double busyPercent, double waitingPercent) {
    return new HostFigures.Server(
        "target", "S at localhost:1", "port 1", 50, busyProcesses, busyPercent, waitingPercent);
  }

  @Test
  void aServerThatWaitsForProcessorsIsToldFromOneThatWaitsForOtherThings() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(60, 70, 2, server(2, 57, 36))))
        .startsWith(
            "The processors are the bottleneck: the target's server has 2.0 processes or threads at"
                + " work at once, each 57 % of the time on a processor and 36 % waiting for one, ");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(40, 60, 2, server(2, 57, 36))))
        .startsWith("The processors are the bottleneck for the target's server: 2.0 processes");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(60, 70, 2, server(2, 50, 3))))
        .contains("but not its processor time");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(40, 60, 2, server(1.1, 81, 9))))
        .startsWith("The target's server is the bottleneck: 1.1 processes or threads")
        .endsWith("More lanes may help: 36 % of the processors' time was idle.");
  }

  private static final List<PhaseLog.Phase> STEPS =
      List.of(new PhaseLog.Phase("copy rows", SECONDS_20, 1_000_000, 5L << 20, 2));

  private static String sentence(
      List<Report.StageTime> stages, String lanesWhy, @Nullable HostFigures host) {
    return sentence(stages, lanesWhy, host, ServerWaits.UNKNOWN);
  }

  private static String sentence(
      List<Report.StageTime> stages,
      String lanesWhy,
      @Nullable HostFigures host,
      ServerWaits waits) {
    return sentenceOf(1_000_000, SECONDS_20, STEPS, 2, lanesWhy, List.of(), 8, stages, host, waits);
  }

  @Test
  void aSlowFilterIsNamedWhoeverTakesTheProcessors() {
    List<Report.StageTime> filters =
        stages(Map.of("read", 2.0, "filter", 97.0, "queue wait", 1.0), Map.of("queue wait", 100.0));
    for (HostFigures host : List.of(host(10, 0, 148, null), host(10, 0, 20, null))) {
      assertThat(sentence(filters, "", host))
          .startsWith("The filter is the bottleneck: the lanes' readers spent 97 % of their time")
          .doesNotContain("Others took");
    }
  }

  @Test
  void idleProcessorsThatMillraceMayNotUseAreNoReasonForMoreLanes() {
    HostFigures.LaneWaits starved = new HostFigures.LaneWaits(48, 60, 40, 5);
    HostFigures.LaneWaits free = new HostFigures.LaneWaits(1, 0, 95, 20);
    assertThat(confined(host(19, 0, 2, null, List.of(), null, starved)))
        .startsWith(
            "The processors are the bottleneck: Millrace may use 1 of the machine's 8, and the"
                + " lanes' readers waited for one for 48 % of their time; the lanes' readers spent"
                + " 85 % of their time on parse")
        .endsWith("More lanes will not help: more processors for Millrace would.");
    assertThat(confined(host(19, 0, 2, null, List.of(), null, free)))
        .startsWith("Parsing here is the bottleneck: ");
  }

  private static String confined(HostFigures host) {
    return sentenceOf(
        1_000_000, SECONDS_20, STEPS, 2, "", List.of(), 1, PARSES, host, ServerWaits.UNKNOWN);
  }

  @Test
  void aBusyServerOnAFullMachineNeedsNoMoreLanes() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(30, 125, 2, server(6.2, 97))))
        .startsWith(
            "The processors are the bottleneck: the target's server has 6.2 processes or threads at"
                + " work at once, each 97 % of the time on a processor, and the machine's 8 are 98"
                + " % busy (Millrace 19 %, servers 80 %, others 1 %)")
        .contains("More lanes will not help");
  }

  @Test
  void aBusyServerBesideIdleProcessorsMayTakeMoreLanes() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 40, 2, server(2, 97))))
        .startsWith(
            "The target's server is the bottleneck: 2.0 processes or threads at work at once, each"
                + " 97 % of the time on a processor; the lanes' writers spent 94 % of their time on"
                + " server wait")
        .endsWith("More lanes may help: 68 % of the processors' time was idle.");
  }

  @Test
  void lanesThatCannotBeMoreAreNotRecommended() {
    assertThat(
            sentence(WAITS_FOR_TARGET, "8 lanes asked, 2 used: so", host(10, 40, 2, server(2, 97))))
        .endsWith("More lanes are not possible here (8 lanes asked, 2 used: so).");
  }

  @Test
  void aServerThatMostlyWaitsIsNotCalledBusy() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 14, 2, server(1.8, 35))))
        .contains("but not its processor time", "locks, its log, the network");
  }

  @Test
  void aServerBetweenBusyAndIdleAllowsNoConclusion() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 28, 2, server(1.8, 72))))
        .contains("is not clear from these figures");
  }

  @Test
  void processesThatMayHaveWaitedForAProcessorAllowNoConclusion() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(90, 40, 10, server(1.8, 35))))
        .contains("is not clear from these figures");
  }

  @Test
  void aServerOnAnotherMachineAllowsNoConclusion() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 0, 2, FAR)))
        .startsWith("The target is the bottleneck: ")
        .contains("not seen from here");
  }

  /// @param waits what the target's processes were seen to wait for, in percent
  private static ServerWaits waits(double atWork, ServerWaits.Waited... waits) {
    List<ServerWaits.Waited> all = new ArrayList<>(List.of(waits));
    all.add(new ServerWaits.Waited("target", "", "", Math.round(atWork), atWork));
    return new ServerWaits(all, Map.of("its log", "A faster disk would help."));
  }

  private static ServerWaits.Waited waited(String event, String what, double percent) {
    return new ServerWaits.Waited("target", event, what, Math.round(percent), percent);
  }

  @Test
  void whatAServerSaysOfItsWaitsIsTold() {
    ServerWaits log =
        waits(
            20,
            waited("Lock:extend", "the table to grow", 15),
            waited("IO:WALSync", "its log", 36),
            waited("LWLock:WALWrite", "its log", 24),
            waited("IO:Odd", "IO:Odd", 2));
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 28, 2, server(1.8, 72)), log))
        .startsWith(
            "The target's server is the bottleneck: 1.8 processes or threads at work at once")
        .endsWith(
            "The server says that it was at work 20 % of the time, waiting for its log 60 %, for"
                + " the table to grow 15 %. A faster disk would help.");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 0, 2, FAR), log))
        .startsWith("The target's server is the bottleneck: the lanes' writers spent 94 % of their")
        .endsWith("A faster disk would help.");
  }

  @Test
  void aServerThatIsAtWorkAllTheTimeMayTakeMoreLanesWhereItsMachineHasProcessors() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 0, 2, FAR), waits(99)))
        .endsWith("at work 99 % of the time. More lanes help if its machine has idle processors.");
  }

  @Test
  void aServerThatMostlyWaitsForUsIsNotToBlame() {
    ServerWaits idle = waits(20, waited("Client:ClientRead", ServerWait.CLIENT, 80));
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 0, 2, FAR), idle))
        .startsWith("The way between Millrace and the target's server is the bottleneck: ")
        .endsWith(
            "A faster network would help, or one with less delay, or larger units. More lanes help"
                + " where the network limits each connection.");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 14, 2, server(1.8, 15)), idle))
        .startsWith("The way between Millrace and the target's server is the bottleneck: ")
        .contains(" Larger units may help: there is no network. More lanes may help: ");
  }

  @Test
  void lanesThatCannotBeMoreAreNotAdvisedAgainstANetworkEither() {
    ServerWaits idle = waits(20, waited("Client:ClientRead", ServerWait.CLIENT, 80));
    assertThat(sentence(WAITS_FOR_TARGET, "one stream", host(10, 0, 2, FAR), idle))
        .endsWith("or larger units. More lanes are not possible here (one stream).");
    assertThat(sentence(WAITS_FOR_TARGET, "one stream", host(10, 0, 2, FAR), waits(99)))
        .endsWith("at work 99 % of the time. More lanes are not possible here (one stream).");
  }

  @Test
  void fewLooksAtAServerSayNothing() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 28, 2, server(1.8, 72)), waits(19)))
        .contains("is not clear from these figures");
  }

  @Test
  void aFullDiskIsNamedAndWhetherItIsShared() {
    HostFigures.Disk disk = new HostFigures.Disk("sda", 150, 80, 5.7, 1.2, 98);
    assertThat(sentence(READS, "", host(10, 10, 2, server(1, 40), List.of(disk), true, null)))
        .isEqualTo(
            "The disk sda is the bottleneck: busy 98 % of the time, 6.9 requests waiting on the"
                + " average, 150.0 MB/s read and 80.0 MB/s written. Source and target share it: put"
                + " them on separate disks. More lanes will not help.");
    assertThat(sentence(READS, "", host(10, 10, 2, server(1, 40), List.of(disk), false, null)))
        .contains("Only a faster disk or fewer bytes would help");
  }

  @Test
  void aDiskIsNotBlamedForTimeSpentParsing() {
    HostFigures.Disk disk = new HostFigures.Disk("sda", 150, 80, 5.7, 1.2, 98);
    assertThat(sentence(PARSES, "", host(40, 10, 2, server(1, 40), List.of(disk), true, null)))
        .startsWith("Parsing here is the bottleneck: the lanes' readers spent 85 % of their time")
        .endsWith("More lanes may help: 68 % of the processors' time was idle.");
  }

  @Test
  void parsingOnAFullMachineIsTheProcessors() {
    assertThat(sentence(PARSES, "", host(150, 4, 2, server(1, 97))))
        .startsWith("The processors are the bottleneck: the machine's 8 are 98 % busy (Millrace 96")
        .contains("More lanes will not help");
  }

  private static String crowded(
      List<Report.StageTime> stages,
      HostFigures.@Nullable Server server,
      double readersWaited,
      double writersWaited) {
    HostFigures.LaneWaits waits = new HostFigures.LaneWaits(readersWaited, writersWaited, 20, 20);
    return sentence(stages, "one stream", host(5, 3, 150, server, List.of(), null, waits));
  }

  @Test
  void aSlowEndBesideOthersWhoFillTheMachineIsStillTheSlowOne() {
    assertThat(crowded(READS, null, 2, 60))
        .startsWith("The source is the bottleneck: the lanes' readers spent 90 % of their time on")
        .contains("More lanes are not possible here (one stream).")
        .endsWith(
            "Others took 94 % of the machine meanwhile, but the lanes' readers waited for a"
                + " processor for only 2 % of their time.");
    HostFigures.Server unseen = new HostFigures.Server("target", "S at x:1", "", -1, -1, -1, -1);
    assertThat(crowded(WAITS_FOR_TARGET, unseen, 60, 2)).contains("not seen from here");
  }

  @Test
  void lanesOrServersThatOthersKeepFromTheProcessorsAreHeldUpByThat() {
    assertThat(crowded(READS, null, 60, 2))
        .startsWith("The processors are the bottleneck: the machine's 8 are 99 % busy")
        .endsWith("meanwhile: the same run alone would be faster.");
    assertThat(crowded(WAITS_FOR_TARGET, server(1, 10, 85), 2, 2))
        .startsWith("The processors are the bottleneck: the target's server has");
  }

  @Test
  void aServerOfManyThreadsThatEachWantLittleIsHeldUpByTheProcessorsToo() {
    HostFigures.Server threads = server(17.5, 6, 40);
    assertThat(crowded(WAITS_FOR_TARGET, threads, 2, 2))
        .startsWith(
            "The processors are the bottleneck: the target's server has 17.5 processes or threads"
                + " at work at once, each 6 % of the time on a processor and 40 % waiting for one,")
        .endsWith("meanwhile: the same run alone would be faster.");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 60, 60, threads)))
        .doesNotContain("but not its processor time");
  }

  @Test
  void aDatabaseInThisProcessIsHeldUpByTheProcessorsThoughTheLanesAreNot() {
    assertThat(crowded(WAITS_FOR_TARGET, null, 2, 2))
        .startsWith("The processors are the bottleneck: the machine's 8 are 99 % busy")
        .endsWith("meanwhile: the same run alone would be faster.");
    assertThat(sentence(WAITS_FOR_TARGET, "", host(40, 0, 2, null)))
        .startsWith("The target is the bottleneck: the lanes' writers spent 94 % of their time on")
        .endsWith(
            "It works in this process. More lanes may help: 74 % of the processors' time was"
                + " idle.");
  }

  /// @param readersBusy for how much of their time the readers were on a processor
  private static String reading(double restS, double readersBusy) {
    HostFigures.LaneWaits waits = new HostFigures.LaneWaits(2, 0, readersBusy, 5);
    return sentence(READS, "so", host(20, 0, restS, null, List.of(), null, waits));
  }

  @Test
  void aSourceIsNotBlamedForWhatTheReadersDoThemselves() {
    assertThat(reading(2, 95))
        .startsWith(
            "Reading here is the bottleneck: the lanes' readers spent 90 % of their time on read"
                + " (waiting for and taking in the source's bytes) and 2 % waiting for the writers;"
                + " they were on a processor for 95 % of their time. ")
        .endsWith("More lanes are not possible here (so).");
    assertThat(reading(138, 95)).startsWith("The processors are the bottleneck: the machine's 8");
    assertThat(reading(2, 40)).startsWith("The source is the bottleneck: ");
  }

  @Test
  void lanesThatWriteOneOutputByTurnsAreNotTooFew() {
    List<Report.StageTime> turns =
        stages(
            Map.of("read", 15.0, "queue wait", 85.0),
            Map.of("send", 25.0, "turn", 72.0, "queue wait", 3.0));
    assertThat(sentence(turns, "", host(10, 0, 2, null)))
        .isEqualTo(
            "The target is the bottleneck: the lanes' writers spent 25 % of their time on send"
                + " (handing bytes to the target), 72 % on turn (waiting until other lanes have"
                + " written what comes before) and 3 % waiting for the readers. It is one output,"
                + " which lanes write one after the other: more lanes will not help, several files"
                + " would.");
  }

  @Test
  void aServerOfWhichNothingWorkedIsNotHeldUpByItsProcessorTime() {
    assertThat(sentence(WAITS_FOR_TARGET, "", host(10, 1, 2, server(0, -1))))
        .startsWith(
            "The target's server is the bottleneck, but not its processor time: none of its"
                + " processes had much to do; the lanes' writers");
  }

  @Test
  void aServerIsOnlySentElsewhereWhereThereIsOne() {
    assertThat(sentence(PARSES, "", host(154, 0, 2, null)))
        .endsWith("More lanes will not help: more processors would.");
    assertThat(sentence(PARSES, "", host(100, 54, 2, null)))
        .endsWith("more processors, or a server on a machine of its own, would.");
  }

  @Test
  void others() {
    assertThat(sentence(PARSES, "", host(40, 10, 60, null)))
        .endsWith(
            "Others took 38 % of the machine meanwhile; what that cost this run is not known.");
  }

  @Test
  void halvesThatWaitForEachOtherBothAreNotBlamed() {
    List<Report.StageTime> both =
        stages(
            Map.of("parse", 50.0, "queue wait", 50.0), Map.of("encode", 45.0, "queue wait", 55.0));
    assertThat(sentence(both, "", host(40, 10, 2, null))).startsWith("No single part");
  }

  @Test
  void withoutHostFiguresTheMetersAloneSpeak() {
    assertThat(sentence(PARSES, "", null))
        .startsWith("Parsing here is the bottleneck")
        .endsWith("More lanes may help: 2 of 8 processors have one.");
  }

  @Test
  void whereMoreLanesWereTriedTheFiguresSayWhetherTheyHelp() {
    List<LaneTuner.LaneRate> tried =
        List.of(new LaneTuner.LaneRate(2, 141 << 20), new LaneTuner.LaneRate(3, 139 << 20));
    assertThat(
            sentenceOf(
                1_000_000, SECONDS_20, STEPS, 2, "", tried, 8, PARSES, null, ServerWaits.UNKNOWN))
        .endsWith("More lanes will not help: 3 gave 139.0 MB/s, 2 gave 141.0 MB/s.");
  }

  @Test
  void aStepThatTakesLongerThanTheRowsIsNamedFirst() {
    List<PhaseLog.Phase> steps = new ArrayList<>(STEPS);
    steps.add(new PhaseLog.Phase("complete target", 1_000_000_000L, 0, 0, 1));
    steps.add(new PhaseLog.Phase("make indexes", 60_000_000_000L, 0, 0, 2));
    assertThat(
            sentenceOf(
                1_000_000,
                SECONDS_20,
                steps,
                2,
                "",
                List.of(),
                8,
                PARSES,
                null,
                ServerWaits.UNKNOWN))
        .startsWith(
            "The step \"make indexes\" is the bottleneck: it took 1m00s of 1m21s. What makes"
                + " rows faster helps only with the rest. While rows moved: Parsing here is");
  }

  @Test
  void aShortRunAllowsNoConclusion() {
    assertThat(
            sentenceOf(
                10, 200_000_000L, STEPS, 1, "", List.of(), 8, PARSES, null, ServerWaits.UNKNOWN))
        .startsWith("No bottleneck can be named: rows moved for 0.20 s, too short to tell. The");
  }

  @Test
  void aRunThatMovedNothingHadNoBottleneck() {
    assertThat(
            sentenceOf(
                0, SECONDS_20, STEPS, 1, "", List.of(), 8, List.of(), null, ServerWaits.UNKNOWN))
        .isEqualTo("No rows moved, so nothing was slow.");
  }

  private static String sentenceOf(
      long rows,
      long copyNanos,
      List<PhaseLog.Phase> steps,
      int lanes,
      String lanesWhy,
      List<LaneTuner.LaneRate> tried,
      int processors,
      List<Report.StageTime> stages,
      @Nullable HostFigures host,
      ServerWaits waits) {
    return Bottleneck.sentence(
        new Evidence(
            rows,
            0,
            copyNanos,
            steps,
            Map.of(),
            new Evidence.Lanes(lanes, lanesWhy, tried, lanes * copyNanos, processors),
            stages,
            host,
            new Evidence.Ends(waits, List.of(), List.of(), List.of(), false),
            null));
  }
}
