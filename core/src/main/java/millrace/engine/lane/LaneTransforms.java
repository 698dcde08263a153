package millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import millrace.data.Schema;
import millrace.engine.meter.Meter;
import millrace.engine.transform.BatchTransform;
import millrace.engine.transform.Converter;
import millrace.engine.transform.Filter;
import millrace.engine.transform.Limit;
import millrace.engine.transform.RepeatedMembers;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.read.SqlWords;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// What a lane does to its batches between reading and writing, as the plan says.
public final class LaneTransforms {

  private LaneTransforms() {}

  /// Finds out before anything is touched whether the steps can be made.
  ///
  /// @throws Fault.User if the condition can't be applied or a column can't be converted
  public static void check(Plan plan) {
    String where = plan.job().selection().condition(SqlWords.ENGINE);
    Schema source = plan.source().schema();
    if (plan.filters() && where != null) {
      Filter.of(where, source);
    }
    if (plan.converts()) {
      Casts casts = Casts.of(plan);
      if (casts.isNeeded()) {
        Converter.check(source, casts.read(), Map.of(), casts.schema());
        Converter.check(casts.schema(), casts.taken(), casts.constants(), target(plan));
      } else {
        Converter.check(source, casts.taken(), casts.constants(), target(plan));
      }
    }
  }

  private static Schema target(Plan plan) {
    return plan.writePlan().schema();
  }

  /// Counts the times that are cut to microseconds; null if the user did not ask for that.
  static @Nullable LongAdder cut(Plan plan, Meter meter) {
    return plan.job().rejects().cutsNanoseconds() ? meter.cut() : null;
  }

  /// The steps of one lane, in order; each lane has its own.
  ///
  /// Rows are converted last, so that one which is not wanted can't be bad.
  ///
  /// @param meter counts what values lose on the way
  static List<BatchTransform> of(Plan plan, Rejects rejects, Meter meter) {
    List<BatchTransform> steps = new ArrayList<>();
    String where = plan.job().selection().condition(SqlWords.ENGINE);
    Schema source = plan.source().schema();
    if (plan.filters() && where != null) {
      steps.add(Filter.of(where, source));
    }
    if (plan.limits()) {
      steps.add(new Limit(plan.job().selection().limit()));
    }
    if (plan.converts()) {
      LongAdder cut = cut(plan, meter);
      Casts casts = Casts.of(plan);
      Schema from = source;
      if (casts.isNeeded()) {
        from = casts.schema();
        steps.add(Converter.adding(source, casts.read(), Map.of(), from, rejects, cut));
      }
      steps.add(
          Converter.adding(from, casts.taken(), casts.constants(), target(plan), rejects, cut));
    }
    if (!plan.membersCounted().isEmpty()) {
      steps.add(new RepeatedMembers(plan.membersCounted(), meter.lostMembers()));
    }
    return steps;
  }
}
