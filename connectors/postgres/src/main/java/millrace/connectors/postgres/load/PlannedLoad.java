package millrace.connectors.postgres.load;

import java.util.List;
import millrace.spi.write.RowCost;

/// A load as it was planned.
///
/// @param details how rows get there, one sentence each
/// @param rowCosts what makes each row dear for the server
public record PlannedLoad(LoadPlan load, List<String> details, List<RowCost> rowCosts) {

  public PlannedLoad {
    details = List.copyOf(details);
    rowCosts = List.copyOf(rowCosts);
  }
}
