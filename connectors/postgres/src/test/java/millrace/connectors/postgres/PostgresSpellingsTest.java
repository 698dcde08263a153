package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import millrace.data.Type;
import org.junit.jupiter.api.Test;

/// What we read, PostgreSQL reads as the same value, and what it does not read we refuse: no
/// spelling in a file becomes another value than the server's own COPY would have made of it.
/// Refusing more is allowed, but not what the server itself writes, which is not so for JSON: it
/// keeps an escaped half of a surrogate pair, which no JSON in UTF-8 can mean.
///
/// Each seed draws thousands of spellings of each type. A build draws the same ones every time, so
/// that a test that fails has found a change. To draw others (the range of seeds, the last one too):
///
///     ./check postgres -Dtest=PostgresSpellingsTest -Dmillrace.seeds=1000-1100
class PostgresSpellingsTest {

  private static final int COUNT = 2_000;

  private static final SpellingTrial TRIAL = new SpellingTrial(TestDatabase.make());

  private static final String SEEDS = System.getProperty("millrace.seeds", "1-2");

  @Test
  void booleans() {
    assertReadAsTheServerDoes(new Type.Bool());
  }

  @Test
  void integers() {
    assertReadAsTheServerDoes(new Type.Int(16), new Type.Int(32), new Type.Int(64));
  }

  /// Held in longs and as text, with groups of four digits that the point cuts everywhere.
  @Test
  void decimals() {
    assertReadAsTheServerDoes(
        Type.Decimal.UNLIMITED,
        new Type.Decimal(1, 0),
        new Type.Decimal(12, 2),
        new Type.Decimal(15, 3),
        new Type.Decimal(16, 8),
        new Type.Decimal(18, 0),
        new Type.Decimal(18, 5),
        new Type.Decimal(18, 18),
        new Type.Decimal(19, 0),
        new Type.Decimal(38, 19),
        new Type.Decimal(40, 40));
  }

  @Test
  void floats() {
    assertReadAsTheServerDoes(new Type.Float(32), new Type.Float(64));
  }

  @Test
  void dates() {
    assertReadAsTheServerDoes(new Type.Date());
  }

  @Test
  void times() {
    assertReadAsTheServerDoes(new Type.Time());
  }

  @Test
  void timestamps() {
    assertReadAsTheServerDoes(new Type.Timestamp(false), new Type.Timestamp(true));
  }

  @Test
  void uuids() {
    assertReadAsTheServerDoes(new Type.Uuid());
  }

  @Test
  void json() {
    assertReadAsTheServerDoes(new Type.Json());
  }

  @Test
  void bytes() {
    assertReadAsTheServerDoes(new Type.Bytes());
  }

  @Test
  void texts() {
    assertReadAsTheServerDoes(Type.Text.UNLIMITED, new Type.Text(5));
  }

  private static void assertReadAsTheServerDoes(Type... types) {
    int dash = SEEDS.indexOf('-');
    long first = Long.parseLong(SEEDS.substring(0, dash));
    long last = Long.parseLong(SEEDS.substring(dash + 1));
    for (long seed = first; seed <= last; seed++) {
      RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
      for (Type type : types) {
        assertReadAsTheServerDoes(seed, type, new Spellings(random).of(type, COUNT));
      }
    }
  }

  private static void assertReadAsTheServerDoes(long seed, Type type, List<byte[]> spellings) {
    SpellingTrial.Outcome outcome = TRIAL.run(type, spellings, false);
    assertThat(outcome.differences()).as(type.label() + ", seed " + seed).isEmpty();
    // Otherwise there was nothing to compare.
    assertThat(outcome.taken()).isGreaterThan(COUNT / 10);
    assertThat(outcome.answers()).hasSizeGreaterThanOrEqualTo(outcome.taken());
    boolean takesAll = !(type instanceof Type.Json);
    assertThat(TRIAL.run(type, outcome.answers(), takesAll).differences())
        .as(type.label())
        .isEmpty();
  }
}
