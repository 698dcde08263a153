package millrace.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Rows;
import millrace.spi.write.Rejects;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/// A decimal becomes a float only if nothing is lost, against java.math and the JDK's own shortest
/// spelling.
class ToFloatPropertyTest {

  @Property(tries = 3_000)
  void aDecimalArrivesIfTheFloatIsItOrSpellsIt(
      @ForAll @LongRange(min = -99_999_999, max = 99_999_999) long units,
      @ForAll @IntRange(max = 17) int scale,
      @ForAll boolean single) {
    assertConverted(BigDecimal.valueOf(units, scale), single);
  }

  /// From 2^-10 to 10^-3 floats are further apart than decimals of seven digits: some share one.
  @Example
  void sevenDigitsThatShareAFloat() {
    for (long units = 9_765_625; units < 9_999_999; units += 997) {
      assertConverted(BigDecimal.valueOf(units, 10), true);
      assertConverted(BigDecimal.valueOf(units + 1, 10), true);
    }
  }

  /// 67354460 lies half-way between the floats 67354456 and 67354464, and 16777217 between 16777216
  /// and 16777218.
  @Example
  void halfWayBetweenTwoFloatsIsNoFloat() {
    for (String value : List.of("67354460", "-67354460", "67354464", "8388608.5", "16777217")) {
      assertConverted(new BigDecimal(value), true);
    }
  }

  private static void assertConverted(BigDecimal value, boolean single) {
    Type from = new Type.Decimal(18, value.scale());
    Type to = new Type.Float(single ? 32 : 64);
    List<String> aside = new ArrayList<>();
    Rejects rejects =
        new Rejects() {
          @Override
          public void reject(Reject reject) {
            aside.add(reject.reason());
          }

          @Override
          public boolean allowed() {
            return true;
          }
        };
    Columns batch = Rows.of(List.of("a"), List.of(from), List.of(value.toPlainString()));
    Schema target = Rows.schema(List.of("a"), List.of(to));
    Columns converted = Converter.between(batch.schema(), target, rejects).apply(batch);
    boolean kept = single ? isKept(value, value.floatValue()) : isKept(value, value.doubleValue());
    assertThat(converted.rows()).as("%s in %s", value, to.label()).isEqualTo(kept ? 1 : 0);
    assertThat(aside).hasSize(kept ? 0 : 1);
    if (kept) {
      double arrived = converted.doubles(0).values[0];
      assertThat(arrived).isEqualTo(single ? value.floatValue() : value.doubleValue());
    }
  }

  /// The JDK's shortest spelling may lie half-way between two floats. PostgreSQL, and so Millrace,
  /// writes more digits then.
  private static boolean isKept(BigDecimal value, float number) {
    BigDecimal exact = new BigDecimal(number);
    boolean spelled = new BigDecimal(Float.toString(number)).compareTo(value) == 0;
    float beside = exact.compareTo(value) < 0 ? Math.nextUp(number) : Math.nextDown(number);
    BigDecimal middle = exact.add(new BigDecimal(beside)).divide(BigDecimal.TWO);
    return exact.compareTo(value) == 0 || (spelled && middle.compareTo(value) != 0);
  }

  private static boolean isKept(BigDecimal value, double number) {
    return new BigDecimal(number).compareTo(value) == 0
        || new BigDecimal(Double.toString(number)).compareTo(value) == 0;
  }
}
