package millrace.connectors.postgres.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.data.BytesVector;
import millrace.data.Temporals;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Rows of binary COPY; see {@link BinaryDecoder} for the form.
public final class BinaryEncoder extends RowEncoder {

  private static final byte[] HEADER =
      "PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  private static final byte[] TRAILER = {-1, -1};

  /// Of a field that does not hang on the value: the length and at most 16 bytes, or a decimal.
  private static final int FIXED_BYTES_MAX = NumericBinary.LONG_BYTES_MAX;

  /// Text up to this long is copied by our own loop, which stays in the row's code.
  private static final int SHORT_BYTES_MAX = 64;

  /// Eight bytes of text as they lie.
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private static final int PLACE_BYTES = 2 * 4 + 4 + 8;

  private final int[] scales;
  private final int fixedBytes;

  public BinaryEncoder(List<LoadColumn> slots) {
    super(slots);
    scales = new int[fields.length];
    for (int i = 0; i < fields.length; i++) {
      scales[i] =
          fields[i].loadColumn.type().type() instanceof Type.Decimal(int _, int scale) ? scale : 0;
    }
    fixedBytes = 2 + PLACE_BYTES + fields.length * FIXED_BYTES_MAX;
  }

  /// Whether all columns have a binary form that we know.
  static boolean speaks(List<LoadColumn> slots) {
    return slots.stream()
        .noneMatch(loadColumn -> loadColumn.type().binaryCodec() == BinaryCodec.NONE);
  }

  /// Begins a binary COPY: signature, flags and length of the extension, both 0.
  public static byte[] header() {
    return HEADER.clone();
  }

  /// Ends it.
  public static byte[] trailer() {
    return TRAILER.clone();
  }

  @Override
  boolean encode(int row, @Nullable RowPosition place) {
    reserve(fixedBytes);
    BigEndian.putShort(bytes, used, fields.length + (place == null ? 0 : 2));
    // In a variable of its own it stays in a register.
    int at = used + 2;
    for (int i = 0; i < fields.length; i++) {
      Field field = fields[i];
      if (field.nulls[row]) {
        BigEndian.putInt(bytes, at, -1);
        at += 4;
      } else {
        at = value(field, scales[i], row, at);
        if (at < 0) {
          return false;
        }
      }
    }
    if (place != null) {
      at = fixed8(place.row(), fixed4(place.split(), at));
    }
    used = at;
    return true;
  }

  /// Writes the length and the value of a field.
  ///
  /// @return the index behind, or -1 if it is refused
  private int value(Field field, int scale, int row, int at) {
    return switch (field.binaryCodec) {
      case BOOL -> {
        BigEndian.putInt(bytes, at, 1);
        bytes[at + 4] = (byte) field.number(row);
        yield at + 5;
      }
      case INT2 -> {
        long number = field.number(row);
        yield checkNumber(field, number) ? fixed2((int) number, at) : -1;
      }
      case INT4 -> {
        long number = field.number(row);
        yield checkNumber(field, number) ? fixed4((int) number, at) : -1;
      }
      case DATE -> {
        long days = field.number(row);
        yield checkNumber(field, days) ? fixed4(date(days), at) : -1;
      }
      case INT8 -> fixed8(field.number(row), at);
      case TIME, TIMESTAMP -> {
        long micros = field.number(row);
        yield checkNumber(field, micros) ? fixed8(micros, at) : -1;
      }
      case FLOAT4 -> fixed4(Float.floatToRawIntBits((float) field.real(row)), at);
      case FLOAT8 -> fixed8(Double.doubleToRawLongBits(field.real(row)), at);
      case NUMERIC_LONG -> NumericBinary.encode(field.number(row), scale, bytes, at);
      case NUMERIC_TEXT ->
          field.changes == null || check(field, row) ? numeric(field, row, at) : -1;
      case TEXT -> text(field, row, at);
      case JSONB -> jsonb(field, row, at);
      case UUID, BYTES, NONE -> bytes(field.text(), row, at);
    };
  }

