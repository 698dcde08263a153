package millrace.connectors.sql.sink;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Finds those rows among many that a database refuses: it halves them until only they are left.
public final class RejectBisector {

  private RejectBisector() {}

  /// Tries rows.
  public interface Attempt {

    /// Has the database take some rows, or none of them.
    ///
    /// @return why it takes none; null if it has taken them
    @Nullable SQLException take(long from, long to);
  }

  /// Is told of a bad row.
  public interface Refused {
    void row(long at, SQLException why);
  }

  /// Has all good rows taken.
  public static void run(long from, long to, Attempt attempt, Refused refused) {
    SQLException why = attempt.take(from, to);
    if (why == null) {
      return;
    }
    if (to - from == 1) {
      refused.row(from, why);
      return;
    }
    long middle = (from + to) >>> 1;
    run(from, middle, attempt, refused);
    run(middle, to, attempt, refused);
  }
}
