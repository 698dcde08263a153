package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import millrace.plan.Plan;

/// What a lane does to its batches between reading and writing, as the plan says.
final class LaneSteps {

  private LaneSteps() {}

  /// The steps of one lane, in order; each lane has its own.
  static List<Step> of(Plan plan) {
    List<Step> steps = new ArrayList<>();
    if (plan.limits()) {
      steps.add(new Limit(plan.job().selection().limit()));
    }
    return steps;
  }
}
