package millrace.testkit.oracle.value;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// How the numbers of a vector are kept: the bytes that a client sends for one begin with a mark, a
/// version, two bytes of flags, the format, and how many numbers there are.
public enum VectorFormat {
  ANY(0, 0),
  FLOAT32(2, 4),
  FLOAT64(3, 8),
  INT8(4, 1),
  /// Eight numbers of one bit a byte.
  BINARY(5, 1);

  private static final int MARK = 0xDB;
  private static final int HAS_NORM = 0x02;
  private static final int NORM_RESERVED = 0x10;
  private static final int HEAD_BYTES = 9;
  private static final int BITS = 8;

  private final int code;
  private final int bytes;

  VectorFormat(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  /// Its number in describes and in vectors.
  public int code() {
    return code;
  }

  public static VectorFormat named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /// Whether bytes are a vector's, and not a text.
  public static boolean isVector(byte[] bytes) {
    return bytes.length >= HEAD_BYTES && (bytes[0] & 0xFF) == MARK;
  }

  /// The numbers of a vector as real servers spell them.
  ///
  /// @throws IllegalArgumentException if they are others than its head says
  public static String spelled(byte[] vector) {
    ByteBuffer in = ByteBuffer.wrap(vector);
    int flags = in.getShort(2);
    VectorFormat format =
        Arrays.stream(values())
            .filter(each -> each.code == vector[4])
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("a vector of no known format"));
    int count = format == BINARY ? in.getInt(5) / BITS : in.getInt(5);
    in.position((flags & (HAS_NORM | NORM_RESERVED)) == 0 ? HEAD_BYTES : HEAD_BYTES + 8);
    if (in.remaining() != count * format.bytes) {
      throw new IllegalArgumentException(
          "a vector of " + count + " has too many bytes, or too few");
    }
    return IntStream.range(0, count)
        .mapToObj(_ -> format.next(in))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private String next(ByteBuffer in) {
    return switch (this) {
      case ANY -> throw new IllegalArgumentException("a vector has a format");
      case FLOAT32 -> spelled(FloatFormat.decodeFloat(next(in, Float.BYTES)));
      case FLOAT64 -> spelled(FloatFormat.decodeDouble(next(in, Double.BYTES)));
      case INT8 -> String.valueOf(in.get());
      case BINARY -> String.valueOf(in.get() & 0xFF);
    };
  }

  private static byte[] next(ByteBuffer in, int count) {
    byte[] bytes = new byte[count];
    in.get(bytes);
    return bytes;
  }

  /// A number with all digits that the format has.
  public String spelled(double number) {
    if (number == 0) {
      return "0";
    }
    // Of a double, Java writes the digits that tell it from others, and zeros behind them.
    BigDecimal exact = new BigDecimal(number);
    String text = String.format(Locale.ROOT, this == FLOAT64 ? "%.16E" : "%.8E", exact);
    return text.replaceFirst("0*E([+-])(?=\\d\\d$)", "E$10")
        .replaceFirst("0*E(?=[+-]\\d\\d\\d)", "E")
        .replaceFirst("\\.E", ".0E");
  }
}
