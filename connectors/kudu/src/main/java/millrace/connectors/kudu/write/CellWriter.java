package millrace.connectors.kudu.write;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.time.LocalDate;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.data.Decimals;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import org.apache.kudu.ColumnSchema;
import org.apache.kudu.client.PartialRow;
import org.apache.kudu.util.DateUtil;
import org.jspecify.annotations.Nullable;

/// Puts one value into a row of an operation.
@FunctionalInterface
interface CellWriter {

  /// Puts it; it is not missing.
  ///
  /// @param column its position in the table
  /// @return null, or why Kudu would not keep the value, as the end of a sentence
  @Nullable String put(PartialRow row, int column, Vector from, int at);

  /// How values of that type are put into a column.
  static CellWriter of(ColumnSchema column, Type type) {
    return switch (column.getType()) {
      case BOOL ->
          (row, i, from, at) -> {
            row.addBoolean(i, longs(from)[at] != 0);
            return null;
          };
      case INT8 ->
          (row, i, from, at) -> {
            long value = longs(from)[at];
            if (value != (byte) value) {
              return value + " is not from -128 to 127";
            }
            row.addByte(i, (byte) value);
            return null;
          };
      case INT16 ->
          (row, i, from, at) -> {
            row.addShort(i, (short) longs(from)[at]);
            return null;
          };
      case INT32 ->
          (row, i, from, at) -> {
            row.addInt(i, (int) longs(from)[at]);
            return null;
          };
      case INT64 ->
          (row, i, from, at) -> {
            row.addLong(i, longs(from)[at]);
            return null;
          };
      case FLOAT ->
          (row, i, from, at) -> {
            row.addFloat(i, (float) doubles(from)[at]);
            return null;
          };
      case DOUBLE ->
          (row, i, from, at) -> {
            row.addDouble(i, doubles(from)[at]);
            return null;
          };
      case UNIXTIME_MICROS -> CellWriter::time;
      case DATE -> CellWriter::date;
      case DECIMAL -> decimal(column, type);
      case STRING ->
          (row, i, from, at) -> {
            row.addStringUtf8(i, bytes(from, at));
            return null;
          };
      case VARCHAR ->
          (row, i, from, at) -> {
            // The client would cut a longer one; the engine has looked at its length.
            row.addVarchar(i, new String(bytes(from, at), StandardCharsets.UTF_8));
            return null;
          };
      case BINARY ->
          (row, i, from, at) -> {
            row.addBinary(i, bytes(from, at));
            return null;
          };
    };
  }

  private static @Nullable String time(PartialRow row, int column, Vector from, int at) {
    long micros = longs(from)[at];
    boolean endless = micros == Temporals.INFINITY || micros == Temporals.MINUS_INFINITY;
    if (endless || micros > Long.MAX_VALUE - Temporals.EPOCH_MICROS) {
      return "unixtime_micros has no such time";
    }
    row.addLong(column, micros + Temporals.EPOCH_MICROS);
    return null;
  }

  private static @Nullable String date(PartialRow row, int column, Vector from, int at) {
    long value = longs(from)[at];
    boolean endless = value == Temporals.INFINITY || value == Temporals.MINUS_INFINITY;
    long days = endless ? Long.MAX_VALUE : value + Temporals.EPOCH_DAYS;
    if (days < DateUtil.MIN_DATE_VALUE || days > DateUtil.MAX_DATE_VALUE) {
      return "a date of Kudu is from 0001-01-01 to 9999-12-31";
    }
    row.addDate(column, Date.valueOf(LocalDate.ofEpochDay(days)));
    return null;
  }

  private static CellWriter decimal(ColumnSchema column, Type type) {
    int scale = column.getTypeAttributes().getScale();
    if (type instanceof Type.Decimal decimal && Decimals.fitsLong(decimal)) {
      return (row, i, from, at) -> {
        long units = longs(from)[at];
        if (units == Decimals.NAN) {
          return "decimals of Kudu have no NaN";
        }
        row.addDecimal(i, BigDecimal.valueOf(units, scale));
        return null;
      };
    }
    return (row, i, from, at) -> {
      String text = new String(bytes(from, at), StandardCharsets.US_ASCII);
      if (text.endsWith("NaN") || text.endsWith("Infinity")) {
        return "decimals of Kudu have no " + text;
      }
      row.addDecimal(i, new BigDecimal(text));
      return null;
    };
  }

  private static byte[] bytes(Vector from, int at) {
    BytesVector texts = (BytesVector) from;
    return Arrays.copyOfRange(texts.bytes, texts.starts[at], texts.ends[at]);
  }

  private static long[] longs(Vector from) {
    return ((LongVector) from).values;
  }

  private static double[] doubles(Vector from) {
    return ((DoubleVector) from).values;
  }
}
