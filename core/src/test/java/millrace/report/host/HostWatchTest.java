package millrace.report.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import millrace.spi.HostLocation;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a report says about the machine, from the files in which Linux describes it.
final class HostWatchTest {

  private static final Offset<Double> NEAR = within(1e-6);
  private static final long LIFE_NANOS = 1_500_000_000;
  private static final long LONGEST_NANOS = 100_000_000_000L;
  private static final HostLocation.Service SERVER =
      new HostLocation.Service("PostgreSQL", "localhost", 5433, "postgres", List.of("pg_wal"));

  @TempDir private Path root;
  private Machine machine;

  @BeforeEach
  void makeMachine() {
    machine = new Machine(root);
  }

  private HostWatch watch(HostLocation source, HostLocation target) {
    return HostWatch.of(source, target, root);
  }

  private static HostLocation server() {
    return new HostLocation(List.of(), List.of(SERVER));
  }

  @Test
  void processorTimeIsSplitBetweenMillraceServersAndTheRest() {
    machine.process(10, "postgres", 1, 100, 0);
    machine.process(11, "postgres", 10, 50, 0);
    machine.listens(10, 5433, 4711);
    machine.self(200, 100);
    HostWatch watch = watch(HostLocation.NOWHERE, server());

    machine.process(10, "postgres", 1, 110, 300);
    machine.process(11, "postgres", 10, 140, 0);
    machine.self(500, 200);
    machine.thread(2, "C2 CompilerThre", 70, 0);
    machine.machine(1000, 400, 50, 0);
    HostFigures figures = watch.finish(1_000_000);

    HostFigures.Cpu cpu = figures.cpu();
    assertThat(cpu.own().userS()).isCloseTo(3, NEAR);
    assertThat(cpu.own().systemS()).isCloseTo(1, NEAR);
    assertThat(cpu.own().jitS()).isCloseTo(0.7, NEAR);
    assertThat(cpu.serversS()).as("also of those that ended").isCloseTo(4, NEAR);
    assertThat(cpu.restS()).isCloseTo(2, NEAR);
    assertThat(cpu.idleS()).isCloseTo(4, NEAR);
    assertThat(cpu.iowaitS()).isCloseTo(0.5, NEAR);
    assertThat(cpu.share().usPerRow()).isCloseTo(4, NEAR);
    assertThat(cpu.share().sharePercent()).isCloseTo(50, NEAR);
    assertThat(cpu.share().shareOfBusyPercent()).isCloseTo(40, NEAR);
    assertThat(figures.servers().getFirst().foundBy()).isEqualTo("port 5433");
    assertThat(HostText.lines(figures))
        .anyMatch(line -> line.contains("4.00 µs a row"))
        .anyMatch(line -> line.contains("50 % of what it and the servers took"));
  }

  @Test
  void backendsAtWorkAreCountedEverySecond() throws IOException {
    machine.process(10, "postgres", 1, 0, 0);
    machine.process(11, "postgres", 10, 0, 0);
    machine.process(12, "postgres", 10, 0, 0);
    machine.listens(10, 5433, 4711);
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    machine.process(11, "postgres", 10, 97, 0);
    machine.process(12, "postgres", 10, 3, 0);
    watch.sample(1);
    machine.process(11, "postgres", 10, 194, 0);
    machine.process(12, "postgres", 10, 100, 0);
    watch.sample(1);
    HostFigures.Server server = watch.finish(1).servers().getFirst();
    assertThat(server.busyProcessesMean()).isCloseTo(1.5, NEAR);
    assertThat(server.busyPercentMean()).isCloseTo(97, NEAR);
  }

  @Test
  void aBackendThatSomebodyHasStoppedIsSeen() throws IOException {
    machine.process(10, "postgres", 1, 0, 0);
    machine.process(11, "postgres", 10, 0, 0);
    machine.listens(10, 5433, 4711);
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    watch.sample(1);
    machine.stopped(11, "postgres", 10);
    watch.sample(1);
    watch.sample(1);
    watch.sample(1);
    assertThat(watch.finish(1).servers().getFirst().stoppedPercent()).isCloseTo(75, NEAR);
  }

  @Test
  void waitingForAProcessorIsToldFromWorkingOnOne() throws IOException {
    machine.process(10, "postgres", 1, 0, 0);
    machine.delayed(10, 5_000_000_000L);
    machine.listens(10, 5433, 4711);
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    machine.process(10, "postgres", 1, 60, 0);
    machine.delayed(10, 5_300_000_000L);
    watch.sample(1);
    HostFigures.Server server = watch.finish(1).servers().getFirst();
    assertThat(server.busyPercentMean()).isCloseTo(60, NEAR);
    assertThat(server.waitingPercentMean()).isCloseTo(30, NEAR);
  }

