package millrace.engine.remote;

import java.io.Serializable;
import java.util.List;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.fault.Fault;
import millrace.spi.journal.Receipt;
import org.jspecify.annotations.Nullable;

/// What an attempt at a split has come to, as another process reports it.
///
/// @param receipts all that is taken of the split, by this attempt and by those before it
/// @param reader what its reader's {@link millrace.spi.StageClock} has added up
/// @param writer what its writer's has
/// @param cut how many times were cut to microseconds
/// @param lostMembers how many JSON documents lost a member
/// @param unrecorded bad records that are to be written down before the split is taken; then it is
///   to be tried again
/// @param fault why it has not come to its end; null if it has
public record SplitDone(
    List<Receipt> receipts,
    long[] reader,
    long[] writer,
    long cut,
    long lostMembers,
    List<SetAside> unrecorded,
    @Nullable Fault fault)
    implements Serializable {

  public SplitDone {
    receipts = List.copyOf(receipts);
    unrecorded = List.copyOf(unrecorded);
  }

  /// How many rows of the split are taken.
  public long rows() {
    return receipts.stream().mapToLong(Receipt::rows).sum();
  }

  /// Nothing could be done.
  public static SplitDone failed(Fault fault) {
    return nothing(List.of(), fault.withoutCause());
  }

  /// Nothing was left to do, or nothing could be done.
  static SplitDone nothing(List<Receipt> receipts, @Nullable Fault fault) {
    return new SplitDone(receipts, new long[0], new long[0], 0, 0, List.of(), fault);
  }
}
