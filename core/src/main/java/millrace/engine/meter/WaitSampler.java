package millrace.engine.meter;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.ServerWait;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Counts what the processes of both ends' servers are seen to wait for, while lanes work.
///
/// It looks from a thread of its own, from {@link #start} to {@link #finish}.
final class WaitSampler {

  private static final Logger LOG = LoggerFactory.getLogger(WaitSampler.class);

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  private final List<End> ends = new ArrayList<>();
  private final CountDownLatch finished = new CountDownLatch(1);
  private final ExecutorService looker =
      Executors.newSingleThreadExecutor(
          Thread.ofPlatform().name("server-waits").daemon().factory());

  /// One end, and how often each wait was seen there.
  private static final class End {
    final String name;
    final Counters counters;
    final Map<ServerWait, Long> seen = new LinkedHashMap<>();
    boolean silent;

    End(String name, Counters counters) {
      this.name = name;
      this.counters = counters;
    }

    /// A server that does not answer is not asked again.
    void look() {
      try {
        counters.waits().forEach(wait -> seen.merge(wait, 1L, Long::sum));
      } catch (Fault e) {
        LOG.debug("the {}'s server does not say what it waits for", name, e);
        silent = true;
      }
    }

    List<ServerWaits.Waited> waited() {
      long looks = seen.values().stream().mapToLong(Long::longValue).sum();
      return seen.entrySet().stream()
          .map(entry ->
              new ServerWaits.Waited(
                  name,
                  entry.getKey().event(),
                  entry.getKey().what(),
                  entry.getValue(),
                  100.0 * entry.getValue() / looks))
          .toList();
    }
  }

  private WaitSampler() {}

  /// @param lanes is asked whether any lane works
  static WaitSampler start(Meter lanes, @Nullable Counters source, @Nullable Counters target) {
    WaitSampler looks = new WaitSampler();
    if (source != null) {
      looks.ends.add(new End("source", source));
    }
    if (target != null) {
      looks.ends.add(new End("target", target));
    }
    looks.looker.execute(() -> looks.look(lanes));
    return looks;
  }

  private void look(Meter lanes) {
    try {
      while (!finished.await(BETWEEN_LOOKS.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!lanes.doing().isEmpty()) {
          ends.stream().filter(end -> !end.silent).forEach(End::look);
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Looks no more.
  ///
  /// @return what was seen at each end
  ServerWaits finish() {
    finished.countDown();
    looker.close();
    Map<String, String> helps = new HashMap<>();
    for (End end : ends) {
      end.seen
          .keySet()
          .forEach(wait ->
              helps.merge(
                  ServerWaits.at(end.name, wait.what()),
                  wait.help(),
                  (one, other) -> one.isEmpty() ? other : one));
    }
    return new ServerWaits(ends.stream().flatMap(end -> end.waited().stream()).toList(), helps);
  }
}
