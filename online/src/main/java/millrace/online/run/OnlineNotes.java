package millrace.online.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import millrace.online.job.OnlineJob;
import millrace.online.report.Series;
import millrace.report.ReportText;

/// What a reader of a run should know beside its figures, a sentence each. Any thread.
final class OnlineNotes {

  /// Less is not worth a word.
  private static final double HELD_UP_MIN = 0.1;

  private final OnlineJob job;
  private final RunMeter meter;
  private final FullDisk disk;
  private final List<String> reported = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final Map<String, List<Long>> died = new LinkedHashMap<>();
  private Optional<Double> crowd = Optional.empty();
  private double heldUp;

  OnlineNotes(OnlineJob job, RunMeter meter, FullDisk disk) {
    this.job = job;
    this.meter = meter;
    this.disk = disk;
  }

  /// Says something, once however often.
  synchronized void add(String sentence) {
    if (!reported.contains(sentence)) {
      reported.add(sentence);
    }
  }

  /// Says of something that it failed, beside writes and aggregates.
  synchronized void failed(String sentence) {
    failed.add(sentence);
    add(sentence);
  }

  /// A client ended before its time.
  ///
  /// @param rows of its last write: they may be durable or not
  synchronized void died(String why, long rows) {
    died.computeIfAbsent(why, _ -> new ArrayList<>()).add(rows);
  }

  private void deaths(List<String> all) {
    died.forEach((why, rows) -> {
      long doubtful = rows.stream().mapToLong(Long::longValue).sum();
      all.add(
          String.format(
              Locale.ROOT,
              "%d of %d clients ended, and the run with them: %s.%s",
              rows.size(),
              job.load().clients(),
              why,
              doubtful == 0
                  ? ""
                  : String.format(
                      Locale.ROOT, " Their last %,d rows may be there or not.", doubtful)));
    });
  }

  private static String shown(RunMeter.Occurrences when) {
    String first = ReportText.clock((long) when.first());
    return when.count() == 1
        ? "at " + first
        : String.format(
            Locale.ROOT,
            "%,d times from %s to %s",
            when.count(),
            first,
            ReportText.clock((long) when.last()));
  }

  /// Others took so much of the processors, from 0 to 1.
  ///
  /// @param waited the share of the time of writes and aggregates in which clients, or the target
  ///   if it is on this machine, waited for a processor
  synchronized void crowded(double share, double waited) {
    crowd = Optional.of(share);
    heldUp = waited;
  }

  /// All that was said, and what the meter has to tell.
  ///
  /// @param stopped whether the run was ended before its time
  /// @param pauses of this process
  /// @param troubles what the target's own counters tell of, in sentences
  synchronized List<String> all(boolean stopped, List<Series.Pause> pauses, List<String> troubles) {
    List<String> all = new ArrayList<>();
    List<String> failures = new ArrayList<>(failed);
    failures.addAll(meter.errors().keySet());
    failures.addAll(died.keySet());
    disk.sentence(failures).ifPresent(all::add);
    meter.errors().forEach((what, when) -> all.add("Failed: " + what + ", " + shown(when) + "."));
    deaths(all);
    all.addAll(troubles);
    all.addAll(reported);
    addPauses(all, pauses);
    addCount(
        all,
        meter.incompleteWindows(),
        "window was begun before all of its rows were in"
            + (stopped ? "." : "; it was aggregated again."),
        "windows were begun before all of their rows were in"
            + (stopped ? "." : "; they were aggregated again."));
    addCount(
        all,
        meter.rowsAfterwards(),
        "late row was still out at the end, and was written then.",
        "late rows were still out at the end, and were written then.");
    addCount(
        all,
        meter.neverBegun(),
        "write had not begun when the schedule ended: its rows were not sent.",
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
    return all;
  }

  private void addPauses(List<String> all, List<Series.Pause> pauses) {
    pauses.stream()
        .max(Comparator.comparingDouble(Series.Pause::seconds))
        .ifPresent(longest ->
            all.add(
                "This process itself stood still "
                    + (pauses.size() == 1
                        ? "for "
                        : String.format(
                            Locale.ROOT,
                            "%,d times, %.1f s in all; the longest was ",
                            pauses.size(),
                            pauses.stream().mapToDouble(Series.Pause::seconds).sum()))
                    + shown(longest)));
    crowd.ifPresent(share ->
        all.add(
            String.format(
                    Locale.ROOT,
                    "Other programs took %.0f %% of this machine's processors: clients that waited"
                        + " for one were late by themselves.",
                    100 * share)
                + (heldUp < HELD_UP_MIN
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        " That, and what a target on this machine waited, is about %.0f %% of the"
                            + " time that writes and aggregates took.",
                        100 * heldUp))));
  }

  private static String shown(Series.Pause pause) {
    return String.format(
        Locale.ROOT,
        "%.1f s at %s%s.",
        pause.seconds(),
        ReportText.clock((long) pause.atSecond()),
        pause.collects() ? ", to collect garbage" : "");
  }

  /// @param one what to say of one
  /// @param several what to say of several
  private static void addCount(List<String> all, long count, String one, String several) {
    if (count > 0) {
      all.add(String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : several));
    }
  }
}
