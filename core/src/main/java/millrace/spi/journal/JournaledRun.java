package millrace.spi.journal;

import java.util.List;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// A run that was begun and that its target still knows.
///
/// @param run what was kept of it
/// @param mode what became of what its target held; null if the user's options alone tell
/// @param state how far it came
/// @param completion how it has ended well; null if it has not ended, or was cut off
/// @param stays whether rows that it has committed stand in the target itself, so that a run from
///   the start would add them once more
/// @param receipts what it has taken, in no order
public record JournaledRun(
    RunRecord run,
    @Nullable Mode mode,
    State state,
    @Nullable Completion completion,
    boolean stays,
    List<Receipt> receipts) {

  /// How far a run came.
  public enum State {
    /// It was cut off, and another can go on with it.
    CUT_OFF,
    /// It was cut off; all that it had committed was staged and is lost, so that nothing of it is
    /// anywhere.
    STAGED_LOST,
    /// It was cut off when nothing but its end was missing, see {@link JournalStore#finish}.
    LACKS_END,
    /// It has ended well.
    COMPLETE
  }

  /// How a run has ended well.
  ///
  /// @param at when, in UTC as {@link java.time.Instant} spells it
  /// @param change how what it left has changed since, as a sentence without its end; empty if it
  ///   has not, as far as the target can tell without reading it all
  public record Completion(String at, String change) {}

  public JournaledRun {
    receipts = List.copyOf(receipts);
  }

  /// One that is complete, or can be gone on with.
  public JournaledRun(
      RunRecord run, @Nullable Completion completion, boolean stays, List<Receipt> receipts) {
    this(
        run,
        null,
        completion == null ? State.CUT_OFF : State.COMPLETE,
        completion,
        stays,
        receipts);
  }

  /// The same, begun in that mode.
  public JournaledRun begun(Mode how) {
    return new JournaledRun(run, how, state, completion, stays, receipts);
  }

  /// The same, having come so far.
  public JournaledRun in(State other) {
    return new JournaledRun(run, mode, other, completion, stays, receipts);
  }

  /// The same, ended so.
  public JournaledRun completed(Completion end) {
    return new JournaledRun(run, mode, State.COMPLETE, end, stays, receipts);
  }

  /// Whether it has ended well.
  public boolean complete() {
    return completion != null;
  }

  /// Rows that it has committed.
  public long rows() {
    return receipts.stream().mapToLong(Receipt::rows).sum();
  }
}
