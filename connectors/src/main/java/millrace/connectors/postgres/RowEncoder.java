package millrace.connectors.postgres;

import java.util.Arrays;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.DoubleVector;
import millrace.data.LongVector;
import millrace.data.Vector;
import org.jspecify.annotations.Nullable;

/// Columns into the bytes of a COPY. One thread uses it; the bytes gather until they are sent.
///
/// A row that has a value that PostgreSQL can't keep leaves no bytes behind, and {@link #reason}
/// says what is wrong.
abstract sealed class RowEncoder permits BinaryEncoder, TextEncoder {

  /// One column that is sent.
  ///
  /// @param index in the batch
  record Sent(int index, Slot slot, int charactersMax, int microsStep) {}

  final Sent[] sent;
  final Vector[] vectors;

  /// Rows not sent yet.
  byte[] bytes;

  /// How many bytes of rows there are.
  int used;

  private String reason = "";
  private String column = "";

  RowEncoder(List<Slot> slots, int roomBytes) {
    sent =
        java.util.stream.IntStream.range(0, slots.size())
            .filter(i -> slots.get(i).written())
            .mapToObj(i ->
                new Sent(i, slots.get(i), slots.get(i).charactersMax(), slots.get(i).microsStep()))
            .toArray(Sent[]::new);
    vectors = new Vector[sent.length];
    bytes = new byte[roomBytes];
  }

  /// From now on rows come from this batch.
  void begin(Columns batch) {
    for (int i = 0; i < sent.length; i++) {
      vectors[i] = batch.vector(sent[i].index);
    }
  }

  /// Encodes a row behind those before.
  ///
  /// @param place split and row number of the row, which a merge sends along, or null
  /// @return false where the row can't be kept
  final boolean row(int row, @Nullable Place place) {
    int before = used;
    if (encode(row, place)) {
      return true;
    }
    used = before;
    return false;
  }

  /// Where a row stands in the source.
  record Place(int split, long row) {}

  abstract boolean encode(int row, @Nullable Place place);

  /// What is wrong with the row refused last.
  String reason() {
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

  final boolean refuse(Sent which, String why) {
    column = which.slot.name();
    reason = why;
    return false;
  }

  /// Whether PostgreSQL can keep the value; if not, says why.
  final boolean check(int place, int row) {
    Sent which = sent[place];
    return switch (vectors[place]) {
      case LongVector longs -> checkLong(which, longs.values[row]);
      case DoubleVector _ -> true;
      case BytesVector text -> checkBytes(which, text, row);
    };
  }

  private boolean checkLong(Sent which, long value) {
    return switch (which.slot.type().codec()) {
      case INT2 -> value == (short) value || refuse(which, value + " does not fit smallint");
      case INT4 -> value == (int) value || refuse(which, value + " does not fit integer");
      case DATE ->
          ValueChecks.isDate(value)
              || refuse(which, "a date " + value + " days from 2000-01-01 is out of range");
      case TIME ->
          ValueChecks.isTime(value)
              ? checkStep(which, value)
              : refuse(which, value + " microseconds are no time of day");
      case TIMESTAMP ->
          ValueChecks.isTimestamp(value)
              ? checkStep(which, value)
              : refuse(which, "a timestamp " + value + " µs from 2000-01-01 is out of range");
      default -> true;
    };
  }

  private boolean checkStep(Sent which, long micros) {
    return which.microsStep == 1
        || micros % which.microsStep == 0
        || ValueChecks.isInfinite(micros)
        || refuse(which, "it has a smaller part of a second than " + which.slot.type().declared());
  }

  private boolean checkBytes(Sent which, BytesVector vector, int row) {
    Codec codec = which.slot.type().codec();
    if (codec == Codec.BYTES || codec == Codec.UUID || codec == Codec.NUMERIC_TEXT) {
      return true;
    }
    int start = vector.starts[row];
    int end = vector.ends[row];
    if (ValueChecks.hasZero(vector.bytes, start, end)) {
      return refuse(
          which,
          "text with a NUL character, which PostgreSQL can't keep: "
              + ValueChecks.shown(vector.bytes, start, end));
    }
    int most = which.charactersMax;
    return most == 0
        || end - start <= most
        || ValueChecks.characters(vector.bytes, start, end) <= most
        || refuse(
            which,
            "the text is longer than "
                + most
                + " characters: "
                + ValueChecks.shown(vector.bytes, start, end));
  }
}
