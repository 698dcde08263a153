package millrace.spi.catalog;

import java.util.List;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import org.jspecify.annotations.Nullable;

/// The capability of a connector that can keep a database in one state while several copies read
/// from it: rows that move from one table to another meanwhile are in one of them for all. With
/// some, other processes can read that state too.
public interface SharedSnapshot {

  /// Takes the state as it is now. Changes nothing, but others may have to wait until the state is
  /// let go of.
  ///
  /// @param ends what is read, all of one database; one that is not there is left to its copy
  /// @param lanes how many lanes read at once in all
  /// @param context belongs to the job: what its sources find again is in {@link
  ///   OpenContext#shared}. If nothing is shared, other processes are to read the state: each end
  ///   that is held says by itself in which state it is read, whoever opens it; one of a system
  ///   that can't say so is not held
  /// @return the caller closes it once all have been read, and before it closes what is shared
  /// @throws millrace.fault.Fault if the database can't be asked
  Held hold(List<Endpoint> ends, int lanes, OpenContext context);

  /// A state that is kept.
  ///
  /// @param ends each end as its source is opened in that state; null if it is read as it is then
  /// @param whyNot why some are, as the end of a sentence; empty if none is
  /// @param release lets go of the state; throws nothing
  record Held(List<@Nullable Endpoint> ends, String whyNot, Runnable release)
      implements AutoCloseable {

    /// None of the ends is read in one state with others.
    public static Held none(List<Endpoint> ends, String whyNot) {
      return new Held(ends.stream().<@Nullable Endpoint>map(_ -> null).toList(), whyNot, () -> {});
    }

    /// All of them are, each under its own name.
    public static Held all(List<Endpoint> ends, Runnable release) {
      return new Held(ends.stream().<@Nullable Endpoint>map(end -> end).toList(), "", release);
    }

    @Override
    public void close() {
      release.run();
    }
  }
}
