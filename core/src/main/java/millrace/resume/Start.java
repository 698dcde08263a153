package millrace.resume;

import java.util.Iterator;
import java.util.List;
import millrace.plan.Plan;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.WriteStart;
import org.jspecify.annotations.Nullable;

/// How a run starts, once it is settled what becomes of an earlier one. A value.
public sealed interface Start {

  /// What the user should know of it; may be empty.
  String note();

  /// What is kept of the run; null if nothing is.
  @Nullable RecordedRun recorded();

  /// The copy is complete already: nothing is read or written, and at most its end is made up for.
  ///
  /// @param run the earlier run
  record Complete(JournaledRun run, RecordedRun recorded, String note) implements Start {

    /// Since when, in UTC as {@link java.time.Instant} spells it.
    public String since() {
      JournaledRun.Completion completion = run.completion();
      return completion == null ? "" : completion.at();
    }
  }

  /// Rows are to move.
  sealed interface Moving extends Start {

    /// How the run begins to write.
    WriteStart.Journal journal();

    /// Whether an earlier run has read the same source for the same copy and was cut off, even if
    /// nothing of it is there any more: the bad records that it set aside are of this copy too.
    boolean copiesTheSame();

    /// What had been taken before.
    List<Receipt> receipts();

    /// The splits that are left.
    ///
    /// @param reading opened by {@link #readPlan}
    Splits splits(ReadSession reading);

    /// How the run reads: in splits that are cut as they were cut at first.
    default ReadPlan readPlan(Plan plan) {
      RecordedRun recorded = recorded();
      if (recorded == null) {
        return plan.readPlan();
      }
      RunRecord run = recorded.run();
      return plan.readPlan(
          run.splitBytes(), run.lanes(), SourceChange.isReadAgain(run), receipts());
    }

    /// Whether anything of the run is kept if it fails.
    ///
    /// @param isStopped whether the user has stopped it
    default boolean outlives(boolean isStopped) {
      RecordedRun recorded = recorded();
      return recorded != null && !(isStopped && recorded.leavesNothingIfStopped());
    }

    /// Whether another run could go on with this one.
    default boolean canBeResumed() {
      RecordedRun recorded = recorded();
      return recorded != null && recorded.canBeResumed();
    }
  }

  /// The run begins from the start.
  record Fresh(
      WriteStart.Journal journal,
      @Nullable RecordedRun recorded,
      boolean copiesTheSame,
      String note)
      implements Moving {

    /// Of a run that leaves nothing behind.
    static Fresh unrecorded(String note) {
      return new Fresh(new WriteStart.Journal.None(), null, false, note);
    }

    @Override
    public List<Receipt> receipts() {
      return List.of();
    }

    @Override
    public Splits splits(ReadSession reading) {
      return reading.splits();
    }
  }

  /// The run goes on where an earlier one was cut off.
  ///
  /// @param from that one
  /// @param left its splits that are left, if the source was read again to see that it is
  ///   unchanged; else null
  record Resumed(JournaledRun from, RecordedRun recorded, @Nullable List<Split> left, String note)
      implements Moving {

    @Override
    public WriteStart.Journal journal() {
      return new WriteStart.Journal.Resume(from);
    }

    @Override
    public boolean copiesTheSame() {
      return true;
    }

    @Override
    public List<Receipt> receipts() {
      return from.receipts();
    }

    @Override
    public Splits splits(ReadSession reading) {
      if (left != null) {
        Iterator<Split> each = left.iterator();
        return () -> each.hasNext() ? each.next() : null;
      }
      Splits all = reading.splits();
      return from.receipts().isEmpty() ? all : new RemainingSplits(all, from.receipts());
    }

    /// Whether the earlier run may have left rows in the target that no receipt speaks of: it must
    /// not be forgotten, however early this one fails.
    public boolean mayHaveLeftRows() {
      return from.leavesRows() && !recorded.journal().guarantees().accountsForAll();
    }
  }
}
