package millrace.spi.write;

import java.util.List;
import java.util.stream.Stream;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The capability of a session of a run that another process has begun, see {@link
/// WriteStart.Journal.Join}. Only that process completes or aborts the run; when this session is
/// closed, all that is committed stays.
public interface JoinedSession {

  /// Begins an attempt at a split, before a writer starts what is left of it. Earlier attempts
  /// can't commit any more, wherever they run; those of this very session have ended. From any
  /// thread.
  ///
  /// @throws millrace.fault.Fault.User if the run has ended, or is not known any more
  Attempt takeUp(Split split);

  /// The capability of a session whose run other processes may join. Once it has been told of a
  /// receipt of theirs, its end keeps them from committing, and checks that all rows are there
  /// once.
  interface Main {

    /// Another process has taken that. From any thread.
    void taken(Receipt receipt);

    /// Keeps them from committing more, before the run is given up. If it can't, the run is kept.
    ///
    /// @return all that is committed, told or not
    List<Receipt> settle();
  }

  /// Where an attempt begins: what earlier ones have committed, in the order of the rows, and what
  /// is still to be written; null if nothing is.
  record Attempt(List<Receipt> taken, @Nullable Split rest) {

    /// All receipts of the split, for {@link Main#taken}, with the last one of this attempt's
    /// writer.
    public List<Receipt> with(Receipt own) {
      return Stream.concat(taken.stream(), Stream.of(own)).toList();
    }
  }
}
