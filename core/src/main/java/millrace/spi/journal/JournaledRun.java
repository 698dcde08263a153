package millrace.spi.journal;

import java.util.List;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.Entry.Sealing;
import millrace.spi.journal.Entry.Taken;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// A run that was begun and that its target still knows.
///
/// @param begun what was kept of its beginning
/// @param taken what it has taken, in no order that matters
/// @param sealing what was kept of its end, if it came so far; else null
/// @param state how far it came
/// @param completion how it has ended well; null if it has not ended, or was cut off
/// @param leavesRows whether rows that it has committed stand in the target itself, so that a run
///   from the start would add them once more
public record JournaledRun(
    Begun begun,
    List<Taken> taken,
    @Nullable Sealing sealing,
    State state,
    @Nullable Completion completion,
    boolean leavesRows) {

  /// How far a run came.
  public enum State {
    /// It was cut off, and another can go on with it.
    CUT_OFF,
    /// It was cut off, and nothing of it is anywhere: all that it had committed was staged and is
    /// lost, or it had committed nothing and its table is gone.
    NOTHING_LEFT,
    /// It was cut off, and rows that it had committed in the target are gone: whether somebody has
    /// made use of them before, nobody can tell. Or the target is to which staged ones were to be
    /// added.
    ROWS_GONE,
    /// It was cut off when nothing but its end was missing, see {@link Ledger#finish}.
    LACKS_END,
    /// It has ended well.
    COMPLETE
  }

  /// How a run has ended well.
  ///
  /// @param at when, in UTC as {@link java.time.Instant} spells it
  /// @param change how what it left has changed since, as a sentence without its end; empty if it
  ///   has not, as far as the target can tell without reading it all
  /// @param rows how many it had written, if no receipts tell of them; 0 if nobody knows
  public record Completion(String at, String change, long rows) {

    /// One of whose rows receipts tell, if anything does.
    public Completion(String at, String change) {
      this(at, change, 0);
    }
  }

  public JournaledRun {
    taken = List.copyOf(taken);
  }

  /// One that is complete, or can be gone on with, of whose beginning and end nothing else is kept.
  public JournaledRun(
      RunRecord run, @Nullable Completion completion, boolean leavesRows, List<Receipt> receipts) {
    this(
        Begun.of(run, null),
        receipts.stream().map(receipt -> new Taken(receipt, null)).toList(),
        null,
        completion == null ? State.CUT_OFF : State.COMPLETE,
        completion,
        leavesRows);
  }

  /// The same, having come so far.
  public JournaledRun in(State other) {
    return new JournaledRun(begun, taken, sealing, other, completion, leavesRows);
  }

  /// The same, ended so.
  public JournaledRun completed(Completion end) {
    return new JournaledRun(begun, taken, sealing, State.COMPLETE, end, leavesRows);
  }

  /// What was kept of it.
  public RunRecord run() {
    return begun.run();
  }

  /// What became of what its target held; null if the user's options alone tell.
  public @Nullable Mode mode() {
    return begun.mode();
  }

  /// What it has taken, in no order that matters.
  public List<Receipt> receipts() {
    return taken.stream().map(Taken::receipt).toList();
  }

  /// Whether it has ended well.
  public boolean complete() {
    return completion != null;
  }

  /// Rows that it has committed.
  public long rows() {
    long counted = taken.stream().mapToLong(each -> each.receipt().rows()).sum();
    return counted == 0 && completion != null ? completion.rows() : counted;
  }
}
