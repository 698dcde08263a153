package millrace.connectors.sql.write;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/// Finds those rows of a batch that a database refuses: it halves the batch until only they are
/// left.
final class RejectBisector {

  private RejectBisector() {}

  /// Tries rows.
  interface Attempt {

    /// Has the database take some rows, or none of them.
    ///
    /// @return why it takes none; null if it has taken them
    @Nullable SQLException take(int from, int to);
  }

  /// Is told of a bad row.
  interface Refused {
    void row(int at, SQLException why);
  }

  /// Has all good rows taken.
  static void run(int from, int to, Attempt attempt, Refused refused) {
    SQLException why = attempt.take(from, to);
    if (why == null) {
      return;
    }
    if (to - from == 1) {
      refused.row(from, why);
      return;
    }
    int middle = (from + to) >>> 1;
    run(from, middle, attempt, refused);
    run(middle, to, attempt, refused);
  }
}
