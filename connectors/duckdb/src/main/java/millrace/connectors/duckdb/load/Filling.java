package millrace.connectors.duckdb.load;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.spelling.Utf8;
import millrace.fault.Fault;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/// Copies values of one column of a batch into a vector of DuckDB's.
///
/// Threads share it. Whether a value fits has been checked before.
@FunctionalInterface
interface Filling {

  /// Rows of one column to copy.
  ///
  /// @param column the column of the batch
  /// @param from the first row to take, counted among the rows that the parcel takes
  /// @param count how many
  /// @param at where in DuckDB's vector they go
  record Rows(Handover.Parcel parcel, int column, int from, int count, int at) {

    /// The position in the batch of the n-th row.
    int position(int n) {
      return parcel.position(from + n);
    }
  }

  /// Copies rows.
  void fill(Rows rows, BatchFunction.Position position, DuckDBWritableVector into);

  /// Sets one value.
  @FunctionalInterface
  interface Longs {
    void set(DuckDBWritableVector into, int row, long value);
  }

  /// The bytes of one value.
  @FunctionalInterface
  interface Texts {
    byte[] bytes(BytesVector from, int row);
  }

  /// The one for a column.
  static Filling of(AppendColumn appendColumn) {
    return switch (appendColumn.writing().send()) {
      case BOOLEAN -> longs((into, row, value) -> into.setBoolean(row, value != 0));
      case INT32 ->
          appendColumn.type() instanceof Type.Date
              ? longs((into, row, value) -> into.setInt(row, days(value)))
              : longs((into, row, value) -> into.setInt(row, (int) value));
      case INT64 ->
          appendColumn.type() instanceof Type.Timestamp
              ? longs((into, row, value) -> into.setLong(row, micros(value)))
              : longs(DuckDBWritableVector::setLong);
      case DECIMAL -> {
        int scale = DuckDbTypes.decimal(appendColumn.declared()).scale();
        yield longs(
            (into, row, value) -> into.setBigDecimal(row, BigDecimal.valueOf(value, scale)));
      }
      case FLOAT -> doubles(true);
      case DOUBLE -> doubles(false);
      case TEXT ->
          texts(
              appendColumn,
              (from, row) -> Arrays.copyOfRange(from.bytes, from.starts[row], from.ends[row]));
      case UUID -> texts(appendColumn, Filling::uuid);
      case HEX -> texts(appendColumn, Filling::hex);
    };
  }

  private static Filling longs(Longs setter) {
    return (rows, position, into) -> {
      LongVector vector = rows.parcel.batch().longs(rows.column);
      for (int i = 0; i < rows.count; i++) {
        int row = rows.position(i);
        if (vector.nulls[row]) {
          into.setNull(rows.at + i);
        } else {
          setter.set(into, rows.at + i, vector.values[row]);
        }
      }
    };
  }

  private static Filling doubles(boolean single) {
    return (rows, position, into) -> {
      DoubleVector vector = rows.parcel.batch().doubles(rows.column);
      for (int i = 0; i < rows.count; i++) {
        int row = rows.position(i);
        if (vector.nulls[row]) {
          into.setNull(rows.at + i);
        } else if (single) {
          into.setFloat(rows.at + i, (float) vector.values[row]);
        } else {
          into.setDouble(rows.at + i, vector.values[row]);
        }
      }
    };
  }

  private static Filling texts(AppendColumn appendColumn, Texts texts) {
    return (rows, position, into) -> {
      BytesVector vector = rows.parcel.batch().bytes(rows.column);
      byte[] @Nullable [] values = position.texts(rows.count);
      for (int i = 0; i < rows.count; i++) {
        int row = rows.position(i);
        values[i] = vector.nulls[row] ? null : texts.bytes(vector, row);
      }
      try {
        into.setStringUtf8Batch(rows.at, values);
      } catch (RuntimeException e) {
        throw invalid(appendColumn, rows, e);
      }
    };
  }

  /// DuckDB checks a chunk of texts at once and says no more than that one is bad.
  private static RuntimeException invalid(
      AppendColumn appendColumn, Rows rows, RuntimeException e) {
    BytesVector vector = rows.parcel.batch().bytes(rows.column);
    for (int i = 0; i < rows.count; i++) {
      int row = rows.position(i);
      int bad = vector.nulls[row] ? -1 : firstInvalid(vector, row);
      if (bad >= 0) {
        return new Fault.Data(
            rows.parcel.batch().location().resource()
                + ", row "
                + rows.parcel.batch().place(row).firstRow()
                + ", column \""
                + appendColumn.name()
                + "\": byte "
                + (bad - vector.starts[row] + 1)
                + " of the text is not UTF-8.",
            "",
            rows.parcel.batch().location());
      }
    }
    return e;
  }

  /// DuckDB's texts may hold the character NUL.
  private static int firstInvalid(BytesVector vector, int row) {
    int end = vector.ends[row];
    int bad = Utf8.firstInvalid(vector.bytes, vector.starts[row], end);
    while (bad >= 0 && vector.bytes[bad] == 0) {
      bad = Utf8.firstInvalid(vector.bytes, bad + 1, end);
    }
    return bad;
  }

  private static int days(long value) {
    return value == Temporals.INFINITY
        ? Integer.MAX_VALUE
        : value == Temporals.MINUS_INFINITY
            ? -Integer.MAX_VALUE
            : (int) (value + Temporals.EPOCH_DAYS);
  }

  private static long micros(long value) {
    return value == Temporals.INFINITY
        ? Long.MAX_VALUE
        : value == Temporals.MINUS_INFINITY ? -Long.MAX_VALUE : value + Temporals.EPOCH_MICROS;
  }

  private static byte[] uuid(BytesVector from, int row) {
    ByteBuffer bytes = ByteBuffer.wrap(from.bytes, from.starts[row], 16);
    return new java.util.UUID(bytes.getLong(), bytes.getLong())
        .toString()
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] hex(BytesVector from, int row) {
    return HexFormat.of()
        .formatHex(from.bytes, from.starts[row], from.ends[row])
        .getBytes(StandardCharsets.ISO_8859_1);
  }
}
