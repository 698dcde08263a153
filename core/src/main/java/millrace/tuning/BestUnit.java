package millrace.tuning;

import java.util.concurrent.atomic.AtomicReference;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// How much to move in one request on one side of a run, as far as its lanes have found out: a lane
/// that joins them begins with it, and so does the next run. Any thread.
public final class BestUnit {

  private final @Nullable Amount known;
  private final AtomicReference<@Nullable Amount> found = new AtomicReference<>();

  /// @param known what an earlier run found, or null
  public BestUnit(@Nullable Amount known) {
    this.known = known;
  }

  /// If nothing is known yet.
  public static BestUnit unknown() {
    return new BestUnit(null);
  }

  /// What to begin with.
  ///
  /// @param otherwise if nothing is known, or something in rows that is wanted in bytes
  Amount first(Amount otherwise) {
    Amount best = found.get();
    Amount first = best == null ? known : best;
    return first == null || first.inBytes() != otherwise.inBytes() ? otherwise : first;
  }

  void found(Amount best) {
    found.set(best);
  }

  /// What a lane found last, or null if none has.
  public @Nullable Amount found() {
    return found.get();
  }
}
