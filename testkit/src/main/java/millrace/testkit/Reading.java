package millrace.testkit;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.spi.StageClock;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Rejects;
import millrace.text.Amount;
import millrace.tuning.BestUnit;
import org.jspecify.annotations.Nullable;

/// Reads a source by hand, without the engine.
public final class Reading {

  /// Fails the test at the first bad record.
  public static final Rejects NO_REJECTS =
      new Rejects() {
        @Override
        public void reject(Reject reject) {
          throw new AssertionError("rejected: " + reject.reason());
        }

        @Override
        public boolean allowed() {
          return false;
        }
      };

  private Reading() {}

  /// What a reader of columns gets.
  public static ReadContext context(@Nullable Amount readUnit) {
    return new ReadContext(0, new StageClock(), NO_REJECTS, readUnit, BestUnit.unknown(), null);
  }

  /// Opens a source that has been described, to read it in columns; the caller closes it.
  public static ReadSession open(DescribedSource source, long splitBytes) {
    return source.open(ReadPlan.of(new ColumnRequest.Typed(), splitBytes, 2));
  }

  /// All splits of a source that has been described.
  public static List<Split> splits(DescribedSource source, long splitBytes) {
    try (ReadSession session = open(source, splitBytes)) {
      return splits(session);
    }
  }

  /// All splits.
  public static List<Split> splits(ReadSession session) {
    List<Split> all = new ArrayList<>();
    try (Splits splits = session.splits()) {
      for (Split split = splits.next(); split != null; split = splits.next()) {
        all.add(split);
      }
    }
    return all;
  }

  /// All rows of some splits of a source that has been described, read by one reader in that order.
  public static List<Row> rows(
      DescribedSource source, List<Split> splits, @Nullable Amount readUnit) {
    try (ReadSession session = open(source, 1 << 20)) {
      return rows(session, splits, readUnit);
    }
  }

  /// All rows of some splits, read by one reader in that order.
  public static List<Row> rows(ReadSession session, List<Split> splits, @Nullable Amount readUnit) {
    List<Row> rows = new ArrayList<>();
    try (Reader reader = session.reader(context(readUnit))) {
      for (Split split : splits) {
        reader.start(split);
        for (Batch batch = reader.next(); batch != null; batch = reader.next()) {
          rows.addAll(Values.rows((Columns) batch));
          batch.release();
        }
      }
    }
    return rows;
  }
}
