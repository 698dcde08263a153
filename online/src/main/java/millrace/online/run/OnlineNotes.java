package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.online.job.OnlineJob;

/// What a reader of a run should know beside its figures, a sentence each. Any thread.
final class OnlineNotes {

  private final OnlineJob job;
  private final RunMeter meter;
  private final List<String> said = new ArrayList<>();

  OnlineNotes(OnlineJob job, RunMeter meter) {
    this.job = job;
    this.meter = meter;
  }

  /// Says something, once however often.
  synchronized void add(String sentence) {
    if (!said.contains(sentence)) {
      said.add(sentence);
    }
  }

  /// All that was said, and what the meter has to tell.
  ///
  /// @param stopped whether the run was ended before its time
  synchronized List<String> all(boolean stopped) {
    List<String> all = new ArrayList<>(said);
    tell(
        all,
        meter.incompleteWindows(),
        "windows were begun before all of their rows were in"
            + (stopped ? "." : "; they were aggregated again."));
    tell(
        all, meter.rowsAfterwards(), "late rows were still out at the end, and were written then.");
    tell(
        all,
        meter.neverBegun(),
        "writes had not begun when the schedule ended: their rows were not sent.");
    if (meter.tooLate() > 0) {
      all.add(
          String.format(
              Locale.ROOT,
              "Rows that came later than %d s: %,d, see %s.",
              job.late().allowed().toSeconds(),
              meter.tooLate(),
              job.layout().sideTable()));
    }
    meter.errors().forEach(error -> all.add("Failed: " + error + "."));
    return all;
  }

  private static void tell(List<String> all, long count, String what) {
    if (count > 0) {
      all.add(String.format(Locale.ROOT, "%,d %s", count, what));
    }
  }
}
