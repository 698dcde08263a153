package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import millrace.data.Type;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.ShrinkingMode;

/// What we read, PostgreSQL reads as the same value, and what it does not read we refuse: no
/// spelling in a file becomes another value than the server's own COPY would have made of it.
/// Refusing more is allowed, but not what the server itself writes, which is not so for JSON: it
/// keeps an escaped half of a surrogate pair, which no JSON in UTF-8 can mean.
///
/// Each try is thousands of spellings; its seed brings them again.
@PropertyDefaults(tries = 2, edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.OFF)
class PostgresSpellingsTest {

  private static final int COUNT = 2_000;

  private static final SpellingTrial TRIAL = new SpellingTrial(TestDatabase.make());

  @Provide
  Arbitrary<Long> seeds() {
    return Arbitraries.longs().withDistribution(RandomDistribution.uniform());
  }

  @Property
  void booleans(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Bool());
  }

  @Property
  void integers(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Int(16), new Type.Int(32), new Type.Int(64));
  }

  /// Held in longs and as text, with groups of four digits that the point cuts everywhere.
  @Property
  void decimals(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(
        seed,
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

  @Property
  void floats(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Float(32), new Type.Float(64));
  }

  @Property
  void dates(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Date());
  }

  @Property
  void times(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Time());
  }

  @Property
  void timestamps(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Timestamp(false), new Type.Timestamp(true));
  }

  @Property
  void uuids(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Uuid());
  }

  @Property
  void json(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Json());
  }

  @Property
  void bytes(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, new Type.Bytes());
  }

  @Property
  void texts(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(seed, Type.Text.UNLIMITED, new Type.Text(5));
  }

  private static void assertReadAsTheServerDoes(long seed, Type... types) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    for (Type type : types) {
      assertReadAsTheServerDoes(type, new Spellings(random).of(type, COUNT));
    }
  }

  private static void assertReadAsTheServerDoes(Type type, List<byte[]> spellings) {
    SpellingTrial.Outcome outcome = TRIAL.run(type, spellings, false);
    assertThat(outcome.differences()).as(type.label()).isEmpty();
    // Otherwise there was nothing to compare.
    assertThat(outcome.taken()).isGreaterThan(COUNT / 10);
    assertThat(outcome.answers()).hasSizeGreaterThanOrEqualTo(outcome.taken());
    boolean takesAll = !(type instanceof Type.Json);
    assertThat(TRIAL.run(type, outcome.answers(), takesAll).differences())
        .as(type.label())
        .isEmpty();
  }
}
