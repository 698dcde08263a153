package millrace.spi.write;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The capability of a session of a run that another process has begun, see {@link
/// WriteStart.Journal.Join}. Only that process completes or aborts the run; when this session is
/// closed, all that is committed stays.
public interface JoinedSession {

  /// Begins an attempt at a split, before a writer starts what is left of it. Earlier attempts can't
  /// commit any more, wherever they run; those of this very session have ended. From any thread.
  ///
  /// @throws millrace.fault.Fault.User if the run has ended, or is not known any more
  Attempt takeUp(Split split);

  /// Where an attempt at a split begins.
  ///
  /// @param taken what earlier attempts have committed, in the order of the rows
  /// @param rest what is still to be written; null if nothing is
  record Attempt(List<Receipt> taken, @Nullable Split rest) {

    public Attempt {
      taken = List.copyOf(taken);
    }

    /// All receipts of the split, once the attempt has written the rest: what the process that has
    /// begun the run is to be told.
    ///
    /// @param own the writer's last one
    public List<Receipt> with(Receipt own) {
      List<Receipt> all = new ArrayList<>(taken);
      all.add(own);
      return all;
    }
  }
}
