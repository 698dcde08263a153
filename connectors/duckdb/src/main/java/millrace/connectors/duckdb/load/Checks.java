package millrace.connectors.duckdb.load;

import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.List;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.Decimals;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.JsonCheck;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.fault.Shortened;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Finds the values that DuckDB would refuse without saying which row they stand in, or would take
/// and change.
///
/// One a lane; called for each batch before it is handed over.
final class Checks {

  private static final int SHOWN_CHARACTERS = DuckDbLoad.SHOWN_CHARACTERS;

  private final List<AppendColumn> slots;
  private final List<SendFormat> writings;
  private final Rejects rejects;

  Checks(List<AppendColumn> slots, Rejects rejects) {
    this.slots = slots;
    this.rejects = rejects;
    writings = slots.stream().map(AppendColumn::writing).toList();
  }

  /// Positions of the rows that can be written, or null if all can.
  ///
  /// @throws millrace.fault.Fault.Data if one can't and none may be set aside
  int @Nullable [] good(Columns batch) {
    BitSet bad = null;
    for (int i = 0; i < slots.size(); i++) {
      bad = check(batch, i, bad);
    }
    if (bad == null) {
      return null;
    }
    int[] good = new int[batch.rows() - bad.cardinality()];
    int count = 0;
    for (int row = bad.nextClearBit(0); row < batch.rows(); row = bad.nextClearBit(row + 1)) {
      good[count++] = row;
    }
    return good;
  }

  private @Nullable BitSet check(Columns batch, int column, @Nullable BitSet bad) {
    AppendColumn appendColumn = slots.get(column);
    Vector vector = batch.vector(column);
    BitSet found = bad;
    if (appendColumn.required()) {
      for (int row = 0; row < batch.rows(); row++) {
        if (vector.nulls[row]) {
          found = reject(batch, column, row, "has no value, and the target demands one.", found);
        }
      }
    }
    return switch (appendColumn.type()) {
      case Type.Int _, Type.Time _ -> range(batch, column, false, found);
      case Type.Date _, Type.Timestamp _ -> range(batch, column, true, found);
      case Type.Decimal decimal ->
          Decimals.fitsLong(decimal)
              ? range(batch, column, false, found)
              : appendColumn.declared().startsWith("DECIMAL")
                  ? digits(batch, column, found)
                  : found;
      case Type.Json _ -> documents(batch, column, found);
      case Type.Bool _, Type.Float _, Type.Uuid _, Type.Text _, Type.Bytes _, Type.Opaque _ ->
          found;
    };
  }

  private @Nullable BitSet range(
      Columns batch, int column, boolean infinities, @Nullable BitSet bad) {
    LongVector vector = batch.longs(column);
    SendFormat writing = writings.get(column);
    long min = writing.min();
    long max = writing.max();
    long unit = writing.unit();
    BitSet found = bad;
    for (int row = 0; row < batch.rows(); row++) {
      long value = vector.values[row];
      if ((value < min || value > max || (unit > 1 && value % unit != 0)) && !vector.nulls[row]) {
        boolean infinite = value == Temporals.INFINITY || value == Temporals.MINUS_INFINITY;
        if (!(infinities && infinite)) {
          found = reject(batch, column, row, doesNotFit(batch, column, row), found);
        }
      }
    }
    return found;
  }

  private @Nullable BitSet documents(Columns batch, int column, @Nullable BitSet bad) {
    BytesVector vector = batch.bytes(column);
    // A text file may have the declaration from the target itself; its rows come with records.
    boolean vouched = slots.get(column).declares() && batch.origin() == null;
    BitSet found = bad;
    for (int row = 0; row < batch.rows(); row++) {
      String wrong = vector.nulls[row] ? "" : wrong(vector, row, vouched);
      if (!wrong.isEmpty()) {
        String document = value(vector, Type.Text.UNLIMITED, row);
        found = reject(batch, column, row, document + wrong, found);
      }
    }
    return found;
  }

  /// DuckDB would take NaN and commas too many in JSON, and name no row of what it refuses.
  private static String wrong(BytesVector vector, int row, boolean vouched) {
    int start = vector.starts[row];
    int end = vector.ends[row];
    if (!vouched && !JsonCheck.isValid(vector.bytes, start, end)) {
      return " is no JSON.";
    }
    return JsonCheck.hasHalfPair(vector.bytes, start, end)
        ? " has half of a surrogate pair, which is no character."
        : "";
  }

  private @Nullable BitSet digits(Columns batch, int column, @Nullable BitSet bad) {
    BytesVector vector = batch.bytes(column);
    BitSet found = bad;
    Type.Decimal type = (Type.Decimal) slots.get(column).type();
    for (int row = 0; row < batch.rows(); row++) {
      if (!vector.nulls[row] && !fits(vector, row, type)) {
        found = reject(batch, column, row, doesNotFit(batch, column, row), found);
      }
    }
    return found;
  }

  /// Whether it is a number with no more digits than the type has on either side of the point.
  private static boolean fits(BytesVector vector, int row, Type.Decimal type) {
    int at = vector.starts[row];
    int end = vector.ends[row];
    if (at < end && vector.bytes[at] == '-') {
      at++;
    }
    while (at < end && vector.bytes[at] == '0') {
      at++;
    }
    int point = at;
    while (point < end && isDigit(vector.bytes[point])) {
      point++;
    }
    int fraction = Math.max(0, end - point - 1);
    boolean plain = point == end || vector.bytes[point] == '.';
    return plain
        && point - at <= type.precision() - type.scale()
        && fraction <= Math.max(0, type.scale());
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private String doesNotFit(Columns batch, int column, int row) {
    AppendColumn appendColumn = slots.get(column);
    return value(batch.vector(column), appendColumn.type(), row)
        + " does not fit "
        + appendColumn.declared()
        + ".";
  }

  private static String value(Vector vector, Type type, int row) {
    if (vector instanceof LongVector longs
        && type instanceof Type.Decimal
        && longs.values[row] == Decimals.NAN) {
      return "NaN";
    }
    millrace.data.spelling.ValueFormatter formatter = Spelling.formatter(type, SpellingStyle.ISO);
    byte[] out = new byte[formatter.lengthMax(vector, row)];
    int end = formatter.format(vector, row, out, 0);
    String text = new String(out, 0, end, StandardCharsets.UTF_8);
    return Shortened.value(text, SHOWN_CHARACTERS);
  }

  private BitSet reject(
      Columns batch, int column, int row, String reason, @Nullable BitSet already) {
    BitSet bad = already == null ? new BitSet(batch.rows()) : already;
    if (!bad.get(row)) {
      bad.set(row);
      rejects.reject(Rejects.Reject.of(batch, row, slots.get(column).name(), reason));
    }
    return bad;
  }
}
