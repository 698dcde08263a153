package millrace.connectors.sql.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import millrace.data.Type;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class OrdinalsTest {

  /// In order, within both ends, without overflow, and never more parts than were wanted.
  @Property
  void partsAreEvenAndInOrder(
      @ForAll long one, @ForAll long other, @ForAll @IntRange(min = 1, max = 1_000) int count) {
    BigInteger min = BigInteger.valueOf(Math.min(one, other));
    BigInteger max = BigInteger.valueOf(Math.max(one, other));
    List<BigInteger> starts = Ordinals.cut(min, max, count);
    assertThat(starts).hasSizeBetween(1, count).startsWith(min).isSorted().doesNotHaveDuplicates();
    assertThat(starts.getLast()).isLessThanOrEqualTo(max);
    BigInteger even = max.subtract(min).divide(BigInteger.valueOf(count));
    for (int i = 1; i < starts.size(); i++) {
      assertThat(starts.get(i).subtract(starts.get(i - 1)).subtract(even))
          .isBetween(BigInteger.ZERO, BigInteger.ONE);
    }
  }

  @Property
  void aNumberGivesItsKeyBack(@ForAll long number, @ForAll BigDecimal decimal) {
    String whole = Long.toString(number);
    assertThat(there(new Type.Int(64), whole, whole)).isEqualTo(whole);
    String plain = decimal.toPlainString();
    assertThat(new BigDecimal(there(Type.Decimal.UNLIMITED, plain, plain)))
        .isEqualByComparingTo(decimal);
  }

  @Example
  void everyTypeThatIsCountedGivesItsKeysBack() {
    for (String date : List.of("2024-02-29", "0001-01-01", "9999-12-31")) {
      assertThat(there(new Type.Date(), date, date)).isEqualTo(date);
      String time = date + " 23:59:59.999999";
      assertThat(there(new Type.Timestamp(false), time, time)).isEqualTo(time);
    }
    assertThat(there(new Type.Decimal(5, 2), "-1.50", "2.00")).isEqualTo("-1.50");
    assertThat(there(new Type.Decimal(30, 2), "-1.50", "2.00")).isEqualTo("-1.50");
    assertThat(Ordinals.between(Type.Decimal.UNLIMITED, "1", "NaN")).isNull();
    assertThat(Ordinals.between(new Type.Date(), "2024-01-01", "infinity")).isNull();
  }

  /// The least of two keys, as a number and back.
  private static String there(Type type, String least, String greatest) {
    Ordinals ordinals = Objects.requireNonNull(Ordinals.between(type, least, greatest));
    return ordinals.key(ordinals.number(least));
  }
}
