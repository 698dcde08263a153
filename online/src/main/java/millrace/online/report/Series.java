package millrace.online.report;

import java.util.List;

/// What happened over the time of a run. Times are seconds since its start.
///
/// @param pauses in which this process itself stood still
/// @param levels the names of all levels that are aggregated, the lowest first; empty if that is
///   unknown
public record Series(
    List<Second> seconds,
    List<WindowRun> windows,
    List<PartitionSwitch> switches,
    List<Pause> pauses,
    List<String> levels) {

  /// One second of the schedule, all clients together. Times of writes are in milliseconds, and 0
  /// if there was no write.
  ///
  /// @param second which, from 0
  /// @param rows that were acknowledged
  /// @param lateRows how many of them were late
  /// @param startDelay how late the writes of this second began, or are by now if they have not
  /// @param writeMean how long the writes took, from begin to acknowledgement
  /// @param writeMax the longest of them
  /// @param backlog writes that were due and had not begun when the second ended
  /// @param errors writes that failed
  public record Second(
      long second,
      long rows,
      long lateRows,
      StartDelay startDelay,
      double writeMean,
      double writeMax,
      int backlog,
      int errors) {

    /// How late the latest write of this second began.
    public double startDelayMax() {
      return startDelay.max;
    }
  }

  /// How late the writes of a second began, in milliseconds.
  ///
  /// @param max the latest of them
  /// @param mean of all
  /// @param own by how much they would have begun sooner, if the clients themselves had not been
  ///   late
  /// @param behind the mean of what was behind by then: the delay of a write that began, and the
  ///   time since the first that did not, for one that never began
  public record StartDelay(double max, double mean, double own, double behind) {

    /// All of them began.
    public StartDelay(double max, double mean, double own) {
      this(max, mean, own, mean);
    }

    /// One for all writes, that the target is the reason of.
    public static StartDelay of(double each) {
      return new StartDelay(each, each, 0);
    }

    /// What the target is the reason of.
    public StartDelay ofTarget() {
      return new StartDelay(
          Math.max(0, max - own), Math.max(0, mean - own), 0, Math.max(0, behind - own));
    }
  }

  /// One aggregate of one window.
  ///
  /// @param level such as `minute`
  /// @param window where the window begins, such as `2019-04-01 23:55:00`
  /// @param atSecond when it was due, and begun by the clock; or when it was begun again
  /// @param seconds how long it took since, or has taken so far
  /// @param rows that it wrote
  /// @param again whether it was done again, since rows or windows below came afterwards
  /// @param running whether it goes on
  /// @param error why it failed; empty if it did not
  public record WindowRun(
      String level,
      String window,
      double atSecond,
      double seconds,
      long rows,
      boolean again,
      boolean running,
      String error) {

    /// Whether it ended with an error.
    public boolean failed() {
      return !error.isEmpty();
    }
  }

  /// When the rows began to go into another range partition.
  public record PartitionSwitch(double atSecond, String partition) {}

  /// A time in which this process stood still.
  ///
  /// @param collects whether it collected garbage for most of it
  public record Pause(double atSecond, double seconds, boolean collects) {

    /// How much of it lies between two moments.
    public double within(double from, double to) {
      return Math.max(0, Math.min(to, atSecond + seconds) - Math.max(from, atSecond));
    }
  }

  /// What happened while this process never stood still.
  public Series(List<Second> seconds, List<WindowRun> windows, List<PartitionSwitch> switches) {
    this(seconds, windows, switches, List.of(), List.of());
  }

  public Series {
    pauses = List.copyOf(pauses);
    levels = List.copyOf(levels);
    seconds = List.copyOf(seconds);
    windows = List.copyOf(windows);
    switches = List.copyOf(switches);
  }
}
