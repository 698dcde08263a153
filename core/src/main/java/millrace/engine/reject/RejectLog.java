package millrace.engine.reject;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import millrace.data.Location;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.io.Digest;
import millrace.plan.Job;
import millrace.spi.read.RecordFile;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Counts bad records, sets them aside in {@link RejectFiles}, and stops the run when they are more
/// than the user allows.
///
/// A record that comes again, because its split is tried again or the run goes on, counts once. It
/// is known by where it stood; one of a source that has no places, as a database of documents, by
/// what it is. All lanes share it; it locks.
public final class RejectLog implements Rejects, AutoCloseable {

  /// A percentage says nothing of a few records: it is judged from so many on, and at the end.
  static final long JUDGED_FROM = 10_000;

  /// What a record is known by: where it stood, else a hash of it.
  private record Known(String resource, long row, long byteOffset, String hash) {}

  private final Job.RejectPolicy policy;
  private final Meter meter;
  private final @Nullable RejectFiles files;
  private final Consumer<Reject> told;
  private final Set<Known> seen = new HashSet<>();
  private final Rejects ofReaders = new OfReaders();

  /// All of the job.
  private long count;

  /// Records that an earlier run of the job has read, where it is known which of them were bad.
  private long readBefore;

  /// Those that readers found, which are in no batch.
  private long countOfReaders;

  /// @param layout how the source lays out its records
  public RejectLog(Job.RejectPolicy policy, Meter meter, RecordFile layout) {
    this(policy, meter, layout, _ -> {});
  }

  /// @param told is told each bad record, from one thread at a time
  public RejectLog(Job.RejectPolicy policy, Meter meter, RecordFile layout, Consumer<Reject> told) {
    this.told = told;
    this.policy = policy;
    this.meter = meter;
    files = policy.file() == null ? null : new RejectFiles(policy.file(), layout);
  }

  /// What readers report to: their bad records are not among the rows that the meter counts.
  private final class OfReaders implements Rejects {

    @Override
    public boolean allowed() {
      return RejectLog.this.allowed();
    }

    @Override
    public void reject(Reject reject) {
      RejectLog.this.reject(reject, true);
    }
  }

  /// Where readers send bad records.
  public Rejects ofReaders() {
    return ofReaders;
  }

  /// The run goes on where an earlier one of the same job ended: so do its files.
  public synchronized void goOn() {
    if (files != null) {
      files.reopen().forEach(this::isNew);
      count = seen.size();
      readBefore = meter.rowsBefore() + count;
    }
  }

  @Override
  public boolean allowed() {
    return policy.allowsAny();
  }

  @Override
  public void reject(Reject reject) {
    reject(reject, false);
  }

  private synchronized void reject(Reject reject, boolean byReader) {
    if (!isNew(reject)) {
      return;
    }
    count++;
    countOfReaders += byReader ? 1 : 0;
    switch (policy.limit()) {
      case Job.RejectLimit.Count(long max) -> {
        if (count > max) {
          throw fault(reject, max, policy.file());
        }
      }
      case Job.RejectLimit.Percent percent -> {
        if (read() >= JUDGED_FROM) {
          judge(percent);
        }
      }
    }
    meter.countReject(() -> words(reject));
    told.accept(reject);
    if (files != null) {
      files.add(reject);
    }
  }

  /// False where that record has been set aside already.
  private boolean isNew(Reject reject) {
    if (!reject.hasPlace() && reject.record().length == 0) {
      return true;
    }
    String hash = reject.hasPlace() ? "" : hash(reject.record());
    return seen.add(new Known(reject.resource(), reject.row(), reject.byteOffset(), hash));
  }

  /// The same whether the record came with its line end or got it in the file.
  private static String hash(byte[] record) {
    int end = record.length;
    while (end > 0 && (record[end - 1] == '\n' || record[end - 1] == '\r')) {
      end--;
    }
    return new Digest().add(record, 0, end).hex();
  }

  private long read() {
    return readBefore + meter.rowsRead() + countOfReaders;
  }

  /// All has been read: the last judgement, before the rows appear.
  ///
  /// @throws Fault.Data where more were bad than a percentage allows
  public synchronized void judge() {
    switch (policy.limit()) {
      case Job.RejectLimit.Count _ -> {}
      case Job.RejectLimit.Percent percent -> judge(percent);
    }
  }

  private void judge(Job.RejectLimit.Percent percent) {
    long read = read();
    if (count > read * percent.max() / 100) {
      throw new Fault.Data(
          String.format(
              Locale.ROOT, "%,d of %,d records are bad, which are too many.", count, read),
          "--max-rejects "
              + percent.spelled()
              + " allows no more; see the reasons"
              + (policy.file() == null ? "" : " in " + Job.RejectPolicy.reasons(policy.file()))
              + ", mend the source or allow more.",
          null);
    }
  }

  private static Fault.Data fault(Reject reject, long max, @Nullable Path file) {
    String advice =
        max == 0
            ? "Mend the record; copy sets bad ones aside with --max-rejects N --rejects FILE."
            : "That is one more bad record than --max-rejects "
                + max
                + " allows"
                + (file == null ? "." : "; those before it are in " + file + ".");
    return new Fault.Data(
        words(reject),
        advice,
        new Location(reject.resource(), 0, reject.row(), reject.line(), reject.byteOffset()));
  }

  /// What is wrong with a record, and where it stands.
  public static String words(Reject reject) {
    String where = where(reject);
    return where.isEmpty() ? reject.reason() : where + ": " + reject.reason();
  }

  /// `file, line 3, byte 120, row 2, column "amount"`, as much of it as is known.
  private static String where(Reject reject) {
    StringBuilder where = new StringBuilder(reject.resource());
    if (reject.line() > 0) {
      where.append(", line ").append(reject.line());
    }
    if (reject.byteOffset() >= 0) {
      where.append(", byte ").append(reject.byteOffset());
    }
    if (reject.row() > 0) {
      where.append(", row ").append(reject.row());
    }
    if (!reject.column().isEmpty()) {
      where.append(", column \"").append(reject.column()).append('"');
    }
    return where.toString();
  }

  @Override
  public synchronized void close() {
    if (files != null) {
      files.close();
    }
  }
}
