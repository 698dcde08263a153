package millrace.report.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProfilerTest {

  @TempDir private Path folder;

  /// Takes two seconds of this thread's processor time, however long that takes.
  private static double burn() {
    double sum = 0;
    long until = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() + 2_000_000_000L;
    while (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() < until) {
      sum += chew(sum);
    }
    return sum;
  }

  private static double chew(double seed) {
    double sum = seed;
    for (int i = 1; i < 2_000_000; i++) {
      sum += 1.0 / i / (sum + i);
    }
    return sum;
  }

  @Test
  void theMethodThatTakesTheTimeIsNamedWithItsCallers() {
    Path file = folder.resolve("runs/x.jfr");
    try (Profiler profiler = Profiler.start(file)) {
      assertThat(burn()).isPositive();
      Profile profile = profiler.finish();
      assertThat(file).isNotEmptyFile();
      assertThat(profile.file()).isEqualTo(file.toString());
      assertThat(profile.samples()).isPositive();
      String own = ProfilerTest.class.getName();
      assertThat(profile.hot())
          .filteredOn(hot -> hot.method().equals(own + ".chew"))
          .singleElement()
          .satisfies(hot ->
              assertThat(hot.callers().getFirst().chain().getFirst()).isEqualTo(own + ".burn"));
      assertThat(profile.lines()).anyMatch(line -> line.contains(own + ".chew"));
    }
  }

  @Test
  void methodsOfTenPercentAreListedWithWhoCalledThem() {
    Hotspots spots = new Hotspots();
    for (int i = 0; i < 6; i++) {
      spots.add(List.of("read", "parse", "lane", "run", "thread"));
    }
    spots.add(List.of("read", "sample"));
    spots.add(List.of("encode", "write"));
    spots.add(List.of());
    for (int i = 0; i < 11; i++) {
      spots.add(List.of("other" + i));
    }
    assertThat(spots.samples()).isEqualTo(20);
    assertThat(spots.hot())
        .singleElement()
        .satisfies(hot -> {
          assertThat(hot.method()).isEqualTo("read");
          assertThat(hot.percent()).isCloseTo(35, within(1e-9));
          assertThat(hot.callers())
              .containsExactly(
                  new Profile.Caller(List.of("parse", "lane", "run"), 30),
                  new Profile.Caller(List.of("sample"), 5));
        });
  }

  @Test
  void theLargestFewAreListedWhereNoneHasTenPercent() {
    Hotspots spots = new Hotspots();
    for (int i = 0; i < 20; i++) {
      spots.add(List.of("m" + i));
    }
    assertThat(spots.hot()).hasSize(3);
    assertThat(new Hotspots().hot()).isEmpty();
  }
}
