package millrace.resume;

import java.time.Duration;
import java.time.Instant;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A run that the target's journal keeps.
///
/// @param journal where it is kept
/// @param run what is kept of it
/// @param choice what the user wants done about earlier runs
/// @param followsComplete whether the same copy was complete before
public record RecordedRun(
    Journal journal, RunRecord run, ResumeChoice choice, boolean followsComplete) {

  /// Marks of complete copies that are older go when a copy with --resume begins.
  private static final Duration MARK_RETENTION = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(RecordedRun.class);

  /// Whether another run could go on with it.
  boolean canBeResumed() {
    return journal.guarantees().keepsParts() && !run.source().isEmpty();
  }

  /// Whether what it leaves goes if the user stops it.
  public boolean leavesNothingIfStopped() {
    return journal.guarantees().isPaidFor() && choice != ResumeChoice.RESUME;
  }

  /// A copy with --resume begins: marks that are too old for anybody to ask for go.
  public void prune() {
    if (choice != ResumeChoice.RESUME) {
      return;
    }
    try {
      prune(journal, Instant.now().minus(MARK_RETENTION));
    } catch (Fault e) {
      LOG.debug("old marks stay", e);
    }
  }

  /// Forgets the copies that were complete before a moment.
  ///
  /// @return how many
  public static int prune(Journal journal, Instant before) {
    int pruned = 0;
    for (JournaledRun each : journal.list()) {
      Completion completion = each.completion();
      if (completion != null && Instant.parse(completion.at()).isBefore(before)) {
        journal.delete(each.run());
        pruned++;
      }
    }
    return pruned;
  }

  /// The run's end has been told. With --resume the mark that it is complete stays, so that the
  /// same command does nothing; so it does in the place of one that stayed. Else nobody needs it.
  public void forget() {
    if (choice == ResumeChoice.NONE && !followsComplete) {
      journal.delete(run);
    }
  }
}
