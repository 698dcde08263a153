package millrace.engine.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How many lanes a run ends with, on machines that are simulated: their rate depends on the number
/// of lanes, on chance with a fixed seed, and on how warm they are.
class LaneTunerTest {

  private static final double MB = 1 << 20;
  private static final long SPLIT_BYTES = 16 << 20;
  private static final double BATCH_MB = 0.25;
  private static final double WARM_S = 4;
  private static final long MB_100 = 100L << 20;

  /// A machine under a tuner. Lanes come at once, and go one by one when their splits have ended.
  private static final class Machine {
    private final IntToDoubleFunction mbPerS;
    private final double noise;
    private final Random random;
    private final int most;
    private final LaneTuner tuner;
    private int lanes;
    private int wanted;
    private int lanesMost;
    private double seconds;
    private double bytes;
    private double leftS;
    private double chance = 1;
    private double chanceUntilS;

    /// How many megabytes come at once now and then, and how often; 0 if none do.
    private double burstMb;

    private double burstEveryS;
    private double burstLeftMb;
    private double nextBurstS;

    Machine(int first, int most, double noise, long seed, IntToDoubleFunction mbPerS) {
      this(first, most, -1, noise, seed, mbPerS);
    }

    Machine(int first, int most, long inAll, double noise, long seed, IntToDoubleFunction mbPerS) {
      this.mbPerS = mbPerS;
      this.noise = noise;
      this.most = most;
      random = new Random(seed);
      tuner = new LaneTuner(first, most, SPLIT_BYTES, inAll);
      lanes = first;
      wanted = first;
    }

    private double rate(int count) {
      if (seconds >= chanceUntilS) {
        chance = Math.max(0.2, 1 + noise * random.nextGaussian());
        chanceUntilS = seconds + 0.5;
      }
      if (burstMb > 0 && seconds >= nextBurstS) {
        burstLeftMb = burstMb;
        nextBurstS = seconds + burstEveryS;
      }
      if (burstLeftMb > 0) {
        burstLeftMb -= BATCH_MB;
        return 50 * mbPerS.applyAsDouble(count);
      }
      double warm = Math.min(1, 0.5 + 0.5 * seconds / WARM_S);
      return mbPerS.applyAsDouble(count) * chance * warm;
    }

    /// Runs for that long, and says what share of the best fixed number's rows it has moved.
    double run(double forS) {
      double until = seconds + forS;
      double moved = 0;
      double best = 0;
      while (seconds < until) {
        double rate = rate(lanes);
        double took = BATCH_MB / rate;
        seconds += took;
        moved += BATCH_MB;
        best += took * rate / mbPerS.applyAsDouble(lanes) * bestMbPerS();
        bytes += BATCH_MB * MB;
        ask();
      }
      return moved / best;
    }

    private void ask() {
      wanted = tuner.lanes(lanes == wanted, Math.round(bytes), Math.round(seconds * 1e9));
      if (wanted > lanes) {
        lanes = wanted;
      } else if (wanted < lanes && seconds >= leftS) {
        lanes--;
        leftS = seconds + SPLIT_BYTES / MB / (mbPerS.applyAsDouble(lanes + 1) / (lanes + 1));
      }
      lanesMost = Math.max(lanesMost, lanes);
    }

    double bestMbPerS() {
      return IntStream.rangeClosed(1, most).mapToDouble(mbPerS).max().orElseThrow();
    }

    /// What share of the best number's rate the number has that was found.
    double found() {
      return mbPerS.applyAsDouble(tuner.best()) / bestMbPerS();
    }
  }

  private static double upToThree(int lanes) {
    return lanes <= 3 ? 70 * lanes : 210 - 25 * (lanes - 3);
  }

  private static double flat(int lanes) {
    return lanes > 0 ? 140 : 0;
  }

  private static double bestAlone(int lanes) {
    return 150.0 / lanes;
  }

  /// Amdahl's law, with a fifth of the work that only one can do.
  private static double flattening(int lanes) {
    return 100 * lanes / (1 + 0.2 * (lanes - 1));
  }

  private static double upToTwelve(int lanes) {
    return lanes <= 12 ? 20 * lanes : 240 - 15 * (lanes - 12);
  }

  private static final List<IntToDoubleFunction> FEW =
      List.of(LaneTunerTest::upToThree, LaneTunerTest::flat, LaneTunerTest::bestAlone);

  private static final List<IntToDoubleFunction> MANY =
      List.of(LaneTunerTest::flattening, LaneTunerTest::upToTwelve);

