package millrace.io.store;

import java.util.ArrayList;
import java.util.List;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import org.jspecify.annotations.Nullable;

/// Which requests a store got: it is paid by them. The first reading tells what there had been when
/// this was made, so that looking at files counts too.
public final class StoreCounters implements Counters {

  private static final Alarm TURNED_AWAY =
      new Alarm(
          10,
          "requests that the store turned away, or lost",
          "it limits how many it answers: fewer lanes would wait as long for it");

  private final StoreClient.Requests requests;
  private final StoreWaits waits;
  private List<Count> before;

  private StoreCounters(StoreClient store) {
    requests = store.requests();
    waits = store.waits();
    before = now();
  }

  /// Those of the store that a location is in, from now on; null for files of this machine.
  public static @Nullable HasCounters of(FileLocation location) {
    if (!location.isInStore()) {
      return null;
    }
    StoreCounters counters =
        new StoreCounters(((StoreFileSystem) location.path().getFileSystem()).store());
    return () -> counters;
  }

  private List<Count> now() {
    return List.of(
        count("list", requests.lists().sum()),
        count("head", requests.finds().sum()),
        count("get", requests.reads().sum()),
        count("put", requests.writes().sum()),
        count("bytes_read", requests.bytes().sum()),
        count("bytes_written", requests.bytesWritten().sum()),
        new Count("store", "again", Scope.RUN, requests.again().sum(), TURNED_AWAY));
  }

  private static Count count(String name, long value) {
    return new Count("store", name, Scope.RUN, value);
  }

  @Override
  public Reading read() {
    List<Count> counts = new ArrayList<>(before.isEmpty() ? now() : before);
    before = List.of();
    // What held up readers while nobody looked at it is no matter of the run's.
    counts.addAll(waits.counts());
    return new Reading(counts, List.of());
  }

  @Override
  public void close() {
    // The store stays open.
  }
}