  @Test
  void aProcessThatGetsNoProcessorIsAtWorkToo() throws IOException {
    machine.listens(10, 5433, 4711);
    machine.process(10, "postgres", 1, 0, 0);
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    machine.process(11, "postgres", 10, 5, 0);
    machine.delayed(11, 900_000_000L);
    watch.sample(1);
    HostFigures.Server server = watch.finish(1).servers().getFirst();
    assertThat(server.busyProcessesMean()).isCloseTo(1, NEAR);
    assertThat(server.waitingPercentMean()).isCloseTo(90, NEAR);
  }

  /// Kudu's tablet servers listen on ports of their own; others of that name may run beside them.
  @Test
  void serversOfAMasterAreThoseThatAreConnectedWithIt() {
    machine.process(10, "kudu-master", 1, 100, 0);
    machine.process(20, "kudu-tserver", 1, 100, 0);
    machine.process(30, "kudu-tserver", 1, 100, 0);
    machine.connected(10, 20, 30, 7151);
    HostLocation.Service tablets =
        new HostLocation.Service(
            "Kudu tablet servers, master", "localhost", 7151, "kudu-tserver", List.of());
    HostWatch watch = watch(HostLocation.NOWHERE, new HostLocation(List.of(), List.of(tablets)));
    machine.process(20, "kudu-tserver", 1, 300, 0);
    machine.process(30, "kudu-tserver", 1, 900, 0);
    HostFigures.Server server = watch.finish(1).servers().getFirst();
    assertThat(server.foundBy()).isEqualTo("connections with port 7151");
    assertThat(server.cpuS()).isCloseTo(2, NEAR);
  }

  @Test
  void aServerThatWorksInThreadsIsSeenByThem() throws IOException {
    machine.process(10, "postgres", 1, 0, 0);
    machine.delayed(10, 0);
    machine.thread(10, 11, 0, 0);
    machine.thread(10, 12, 0, 0);
    machine.listens(10, 5433, 4711);
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    machine.process(10, "postgres", 1, 150, 0);
    machine.thread(10, 10, 0, 0);
    machine.thread(10, 11, 80, 100_000_000L);
    machine.thread(10, 12, 70, 200_000_000L);
    watch.sample(1);
    HostFigures.Server server = watch.finish(1).servers().getFirst();
    assertThat(server.cpuS()).isCloseTo(1.5, NEAR);
    assertThat(server.busyProcessesMean()).isCloseTo(2, NEAR);
    assertThat(server.busyPercentMean()).isCloseTo(75, NEAR);
    assertThat(server.waitingPercentMean()).isCloseTo(15, NEAR);
  }

  @Test
  void aProxyIsNotTakenForTheServer() {
    machine.process(10, "ssh", 1, 0, 0);
    machine.worksIn(10, Path.of("/data"));
    machine.process(20, "postgres", 1, 0, 0);
    machine.listens(10, 5433, 4711);
    HostFigures figures = watch(HostLocation.NOWHERE, server()).finish(1);
    assertThat(figures.unknown())
        .containsExactly(
            "PostgreSQL at localhost:5433 is reached through the program ssh: what happens behind"
                + " it is not seen");
    assertThat(figures.servers().getFirst().cpuS()).isEqualTo(-1);
    assertThat(figures.storage().homes()).isEmpty();
  }

  @Test
  void lanesThatWaitForAProcessorAreSeen() throws IOException {
    machine.thread(3, "writer-0", 0, 0);
    machine.threadDelayed(1, 1_000_000_000L);
    machine.threadDelayed(3, 0);
    HostWatch watch = watch(HostLocation.NOWHERE, HostLocation.NOWHERE);
    machine.threadDelayed(1, 1_500_000_000L);
    machine.thread(3, "writer-0", 90, 0);
    watch.sample(1);
    machine.threadDelayed(1, 1_600_000_000L);
    watch.sample(1);
    HostFigures figures = watch.finish(1);
    assertThat(figures.laneWaits()).isEqualTo(new HostFigures.LaneWaits(30, 0, 0, 45));
    assertThat(HostText.lines(figures))
        .contains(
            "           the lanes' readers were on a processor for 0 % of their time and waited for"
                + " one for 30 %, writers were on a processor for 45 % of their time and waited for"
                + " one for 0 %");
  }

  @Test
  void aSideOfTheLanesThatEndedSoonDoesNotHideTheOther() throws IOException {
    HostWatch watch = watch(HostLocation.NOWHERE, HostLocation.NOWHERE);
    machine.thread(3, "writer-0", 0, 0);
    for (long delayed : List.of(0L, 400_000_000L)) {
      machine.threadDelayed(3, delayed);
      watch.sample(1);
    }
    HostFigures figures = watch.finish(1);
    assertThat(figures.laneWaits()).isEqualTo(new HostFigures.LaneWaits(-1, 40, -1, 0));
    assertThat(HostText.lines(figures))
        .contains(
            "           the lanes' writers were on a processor for 0 % of their time and waited for"
                + " one for 40 %");
  }

