package millrace.connectors.postgres;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Temporals;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// Rows of binary COPY; see {@link BinaryDecoder} for the form.
final class BinaryEncoder extends RowEncoder {

  /// Begins a binary COPY: signature, flags and length of the extension, both 0.
  static final byte[] HEADER =
      "PGCOPY\n\u00ff\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

  /// Ends it.
  static final byte[] TRAILER = {-1, -1};

  /// Of a field that does not hang on the value: the length and at most 16 bytes, or a decimal.
  private static final int FIXED_BYTES_MAX = NumericBinary.LONG_BYTES_MAX;

  /// Text up to this long is copied by our own loop, which stays in the row's code.
  private static final int SHORT_BYTES_MAX = 64;

  private static final int PLACE_BYTES = 2 * 4 + 4 + 8;

  private final int[] scales;
  private final int fixedBytes;

  BinaryEncoder(List<Slot> slots) {
    super(slots);
    scales = new int[fields.length];
    for (int i = 0; i < fields.length; i++) {
      scales[i] =
          fields[i].slot.type().type() instanceof Type.Decimal(int _, int scale) ? scale : 0;
    }
    fixedBytes = 2 + PLACE_BYTES + fields.length * FIXED_BYTES_MAX;
  }

  /// Whether all columns have a binary form that we know.
  static boolean speaks(List<Slot> slots) {
    return slots.stream().noneMatch(slot -> slot.written() && slot.type().codec() == Codec.NONE);
  }

  @Override
  boolean encode(int row, @Nullable Place place) {
    reserve(fixedBytes);
    BigEndian.putShort(bytes, used, fields.length + (place == null ? 0 : 2));
    used += 2;
    for (int i = 0; i < fields.length; i++) {
      Field field = fields[i];
      if (field.nulls[row]) {
        BigEndian.putInt(bytes, used, -1);
        used += 4;
      } else if (!value(field, scales[i], row)) {
        return false;
      }
    }
    if (place != null) {
      fixed4(place.split());
      fixed8(place.row());
    }
    return true;
  }

  private boolean value(Field field, int scale, int row) {
    return switch (field.codec) {
      case BOOL -> {
        BigEndian.putInt(bytes, used, 1);
        bytes[used + 4] = (byte) field.number(row);
        used += 5;
        yield true;
      }
      case INT2 -> {
        long number = field.number(row);
        yield checkNumber(field, number) && fixed2((int) number);
      }
      case INT4 -> {
        long number = field.number(row);
        yield checkNumber(field, number) && fixed4((int) number);
      }
      case DATE -> {
        long days = field.number(row);
        yield checkNumber(field, days) && fixed4(date(days));
      }
      case INT8 -> fixed8(field.number(row));
      case TIME, TIMESTAMP -> {
        long micros = field.number(row);
        yield checkNumber(field, micros) && fixed8(micros);
      }
      case FLOAT4 -> fixed4(Float.floatToRawIntBits((float) field.real(row)));
      case FLOAT8 -> fixed8(Double.doubleToRawLongBits(field.real(row)));
      case NUMERIC_LONG -> {
        used = NumericBinary.encode(field.number(row), scale, bytes, used);
        yield true;
      }
      case NUMERIC_TEXT -> numeric(field, row);
      case TEXT -> text(field, row);
      case JSONB -> jsonb(field, row);
      case UUID, BYTES, NONE -> bytes(field.text(), row);
    };
  }

  private boolean fixed2(int value) {
    BigEndian.putInt(bytes, used, 2);
    BigEndian.putShort(bytes, used + 4, value);
    used += 6;
    return true;
  }

  private boolean fixed4(int value) {
    BigEndian.putInt(bytes, used, 4);
    BigEndian.putInt(bytes, used + 4, value);
    used += 8;
    return true;
  }

  private boolean fixed8(long value) {
    BigEndian.putInt(bytes, used, 8);
    BigEndian.putLong(bytes, used + 4, value);
    used += 12;
    return true;
  }

  private static int date(long days) {
    if (days == Temporals.INFINITY) {
      return Integer.MAX_VALUE;
    }
    return days == Temporals.MINUS_INFINITY ? Integer.MIN_VALUE : (int) days;
  }

  /// Copies short text, and sees on the way whether a zero byte may be there; only then the value
  /// is looked at again.
  private boolean text(Field field, int row) {
    BytesVector vector = field.text();
    int start = vector.starts[row];
    int length = vector.ends[row] - start;
    boolean tooLong = field.charactersMax > 0 && length > field.charactersMax;
    if (field.changes != null
        || tooLong
        || length > SHORT_BYTES_MAX
        || vector.bytes.length - start < SHORT_BYTES_MAX) {
      return checkBytes(field, vector, row) && bytes(vector, row);
    }
    if (bytes.length - used < SHORT_BYTES_MAX + fixedBytes) {
      reserve(SHORT_BYTES_MAX + fixedBytes);
    }
    BigEndian.putInt(bytes, used, length);
    used += 4;
    long zeros = copyShort(vector.bytes, start, bytes, used);
    if (length > SHORT_BYTES_MAX / 2) {
      zeros |=
          copyShort(vector.bytes, start + SHORT_BYTES_MAX / 2, bytes, used + SHORT_BYTES_MAX / 2);
    }
    used += length;
    return zeros == 0 || checkBytes(field, vector, row);
  }

  /// Copies half of the most that is short, however long the text is: how many longs a text has is
  /// what a processor guesses wrong most often here.
  ///
  /// @return not 0 where one of the bytes may be zero
  private static long copyShort(byte[] from, int start, byte[] to, int at) {
    long zeros = 0;
    for (int i = 0; i < SHORT_BYTES_MAX / 2; i += Long.BYTES) {
      long word = BigEndian.getLong(from, start + i);
      BigEndian.putLong(to, at + i, word);
      zeros |= ValueChecks.zeros(word);
    }
    return zeros;
  }

  private boolean jsonb(Field field, int row) {
    BytesVector vector = field.text();
    if (!checkBytes(field, vector, row)) {
      return false;
    }
    int length = vector.ends[row] - vector.starts[row];
    reserve((long) length + fixedBytes);
    BigEndian.putInt(bytes, used, length + 1);
    bytes[used + 4] = 1;
    used += 5;
    return copy(vector, row, length);
  }

  private boolean bytes(BytesVector vector, int row) {
    int length = vector.ends[row] - vector.starts[row];
    reserve((long) length + fixedBytes);
    BigEndian.putInt(bytes, used, length);
    used += 4;
    return copy(vector, row, length);
  }

  private boolean copy(BytesVector vector, int row, int length) {
    System.arraycopy(vector.bytes, vector.starts[row], bytes, used, length);
    used += length;
    return true;
  }

  private boolean numeric(Field field, int row) {
    BytesVector vector = field.text();
    int start = vector.starts[row];
    int end = vector.ends[row];
    reserve((long) NumericBinary.bytesMax(end - start) + fixedBytes);
    int next = NumericBinary.encode(vector.bytes, start, end, bytes, used);
    if (next < 0) {
      return refuse(
          field,
          "more digits than PostgreSQL can keep: " + ValueChecks.shown(vector.bytes, start, end));
    }
    used = next;
    return true;
  }
}
