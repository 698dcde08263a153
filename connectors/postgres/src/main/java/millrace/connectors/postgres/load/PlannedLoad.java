package millrace.connectors.postgres.load;

import java.util.List;
import millrace.connectors.postgres.journal.JournalTable;
import millrace.spi.write.RowCost;
import org.jspecify.annotations.Nullable;

/// A load as it was planned.
///
/// @param details how rows get there, one sentence each
/// @param rowCosts what makes each row dear for the server
/// @param resumed the run that it goes on with, with the columns that the target has now; null if
///   it begins from the start
public record PlannedLoad(
    LoadPlan load,
    List<String> details,
    List<RowCost> rowCosts,
    JournalTable.@Nullable Details resumed) {

  public PlannedLoad {
    details = List.copyOf(details);
    rowCosts = List.copyOf(rowCosts);
  }
}
