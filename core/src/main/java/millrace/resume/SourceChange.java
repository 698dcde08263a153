package millrace.resume;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Snapshot;
import millrace.spi.read.SourceIdentity;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;

/// Tells whether a source has changed since an earlier run: by its identity, or by reading again
/// what that run has taken.
final class SourceChange {

  /// What the journal keeps of a source without an identity begins with.
  private static final String READ_AGAIN = "read again as ";

  private final Plan plan;
  private final DescribedSource source;
  private @Nullable List<Split> left;
  private long rowsReadAgain;

  SourceChange(Plan plan, DescribedSource source) {
    this.plan = plan;
    this.source = source;
  }

  /// Whether the rows of a run are read again to see that they are unchanged.
  static boolean isReadAgain(RunRecord run) {
    return run.source().startsWith(READ_AGAIN);
  }

  /// The splits that are left of the run, if the source was read again; else null.
  @Nullable List<Split> left() {
    return left;
  }

  /// How many rows were read again to see that they are unchanged.
  long rowsReadAgain() {
    return rowsReadAgain;
  }

  /// Whether the source says by itself that it has not changed.
  ///
  /// @param before what the source was
  boolean isUnchangedSince(String before) {
    return !before.isEmpty()
        && !before.startsWith(READ_AGAIN)
        && source.changeSince(before).isEmpty();
  }

  /// How the source has changed since that run, as a sentence without its end; empty if it has not.
  ///
  /// @param recheck reads the source once more if only that can tell
  String since(@Nullable JournaledRun from, SourceRecheck recheck) {
    if (from == null) {
      return "";
    }
    String before = from.run().source();
    if (before.isEmpty()) {
      return whyNotAgain();
    }
    if (before.startsWith(READ_AGAIN)) {
      return changeOfRows(from, recheck);
    }
    Snapshot snapshot = from.complete() ? null : source.capability(Snapshot.class);
    return snapshot == null ? source.changeSince(before) : snapshot.reopen(before);
  }

  /// Looks at the rows themselves, as they are now for this run. The splits that are left are cut
  /// first, so that nothing is written where they can't be.
  private String changeOfRows(JournaledRun from, SourceRecheck recheck) {
    RunRecord run = from.run();
    if (!source.identity().checksums() || !run.source().equals(readAgain())) {
      return "its columns, or the form in which they are read, are not what they were";
    }
    if (from.complete() && from.receipts().isEmpty() && from.rows() > 0) {
      return "nobody can tell whether its source still has the same rows: the target keeps no"
          + " checksums of them";
    }
    ReadPlan readPlan = plan.readPlan(run.splitBytes(), run.lanes(), true, List.of());
    try (ReadSession reading = source.open(readPlan)) {
      List<Split> remain = new ArrayList<>();
      try (Splits remaining = new RemainingSplits(reading.splits(), from.receipts())) {
        for (Split split = remaining.next(); split != null; split = remaining.next()) {
          remain.add(split);
        }
      } catch (Fault.User e) {
        if (from.complete()) {
          return "the source is cut in other places now";
        }
        throw e;
      }
      left = remain;
      SourceRecheck.Result read =
          recheck.recheck(reading, from.receipts(), from.complete() ? remain : List.of());
      rowsReadAgain = read.rows();
      return read.change();
    }
  }

  /// How the checksums of a source that is read again are made: the same rows have the same ones
  /// only in the same columns and form.
  private String readAgain() {
    StringBuilder words = new StringBuilder(READ_AGAIN).append(plan.form());
    for (Column column : plan.source().schema().columns()) {
      words.append(", ").append(column.name()).append(' ').append(column.type());
    }
    return words.toString();
  }

  private boolean isLimited() {
    return plan.job().selection().limit() != Long.MAX_VALUE;
  }

  /// Why no run can go on with one whose source has no identity.
  String whyNotAgain() {
    return isLimited() ? "a limit counts rows from the start of a run" : source.identity().whyNot();
  }

  /// What will tell whether the source is still the same; empty if nothing can.
  String identity() {
    if (isLimited()) {
      return "";
    }
    SourceIdentity identity = source.identity();
    if (identity.content() != null) {
      return identity.content();
    }
    return identity.checksums() ? readAgain() : "";
  }
}
