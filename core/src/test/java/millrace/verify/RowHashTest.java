package millrace.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.Schema;
import millrace.data.Type;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Verify calls values equal when they mean the same, whatever type holds them.
class RowHashTest {

  @Property
  void decimalsHashAlikeExactlyWhenTheyAreEqual(
      @ForAll @LongRange(min = -99_999, max = 99_999) long one,
      @ForAll @IntRange(max = 6) int oneScale,
      @ForAll @LongRange(min = -99_999, max = 99_999) long other,
      @ForAll @IntRange(max = 6) int otherScale) {
    boolean equal =
        BigDecimal.valueOf(one, oneScale).compareTo(BigDecimal.valueOf(other, otherScale)) == 0;
    assertThat(units(one, oneScale) == units(other, otherScale)).isEqualTo(equal);
    assertThat(units(one, oneScale) == text(BigDecimal.valueOf(other, otherScale)))
        .isEqualTo(equal);
  }

  /// 5, 5.0 and 5.00, each of a type of its own.
  @Property
  void zerosBehindThePointAreNoDifference(
      @ForAll @LongRange(min = -99_999, max = 99_999) long units,
      @ForAll @IntRange(max = 6) int scale,
      @ForAll @IntRange(max = 6) int zeros) {
    BigDecimal longer = BigDecimal.valueOf(units, scale).setScale(scale + zeros);
    assertThat(units(longer.unscaledValue().longValueExact(), scale + zeros))
        .isEqualTo(units(units, scale));
  }

  @Property
  void anIntegerHashesAsTheDecimalTextOfIt(
      @ForAll long value, @ForAll @IntRange(max = 9) int zeros) {
    assertThat(integer(value)).isEqualTo(text(BigDecimal.valueOf(value).setScale(zeros)));
  }

  @Property
  void longDecimalsHashByValue(@ForAll BigInteger digits, @ForAll @IntRange(max = 30) int scale) {
    BigDecimal value = new BigDecimal(digits.pow(3), scale);
    assertThat(text(value)).isEqualTo(text(value.setScale(scale + 5)));
    assertThat(text(value)).isNotEqualTo(text(value.add(new BigDecimal("1e-31"))));
  }

  /// The lowest long has no positive twin, and what is no number at all has no digits.
  @Test
  void numbersAtTheEdgeOfALongAndThoseWithoutDigitsAreThemselves() {
    BigDecimal edge = BigDecimal.TWO.pow(63);
    assertThat(text(edge.negate())).isEqualTo(integer(Long.MIN_VALUE));
    assertThat(text(edge)).isNotEqualTo(text(edge.negate()));
    assertThat(digits("NaN")).isEqualTo(units(Decimals.NAN, 2));
    assertThat(List.of(digits("NaN"), digits("Infinity"), digits("-Infinity"), integer(0)))
        .doesNotHaveDuplicates();
  }

  @Test
  void minusZeroIsNotZeroAndNanIsNan() {
    assertThat(floating(-0.0)).isNotEqualTo(floating(0.0));
    assertThat(floating(Double.NaN))
        .isEqualTo(floating(Double.longBitsToDouble(0x7ff8000000000001L)));
  }

  @Test
  void aDateIsTheTimestampAtItsMidnightAndTheLastDateOfAllIsItself() {
    assertThat(longs(new Type.Date(), 366))
        .isEqualTo(longs(new Type.Timestamp(false), 366L * 86_400_000_000L));
    assertThat(longs(new Type.Date(), 2_145_031_948L))
        .isNotEqualTo(longs(new Type.Date(), 2_145_031_947L));
    assertThat(longs(new Type.Date(), Long.MAX_VALUE))
        .isEqualTo(longs(new Type.Timestamp(false), Long.MAX_VALUE));
  }

  @Test
  void nullIsNotAnEmptyText() {
    Columns batch = one(Type.Text.UNLIMITED);
    batch.bytes(0).append(0, new byte[0], 0, 0);
    long empty = new RowHash(Type.Text.UNLIMITED, Type.Text.UNLIMITED).value(batch, 0, 0);
    batch.vector(0).nulls[0] = true;
    assertThat(new RowHash(Type.Text.UNLIMITED, Type.Text.UNLIMITED).value(batch, 0, 0))
        .isNotEqualTo(empty);
  }

  @Property
  void textsThatDifferHashDifferently(@ForAll String one, @ForAll String other) {
    assertThat(chars(one) == chars(other)).isEqualTo(one.equals(other));
  }

