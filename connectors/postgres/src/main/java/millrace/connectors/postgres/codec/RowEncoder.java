package millrace.connectors.postgres.codec;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import org.jspecify.annotations.Nullable;

/// Columns into the bytes of a COPY. One thread uses it.
///
/// A row that has a value that PostgreSQL can't keep leaves no bytes behind, and {@link #reason}
/// says what is wrong.
public abstract sealed class RowEncoder permits BinaryEncoder, TextEncoder {

  /// One column that is sent, and its values in the batch under way.
  static final class Field {

    final LoadColumn loadColumn;
    final BinaryCodec binaryCodec;
    final int microsStep;

    /// What to look for in its text, or null.
    final @Nullable LossyCastCheck changes;

    /// In the batch's columns.
    private final int index;

    Vector vector = NOTHING;
    boolean[] nulls = NOTHING.nulls;

    /// The values if they are numbers.
    long[] numbers = NOTHING.values;

    private Field(int index, LoadColumn loadColumn) {
      this.index = index;
      this.loadColumn = loadColumn;
      binaryCodec = loadColumn.type().binaryCodec();
      microsStep = loadColumn.type().microsStep();
      changes = LossyCastCheck.of(loadColumn.type());
    }

    private void begin(Columns batch) {
      vector = batch.vector(index);
      nulls = vector.nulls;
      numbers = vector instanceof LongVector longs ? longs.values : NOTHING.values;
    }

    long number(int row) {
      return numbers[row];
    }

    double real(int row) {
      return ((DoubleVector) vector).values[row];
    }

    BytesVector text() {
      return (BytesVector) vector;
    }
  }

  private static final LongVector NOTHING = new LongVector(0);

  final Field[] fields;

  /// The rows of the frame that is being made.
  public byte[] bytes = {};

  /// How many bytes of rows there are.
  public int used;

  private String reason = "";
  private String column = "";

  RowEncoder(List<LoadColumn> slots) {
    fields =
        IntStream.range(0, slots.size())
            .mapToObj(i -> new Field(i, slots.get(i)))
            .toArray(Field[]::new);
  }

  /// From now on rows come from this batch and go into that buffer.
  public void begin(Columns batch, byte[] into) {
    bytes = into;
    used = 0;
    for (Field field : fields) {
      field.begin(batch);
    }
  }

  /// Encodes a row behind those before.
  ///
  /// @param place split and row number of the row, which a merge sends along, or null
  /// @return false if the row can't be kept
  public final boolean row(int row, @Nullable RowPosition place) {
    int before = used;
    if (encode(row, place)) {
      return true;
    }
    used = before;
    return false;
  }

  /// Where a row stands in the source.
  record RowPosition(int split, long row) {}

  abstract boolean encode(int row, @Nullable RowPosition place);

  /// What is wrong with the row refused last.
  public String reason() {
    return reason;
  }

  /// The column that it is about.
  String column() {
    return column;
  }

  /// Makes room behind what there is.
  final void reserve(long more) {
    if (bytes.length - used < more) {
      long wanted = Math.max(used + more, Math.min(2L * bytes.length, Integer.MAX_VALUE - 64));
      bytes = Arrays.copyOf(bytes, Math.toIntExact(wanted));
    }
  }

  final boolean refuse(Field which, String why) {
    column = which.loadColumn.name();
    reason = why;
    return false;
  }

  /// Whether PostgreSQL can keep the value; if not, says why.
  final boolean check(Field field, int row) {
    return switch (field.vector) {
      case LongVector longs -> checkNumber(field, longs.values[row]);
      case DoubleVector _ -> true;
      case BytesVector text -> checkBytes(field, text, row);
    };
  }

  /// The same, of a value that a number stands for.
  final boolean checkNumber(Field field, long value) {
    return switch (field.binaryCodec) {
      case INT2 -> value == (short) value || refuse(field, value + " does not fit smallint");
      case INT4 -> value == (int) value || refuse(field, value + " does not fit integer");
      case DATE ->
          ValueChecks.isDate(value)
              || refuse(field, spelled(field, value) + " is out of PostgreSQL's range of dates");
      case TIME ->
          ValueChecks.isTime(value)
              ? checkStep(field, value)
              : refuse(field, value + " microseconds are no time of day");
      case TIMESTAMP ->
          ValueChecks.isTimestamp(value)
              ? checkStep(field, value)
              : refuse(
                  field, spelled(field, value) + " is out of PostgreSQL's range of timestamps");
      default -> true;
    };
  }

  private static String spelled(Field field, long value) {
    LongVector one = new LongVector(1);
    one.values[0] = value;
    return Spelling.text(field.loadColumn.type().type(), one, 0);
  }

  private boolean checkStep(Field field, long micros) {
    return field.microsStep == 1
        || micros % field.microsStep == 0
        || ValueChecks.isInfinite(micros)
        || refuse(
            field, "it has a smaller part of a second than " + field.loadColumn.type().declared());
  }

  /// The same, of one that bytes stand for.
  final boolean checkBytes(Field field, BytesVector vector, int row) {
    if (field.binaryCodec == BinaryCodec.BYTES
        || field.binaryCodec == BinaryCodec.UUID
        || (field.binaryCodec == BinaryCodec.NUMERIC_TEXT && field.changes == null)) {
      return true;
    }
    int start = vector.starts[row];
    int end = vector.ends[row];
    if (ValueChecks.hasZero(vector.bytes, start, end)) {
      return refuse(
          field,
          "text with a NUL character, which PostgreSQL can't keep: "
              + ValueChecks.shown(vector.bytes, start, end));
    }
    String change = field.changes == null ? "" : field.changes.find(vector.bytes, start, end);
    return change.isEmpty()
        || refuse(
            field,
            field.loadColumn.type().declared()
                + " can't keep it, because "
                + change
                + ": "
                + ValueChecks.shown(vector.bytes, start, end));
  }
}
