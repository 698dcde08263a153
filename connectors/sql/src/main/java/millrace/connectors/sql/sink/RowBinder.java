package millrace.connectors.sql.sink;

import java.sql.SQLException;
import java.util.List;
import millrace.connectors.sql.Dialect.EmptyText;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.plan.Slot;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.types.RowParameters;
import millrace.connectors.sql.types.TypeTable;
import millrace.connectors.sql.types.TypeTable.Cell;
import millrace.connectors.sql.types.TypeTable.Setter;
import millrace.data.BytesVector;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.data.Vector;
import millrace.data.spelling.Spelling;
import millrace.spi.read.Split;
import millrace.spi.write.Rejects;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;

/// Hands the values of rows over, and sets rows aside that the database would not keep as they are.
/// One thread.
public final class RowBinder {

  private static final int VALUE_BYTES = 8;

  private final SqlLoad plan;
  private final @Nullable StagedPlaces places;
  private final WriteContext context;
  private final List<Slot> slots;
  private final Setter[] setters;
  private final int[] nullTypes;
  private final EmptyText emptyText;
  private long before;
  private long empty;

  /// @param places where rows of a merge note where they stood; null of other loads
  /// @param types how values are handed over
  RowBinder(SqlLoad plan, @Nullable StagedPlaces places, WriteContext context, TypeTable types) {
    this.plan = plan;
    this.places = places;
    this.context = context;
    slots = plan.columns().slots();
    emptyText = plan.dialect().capabilities().emptyText();
    setters = new Setter[slots.size()];
    nullTypes = new int[slots.size()];
    for (int i = 0; i < setters.length; i++) {
      Cell cell = slots.get(i).cell(types);
      setters[i] = cell.setter().apply(slots.get(i).type());
      nullTypes[i] = cell.nullType();
    }
  }

  /// The rows to come are of that batch.
  ///
  /// @param rowsBefore how many rows of the split came before
  public void start(Columns batch, Split split, long rowsBefore) {
    before = rowsBefore;
    if (places != null) {
      places.start(split, batch);
    }
  }

  /// Hands a row over. Returns false if it is bad.
  ///
  /// @param reportsEach whether a bad one is set aside; else it has been
  public boolean bind(Columns batch, int row, RowParameters to, boolean reportsEach)
      throws SQLException {
    for (int i = 0; i < setters.length; i++) {
      Vector vector = batch.vector(i);
      String wrong = null;
      if (isEmpty(i, vector, row)) {
        wrong = takenForMissing(i, to, reportsEach);
      } else if (!vector.nulls[row]) {
        wrong = set(i, vector, row, to);
      } else if (slots.get(i).required()) {
        wrong = "has no value, and the target demands one";
      } else {
        to.setNull(i + 1, nullTypes[i]);
      }
      if (wrong != null) {
        if (reportsEach) {
          boolean isShown = !vector.nulls[row] && !isEmpty(i, vector, row);
          String value = isShown ? value(vector, slots.get(i), row) + " " : "";
          reject(batch, row, slots.get(i).name(), value + wrong + ".");
        }
        return false;
      }
    }
    if (places != null) {
      places.set(to, setters.length + 1, before, row);
    }
    return true;
  }

  /// Whether a value is text or bytes that the database takes for a missing one.
  private boolean isEmpty(int column, Vector vector, int row) {
    boolean isPreserved =
        switch (emptyText) {
          case PRESERVED -> true;
          case TEXT_MISSING -> slots.get(column).type() instanceof Type.Bytes;
          case MISSING, REFUSED -> false;
        };
    return !isPreserved
        && vector instanceof BytesVector texts
        && !texts.nulls[row]
        && texts.starts[row] == texts.ends[row];
  }

  private @Nullable String takenForMissing(int column, RowParameters to, boolean reportsEach)
      throws SQLException {
    if (emptyText == EmptyText.REFUSED || slots.get(column).required()) {
      return "is empty, which this database takes for a missing value"
          + (slots.get(column).required() ? ", and the target demands one" : "");
    }
    to.setNull(column + 1, nullTypes[column]);
    empty += reportsEach ? 1 : 0;
    return null;
  }

  /// How many empty values have become missing ones since the last call.
  public long takeEmpty() {
    long count = empty;
    empty = 0;
    return count;
  }

  /// A driver may refuse a value before the database sees it: then it is the row that is bad.
  private @Nullable String set(int column, Vector vector, int row, RowParameters to)
      throws SQLException {
    try {
      return setters[column].set(to, column + 1, vector, row);
    } catch (SQLException e) {
      SqlFaults faults = plan.dialect().faults();
      SqlFaults.Kind kind = faults.kind(e);
      if (kind != SqlFaults.Kind.DATA && kind != SqlFaults.Kind.USER) {
        throw e;
      }
      return "is refused: " + faults.sentence(e).replaceFirst("\\.$", "");
    }
  }

  private static String value(Vector vector, Slot slot, int row) {
    return SqlLoad.shown(Spelling.text(slot.type(), vector, row));
  }

  /// Sets a row aside that the database refuses.
  public void refuse(Columns batch, int row, SQLException reason) {
    List<String> names = plan.columns().names();
    String message =
        plan.refusal(
            reason,
            name -> {
              int column = names.indexOf(name);
              return value(batch.vector(column), slots.get(column), row);
            });
    reject(batch, row, "", message);
  }

  private void reject(Columns batch, int row, String column, String reason) {
    context.rejects().reject(Rejects.Reject.of(batch, row, column, reason));
    context.clock().refused(1);
  }

  /// How many bytes the longest text or bytes of a row have.
  public static int longest(Columns batch, int row) {
    int longest = 0;
    for (int i = 0; i < batch.schema().width(); i++) {
      if (batch.vector(i) instanceof BytesVector texts && !texts.nulls[row]) {
        longest = Math.max(longest, texts.ends[row] - texts.starts[row]);
      }
    }
    return longest;
  }

  /// How many bytes the values of a row have.
  public static long size(Columns batch, int row) {
    long size = 0;
    for (int i = 0; i < batch.schema().width(); i++) {
      size +=
          batch.vector(i) instanceof BytesVector texts
              ? texts.nulls[row] ? 0 : texts.ends[row] - texts.starts[row]
              : VALUE_BYTES;
    }
    return size;
  }
}