  /// Made by another program, with integers of any size: two processes that each read a part have
  /// to get the same sums.
  @Test
  void hashesAreThoseOfEveryProcess() {
    assertThat(longs(new Type.Bool(), 1)).isEqualTo(0xa8a39ad61f7b0e62L);
    assertThat(integer(5)).isEqualTo(0xb696185d9e77efd4L);
    assertThat(integer(-1)).isEqualTo(0x12784a1959add87fL);
    assertThat(units(125, 2)).isEqualTo(0x1c8a54d1aab237feL);
    assertThat(text(new BigDecimal("-12.500"))).isEqualTo(0x7709e3c9991ed1c4L);
    assertThat(text(new BigDecimal("12345678901234567890.5"))).isEqualTo(0x352d3127b0b6e4fdL);
    assertThat(floating(1.5)).isEqualTo(0xddc246d0b857523dL);
    assertThat(longs(new Type.Date(), 1)).isEqualTo(0x5cc2177f95374689L);
    assertThat(longs(new Type.Time(), 1)).isEqualTo(0x46e71105b4684354L);
    assertThat(longs(new Type.Timestamp(false), 1)).isEqualTo(0x42377f28ed344bedL);
    assertThat(longs(new Type.Timestamp(true), 1)).isEqualTo(0x0287a3f25e44ee5eL);
    assertThat(chars("")).isEqualTo(0x995b9a4a28ba8b66L);
    assertThat(chars("a")).isEqualTo(0xbad00cf9bd87a634L);
    assertThat(chars("12345678")).isEqualTo(0x05e02c157c2a9d8eL);
    assertThat(chars("水23456789")).isEqualTo(0x3714cc1411301d1cL);
    assertThat(bytes(new Type.Bytes(), new byte[] {0})).isEqualTo(0x510f7cf00ecd1eadL);
    assertThat(bytes(new Type.Bytes(), new byte[0])).isEqualTo(0xd00eab71bf0af6dcL);
    assertThat(missing(new Type.Int(64))).isEqualTo(0x2545f4914f6cdd1dL);
    assertThat(RowHash.mix(RowHash.mix(RowHash.SEED, 1), 2)).isEqualTo(0x7b3ddb7943f85a82L);
  }

  /// Whatever else is alike: nothing, an empty value, zero and one of every kind.
  @Test
  void valuesOfDifferentKindsAreDifferent() {
    List<Long> hashes = new ArrayList<>();
    hashes.add(missing(new Type.Int(64)));
    for (long value : new long[] {0, 1}) {
      hashes.add(longs(new Type.Bool(), value));
      hashes.add(integer(value));
      hashes.add(longs(new Type.Time(), value));
      hashes.add(longs(new Type.Timestamp(false), value));
      hashes.add(longs(new Type.Timestamp(true), value));
      hashes.add(floating((double) value));
      hashes.add(chars(Long.toString(value)));
      hashes.add(bytes(new Type.Bytes(), new byte[] {(byte) value}));
    }
    hashes.add(longs(new Type.Date(), 1));
    hashes.add(units(1, 2));
    hashes.add(units(1, 1));
    for (String text :
        List.of("", " ", "null", "\0", "\0\0", "a", "a\0", "aaaaaaaa", "aaaaaaaa\0")) {
      hashes.add(chars(text));
    }
    hashes.add(bytes(new Type.Bytes(), new byte[0]));
    hashes.add(bytes(new Type.Bytes(), new byte[2]));
    assertThat(hashes).doesNotHaveDuplicates();
  }

