package millrace.testkit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Moves values between the vectors of {@link Columns} and {@link Row}s. For tests: it takes no
/// care of speed.
public final class Values {

  private static final HexFormat HEX = HexFormat.of();

  private Values() {}

  /// A value out of a vector.
  ///
  /// @throws AssertionError if text is no valid UTF-8
  public static @Nullable Object get(Columns columns, int column, int row) {
    Vector vector = columns.vector(column);
    if (vector.nulls[row]) {
      return null;
    }
    return switch (vector) {
      case LongVector longs -> longs.values[row];
      case DoubleVector doubles -> doubles.values[row];
      case BytesVector bytes -> {
        byte[] value = Arrays.copyOfRange(bytes.bytes, bytes.starts[row], bytes.ends[row]);
        boolean raw = isRaw(columns.schema().column(column).type());
        yield raw ? HEX.formatHex(value) : strictUtf8(value);
      }
    };
  }

  /// Puts a value into a vector.
  public static void set(Columns columns, int column, int row, @Nullable Object value) {
    Vector vector = columns.vector(column);
    vector.nulls[row] = value == null;
    switch (value) {
      case null -> {
        if (vector instanceof BytesVector bytes) {
          // A value that nobody may look at, so that whoever does is found out.
          bytes.starts[row] = -1;
          bytes.ends[row] = -1;
        }
      }
      case Long number -> ((LongVector) vector).values[row] = number;
      case Double number -> ((DoubleVector) vector).values[row] = number;
      case String text -> {
        boolean raw = isRaw(columns.schema().column(column).type());
        byte[] bytes = raw ? HEX.parseHex(text) : text.getBytes(StandardCharsets.UTF_8);
        ((BytesVector) vector).append(row, bytes, 0, bytes.length);
      }
      default -> throw new IllegalArgumentException("no value of a row: " + value.getClass());
    }
  }

  /// A batch of those rows.
  public static Columns columns(Schema schema, List<Row> rows) {
    Columns columns = Columns.standalone(schema, Math.max(1, rows.size()));
    fill(columns, rows);
    return columns;
  }

  /// Puts rows into a cleared batch, without saying that it is filled.
  public static void fill(Columns columns, List<Row> rows) {
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < columns.schema().width(); column++) {
        set(columns, column, row, rows.get(row).value(column));
      }
    }
  }

  /// All rows of a batch.
  public static List<Row> rows(Columns columns) {
    List<Row> rows = new ArrayList<>();
    for (int row = 0; row < columns.rows(); row++) {
      List<@Nullable Object> values = new ArrayList<>();
      for (int column = 0; column < columns.schema().width(); column++) {
        values.add(get(columns, column, row));
      }
      rows.add(new Row(values));
    }
    return rows;
  }

  private static boolean isRaw(Type type) {
    return type instanceof Type.Uuid || type instanceof Type.Bytes;
  }

  private static String strictUtf8(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError("text that is no UTF-8: " + HEX.formatHex(bytes), e);
    }
  }
}
