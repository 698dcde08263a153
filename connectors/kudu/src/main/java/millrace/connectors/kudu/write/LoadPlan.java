package millrace.connectors.kudu.write;

import millrace.data.Schema;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// How rows get into a table, settled.
///
/// @param schema the columns in the source's order, under the names and types that writers get
/// @param mode what happens to what is there
/// @param make the table that is made; null if rows go into one that is there
/// @param write how each row is written
/// @param repeatable whether rows may be written again, since their key tells them apart
/// @param ranges how wide the ranges of a table are that is there; null if nobody says
/// @param ahead how many ranges are kept in front of the latest row
/// @param atomic whether all rows appear at once
record LoadPlan(
    Schema schema,
    Mode mode,
    @Nullable TableLayout make,
    TableOptions.Operation write,
    boolean repeatable,
    @Nullable RangeSteps ranges,
    int ahead,
    boolean atomic) {

  /// Whether rows are staged in a table of another name, which takes the target's name at the end.
  boolean staged() {
    return make != null && mode != Mode.MERGE && (atomic || mode != Mode.APPEND);
  }

  /// Whether rows are written in one transaction that the lanes share.
  boolean transactional() {
    return make == null && atomic;
  }
}
