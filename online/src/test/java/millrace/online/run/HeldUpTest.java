package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import millrace.spi.HostLocation;
import org.junit.jupiter.api.Test;

/// What this machine held up of a run, by figures as runs left them.
final class HeldUpTest {

  private static final HostLocation FILE = HostLocation.of(Path.of("/data/meters.duckdb"));
  private static final HostLocation SERVER =
      new HostLocation(
          List.of(), List.of(new HostLocation.Service("S", "localhost", 1, "s", List.of())));

  /// As staged: 20 clients, writes of 0.44 s, of which they waited 22 % for a processor, while
  /// others took 94 % of two. The writes of the same run alone take 0.05 s.
  @Test
  void clientsOfAnEmbeddedTargetWaitForEachOther() {
    OwnWatch.Crowd crowd = new OwnWatch.Crowd(0.94, 0, 12, 96);
    HeldUp.Work work = new HeldUp.Work(820, 180, 0.22);
    assertThat(HeldUp.share(crowd, work, FILE)).isEqualTo(0.9);
    assertThat(HeldUp.share(crowd, work, SERVER)).isEqualTo(0.22);
    assertThat(HeldUp.share(crowd, work, HostLocation.NOWHERE)).isEqualTo(0.22);
  }

  /// A rate that two processors are too few for: clients wait for processors, but mostly for each
  /// other's.
  @Test
  void whatClientsTakeFromEachOtherIsNotOthersFault() {
    OwnWatch.Crowd crowd = new OwnWatch.Crowd(0.25, 0, 140, 96);
    HeldUp.Work work = new HeldUp.Work(1_900, 400, 0.21);
    assertThat(HeldUp.share(crowd, work, FILE)).isEqualTo(0.25);
  }

  /// Writes wait for the disk: threads hardly want a processor.
  @Test
  void whatClientsWaitedForThemselvesIsNotOthersFault() {
    OwnWatch.Crowd crowd = new OwnWatch.Crowd(0.9, 0, 1, 100);
    HeldUp.Work work = new HeldUp.Work(1_000, 4, 0.004);
    assertThat(HeldUp.share(crowd, work, FILE)).isCloseTo(0.04, within(1e-9));
  }

  @Test
  void whatAServerOnThisMachineWaitedIsAdded() {
    OwnWatch.Crowd crowd = new OwnWatch.Crowd(0.94, 30, 12, 96);
    assertThat(HeldUp.share(crowd, new HeldUp.Work(100, 10, 0.1), SERVER))
        .isCloseTo(0.4, within(1e-9));
    assertThat(HeldUp.share(crowd, new HeldUp.Work(10, 1, 0.1), SERVER)).isEqualTo(0.9);
    assertThat(HeldUp.share(crowd, new HeldUp.Work(0, 0, 0), FILE)).isZero();
  }
}
