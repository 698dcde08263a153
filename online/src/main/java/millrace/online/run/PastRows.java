package millrace.online.run;

import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;

/// What the tables of a run hold before the first row arrives. The runs of a search share it: each
/// device gets its past once, and what a run has written goes before the next one begins. One
/// thread.
final class PastRows {

  private final boolean isShared;
  private boolean isMade;

  /// So many devices have their past, from the first on.
  private long devices;

  private PastRows(boolean isShared) {
    this.isShared = isShared;
  }

  /// For one run, which makes its tables and keeps others off them.
  static PastRows ofOneRun() {
    return new PastRows(false);
  }

  /// For all runs of a search, which keeps others off the tables meanwhile.
  static PastRows shared() {
    return new PastRows(true);
  }

  /// Makes the tables, or takes them back to their past.
  void makeTables(OnlineJob job, OnlineStore store, long startMicros) {
    if (!isShared) {
      store.claim();
    }
    if (isMade && job.load().prefill()) {
      devices = Math.min(devices, job.load().rows());
      store.restore(startMicros, devices);
    } else {
      devices = 0;
      store.create();
      isMade = true;
    }
  }

  /// Fills in what is missing of the past.
  ///
  /// @param says is told what is being done, in sentences
  /// @return what each level holds then, what arrives first
  List<OnlineStore.Sums> fillIn(
      OnlineJob job, OnlineStore store, long startMicros, Consumer<String> says) {
    if (!job.load().prefill()) {
      return Prefill.sums(job, startMicros, 0);
    }
    long wanted = job.load().rows();
    if (devices == 0) {
      says.accept("Filling the windows that are open at the start ...");
    } else {
      String more =
          wanted > devices ? ", and filled in for %,d more ...".formatted(wanted - devices) : ".";
      says.accept(
          String.format(Locale.ROOT, "The rows of the past are kept of %,d devices", devices)
              + more);
    }
    new Prefill(job, store, says).run(startMicros, new Window(devices, wanted));
    devices = wanted;
    return Prefill.sums(job, startMicros, wanted);
  }
}
