package millrace.connectors.sql.read;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.LongVector;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import org.jspecify.annotations.Nullable;

/// Keys of one type as whole numbers in the same order: units of the last digit, days,
/// microseconds.
///
/// @param scale digits behind the point of a decimal
public record Ordinals(Type type, int scale) {

  /// Whether keys of a type are numbers or times.
  public static boolean counts(Type type) {
    return switch (type) {
      case Type.Int _, Type.Decimal _, Type.Temporal _ -> true;
      case Type.Bool _, Type.Float _, Type.Uuid _, Type.Bytes _ -> false;
      case Type.Textual _ -> false;
    };
  }

  /// For keys of such a type between two; null if one of them is no number.
  public static @Nullable Ordinals between(Type type, String least, String greatest) {
    // NaN and the infinities have no digits.
    if (!Stream.of(least, greatest).allMatch(each -> each.matches(".*\\d.*"))) {
      return null;
    }
    int scale =
        switch (type) {
          case Type.Decimal(int precision, int digits) when precision > 0 -> digits;
          case Type.Decimal _ ->
              Math.max(new BigDecimal(least).scale(), new BigDecimal(greatest).scale());
          case Type _ -> 0;
        };
    return new Ordinals(type, scale);
  }

  /// The number of a key.
  public BigInteger number(String key) {
    if (type instanceof Type.Decimal) {
      return new BigDecimal(key).setScale(scale, RoundingMode.FLOOR).unscaledValue();
    }
    return BigInteger.valueOf(((LongVector) KeyRanges.vector(type, key)).values[0]);
  }

  /// The key of a number.
  public String key(BigInteger number) {
    if (type instanceof Type.Decimal) {
      return new BigDecimal(number, scale).toPlainString();
    }
    LongVector vector = new LongVector(1);
    vector.values[0] = number.longValueExact();
    return Spelling.text(type, vector, 0);
  }

  /// Cuts what lies between two numbers into even parts, and gives where they begin, in ascending
  /// order.
  ///
  /// @param count most parts, at least 1
  public static List<BigInteger> cut(BigInteger min, BigInteger max, int count) {
    BigInteger span = max.subtract(min);
    BigInteger parts = BigInteger.valueOf(count);
    return IntStream.range(0, count)
        .mapToObj(i -> min.add(span.multiply(BigInteger.valueOf(i)).divide(parts)))
        .distinct()
        .toList();
  }
}
