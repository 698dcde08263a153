package millrace.connectors.duckdb.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import millrace.data.BytesVector;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Vector;
import millrace.fault.Fault;
import org.duckdb.DuckDBReadableVector;

/// Copies values out of a result's memory into our vectors.
final class ResultCopier {

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

  /// DuckDB's timestamps begin before ours, whose count begins 30 years later.
  private static final long FIRST_MICROS = Long.MIN_VALUE + 1 + Temporals.EPOCH_MICROS;

  private static final long VALUE_BYTES = 8;

  private ResultCopier() {}

  /// Reads a value of a fixed width.
  @FunctionalInterface
  private interface Longs {
    long get(MemorySegment data, long row);
  }

  /// Positions of the columns that come as text.
  static int[] texts(List<ResultEncoding> fetches) {
    return IntStream.range(0, fetches.size())
        .filter(i ->
            switch (fetches.get(i)) {
              case TEXT, DECIMAL_TEXT, HEX -> true;
              case INT8, UINT8, INT16, UINT16, INT32, UINT32, INT64 -> false;
              case FLOAT, DOUBLE, DAYS, MICROS, UUID -> false;
            })
        .toArray();
  }

  /// Copies rows of one column. Returns how many bytes they have.
  ///
  /// @param column the column's name, for errors
  /// @param from first row of the chunk
  /// @param at first row of the batch
  static long copy(
      ResultEncoding fetch,
      String column,
      DuckDBReadableVector vector,
      int from,
      int count,
      Vector into,
      int at) {
    MemorySegment data = RawVectors.data(vector);
    if (data.byteSize() != vector.rowCount() * width(fetch)) {
      throw new Fault.Bug(
          "column \"" + column + "\" comes as " + vector.getType() + ", not as " + fetch, null);
    }
    RawVectors.nulls(vector, from, count, into.nulls, at);
    return switch (into) {
      case LongVector longs -> {
        longs(fetch, column, data, from, count, longs, at);
        yield VALUE_BYTES * count;
      }
      case DoubleVector doubles -> {
        doubles(fetch, data, from, count, doubles, at);
        yield VALUE_BYTES * count;
      }
      case BytesVector bytes -> bytes(fetch, data, from, count, bytes, at);
    };
  }

  private static long width(ResultEncoding fetch) {
    return switch (fetch) {
      case INT8, UINT8 -> 1;
      case INT16, UINT16 -> 2;
      case INT32, UINT32, FLOAT, DAYS -> 4;
      case INT64, DOUBLE, MICROS -> 8;
      case UUID, TEXT, DECIMAL_TEXT, HEX -> 16;
    };
  }

  private static void longs(
      ResultEncoding fetch,
      String column,
      MemorySegment data,
      int from,
      int count,
      LongVector into,
      int at) {
    switch (fetch) {
      case INT8 -> each(data, from, count, into, at, (d, i) -> d.get(ValueLayout.JAVA_BYTE, i));
      case UINT8 ->
          each(data, from, count, into, at, (d, i) -> d.get(ValueLayout.JAVA_BYTE, i) & 0xFF);
      case INT16 -> each(data, from, count, into, at, (d, i) -> d.get(SHORT, i * 2));
      case UINT16 -> each(data, from, count, into, at, (d, i) -> d.get(SHORT, i * 2) & 0xFFFF);
      case INT32 -> each(data, from, count, into, at, (d, i) -> d.get(INT, i * 4));
      case UINT32 -> each(data, from, count, into, at, (d, i) -> d.get(INT, i * 4) & 0xFFFF_FFFFL);
      case INT64 -> MemorySegment.copy(data, LONG, from * 8L, into.values, at, count);
      case DAYS -> each(data, from, count, into, at, (d, i) -> days(d.get(INT, i * 4)));
      case MICROS -> micros(column, data, from, count, into, at);
      case FLOAT, DOUBLE, UUID, TEXT, DECIMAL_TEXT, HEX ->
          throw new Fault.Bug(fetch + " is not held in longs", null);
    }
  }

