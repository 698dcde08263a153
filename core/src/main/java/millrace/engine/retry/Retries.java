package millrace.engine.retry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import millrace.fault.Fault;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The splits that came back from lanes that failed, and how often and how long they are tried.
///
/// The lane pool calls it under its lock.
public final class Retries {

  /// Most tries of one split: one that fails that often does so by itself, however well the others
  /// fare. While a server can't be reached nothing is tried; but a server that takes rows and then
  /// ends the connection, as MariaDB does if one is too long, was reached.
  private static final int TRIES_MAX = 10;

  private final RetryPolicy retryPolicy;
  private final RandomGenerator random = new Random();
  private final TreeMap<Integer, Split> returned = new TreeMap<>();
  private final Map<Integer, Integer> tries = new HashMap<>();
  private long rowsAtFailure = -1;
  private long troubledSinceNanos;

  public Retries(RetryPolicy retryPolicy) {
    this.retryPolicy = retryPolicy;
  }

  /// Whether anything is tried twice.
  public boolean allowed() {
    return retryPolicy.retryFor().isPositive();
  }

  /// Whether splits wait for another lane.
  public boolean areWaiting() {
    return !returned.isEmpty();
  }

  /// The first of them in source order, or null if there are none.
  @Nullable
  public Split take() {
    Map.Entry<Integer, Split> first = returned.pollFirstEntry();
    return first == null ? null : first.getValue();
  }

  /// Takes splits back that a lane had begun or was about to.
  public void giveBack(List<Split> splits) {
    splits.forEach(split -> returned.put(split.index(), split));
  }

  /// How long a lane waits before its next try, in nanoseconds.
  ///
  /// @param tried the split that it failed at, or null if it had none
  /// @param failures how often in a row it has failed
  /// @param rows that the run has moved so far, retried ones included: any at all since the last
  ///   failure and the time starts anew
  /// @throws Fault.Transient if it has been tried often or long enough
  public long waitNanos(
      Fault.Transient fault, @Nullable Split tried, int failures, long rows, long nowNanos) {
    boolean reached = !fault.isUnreachable() || (rowsAtFailure >= 0 && rows != rowsAtFailure);
    if (rows != rowsAtFailure) {
      rowsAtFailure = rows;
      troubledSinceNanos = nowNanos - fault.triedNanos();
    }
    int triesOfSplit = tried == null || !reached ? 0 : tries.merge(tried.index(), 1, Integer::sum);
    if (triesOfSplit >= TRIES_MAX) {
      throw givenUp(fault, "The same part of the source was tried " + TRIES_MAX + " times.");
    }
    // A driver that tries by itself would do so for as long once more.
    long nextNanos = fault.triedNanos() / 2;
    if (nowNanos - troubledSinceNanos + nextNanos >= retryPolicy.retryFor().toNanos()) {
      throw givenUp(
          fault, "It was tried again for " + words(retryPolicy.retryFor().toSeconds()) + ".");
    }
    return retryPolicy.waitNanos(failures, fault.retryAfterMillis(), random);
  }

  private static Fault.Transient givenUp(Fault.Transient fault, String tried) {
    List<String> advice = new ArrayList<>(List.of(tried));
    if (!fault.advice().isEmpty()) {
      advice.add(fault.advice());
    }
    return new Fault.Transient(
        String.valueOf(fault.getMessage()), String.join(" ", advice), 0, fault);
  }

  private static String words(long seconds) {
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
