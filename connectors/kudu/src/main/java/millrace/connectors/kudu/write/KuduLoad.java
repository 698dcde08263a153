package millrace.connectors.kudu.write;

import millrace.data.Schema;
import millrace.spi.write.Landing;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// How rows get into a table, settled.
///
/// @param schema the columns in the source's order, under the names and types that writers get
/// @param landing how rows get there
/// @param make the table that is made; null if rows go into one that is there
/// @param write how each row is written
/// @param repeatable whether rows may be written again, since their key tells them apart
/// @param ranges how wide the ranges of a table are that is there; null if nobody says
/// @param ahead how many ranges are kept in front of the latest row
record KuduLoad(
    Schema schema,
    Landing landing,
    @Nullable TableLayout make,
    TableOptions.Operation write,
    boolean repeatable,
    @Nullable RangeSteps ranges,
    int ahead) {

  /// What happens to what is there.
  Mode mode() {
    return landing.mode();
  }

  /// Whether rows are written in one transaction that the lanes share.
  boolean transactional() {
    return landing.whole();
  }
}
