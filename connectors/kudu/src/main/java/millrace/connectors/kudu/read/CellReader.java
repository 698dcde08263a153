package millrace.connectors.kudu.read;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.RowResult;

/// Takes one value of a row into a vector.
@FunctionalInterface
interface CellReader {

  /// Takes it; it is not missing.
  ///
  /// @param column its position in what is read
  void take(RowResult row, int column, Vector into, int at);

  /// How values of a column are taken.
  static CellReader of(ColumnSchema column) {
    return switch (column.getType()) {
      case BOOL -> (row, i, into, at) -> longs(into)[at] = row.getBoolean(i) ? 1 : 0;
      case INT8 -> (row, i, into, at) -> longs(into)[at] = row.getByte(i);
      case INT16 -> (row, i, into, at) -> longs(into)[at] = row.getShort(i);
      case INT32 -> (row, i, into, at) -> longs(into)[at] = row.getInt(i);
      case INT64 -> (row, i, into, at) -> longs(into)[at] = row.getLong(i);
      case FLOAT -> (row, i, into, at) -> doubles(into)[at] = row.getFloat(i);
      case DOUBLE -> (row, i, into, at) -> doubles(into)[at] = row.getDouble(i);
      case DATE -> (row, i, into, at) -> longs(into)[at] = row.getInt(i) - Temporals.EPOCH_DAYS;
      case UNIXTIME_MICROS ->
          (row, i, into, at) -> longs(into)[at] = row.getLong(i) - Temporals.EPOCH_MICROS;
      case STRING, VARCHAR, BINARY ->
          (row, i, into, at) -> {
            byte[] value = row.getBinaryCopy(i);
            ((BytesVector) into).append(at, value, 0, value.length);
          };
      case DECIMAL -> decimal(column);
    };
  }

  private static CellReader decimal(ColumnSchema column) {
    int precision = column.getTypeAttributes().getPrecision();
    int scale = column.getTypeAttributes().getScale();
    if (Decimals.fitsLong(new Type.Decimal(precision, scale))) {
      return (row, i, into, at) ->
          longs(into)[at] = row.getDecimal(i).unscaledValue().longValueExact();
    }
    return (row, i, into, at) -> {
      BigDecimal value = row.getDecimal(i);
      byte[] spelled = value.toPlainString().getBytes(StandardCharsets.US_ASCII);
      ((BytesVector) into).append(at, spelled, 0, spelled.length);
    };
  }

  private static long[] longs(Vector into) {
    return ((LongVector) into).values;
  }

  private static double[] doubles(Vector into) {
    return ((DoubleVector) into).values;
  }
}
