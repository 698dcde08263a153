package millrace.online.load;

import java.util.List;
import millrace.spi.online.OnlineStore.Dirty;

/// What clients tell and ask of those who watch them. Called from the clients' threads.
public interface WriteListener {

  /// A write is about to begin that has rows of these windows of the lowest level.
  ///
  /// @param windows where each begins, in microseconds since 1970
  /// @return the windows that were aggregated already: they are marked with the rows
  List<Dirty> begins(List<Long> windows);

  /// The rows are durable, and nobody was told yet. Called again when more marks are durable.
  ///
  /// @param marked what was marked with them
  /// @return the windows whose aggregation has begun meanwhile: they are marked next
  List<Dirty> written(List<Long> windows, List<Dirty> marked);

  /// All marks are durable: the write is acknowledged.
  void acknowledged(List<Long> windows);

  /// A write of one second of the schedule begins.
  void starts(int client, long second, StartDelay startDelay);

  /// A write of one second of the schedule is done.
  void wrote(Write write);

  /// A write failed; it is tried again.
  ///
  /// @param second of the schedule; -1 at its end
  void failed(long second, String why);

  /// A client ends before its time.
  ///
  /// @param rows of the write that failed at last: they may be durable or not
  void died(int client, long rows, String why);

  /// One write.
  ///
  /// @param client which client
  /// @param second of the schedule; -1 for what is left at its end, or is durable of a write that
  ///   failed
  /// @param rows how many rows, late ones and those that came too late included
  /// @param lateRows how many of them were late
  /// @param tooLate how many went aside, because they came too late
  /// @param watts the sum of all rows
  /// @param times how long it took
  record Write(
      int client, long second, long rows, long lateRows, long tooLate, long watts, Times times) {

    /// Whether it is a write of the schedule.
    public boolean isScheduled() {
      return second >= 0;
    }
  }

  /// How late a write begins, in nanoseconds, and what of it is no fault of the target.
  ///
  /// @param all from the schedule to the begin
  /// @param paused for how long the whole process stood still since the client was last on time
  /// @param queued for how long the client waited for a processor since then
  record StartDelay(long all, long paused, long queued) {}

  /// How long a write took, in nanoseconds.
  ///
  /// @param startDelay from the schedule to the begin
  /// @param service from the begin to the acknowledgement
  /// @param queued for how long of that the client waited for a processor
  record Times(long startDelay, long service, long queued) {

    /// One that never waited for a processor.
    public Times(long startDelay, long service) {
      this(startDelay, service, 0);
    }

    /// From the schedule to the acknowledgement.
    public long response() {
      return startDelay + service;
    }
  }
}
