package millrace.engine;

import java.util.ArrayList;
import java.util.List;
import millrace.report.Report;

/// Times the steps of a run, one after the other.
///
/// One thread records them; the list may be read once the run has ended.
public final class Steps {

  private final List<Report.Step> steps = new ArrayList<>();

  /// Runs a step and notes its duration, also where it throws.
  public void time(String name, int concurrency, Runnable work) {
    long start = System.nanoTime();
    try {
      work.run();
    } finally {
      steps.add(new Report.Step(name, System.nanoTime() - start, 0, 0, concurrency));
    }
  }

  /// Says what the last step moved.
  void moved(long rows, long bytes) {
    Report.Step last = steps.removeLast();
    steps.add(new Report.Step(last.name(), last.nanos(), rows, bytes, last.concurrency()));
  }

  /// All steps so far.
  public List<Report.Step> list() {
    return List.copyOf(steps);
  }
}
