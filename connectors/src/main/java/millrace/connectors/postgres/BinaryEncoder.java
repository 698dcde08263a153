package millrace.connectors.postgres;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
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

  private static final int PLACE_BYTES = 2 * 4 + 4 + 8;

  private final int[] scales;
  private final int fixedBytes;

  BinaryEncoder(List<Slot> slots, int roomBytes) {
    super(slots, roomBytes);
    scales = new int[sent.length];
    for (int i = 0; i < sent.length; i++) {
      scales[i] =
          sent[i].slot().type().type() instanceof Type.Decimal(int _, int scale) ? scale : 0;
    }
    fixedBytes = 2 + PLACE_BYTES + sent.length * FIXED_BYTES_MAX;
  }

  /// Whether all columns have a binary form that we know.
  static boolean speaks(List<Slot> slots) {
    return slots.stream().noneMatch(slot -> slot.written() && slot.type().codec() == Codec.NONE);
  }

  @Override
  boolean encode(int row, @Nullable Place place) {
    reserve(fixedBytes);
    BigEndian.putShort(bytes, used, sent.length + (place == null ? 0 : 2));
    used += 2;
    for (int i = 0; i < sent.length; i++) {
      if (vectors[i].nulls[row]) {
        BigEndian.putInt(bytes, used, -1);
        used += 4;
      } else if (!check(i, row) || !field(i, row)) {
        return false;
      }
    }
    if (place != null) {
      fixed4(place.split());
      fixed8(place.row());
    }
    return true;
  }

  private boolean field(int place, int row) {
    Vector vector = vectors[place];
    switch (sent[place].slot().type().codec()) {
      case BOOL -> {
        BigEndian.putInt(bytes, used, 1);
        bytes[used + 4] = (byte) ((LongVector) vector).values[row];
        used += 5;
      }
      case INT2 -> {
        BigEndian.putInt(bytes, used, 2);
        BigEndian.putShort(bytes, used + 4, (int) ((LongVector) vector).values[row]);
        used += 6;
      }
      case INT4 -> fixed4((int) ((LongVector) vector).values[row]);
      case DATE -> fixed4(date(((LongVector) vector).values[row]));
      case INT8, TIME, TIMESTAMP -> fixed8(((LongVector) vector).values[row]);
      case FLOAT4 -> fixed4(Float.floatToRawIntBits((float) ((DoubleVector) vector).values[row]));
      case FLOAT8 -> fixed8(Double.doubleToRawLongBits(((DoubleVector) vector).values[row]));
      case NUMERIC_LONG ->
          used =
              NumericBinary.encode(((LongVector) vector).values[row], scales[place], bytes, used);
      case NUMERIC_TEXT -> {
        return numeric(sent[place], (BytesVector) vector, row);
      }
      case JSONB -> text((BytesVector) vector, row, true);
      case UUID, TEXT, BYTES, NONE -> text((BytesVector) vector, row, false);
    }
    return true;
  }

  private void fixed4(int value) {
    BigEndian.putInt(bytes, used, 4);
    BigEndian.putInt(bytes, used + 4, value);
    used += 8;
  }

  private void fixed8(long value) {
    BigEndian.putInt(bytes, used, 8);
    BigEndian.putLong(bytes, used + 4, value);
    used += 12;
  }

  private static int date(long days) {
    if (days == Temporals.INFINITY) {
      return Integer.MAX_VALUE;
    }
    return days == Temporals.MINUS_INFINITY ? Integer.MIN_VALUE : (int) days;
  }

  private void text(BytesVector vector, int row, boolean versioned) {
    int start = vector.starts[row];
    int length = vector.ends[row] - start;
    reserve((long) length + fixedBytes);
    BigEndian.putInt(bytes, used, versioned ? length + 1 : length);
    used += 4;
    if (versioned) {
      bytes[used++] = 1;
    }
    System.arraycopy(vector.bytes, start, bytes, used, length);
    used += length;
  }

  private boolean numeric(Sent which, BytesVector vector, int row) {
    int start = vector.starts[row];
    int end = vector.ends[row];
    reserve((long) NumericBinary.bytesMax(end - start) + fixedBytes);
    int next = NumericBinary.encode(vector.bytes, start, end, bytes, used);
    if (next < 0) {
      return refuse(
          which,
          "more digits than PostgreSQL can keep: " + ValueChecks.shown(vector.bytes, start, end));
    }
    used = next;
    return true;
  }
}
