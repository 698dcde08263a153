package millrace.testkit.oracle.rules;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import millrace.testkit.oracle.OraException;
import org.jspecify.annotations.Nullable;

/// Locks of whole tables, as Oracle takes them: statements that change rows share a table, a direct
/// path load has it for itself unless it is parallel, and DDL does not wait at all.
///
/// Any thread may call it; it waits for others if it has to.
public final class TableLocks {

  /// How much of a table a transaction wants for itself.
  public enum Mode {
    /// Rows are changed: others may, too.
    ROWS,
    /// A parallel direct path load: other such loads may go on.
    PARALLEL_LOAD,
    EXCLUSIVE;

    private boolean allows(Mode other) {
      return this == other && this != EXCLUSIVE;
    }
  }

  /// Who has locks, and may be told to stop waiting.
  public interface Owner {
    boolean isCancelled();

    /// Is told whom it waits for now.
    ///
    /// @param holder null if for nobody any more
    void waitsFor(@Nullable Owner holder);
  }

  /// How often a waiting owner looks whether it is to stop.
  private static final long LOOK_MILLIS = 50;

  private final Map<Long, Map<Owner, Set<Mode>>> held = new HashMap<>();

  public static OraException busy() {
    return new OraException(
        54, "resource busy and acquire with NOWAIT specified or timeout expired");
  }

  /// Takes a lock and waits for it; the owner may have locks of the table already.
  ///
  /// @param wait how long to wait; 0 not at all
  /// @throws OraException ORA-00054 if another has the table for so long, ORA-01013 if interrupted
  public synchronized void take(Owner owner, long table, Mode mode, long wait, TimeUnit unit)
      throws OraException {
    long end = System.nanoTime() + unit.toNanos(wait);
    try {
      await(owner, table, mode, end);
    } finally {
      owner.waitsFor(null);
    }
    held.computeIfAbsent(table, _ -> new HashMap<>())
        .computeIfAbsent(owner, _ -> new HashSet<>())
        .add(mode);
  }

  private synchronized void await(Owner owner, long table, Mode mode, long end)
      throws OraException {
    for (Owner holder = holder(owner, table, mode);
        holder != null;
        holder = holder(owner, table, mode)) {
      owner.waitsFor(holder);
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw busy();
      }
      if (owner.isCancelled()) {
        throw H2Errors.cancelled();
      }
      try {
        wait(Math.min(left, LOOK_MILLIS));
      } catch (InterruptedException _) {
        throw H2Errors.cancelled();
      }
    }
  }

  /// Who has the table in a way that does not allow that; null if nobody has.
  private @Nullable Owner holder(Owner owner, long table, Mode mode) {
    for (Map.Entry<Owner, Set<Mode>> entry : held.getOrDefault(table, Map.of()).entrySet()) {
      boolean other = !entry.getKey().equals(owner);
      if (other && !entry.getValue().stream().allMatch(mode::allows)) {
        return entry.getKey();
      }
    }
    return null;
  }

  /// The end of a transaction: all its locks are free.
  public synchronized void releaseAll(Owner owner) {
    held.values().forEach(owners -> owners.remove(owner));
    notifyAll();
  }
}