  /// A slow disk, of which the system has read some megabytes ahead now and then.
  @ParameterizedTest
  @ValueSource(doubles = {211, 307, 401, 523, 677})
  void burstsAreNoRates(double everyS) {
    Machine slow = new Machine(2, 4, 0.05, 1, lanes -> 0.3 * Math.min(lanes, 2));
    slow.burstMb = 64;
    slow.burstEveryS = everyS;
    slow.nextBurstS = 100;
    slow.run(8_000);
    assertThat(slow.tuner.tried())
        .hasSizeGreaterThan(1)
        .allSatisfy(rate -> assertThat(rate.bytesPerS() / MB).isLessThan(1.8));
  }

  @Test
  void withoutNoiseTheBestNumberIsFound() {
    Machine rising = new Machine(2, 4, 0, 1, LaneTunerTest::upToThree);
    rising.run(60);
    assertThat(rising.tuner.best()).isEqualTo(3);
    assertThat(rising.tuner.tried())
        .extracting(rate -> rate.lanes() + ": " + Math.round(rate.bytesPerS() / MB))
        .containsExactly("2: 140", "3: 210", "4: 185");

    Machine alone = new Machine(2, 4, 0, 1, LaneTunerTest::bestAlone);
    alone.run(60);
    assertThat(alone.tuner.best()).isEqualTo(1);
  }

  @Test
  void whereTheNumberMakesNoDifferenceItStays() {
    Machine flat = new Machine(2, 4, 0, 1, LaneTunerTest::flat);
    assertThat(flat.run(300)).isGreaterThan(0.99);
    assertThat(flat.tuner.best()).isEqualTo(2);
    assertThat(flat.tuner.tried()).extracting(rate -> rate.lanes()).containsExactly(1, 2, 3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, 0.05, 0.1})
  void aMinuteEndsWithinTenPercentOfTheBestFixedNumber(double noise) {
    for (long seed = 1; seed <= 40; seed++) {
      for (IntToDoubleFunction machine : FEW) {
        Machine run = new Machine(2, 4, noise, seed, machine);
        run.run(60);
        assertThat(run.found()).as("seed %d, %d lanes", seed, run.tuner.best()).isGreaterThan(0.9);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.0, 0.05, 0.1})
  void manyProcessorsAreFoundToo(double noise) {
    for (long seed = 1; seed <= 40; seed++) {
      for (IntToDoubleFunction machine : MANY) {
        Machine run = new Machine(2, 16, noise, seed, machine);
        run.run(120);
        assertThat(run.found()).as("seed %d, %d lanes", seed, run.tuner.best()).isGreaterThan(0.9);
      }
    }
  }

  @Test
  void findingOutCostsLittle() {
    assertThat(new Machine(2, 4, 0.05, 1, LaneTunerTest::flat).run(60)).isGreaterThan(0.97);
    assertThat(new Machine(2, 4, 0.05, 1, lanes -> lanes == 1 ? 80 : 140).run(60))
        .isGreaterThan(0.97);
    assertThat(new Machine(2, 4, 0.05, 1, lanes -> 140 - 20 * Math.abs(lanes - 2)).run(60))
        .isGreaterThan(0.95);
  }

  @Test
  void aSourceThatIsSoonDoneIsReadWithoutTrials() {
    Machine small = new Machine(2, 4, 700L << 20, 0, 1, LaneTunerTest::upToThree);
    small.run(5);
    assertThat(small.lanesMost).isEqualTo(2);
    assertThat(small.tuner.best()).isEqualTo(2);
  }

  @Test
  void aRateThatHasChangedForLongIsLookedIntoAtOnce() {
    double[] load = {1};
    Machine changing =
        new Machine(2, 4, 0.02, 1, lanes -> load[0] * (load[0] < 1 ? 70 * lanes : 140));
    changing.run(300);
    assertThat(changing.tuner.best()).isEqualTo(2);
    load[0] = 0.5;
    changing.run(40);
    assertThat(changing.tuner.best()).isEqualTo(4);
  }

  @Test
  void anotherLaneThatCannotComeIsNotWaitedFor() {
    LaneTuner tuner = new LaneTuner(2, 8, SPLIT_BYTES, -1);
    long seconds = 0;
    int wanted = 2;
    while (wanted == 2) {
      seconds++;
      wanted = tuner.lanes(true, seconds * MB_100, seconds * 1_000_000_000L);
    }
    assertThat(wanted).isEqualTo(3);
    tuner.limit(2);
    assertThat(tuner.best()).isEqualTo(2);
    for (int i = 0; i < 200; i++) {
      seconds++;
      int now = tuner.lanes(wanted <= 2, seconds * MB_100, seconds * 1_000_000_000L);
      assertThat(now).isBetween(1, 2);
      wanted = now;
    }
  }
}