  private static void each(
      MemorySegment data, int from, int count, LongVector into, int at, Longs getter) {
    for (int i = 0; i < count; i++) {
      into.values[at + i] = getter.get(data, from + i);
    }
  }

  private static long days(int days) {
    return days == Integer.MAX_VALUE
        ? Temporals.INFINITY
        : days == -Integer.MAX_VALUE ? Temporals.MINUS_INFINITY : days - Temporals.EPOCH_DAYS;
  }

  private static void micros(
      String column, MemorySegment data, int from, int count, LongVector into, int at) {
    for (int i = 0; i < count; i++) {
      long micros = data.get(LONG, (from + i) * 8L);
      if (micros == Long.MAX_VALUE) {
        into.values[at + i] = Temporals.INFINITY;
      } else if (micros == -Long.MAX_VALUE) {
        into.values[at + i] = Temporals.MINUS_INFINITY;
      } else if (micros >= FIRST_MICROS) {
        into.values[at + i] = micros - Temporals.EPOCH_MICROS;
      } else if (!into.nulls[at + i]) {
        throw new Fault.Data(
            "Column \"" + column + "\" holds a timestamp before the year 290278 BC.",
            "Leave such rows out with --where.",
            null);
      }
    }
  }

  private static void doubles(
      ResultEncoding fetch, MemorySegment data, int from, int count, DoubleVector into, int at) {
    if (fetch == ResultEncoding.DOUBLE) {
      MemorySegment.copy(
          data, ValueLayout.JAVA_DOUBLE_UNALIGNED, from * 8L, into.values, at, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      into.values[at + i] = data.get(ValueLayout.JAVA_FLOAT_UNALIGNED, (from + i) * 4L);
    }
  }

  private static long bytes(
      ResultEncoding fetch, MemorySegment data, int from, int count, BytesVector into, int at) {
    if (fetch == ResultEncoding.UUID) {
      uuids(data, from, count, into, at);
      return 16L * count;
    }
    long total = RawVectors.texts(data, from, count, into, at);
    if (fetch == ResultEncoding.TEXT) {
      return total;
    }
    for (int row = at; row < at + count; row++) {
      if (!into.nulls[row]) {
        if (fetch == ResultEncoding.HEX) {
          decodeHex(into, row);
        } else {
          leadingZero(into, row);
        }
      }
    }
    return total;
  }

  private static void uuids(MemorySegment data, int from, int count, BytesVector into, int at) {
    int end = into.grow(count * 16);
    ByteBuffer out = ByteBuffer.wrap(into.bytes);
    for (int i = 0; i < count; i++) {
      long offset = (from + i) * 16L;
      into.starts[at + i] = end;
      out.putLong(end, data.get(LONG, offset + 8));
      out.putLong(end + 8, data.get(LONG, offset));
      end += 16;
      into.ends[at + i] = end;
    }
  }

  /// In place: the bytes are half as many as the digits.
  private static void decodeHex(BytesVector into, int row) {
    int out = into.starts[row];
    for (int in = into.starts[row]; in < into.ends[row]; in += 2) {
      into.bytes[out++] =
          (byte)
              (HexFormat.fromHexDigit(into.bytes[in]) << 4
                  | HexFormat.fromHexDigit(into.bytes[in + 1]));
    }
    into.ends[row] = out;
  }

  /// DuckDB writes `.05` and `-.05` if all digits stand after the point; ours have a zero.
  private static void leadingZero(BytesVector into, int row) {
    int start = into.starts[row];
    boolean negative = into.bytes[start] == '-';
    int point = negative ? start + 1 : start;
    if (into.bytes[point] != '.') {
      return;
    }
    String text = (negative ? "-0" : "0") + into.text(row).substring(point - start);
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    into.append(row, bytes, 0, bytes.length);
  }
}
