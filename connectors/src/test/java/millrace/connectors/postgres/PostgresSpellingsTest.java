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

  @Provide
  Arbitrary<Integer> bits() {
    return Arbitraries.of(16, 32, 64);
  }

  /// Held in longs and as text, with and without digits on either side of the point.
  @Provide
  Arbitrary<Type.Decimal> decimals() {
    return Arbitraries.of(
        Type.Decimal.UNLIMITED,
        new Type.Decimal(1, 0),
        new Type.Decimal(12, 2),
        new Type.Decimal(18, 0),
        new Type.Decimal(18, 5),
        new Type.Decimal(18, 18),
        new Type.Decimal(19, 0),
        new Type.Decimal(38, 19),
        new Type.Decimal(40, 40));
  }

  @Property
  void booleans(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Bool(), seed);
  }

  @Property(tries = 6)
  void integers(@ForAll("bits") int bits, @ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Int(bits), seed);
  }

  @Property(tries = 18)
  void decimals(@ForAll("decimals") Type.Decimal type, @ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(type, seed);
  }

  @Property(tries = 4)
  void floats(@ForAll boolean single, @ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Float(single ? 32 : 64), seed);
  }

  @Property
  void dates(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Date(), seed);
  }

  @Property
  void times(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Time(), seed);
  }

  @Property(tries = 4)
  void timestamps(@ForAll boolean zoned, @ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Timestamp(zoned), seed);
  }

  @Property
  void uuids(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Uuid(), seed);
  }

  @Property
  void json(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Json(), seed);
  }

  @Property
  void bytes(@ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(new Type.Bytes(), seed);
  }

  @Property(tries = 4)
  void texts(@ForAll boolean limited, @ForAll("seeds") long seed) {
    assertReadAsTheServerDoes(limited ? new Type.Text(5) : Type.Text.UNLIMITED, seed);
  }

  private static void assertReadAsTheServerDoes(Type type, long seed) {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
    List<byte[]> spellings = new Spellings(random).of(type, COUNT);
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
