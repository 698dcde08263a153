package millrace.connectors.postgres.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Numbers in an array of bytes, most significant byte first.
public final class BigEndian {

  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static short getShort(byte[] bytes, int at) {
    return (short) SHORTS.get(bytes, at);
  }

  public static int getInt(byte[] bytes, int at) {
    return (int) INTS.get(bytes, at);
  }

  static long getLong(byte[] bytes, int at) {
    return (long) LONGS.get(bytes, at);
  }

  static void putShort(byte[] bytes, int at, int value) {
    SHORTS.set(bytes, at, (short) value);
  }

  static void putInt(byte[] bytes, int at, int value) {
    INTS.set(bytes, at, value);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONGS.set(bytes, at, value);
  }
}
