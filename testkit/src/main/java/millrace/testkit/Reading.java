package millrace.testkit;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Batch;
import millrace.data.Columns;
import millrace.data.Form;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
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
    return new ReadContext(0, new StageClock(), NO_REJECTS, null, readUnit, BestUnit.unknown());
  }

  /// All splits of a source that has been described.
  public static List<Split> splits(Source source, long splitBytes) {
    List<Split> all = new ArrayList<>();
    try (Splits splits = source.splits(splitBytes, 2)) {
      for (Split split = splits.next(); split != null; split = splits.next()) {
        all.add(split);
      }
    }
    return all;
  }

  /// All rows of some splits, read by one reader in that order.
  public static List<Row> rows(Source source, List<Split> splits, @Nullable Amount readUnit) {
    List<Row> rows = new ArrayList<>();
    try (Reader reader = source.reader(Form.COLUMNS, context(readUnit))) {
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
