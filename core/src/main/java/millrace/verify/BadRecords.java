package millrace.verify;

import java.util.ArrayList;
import java.util.List;
import millrace.engine.reject.ExcludedRecords;
import millrace.engine.reject.RejectLog;
import org.jspecify.annotations.Nullable;

/// The records that a verify could not read as rows, on both sides: each is a difference, but for
/// those that are to be left out. Two threads tell it of them.
final class BadRecords {

  private static final int SHOWN_MAX = 10;

  private final @Nullable ExcludedRecords leftOut;
  private final List<Differences.RowDifference> first = new ArrayList<>();
  private long ofFrom;
  private long ofTo;

  /// @param leftOut records of the first side that do not count; null if all do
  BadRecords(@Nullable ExcludedRecords leftOut) {
    this.leftOut = leftOut;
  }

  synchronized void ofFrom(RejectLog.SetAside bad) {
    if (leftOut == null || !leftOut.takes(bad)) {
      ofFrom++;
      show(bad, Differences.Kind.ONLY_FROM);
    }
  }

  synchronized void ofTo(RejectLog.SetAside bad) {
    ofTo++;
    show(bad, Differences.Kind.ONLY_TO);
  }

  private void show(RejectLog.SetAside bad, Differences.Kind kind) {
    if (first.size() < SHOWN_MAX) {
      first.add(new Differences.RowDifference("", kind, List.of(bad.words())));
    }
  }

  /// What was found of the rows and of these; once both sides are read.
  synchronized Differences addTo(Differences found) {
    if (ofFrom + ofTo == 0) {
      return found;
    }
    List<Differences.RowDifference> rows = new ArrayList<>(first);
    rows.addAll(found.differing().rows());
    return new Differences(
        false,
        found.fromRows() + ofFrom,
        found.toRows() + ofTo,
        found.key(),
        found.columns(),
        new Differences.DifferingRows(
            found.differing().keyRanges(),
            rows.subList(
                0, Math.min(rows.size(), Math.max(SHOWN_MAX, found.differing().rows().size()))),
            found.differing().rowsSeen() + ofFrom + ofTo,
            found.differing().complete()),
        found.notes());
  }
}
