package millrace.connectors.duckdb.read;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.Arrays;
import millrace.data.BytesVector;
import millrace.fault.Fault;
import org.duckdb.DuckDBChunkedResult;
import org.duckdb.DuckDBReadableVector;
import org.jspecify.annotations.Nullable;

/// The memory behind the vectors of a DuckDB result.
///
/// The driver's own getters make a String of every text, by one call into native code each, and
/// lose infinite dates. Its vectors keep the memory that they read from in two private fields: the
/// values in DuckDB's published layout (duckdb.h: `duckdb_string_t`, days and microseconds since
/// 1970) and one bit a row that says whether it has a value. This class reads those fields. It also
/// asks a result for the error that ended it, which the driver keeps to itself: without that
/// question a query that fails half-way looks like one that is complete. The driver's version is
/// pinned; with another one in which a name differs, the first use says so.
///
/// The memory is DuckDB's and lives until the result's next chunk is asked for or it is closed.
final class RawVectors {

  /// Texts of up to that many bytes stand in the vector itself, longer ones elsewhere.
  private static final int INLINE_BYTES = 12;

  private static final int TEXT_WIDTH = 16;

  /// Lets a copy of a short text always take 12 bytes.
  private static final int SLACK = INLINE_BYTES;

  /// All of the process's memory: DuckDB's pointers lead into it.
  @SuppressWarnings("restricted") // the launcher allows native access, which the driver needs too
  private static final MemorySegment MEMORY = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  private static final MethodHandle DATA;
  private static final MethodHandle VALIDITY;
  private static final MethodHandle CHECK_ERROR;

  static {
    try {
      MethodHandles.Lookup vectors =
          MethodHandles.privateLookupIn(DuckDBReadableVector.class, MethodHandles.lookup());
      DATA = vectors.findGetter(DuckDBReadableVector.class, "data", ByteBuffer.class);
      VALIDITY = vectors.findGetter(DuckDBReadableVector.class, "validity", ByteBuffer.class);
      CHECK_ERROR =
          MethodHandles.privateLookupIn(DuckDBChunkedResult.class, MethodHandles.lookup())
              .findVirtual(
                  DuckDBChunkedResult.class, "checkError", MethodType.methodType(void.class));
    } catch (ReflectiveOperationException e) {
      throw new Fault.Bug("this version of the DuckDB driver keeps its results elsewhere", e);
    }
  }

  private RawVectors() {}

  /// The values, one after the other, in their own width and the machine's byte order.
  static MemorySegment data(DuckDBReadableVector vector) {
    try {
      return MemorySegment.ofBuffer((ByteBuffer) DATA.invokeExact(vector));
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /// Sets the flags of rows: true if there is no value.
  static void nulls(DuckDBReadableVector vector, int from, int count, boolean[] into, int at) {
    ByteBuffer bits = validity(vector);
    if (bits == null) {
      Arrays.fill(into, at, at + count, false);
      return;
    }
    for (int i = 0; i < count; i++) {
      into[at + i] = !isValid(bits, from + i);
    }
  }

  private static boolean isValid(ByteBuffer bits, int row) {
    return (bits.get(row >> 3) >> (row & 7) & 1) != 0;
  }

  /// How many bytes the texts of some rows have.
  static long textBytes(DuckDBReadableVector vector, int from, int count) {
    MemorySegment data = data(vector);
    ByteBuffer bits = validity(vector);
    long bytes = 0;
    for (int row = from; row < from + count; row++) {
      if (bits == null || isValid(bits, row)) {
        bytes += length(data, row);
      }
    }
    return bytes;
  }

  private static @Nullable ByteBuffer validity(DuckDBReadableVector vector) {
    try {
      return (@Nullable ByteBuffer) VALIDITY.invokeExact(vector);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /// Copies texts behind those that the vector holds; `into.nulls` is already set. Returns how many
  /// bytes they have.
  static int texts(MemorySegment data, int from, int count, BytesVector into, int at) {
    int total = 0;
    for (int i = 0; i < count; i++) {
      if (!into.nulls[at + i]) {
        total = Math.addExact(total, length(data, from + i));
      }
    }
    int end = into.grow(Math.addExact(total, SLACK));
    byte[] bytes = into.bytes;
    for (int i = 0; i < count; i++) {
      into.starts[at + i] = end;
      if (!into.nulls[at + i]) {
        end += copy(data, from + i, bytes, end);
      }
      into.ends[at + i] = end;
    }
    return total;
  }

  private static int length(MemorySegment data, int row) {
    return data.get(ValueLayout.JAVA_INT_UNALIGNED, (long) row * TEXT_WIDTH);
  }

  private static int copy(MemorySegment data, int row, byte[] into, int at) {
    long offset = (long) row * TEXT_WIDTH;
    int length = data.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    if (length <= INLINE_BYTES) {
      MemorySegment.copy(data, ValueLayout.JAVA_BYTE, offset + 4, into, at, INLINE_BYTES);
    } else {
      long address = data.get(ValueLayout.JAVA_LONG_UNALIGNED, offset + 8);
      MemorySegment.copy(MEMORY, ValueLayout.JAVA_BYTE, address, into, at, length);
    }
    return length;
  }

  /// Fails if the result ended because of an error.
  static void checkError(DuckDBChunkedResult result) throws SQLException {
    try {
      CHECK_ERROR.invokeExact(result);
    } catch (SQLException e) {
      throw new SQLException(String.valueOf(e.getMessage()).replaceFirst("^Query failed: ", ""), e);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  private static RuntimeException unexpected(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error error -> throw error;
      default -> new Fault.Bug("DuckDB's driver failed: " + e, e);
    };
  }
}
