package millrace.engine.remote;

import java.util.List;
import millrace.engine.reject.RejectLog.SetAside;
import millrace.spi.read.Split;

/// Other processes that can work off the splits of a run, wherever they are.
public interface Cluster extends AutoCloseable {

  /// How many splits they have room for at once.
  int room();

  /// Makes a run known to them. The caller closes what it gets.
  Work begin(RemoteRun run);

  /// Lets go of them.
  @Override
  default void close() {
    // They are somebody else's.
  }

  /// Hears how far an attempt at a split is. Any thread.
  @FunctionalInterface
  interface UnderWay {

    /// What it has taken up to now; less than before if it was begun anew.
    ///
    /// @param rows that its writer has taken
    /// @param bytes of the source that its reader has read
    void tell(long rows, long bytes);
  }

  /// Their work on one run.
  interface Work extends AutoCloseable {

    /// Lets one of them work off a split, and waits until it has, or has failed. If the process
    /// itself is lost, another begins the split anew. Any thread, several at once.
    ///
    /// @param recorded its bad records that have been written down
    /// @param underWay hears meanwhile how far it is, of whoever can tell
    /// @throws millrace.fault.Fault if none of them can
    SplitDone run(Split split, List<SetAside> recorded, UnderWay underWay);

    /// Stops all that is under way soon. From any thread.
    void cancel();

    /// Which part of the time they were at work that they had for it, from 0 to 1.
    double atWork();

    /// What each of them has done, one sentence each.
    default List<String> notes() {
      return List.of();
    }

    @Override
    void close();
  }
}
