package millrace.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import millrace.text.Amount;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The unit comes to rest where hardly any other moves more, whatever a request and a row cost.
class UnitTunerTest {

  private static final long LEAST = 1;
  private static final long MOST = 1 << 16;

  private static UnitTuner tuner(BestUnit shared, long first) {
    return new UnitTuner(shared, new Amount(first, false), LEAST, MOST);
  }

  /// After so many requests that it rests.
  private static UnitTuner tuned(
      long first, LongToDoubleFunction nanosOf, @Nullable SplittableRandom noise) {
    UnitTuner tuner = tuner(BestUnit.unknown(), first);
    for (int i = 0; i < 3000; i++) {
      double factor = noise == null ? 1 : 0.99 + 0.02 * noise.nextDouble();
      tuner.moved(tuner.unit(), (long) (nanosOf.applyAsDouble(tuner.unit()) * factor));
    }
    return tuner;
  }

  private static double bestRate(LongToDoubleFunction nanosOf) {
    double best = 0;
    for (long unit = LEAST; unit <= MOST; unit *= 2) {
      best = Math.max(best, unit / nanosOf.applyAsDouble(unit));
    }
    return best;
  }

  @Property(tries = 300)
  void itEndsWithinTenPercentOfTheBest(
      @ForAll @LongRange(min = 1, max = 1 << 16) long first,
      @ForAll @DoubleRange(min = 1e6, max = 5e7) double nanosACall,
      @ForAll @DoubleRange(min = 100, max = 100_000) double nanosARow,
      @ForAll long seed) {
    LongToDoubleFunction nanosOf = unit -> nanosACall + nanosARow * unit;
    UnitTuner tuner = tuned(first, nanosOf, new SplittableRandom(seed));
    assertThat(tuner.best() / nanosOf.applyAsDouble(tuner.best()))
        .isGreaterThan(0.9 * bestRate(nanosOf));
  }

  @Test
  void aUnitThatIsTooLargeShrinks() {
    LongToDoubleFunction nanosOf = unit -> 1e7 + 1_000.0 * unit + 1.0 * unit * unit;
    assertThat(tuned(MOST, nanosOf, null).best()).isBetween(2048L, 8192L);
  }

  @Test
  void aUnitIsHalvedOnlyWhereThatClearlyGains() {
    // A row takes so much longer in a request of more than 1,000.
    LongToDoubleFunction little = unit -> (unit > 1000 ? 1.05 : 1) * 10_000.0 * unit;
    LongToDoubleFunction much = unit -> (unit > 1000 ? 1.2 : 1) * 10_000.0 * unit;
    assertThat(tuned(1024, little, null).best()).isEqualTo(1024);
    assertThat(tuned(1024, much, null).best()).isEqualTo(512);
  }

  @Test
  void theLastAndSmallerRequestTellsNothing() {
    UnitTuner tuner = tuner(BestUnit.unknown(), 1000);
    for (int i = 0; i < 100; i++) {
      tuner.moved(3, 1_000_000_000L);
    }
    assertThat(tuner.unit()).isEqualTo(1000);
  }

  @Test
  void aLargerRequestThatWasBegunBeforeTellsNothing() {
    UnitTuner tuner = tuner(BestUnit.unknown(), 1000);
    for (int i = 0; i < 100; i++) {
      tuner.moved(2000, 1_000_000_000L);
    }
    assertThat(tuner.unit()).isEqualTo(1000);
  }

  @Test
  void anotherLaneAndTheNextRunBeginWithWhatWasFound() {
    BestUnit shared = BestUnit.unknown();
    UnitTuner tuner = tuner(shared, 1);
    for (int i = 0; i < 3000; i++) {
      tuner.moved(tuner.unit(), (long) (1e8 + 1e4 * tuner.unit()));
    }
    Amount found = shared.found();
    assertThat(found).isEqualTo(new Amount(tuner.best(), false));
    assertThat(tuner(shared, 1).unit()).isEqualTo(tuner.best());
    assertThat(tuner(new BestUnit(found), 1).unit()).isEqualTo(tuner.best());
    assertThat(new UnitTuner(new BestUnit(found), new Amount(4096, true), LEAST, MOST).unit())
        .as("rows are no bytes")
        .isEqualTo(4096);
  }

  /// If memory allows no request of more than 4000, though 16000 were best before.
  @Test
  void whatIsMoreThanARequestCanHoldIsNotFoundBest() {
    BestUnit shared = new BestUnit(new Amount(16_000, false));
    UnitTuner tuner = tuner(shared, 1000);
    for (int i = 0; i < 300; i++) {
      long amount = Math.min(4000, tuner.unit());
      long nanos = (long) (1e7 + 1e4 * amount);
      if (amount < tuner.unit()) {
        tuner.cut(amount, nanos);
      } else {
        tuner.moved(amount, nanos);
      }
    }
    assertThat(tuner.best()).isEqualTo(4000);
    assertThat(shared.found()).isEqualTo(new Amount(4000, false));
  }

  /// As while a JVM warms up.
  @Test
  void theSearchEndsWhereRequestsThatCanNotBeLargerBecomeFasterAndFaster() {
    BestUnit shared = BestUnit.unknown();
    UnitTuner tuner = tuner(shared, 1000);
    double nanosARow = 1e6;
    for (int i = 0; i < 20; i++) {
      long amount = Math.min(250, tuner.unit());
      if (amount < tuner.unit()) {
        tuner.cut(amount, (long) (nanosARow * amount));
      } else {
        tuner.moved(amount, (long) (nanosARow * amount));
      }
      nanosARow *= 0.98;
    }
    assertThat(shared.found()).isEqualTo(new Amount(250, false));
  }

  @Test
  void itLooksAgainWhenItHasRested() {
    UnitTuner tuner = tuned(1, unit -> 1e6 + 1e5 * unit, null);
    long before = tuner.best();
    for (int i = 0; i < 200_000; i++) {
      tuner.moved(tuner.unit(), (long) (1e8 + 1e5 * tuner.unit()));
    }
    assertThat(tuner.best()).isGreaterThan(10 * before);
  }
}
