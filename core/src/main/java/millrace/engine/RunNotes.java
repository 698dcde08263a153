package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.engine.meter.Meter;
import millrace.plan.Plan;
import millrace.resume.Start;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import org.jspecify.annotations.Nullable;

/// What became of a run's data, besides what its plan says.
final class RunNotes {

  private RunNotes() {}

  /// One sentence each, bad records first.
  ///
  /// @param start null if the run failed before it was settled
  /// @param ofSource what the source has to tell
  static List<String> of(
      Plan plan,
      Meter meter,
      @Nullable Start start,
      List<String> ofSource,
      Completed completed,
      Aborted aborted) {
    List<String> notes = new ArrayList<>();
    if (meter.rejects() > 0) {
      notes.add(plan.job().rejects().words(meter.rejects()));
    }
    if (start != null && !start.note().isEmpty()) {
      notes.add(start.note());
    }
    notes.addAll(ofSource);
    notes.addAll(completed.notes());
    notes.addAll(aborted.notes());
    long cut = meter.cut().sum();
    if (cut > 0) {
      String values = cut == 1 ? "1 value" : String.format(Locale.ROOT, "%,d values", cut);
      notes.add("Nanoseconds were cut off in " + values + ".");
    }
    long lost = meter.lostMembers().sum();
    if (lost > 0) {
      String documents =
          lost == 1 ? "1 document has" : String.format(Locale.ROOT, "%,d documents have", lost);
      notes.add(
          documents
              + " two members of one name in an object; of them "
              + String.join(", ", plan.writePlan().lastMemberOnly())
              + " keeps only the last. A column of text keeps all.");
    }
    return notes;
  }
}
