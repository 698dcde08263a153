package millrace.online.run;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
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
    List<Level> levels = job.layout().levels();
    Level raw = levels.getFirst();
    OnlineStore.Sums aside = sums(job.layout().sideTable());
    OnlineStore.Sums below = sums(raw.table());
    long wantedRows = meter.rows() - meter.tooLate();
    long moved = sent.differing(store, raw, job.layout().sentTable(), stopped);
    boolean anyAside = aside.rows() > 0 || meter.tooLate() > 0;
    boolean watts = below.watts() + aside.watts() == meter.watts();
    boolean arrived = below.rows() == wantedRows && moved == 0 && (watts || anyAside);
    // A device of a window may lack many rows.
    long rows = Math.max(moved, Math.abs(below.rows() - wantedRows));
    all.add(new Sum("raw", below.rows(), below.watts(), 0, rows, arrived));
    if (anyAside) {
      long missing = Math.abs(aside.rows() - meter.tooLate());
      boolean agrees = missing == 0 && (watts || !arrived);
      all.add(new Sum("too late", aside.rows(), aside.watts(), 0, missing, agrees));
    }
    // What a level has to hold, whatever those below it do.
    long wanted = sent.watts();
    for (int i = 1; i < levels.size(); i++) {
      // Each level has what it was given, and all of the level below.
      long before = given.get(i).watts();
      wanted += before;
      OnlineStore.Sums sums = sums(levels.get(i).table());
      long differing = differing(levels.get(i - 1), levels.get(i), 0);
      boolean agrees = differing == 0 && sums.watts() == below.watts() + before;
      if (!agrees) {
        // The level below differs, perhaps, and not this one.
        boolean isRight = sums.watts() == wanted;
        long fromSent = differingFromSent(levels, i, arrived).orElse(isRight ? 0 : differing);
        agrees = isRight && fromSent == 0;
        differing = agrees ? 0 : Math.min(differing, fromSent == 0 ? differing : fromSent);
      }
      all.add(new Sum(levels.get(i).name(), sums.rows(), sums.watts(), before, differing, agrees));
      below = sums;
    }
    return all;
  }

  /// How many rows of a level are not the sums of what was sent; empty if that is not known by
  /// windows as short as those of the level. The window that was open at the start is left out if
  /// levels below it were given something.
  private OptionalLong differingFromSent(List<Level> levels, int level, boolean arrived) {
    Level raw = levels.getFirst();
    if (!arrived && !sent.isWithin(levels.get(level))) {
      return OptionalLong.empty();
    }
    Level source = arrived ? raw : new Level("sent", job.layout().sentTable(), raw.window());
    boolean isGiven = given.subList(0, level).stream().anyMatch(sums -> sums.rows() > 0);
    return OptionalLong.of(differing(source, levels.get(level), isGiven ? 1 : 0));
  }

  /// Totals agree as well if two devices have each other's watts: so all windows since the start
  /// are compared device by device. Those before it were filled in and have nothing below them.
  ///
  /// @param skipped how many of the first windows are left out
  private long differing(Level below, Level level, int skipped) {
    long width = level.window().toNanos() / 1_000;
    Window span =
        Schedule.starting(0, job.load().clock(), job.load().duration().toSeconds()).span();
    long differing = 0;
    long first = Math.floorDiv(span.start(), width) * width + skipped * width;
    for (long at = first; at < span.end(); at += width) {
      Window window = new Window(at, at + width);
      differing += RetriedCalls.passing(stopped, () -> store.differing(below, level, window));
    }
    return differing;
  }

  private OnlineStore.Sums sums(String table) {
    return RetriedCalls.passing(stopped, () -> store.sums(table, ALL));
  }
}
