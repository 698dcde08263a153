package millrace.connectors.postgres.codec;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.fault.Fault;

/// Rows of binary COPY into columns. One thread uses it.
///
/// A row is a count of fields in 16 bits, then each field's length in 32 bits (-1 for null) and its
/// bytes; see {@link BinaryCodec}.
public final class BinaryDecoder {

  private static final byte[] SIGNATURE =
      "PGCOPY\n\u00ff\r\n\0".getBytes(StandardCharsets.ISO_8859_1);

  private static final int NULL = -1;

  private final BinaryCodec[] codecs;
  private final int[] scales;
  private final Vector[] vectors;
  private byte[] spelled = new byte[64];

  public BinaryDecoder(List<TableColumn> columns) {
    codecs =
        columns.stream().map(column -> column.type().binaryCodec()).toArray(BinaryCodec[]::new);
    scales =
        columns.stream()
            .mapToInt(column ->
                column.type().type() instanceof Type.Decimal(int _, int scale) ? scale : 0)
            .toArray();
    vectors = new Vector[codecs.length];
  }

  /// How many bytes at the beginning of a COPY are no row.
  public static int headerLength(byte[] first) {
    if (first.length < SIGNATURE.length + 8
        || !Arrays.equals(first, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
      throw new Fault.External("The server sends something else than binary COPY.", "", null);
    }
    int extension = BigEndian.getInt(first, SIGNATURE.length + 4);
    if (extension < 0 || extension > first.length - SIGNATURE.length - 8) {
      throw new Fault.External("The server sends a header that is no binary COPY's.", "", null);
    }
    return SIGNATURE.length + 8 + extension;
  }

  /// Whether the trailer of a COPY stands here, or nothing.
  public static boolean isEnd(byte[] bytes, int at) {
    return bytes.length - at < 2 || BigEndian.getShort(bytes, at) == -1;
  }

  /// From now on rows go into this batch, whose values of varying length are views on the buffer.
  public void begin(Columns batch, byte[] buffer) {
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] = batch.vector(i);
      if (vectors[i] instanceof BytesVector bytes && codecs[i] != BinaryCodec.NUMERIC_TEXT) {
        bytes.view(buffer);
      }
    }
  }

  /// Takes a row apart.
  ///
  /// @param bytes the batch's buffer
  /// @param start where the row begins
  /// @param end where it must end
  /// @param row its number in the batch
  public void decode(byte[] bytes, int start, int end, int row) {
    if (end - start < 2 || BigEndian.getShort(bytes, start) != codecs.length) {
      throw new Fault.External(
          "The server sends another number of columns than asked for.", "", null);
    }
    int at = start + 2;
    for (int i = 0; i < codecs.length; i++) {
      if (end - at < 4) {
        throw malformed();
      }
      int length = BigEndian.getInt(bytes, at);
      at += 4;
      if (length == NULL) {
        vectors[i].nulls[row] = true;
      } else if (fits(codecs[i], length) && length <= end - at) {
        field(i, bytes, at, length, row);
        at += length;
      } else {
        throw malformed();
      }
    }
    if (at != end) {
      throw malformed();
    }
  }

  private static Fault.External malformed() {
    return new Fault.External("The server sends rows of another form than binary COPY.", "", null);
  }

  /// Whether a value of that many bytes can be one of the codec.
  private static boolean fits(BinaryCodec binaryCodec, int length) {
    return switch (binaryCodec) {
      case BOOL -> length == 1;
      case INT2 -> length == 2;
      case INT4, FLOAT4, DATE -> length == 4;
      case INT8, FLOAT8, TIME, TIMESTAMP -> length == 8;
      case UUID -> length == 16;
      case NUMERIC_LONG, NUMERIC_TEXT -> length >= NumericBinary.HEADER;
      case JSONB -> length >= 1;
      case TEXT, BYTES, NONE -> length >= 0;
    };
  }

  private void field(int column, byte[] bytes, int at, int length, int row) {
    Vector vector = vectors[column];
    switch (codecs[column]) {
      case BOOL -> ((LongVector) vector).values[row] = bytes[at];
      case INT2 -> ((LongVector) vector).values[row] = BigEndian.getShort(bytes, at);
      case INT4 -> ((LongVector) vector).values[row] = BigEndian.getInt(bytes, at);
      case INT8, TIME, TIMESTAMP ->
          ((LongVector) vector).values[row] = BigEndian.getLong(bytes, at);
      case DATE -> ((LongVector) vector).values[row] = date(BigEndian.getInt(bytes, at));
      case FLOAT4 ->
          ((DoubleVector) vector).values[row] = Float.intBitsToFloat(BigEndian.getInt(bytes, at));
      case FLOAT8 ->
          ((DoubleVector) vector).values[row] =
              Double.longBitsToDouble(BigEndian.getLong(bytes, at));
      case NUMERIC_LONG -> {
        checkNumeric(bytes, at, length);
        ((LongVector) vector).values[row] = NumericBinary.decodeLong(bytes, at, scales[column]);
      }
      case NUMERIC_TEXT -> {
        checkNumeric(bytes, at, length);
        numeric((BytesVector) vector, bytes, at, row);
      }
      case JSONB -> view((BytesVector) vector, row, at + 1, at + length);
      case TEXT, BYTES, UUID, NONE -> view((BytesVector) vector, row, at, at + length);
    }
  }

  private static void checkNumeric(byte[] bytes, int at, int length) {
    if (!NumericBinary.isComplete(bytes, at, length)) {
      throw malformed();
    }
  }

  private static void view(BytesVector vector, int row, int start, int end) {
    vector.starts[row] = start;
    vector.ends[row] = end;
  }

  private static long date(int days) {
    return switch (days) {
      case Integer.MAX_VALUE -> Temporals.INFINITY;
      case Integer.MIN_VALUE -> Temporals.MINUS_INFINITY;
      default -> days;
    };
  }

  private void numeric(BytesVector vector, byte[] bytes, int at, int row) {
    int most = NumericBinary.textBytesMax(bytes, at);
    if (spelled.length < most) {
      spelled = new byte[most];
    }
    vector.append(row, spelled, 0, NumericBinary.decodeText(bytes, at, spelled));
  }
}
