package millrace.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where a target keeps the receipts of a run, so that they are as durable as the rows that they
/// speak of.
///
/// The engine calls {@link #find} after {@link Target#fit}, then {@link #open} or {@link #resume},
/// then {@link Target#begin}; writers record their receipts by themselves, in the same transaction
/// as the rows where there are transactions. {@link Target#complete} marks the run complete in the
/// step that makes its rows appear. All on the target's thread.
public interface Journal {

  /// A run that was begun and is still known.
  ///
  /// @param run what was kept of it
  /// @param complete whether it has ended well
  /// @param visible whether rows that it has committed stand in the target itself, and not in a
  ///   place of their own
  /// @param receipts what it has taken, in no order
  record Kept(RunRecord run, boolean complete, boolean visible, List<Receipt> receipts) {

    public Kept {
      receipts = List.copyOf(receipts);
    }

    /// Rows that it has committed.
    public long rows() {
      return receipts.stream().mapToLong(Receipt::rows).sum();
    }
  }

  /// The run of that job into this target that is still known, or null. Waits a while for what a
  /// killed process has left under way.
  ///
  /// @throws millrace.fault.Fault.User where that very job is being run by somebody else
  @Nullable Kept find(String job);

  /// A run begins; {@link Target#begin} writes it down.
  ///
  /// @param before the run of the same job that it takes the place of, with all that is staged of
  ///   it; or null
  void open(RunRecord run, @Nullable Kept before);

  /// The run goes on, and {@link Target#begin} finds what is staged.
  ///
  /// @return what the user should know, in the place of what {@link Target#fit} said
  /// @throws millrace.fault.Fault.User where the target is no more what it was
  List<String> resume(Kept kept);

  /// Nobody needs to know any more that the run is complete, or that it began.
  void forget(RunRecord run);
}
