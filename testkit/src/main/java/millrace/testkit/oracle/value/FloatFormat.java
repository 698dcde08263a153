package millrace.testkit.oracle.value;

import java.nio.ByteBuffer;

/// BINARY_FLOAT and BINARY_DOUBLE: IEEE 754, turned so that bytes sort as the numbers do.
public final class FloatFormat {
  private FloatFormat() {}

  public static byte[] encode(float value) {
    int bits = Float.floatToIntBits(value);
    return ByteBuffer.allocate(4).putInt(bits < 0 ? ~bits : bits | Integer.MIN_VALUE).array();
  }

  public static byte[] encode(double value) {
    long bits = Double.doubleToLongBits(value);
    return ByteBuffer.allocate(8).putLong(bits < 0 ? ~bits : bits | Long.MIN_VALUE).array();
  }

  public static float decodeFloat(byte[] bytes) {
    int bits = ByteBuffer.wrap(bytes).getInt();
    return Float.intBitsToFloat(bits < 0 ? bits & Integer.MAX_VALUE : ~bits);
  }

  public static double decodeDouble(byte[] bytes) {
    long bits = ByteBuffer.wrap(bytes).getLong();
    return Double.longBitsToDouble(bits < 0 ? bits & Long.MAX_VALUE : ~bits);
  }
}
