package millrace.testkit;

import java.util.List;
import millrace.copy.CopyResult;
import millrace.engine.Run;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// A copy that has ended, to look at what it did.
///
/// @param run moved the rows
/// @param result how it ended
/// @param warnings what could not be done beside it, or will be missed
public record Ran(Run run, CopyResult result, List<String> warnings) {

  /// The same, if it has ended well.
  ///
  /// @throws Fault why it failed
  Ran orThrow() {
    result.outcome().orThrow();
    return this;
  }

  /// What it carried out.
  public Plan plan() {
    return run.plan();
  }

  /// What it counted.
  public Meter meter() {
    return run.meter();
  }

  /// How many lanes worked.
  public int lanes() {
    return result.outcome().lanes().number();
  }

  /// What became of the data.
  public List<String> notes() {
    return result.outcome().notes();
  }

  /// What a merge made of the rows; null of other modes.
  public @Nullable MergeCounts merged() {
    return result.outcome().merged();
  }

  /// Whether another run can go on with what it left.
  public boolean kept() {
    return result.outcome().left().resumable();
  }

  /// What stays of rows that no receipt speaks of; empty if nothing does.
  public String leaves() {
    return result.outcome().left().words();
  }

  /// Since when the copy was complete; empty if there was something to do.
  public String completeSince() {
    return result.outcome().completeSince();
  }
}