  @Test
  void lanesThatRunForOneAndAHalfSecondsAreLookedAtTwice() throws InterruptedException {
    assumeThat(Path.of("/proc/self/schedstat")).exists();
    // A machine that stands still meanwhile looks less often: then the lane lives longer.
    HostFigures.LaneWaits seen = null;
    for (long life = LIFE_NANOS; seen == null && life < LONGEST_NANOS; life *= 2) {
      seen = waitsOfALaneThatLives(life);
    }
    assertThat(seen).isNotNull();
  }

  private static HostFigures.@Nullable LaneWaits waitsOfALaneThatLives(long nanos)
      throws InterruptedException {
    HostWatch watch = HostWatch.prepare(HostLocation.NOWHERE, HostLocation.NOWHERE);
    watch.start();
    Thread lane = Thread.ofPlatform().name("reader-0").start(() -> LockSupport.parkNanos(nanos));
    lane.join();
    return watch.finish(1).laneWaits();
  }

  @Test
  void aServerOfAnotherUserIsFoundByNameAndPort() {
    machine.process(10, "postgres", 1, 0, 0);
    machine.process(20, "postgres", 1, 0, 0);
    machine.process(21, "postgres", 20, 0, 0);
    machine.arguments(10, "postgres", "-D", "/data/one");
    machine.arguments(20, "postgres", "-D", "/data/two", "-p", "5433");
    HostWatch watch = watch(HostLocation.NOWHERE, server());
    machine.process(10, "postgres", 1, 500, 0);
    machine.process(21, "postgres", 20, 300, 0);
    HostFigures figures = watch.finish(1);
    assertThat(figures.servers().getFirst().foundBy()).isEqualTo("name postgres");
    assertThat(figures.cpu().serversS()).isCloseTo(3, NEAR);
    assertThat(figures.storage().homes())
        .extracting(HostFigures.Home::path)
        .containsExactly("/data/two");
  }

  @Test
  void aServerThatIsNotHereIsNamed() {
    HostLocation far =
        new HostLocation(
            List.of(),
            List.of(new HostLocation.Service("PostgreSQL", "192.0.2.1", 5432, "x", List.of())));
    assertThat(watch(far, server()).finish(1).unknown())
        .containsExactly(
            "PostgreSQL at 192.0.2.1:5432 is another machine: what happens there is not seen",
            "no process of PostgreSQL at localhost:5433 is found on this machine");
  }

  @Test
  void sourceAndTargetOnTwoPartitionsShareADisk() {
    HostWatch watch =
        watch(HostLocation.of(Path.of("/data/in.csv")), HostLocation.of(Path.of("/nowhere.csv")));
    machine.disks(10 << 20, 20 << 20, 5_000, 7_000, 900);
    HostFigures figures = watch.finish(1);
    assertThat(figures.storage().shareDisk()).isTrue();
    assertThat(figures.storage().disks()).extracting(HostFigures.Disk::name).containsExactly("sda");
    assertThat(HostText.lines(figures)).contains("           source and target share a disk");
  }

  @Test
  void volumesAreFollowedDownToTheirDisks() throws IOException {
    assertThat(machine.disks().under(Path.of("/raid/x")))
        .isEqualTo(new Disks.Under("ext4", List.of("sdb", "sdc")));
    assertThat(machine.disks().under(Path.of("/pool/x")))
        .isEqualTo(new Disks.Under("btrfs", List.of("sdb")));
    assertThat(machine.disks().under(Path.of("/with blank/x")))
        .isEqualTo(new Disks.Under("tmpfs", List.of()));
    HostFigures figures =
        watch(HostLocation.of(Path.of("/raid/x")), HostLocation.of(Path.of("/data/x"))).finish(1);
    assertThat(figures.storage().shareDisk()).isFalse();
  }

  @Test
  void aDisksQueueIsTheTimeOfItsRequestsInTheTimeThatPassed() {
    Disks.Counters before = new Disks.Counters(0, 0, 0, 0, 0);
    Disks.Counters after = new Disks.Counters(20 << 20, 100 << 20, 11_400, 2_400, 1_500);
    HostFigures.Disk disk =
        Disks.between(java.util.Map.of("sda", before), java.util.Map.of("sda", after), 2)
            .getFirst();
    assertThat(disk).isEqualTo(new HostFigures.Disk("sda", 10, 50, 5.7, 1.2, 75));
  }

  @Test
  void aSystemWithoutProcIsNamedAndFailsNothing() {
    HostFigures figures =
        HostWatch.of(HostLocation.NOWHERE, server(), root.resolve("none")).finish(1);
    assertThat(figures.cpu().millraceS()).isEqualTo(-1);
    assertThat(HostText.lines(figures))
        .singleElement()
        .asString()
        .startsWith("not seen   no /proc on ");
  }

  @Test
  void aFileThatReadsOtherwiseFailsNothing() {
    machine.machine(1, 2, 3, 4);
    HostWatch watch = watch(HostLocation.NOWHERE, HostLocation.NOWHERE);
    machine.process(1, "x", 0, 0, 0);
    root.resolve("proc/self/stat").toFile().delete();
    HostFigures figures = watch.finish(1);
    assertThat(figures.unknown().getFirst()).startsWith("the machine's figures can't be read");
  }
}
