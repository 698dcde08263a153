package millrace.engine.lane;

import java.util.ArrayList;
import java.util.List;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.plan.Plan;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteSession;
import org.jspecify.annotations.Nullable;

/// Finds out what of a failed lane's splits is to be done again, so that no row is lost and none is
/// written twice.
///
/// Any lane's thread, once both of its halves have ended.
final class SplitRecovery {

  private final Plan plan;
  private final @Nullable Recoverable recoverable;
  private final Receipts receipts;
  private final Meter meter;

  SplitRecovery(Plan plan, WriteSession target, Receipts receipts, Meter meter) {
    this.plan = plan;
    recoverable = target.capability(Recoverable.class);
    this.receipts = receipts;
    this.meter = meter;
  }

  /// What is left of the splits, in order. Undone rows no longer count.
  ///
  /// @param why the lane failed
  /// @throws Fault.Transient if the target can't be asked now, or one that ends the run if
  ///   something can't be written again
  List<Split> of(List<Lane.SplitProgress> taken, Fault.Transient why) {
    if (plan.limits()) {
      // The rows that are still wanted are counted in the lane that failed.
      throw ending(why, "A run with a --limit that is counted here is not tried again.");
    }
    List<@Nullable Receipt> taking = new ArrayList<>();
    for (Lane.SplitProgress each : taken) {
      taking.add(durable(each, why));
    }
    List<Split> left = new ArrayList<>();
    for (int i = 0; i < taken.size(); i++) {
      Split rest = settle(taken.get(i), taking.get(i));
      if (rest != null) {
        left.add(rest);
      }
    }
    return left;
  }

  private @Nullable Receipt durable(Lane.SplitProgress taken, Fault.Transient why) {
    if (!taken.wasWritten()) {
      return null;
    }
    if (taken.isInDoubt()) {
      CommitStatus status =
          recoverable == null ? new CommitStatus.Unknown() : recoverable.statusOf(taken.split());
      return switch (status) {
        case CommitStatus.Nothing() -> null;
        case CommitStatus.Taken(Receipt receipt) -> receipt;
        case CommitStatus.Unknown() ->
            throw ending(why, "Whether the last rows of this lane were committed is not known.");
      };
    }
    if (!taken.isUndone()) {
      throw ending(why, "The rows of a part that a lane had begun can't be taken back one by one.");
    }
    return taken.receipt();
  }

  private @Nullable Split settle(Lane.SplitProgress taken, @Nullable Receipt receipt) {
    if (receipt == null) {
      meter.countUndone(taken.rowsWritten(), taken.bytesRead());
      return taken.split();
    }
    receipts.record(receipt);
    Split rest = taken.split().rest(receipt.rest());
    if (rest != null) {
      long rowsUndone = Math.max(0, taken.rowsWritten() - receipt.rows());
      double shareUndone = (double) rowsUndone / Math.max(1, taken.rowsWritten());
      meter.countUndone(rowsUndone, Math.round(taken.bytesRead() * shareUndone));
    }
    return rest;
  }

  private static Fault.Transient ending(Fault.Transient fault, String why) {
    return Fault.Transient.endingRun(
        String.valueOf(fault.getMessage()), (why + " " + fault.advice()).strip(), fault);
  }
}
