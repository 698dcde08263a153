package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import millrace.online.job.OnlineJob;
import millrace.online.load.RetriedCalls;
import millrace.online.load.Schedule;
import millrace.online.load.SentSums;
import millrace.online.report.OnlineReport.Sum;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.Window;

/// Adds up what was sent, what arrived, and each level, and compares each with the one below device
/// by device: all must agree to the last watt.
final class Reconciliation {

  /// All times that the systems have: the years 1 to 9999.
  private static final Window ALL = new Window(-62_135_596_800_000_000L, 253_402_300_799_000_000L);

  private final OnlineJob job;
  private final OnlineStore store;
  private final List<OnlineStore.Sums> given;
  private final SentSums sent;
  private final BooleanSupplier stopped;

  /// @param given what each level held before, what arrives first
  /// @param sent what clients know that they have sent
  /// @param stopped whether nobody waits for it any more
  Reconciliation(
      OnlineJob job,
      OnlineStore store,
      List<OnlineStore.Sums> given,
      SentSums sent,
      BooleanSupplier stopped) {
    this.sent = sent;
    this.stopped = stopped;
    this.job = job;
    this.store = store;
    this.given = List.copyOf(given);
  }

  List<Sum> sums(RunMeter meter) {
    List<Sum> all = new ArrayList<>();
    all.add(new Sum("sent", meter.rows(), meter.watts(), true));
    OnlineStore.Sums aside = sums(job.layout().sideTable());
    List<Level> levels = job.layout().levels();
    OnlineStore.Sums raw = sums(levels.getFirst().table());
    boolean arrived =
        raw.rows() + aside.rows() == meter.rows()
            && aside.rows() == meter.tooLate()
            && raw.watts() + aside.watts() == meter.watts();
    long moved = sent.differing(store, levels.getFirst(), job.layout().sentTable(), stopped);
    all.add(new Sum("raw", raw.rows(), raw.watts(), 0, moved, arrived && moved == 0));
    if (aside.rows() > 0) {
      all.add(new Sum("too late", aside.rows(), aside.watts(), arrived));
    }
    long wanted = raw.watts();
    for (int i = 1; i < levels.size(); i++) {
      // Each level has what it was given, and all of the level below.
      long before = given.get(i).watts();
      wanted += before;
      OnlineStore.Sums sums = sums(levels.get(i).table());
      long differing = differing(levels.get(i - 1), levels.get(i));
      boolean agrees = sums.watts() == wanted && differing == 0;
      all.add(new Sum(levels.get(i).name(), sums.rows(), sums.watts(), before, differing, agrees));
    }
    return all;
  }

  /// Totals agree as well if two devices have each other's watts: so all windows since the start
  /// are compared device by device. Those before it were filled in and have nothing below them.
  private long differing(Level below, Level level) {
    long width = level.window().toNanos() / 1_000;
    Window span =
        Schedule.starting(0, job.load().clock(), job.load().duration().toSeconds()).span();
    long differing = 0;
    for (long at = Math.floorDiv(span.start(), width) * width; at < span.end(); at += width) {
      Window window = new Window(at, at + width);
      differing += RetriedCalls.passing(stopped, () -> store.differing(below, level, window));
    }
    return differing;
  }

  private OnlineStore.Sums sums(String table) {
    return RetriedCalls.passing(stopped, () -> store.sums(table, ALL));
  }
}