  private int fixed2(int value, int at) {
    BigEndian.putInt(bytes, at, 2);
    BigEndian.putShort(bytes, at + 4, value);
    return at + 6;
  }

  private int fixed4(int value, int at) {
    BigEndian.putInt(bytes, at, 4);
    BigEndian.putInt(bytes, at + 4, value);
    return at + 8;
  }

  private int fixed8(long value, int at) {
    BigEndian.putInt(bytes, at, 8);
    BigEndian.putLong(bytes, at + 4, value);
    return at + 12;
  }

  private static int date(long days) {
    if (days == Temporals.INFINITY) {
      return Integer.MAX_VALUE;
    }
    return days == Temporals.MINUS_INFINITY ? Integer.MIN_VALUE : (int) days;
  }

  /// Copies short text, and sees on the way whether a zero byte may be there; only then the value
  /// is looked at again.
  private int text(Field field, int row, int at) {
    BytesVector vector = field.text();
    int start = vector.starts[row];
    int length = vector.ends[row] - start;
    if (field.changes != null
        || length > SHORT_BYTES_MAX
        || vector.bytes.length - start < SHORT_BYTES_MAX) {
      return checkBytes(field, vector, row) ? bytes(vector, row, at) : -1;
    }
    if (bytes.length - at < SHORT_BYTES_MAX + fixedBytes) {
      reserve(at, SHORT_BYTES_MAX + fixedBytes);
    }
    BigEndian.putInt(bytes, at, length);
    long zeros = copyShort(vector.bytes, start, bytes, at + 4);
    if (length > SHORT_BYTES_MAX / 2) {
      zeros |=
          copyShort(vector.bytes, start + SHORT_BYTES_MAX / 2, bytes, at + 4 + SHORT_BYTES_MAX / 2);
    }
    return zeros == 0 || checkBytes(field, vector, row) ? at + 4 + length : -1;
  }

  /// Copies half of the most that is short, however long the text is: how many longs a text has is
  /// what a processor guesses wrong most often here.
  ///
  /// @return not 0 if one of the bytes may be zero
  private static long copyShort(byte[] from, int start, byte[] to, int at) {
    long zeros = 0;
    for (int i = 0; i < SHORT_BYTES_MAX / 2; i += Long.BYTES) {
      long word = (long) WORDS.get(from, start + i);
      WORDS.set(to, at + i, word);
      zeros |= ValueChecks.zeros(word);
    }
    return zeros;
  }

  private int jsonb(Field field, int row, int at) {
    BytesVector vector = field.text();
    if (!checkBytes(field, vector, row)) {
      return -1;
    }
    int length = vector.ends[row] - vector.starts[row];
    reserve(at, (long) length + fixedBytes);
    BigEndian.putInt(bytes, at, length + 1);
    bytes[at + 4] = 1;
    return copy(vector, row, length, at + 5);
  }

  private int bytes(BytesVector vector, int row, int at) {
    int length = vector.ends[row] - vector.starts[row];
    reserve(at, (long) length + fixedBytes);
    BigEndian.putInt(bytes, at, length);
    return copy(vector, row, length, at + 4);
  }

  private int copy(BytesVector vector, int row, int length, int at) {
    System.arraycopy(vector.bytes, vector.starts[row], bytes, at, length);
    return at + length;
  }

  private int numeric(Field field, int row, int at) {
    BytesVector vector = field.text();
    int start = vector.starts[row];
    int end = vector.ends[row];
    reserve(at, (long) NumericBinary.bytesMax(end - start) + fixedBytes);
    int next = NumericBinary.encode(vector.bytes, start, end, bytes, at);
    if (next < 0) {
      refuse(
          field,
          "more digits than PostgreSQL can keep: " + ValueChecks.shown(vector.bytes, start, end));
    }
    return next;
  }

  /// Makes room behind the fields so far.
  private void reserve(int at, long more) {
    used = at;
    reserve(more);
  }
}
