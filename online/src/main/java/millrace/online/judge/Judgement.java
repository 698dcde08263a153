package millrace.online.judge;

import java.util.List;
import millrace.online.report.OnlineReport.Criterion;

/// Whether a run passes.
///
/// @param criteria each with its limit, in the order in which they are shown
/// @param badShare the share of bad time, from 0 to 1: of the seconds or of the aggregates,
///   whichever is larger. A run may fail without any, by an error for instance.
/// @param cautions what a run that passes can't keep up for ever, a clause each
public record Judgement(List<Criterion> criteria, double badShare, List<String> cautions) {

  public Judgement {
    cautions = List.copyOf(cautions);
    criteria = List.copyOf(criteria);
  }

  /// Whether all criteria were tested and hold.
  public boolean passed() {
    return criteria.stream().allMatch(Criterion::holds);
  }

  /// Whether some criterion says nothing, since this machine held the run up.
  public boolean isInvalid() {
    return criteria.stream().anyMatch(Criterion::isInvalid);
  }

  /// Whether some criterion was tested and does not hold.
  public boolean isBroken() {
    return criteria.stream().anyMatch(Criterion::isBroken);
  }
}
