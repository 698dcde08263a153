package millrace.report.bottleneck;

import java.util.Locale;
import java.util.Optional;
import millrace.engine.tuning.LaneTuner;
import millrace.report.ReportText;

/// Whether more lanes would help: what was tried says it, else what stands against them, else
/// whether a processor is idle.
final class MoreLanes {

  /// Rates that are nearer than this are the same.
  private static final double SAME = 0.04;

  private final Evidence.Lanes lanes;
  private final ProcessorLimit processors;

  MoreLanes(Evidence evidence, ProcessorLimit processors) {
    lanes = evidence.lanes();
    this.processors = processors;
  }

  /// What is known to stand against them; empty if nothing is.
  Optional<String> against() {
    Optional<LaneTuner.LaneRate> more =
        lanes.tried().stream().filter(tried -> tried.lanes() > lanes.count()).findFirst();
    Optional<LaneTuner.LaneRate> these = lanes.tried(lanes.count());
    Optional<LaneTuner.LaneRate> fewer = lanes.tried(lanes.count() - 1);
    if (more.isPresent() && these.isPresent()) {
      return Optional.of(noHelp(more.get(), these.get()));
    }
    if (fewer.isPresent() && these.isPresent() && areSame(fewer.get(), these.get())) {
      return Optional.of(noHelp(these.get(), fewer.get()));
    }
    return lanes.why().isEmpty()
        ? Optional.empty()
        : Optional.of("More lanes are not possible here (" + lanes.why() + ").");
  }

  private static boolean areSame(LaneTuner.LaneRate one, LaneTuner.LaneRate other) {
    return Math.abs(one.bytesPerS() / other.bytesPerS() - 1) < SAME;
  }

  private static String noHelp(LaneTuner.LaneRate more, LaneTuner.LaneRate fewer) {
    return "More lanes will not help: "
        + ReportText.rate(more)
        + ", "
        + ReportText.rate(fewer)
        + ".";
  }

  /// Whether nothing is known that stands against them.
  boolean mayHelp() {
    return against().isEmpty() && processors.room() != ProcessorLimit.Room.NO;
  }

  /// What is to be expected of them.
  String sentence() {
    return against()
        .orElseGet(() ->
            switch (processors.room()) {
              case NO -> "More lanes will not help: no processor is idle.";
              case YES ->
                  String.format(
                      Locale.ROOT,
                      "More lanes may help: %.0f %% of the processors' time was idle.",
                      processors.idlePercent());
              case UNKNOWN ->
                  lanes.count() < lanes.processors()
                      ? "More lanes may help: "
                          + lanes.count()
                          + " of "
                          + lanes.processors()
                          + " processors have one."
                      : "All "
                          + lanes.processors()
                          + " processors have a lane; whether one was idle is not known.";
            });
  }
}