  /// All that are short enough to try, and longer ones about the length of a word: a byte more and
  /// another byte must not make up for each other.
  @Test
  void bytesThatDifferInLengthAndInOneByteAreDifferent() {
    Set<Long> hashes = new HashSet<>();
    int tried = 0;
    for (int length = 0; length <= 2; length++) {
      for (int number = 0; number < 1 << (8 * length); number++) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
          bytes[i] = (byte) (number >> (8 * i));
        }
        hashes.add(bytes(new Type.Bytes(), bytes));
        tried++;
      }
    }
    for (int length = 3; length <= 33; length++) {
      for (int at = 0; at < length; at++) {
        for (int value = 1; value < 256; value++) {
          byte[] bytes = new byte[length];
          bytes[at] = (byte) value;
          hashes.add(bytes(new Type.Bytes(), bytes));
          tried++;
        }
      }
      hashes.add(bytes(new Type.Bytes(), new byte[length]));
      tried++;
    }
    assertThat(hashes).hasSize(tried);
  }

  @Test
  void whatIsMissingIsTheSameWhateverIsMissing() {
    assertThat(missing(Type.Text.UNLIMITED)).isEqualTo(missing(new Type.Int(64)));
  }

  private static long missing(Type type) {
    Columns batch = one(type);
    batch.vector(0).nulls[0] = true;
    return new RowHash(type, type).value(batch, 0, 0);
  }

  @Test
  void aNumberComparedAsTextHashesAsItsSpelling() {
    Columns batch = one(new Type.Decimal(9, 2));
    batch.longs(0).values[0] = 1250;
    assertThat(new RowHash(new Type.Decimal(9, 2), Type.Text.UNLIMITED).value(batch, 0, 0))
        .isEqualTo(chars("12.50"));
  }

  /// Longer than any number that came before it.
  @Property
  void aLongNumberComparedAsTextHashesAsItsSpelling(
      @ForAll @IntRange(min = 1, max = 300) int digits) {
    String number = "7".repeat(digits);
    assertThat(bytes(Type.Decimal.UNLIMITED, Type.Text.UNLIMITED, number.getBytes(UTF_8)))
        .isEqualTo(chars(number));
  }

  /// A document in a table is the one in a file, however it is laid out; a text is only itself.
  @Test
  void aColumnIsComparedByValueIfEitherSideHoldsDocuments() {
    Type text = Type.Text.UNLIMITED;
    Type json = new Type.Json();
    for (Type as : List.of(RowHash.comparedAs(text, json), RowHash.comparedAs(json, text))) {
      assertThat(bytes(text, as, "{\"a\":1}".getBytes(UTF_8)))
          .isEqualTo(bytes(json, as, "{ \"a\" : 1.0 }".getBytes(UTF_8)));
    }
    Type asText = RowHash.comparedAs(text, text);
    assertThat(bytes(text, asText, "1".getBytes(UTF_8)))
        .isNotEqualTo(bytes(text, asText, "1.0".getBytes(UTF_8)));
  }

  /// As jsonb compares it.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"b\":[true,null]} | { \"b\" : [true, null], \"a\" : 1.0 } | true",
        "{\"a\":1,\"a\":2}          | {\"a\":2}                            | true",
        "{\"a\":1,\"a\":2}          | {\"a\":1}                            | false",
        "[1,2]                    | [2,1]                              | false",
        "\"\\u0041\"              | \"A\"                                | true",
        "100                      | 1e2                                | true",
        "-0.0                     | 0                                  | true",
        "12345678901234567890.1   | 12345678901234567890.10            | true",
        "12345678901234567890.1   | 12345678901234567890.2             | false",
        "1                        | \"1\"                              | false",
        "null                     | false                              | false",
        "{}                       | []                                 | false",
        "{\"a\":{\"b\":1}}         | {\"a\":{\"b\":1,\"c\":null}}         | false",
        "{\"a\":1                 | {\"a\": 1                          | false"
      })
  void jsonIsHashedByValue(String one, String other, boolean equal) {
    assertThat(json(one) == json(other)).isEqualTo(equal);
  }

  private static long json(String text) {
    Columns batch = one(new Type.Json());
    byte[] bytes = text.getBytes(UTF_8);
    batch.bytes(0).append(0, bytes, 0, bytes.length);
    return new RowHash(new Type.Json(), new Type.Json()).value(batch, 0, 0);
  }

  private static long units(long units, int scale) {
    return longs(new Type.Decimal(12, scale), units);
  }

  private static long integer(long value) {
    return longs(new Type.Int(64), value);
  }

  private static long longs(Type type, long value) {
    Columns batch = one(type);
    batch.longs(0).values[0] = value;
    return new RowHash(type, type).value(batch, 0, 0);
  }

  private static long floating(double value) {
    Columns batch = one(new Type.Float(64));
    batch.doubles(0).values[0] = value;
    return new RowHash(new Type.Float(64), new Type.Float(64)).value(batch, 0, 0);
  }

  private static long text(BigDecimal value) {
    return bytes(Type.Decimal.UNLIMITED, value.toPlainString().getBytes(UTF_8));
  }

  private static long digits(String value) {
    return bytes(Type.Decimal.UNLIMITED, value.getBytes(UTF_8));
  }

  private static long chars(String value) {
    return bytes(Type.Text.UNLIMITED, value.getBytes(UTF_8));
  }

  private static long bytes(Type type, byte[] bytes) {
    return bytes(type, type, bytes);
  }

  private static long bytes(Type type, Type as, byte[] bytes) {
    Columns batch = one(type);
    batch.bytes(0).append(0, bytes, 0, bytes.length);
    return new RowHash(type, as).value(batch, 0, 0);
  }

  private static Columns one(Type type) {
    return Columns.standalone(Schema.of(List.of(Column.of("v", type))), 1);
  }
}
