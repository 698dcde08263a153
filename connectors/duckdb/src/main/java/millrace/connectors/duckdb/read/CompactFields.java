package millrace.connectors.duckdb.read;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/// Reads the fields of structs in Thrift's compact protocol, which is what Parquet's headers are
/// written in. All methods throw {@link BufferUnderflowException} if the bytes end too early.
final class CompactFields {

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int INT_8 = 3;
  private static final int INT_16 = 4;
  private static final int INT_32 = 5;
  private static final int INT_64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int STRUCT = 12;

  private static final int LONG_COUNT = 15;
  private static final int VARINT_BYTES = 10;

  /// More than any header has.
  private static final int DEPTH_MAX = 16;

  private final ByteBuffer bytes;

  /// Of the field that was found last, in the struct that is read now.
  private int id;

  private int type;

  CompactFields(ByteBuffer bytes) {
    this.bytes = bytes;
  }

  /// Goes to the next field of a struct, whose value must be taken or skipped then.
  ///
  /// @return its number; 0 at the struct's end
  int next() {
    int head = bytes.get() & 0xff;
    if (head == 0) {
      return 0;
    }
    type = head & 0xf;
    int step = head >> 4;
    id = step == 0 ? (int) zigzag(varint()) : id + step;
    return id;
  }

  /// The value of a field that is a number of 32 bits.
  int number() throws DataFormatException {
    if (type != INT_32) {
      throw new DataFormatException();
    }
    long value = zigzag(varint());
    if (value != (int) value) {
      throw new DataFormatException();
    }
    return (int) value;
  }

  /// The first field of a field that is a struct, if that is a number of 32 bits with the number 1.
  int firstOfStruct() throws DataFormatException {
    if (type != STRUCT) {
      throw new DataFormatException();
    }
    int outer = id;
    id = 0;
    if (next() != 1) {
      throw new DataFormatException();
    }
    int value = number();
    while (next() != 0) {
      skip();
    }
    id = outer;
    return value;
  }

  /// Passes over the value of a field.
  void skip() throws DataFormatException {
    skip(type, 0);
  }

  private void skip(int kind, int depth) throws DataFormatException {
    if (depth > DEPTH_MAX) {
      throw new DataFormatException();
    }
    switch (kind) {
      case TRUE, FALSE -> {}
      case INT_8 -> pass(1);
      case INT_16, INT_32, INT_64 -> varint();
      case DOUBLE -> pass(Double.BYTES);
      case BINARY -> pass(varint());
      case LIST, SET -> skipList(depth);
      case STRUCT -> skipStruct(depth);
      default -> throw new DataFormatException();
    }
  }

  private void skipList(int depth) throws DataFormatException {
    int head = bytes.get() & 0xff;
    long count = head >> 4 == LONG_COUNT ? varint() : head >> 4;
    int kind = head & 0xf;
    if (kind == TRUE || kind == FALSE) {
      pass(count);
      return;
    }
    for (long i = 0; i < count; i++) {
      skip(kind, depth + 1);
    }
  }

  private void skipStruct(int depth) throws DataFormatException {
    int outer = id;
    id = 0;
    while (next() != 0) {
      skip(type, depth + 1);
    }
    id = outer;
  }

  private void pass(long count) throws DataFormatException {
    if (count < 0) {
      throw new DataFormatException();
    }
    if (count > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    bytes.position(bytes.position() + (int) count);
  }

  private long varint() {
    long value = 0;
    for (int i = 0; i < VARINT_BYTES; i++) {
      byte next = bytes.get();
      value |= (next & 0x7fL) << (7 * i);
      if (next >= 0) {
        break;
      }
    }
    return value;
  }

  private static long zigzag(long value) {
    return (value >>> 1) ^ -(value & 1);
  }
}
