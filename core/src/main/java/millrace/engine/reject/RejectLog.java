package millrace.engine.reject;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.fault.Location;
import millrace.io.Digest;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.spi.read.RecordFile;
import millrace.spi.write.Rejects;
import org.jspecify.annotations.Nullable;

/// Counts bad records, sets them aside in {@link RejectFiles}, and stops the run when they are more
/// than the user allows.
///
/// A record that comes again, because its split is tried again or the run goes on, counts once. It
/// is known by where it stood; one of a source that has no places, as a database of documents, by
/// what it is; a row of a table by what it is and its primary key, or else where in its split it
/// stood. All lanes share it; it locks.
public final class RejectLog implements Rejects, AutoCloseable {

  /// A percentage says nothing of a few records: it is judged from so many on, and at the end.
  static final long JUDGED_FROM = 10_000;

  /// What a record is known by: where it stood, else a hash of it.
  private record Known(String resource, long row, long byteOffset, String hash) {}

  /// A bad record that has been set aside.
  ///
  /// @param key the values of its key by name, as far as it has one
  /// @param byReader whether a reader has found it, so that it is in no batch
  public record SetAside(Reject reject, Map<String, String> key, boolean byReader)
      implements Serializable {

    public SetAside {
      key = Collections.unmodifiableMap(new LinkedHashMap<>(key));
    }

    /// What is wrong with it, and where it stands.
    public String words() {
      return RejectLog.words(reject, key);
    }
  }

  private static final String MEND =
      "Mend the record; copy sets bad ones aside with --max-rejects N --rejects FILE.";

  /// Rows that are set aside would be deleted in the target.
  private static final String MEND_ALL =
      "Mend the record, or leave --deletes out and set bad ones aside with --max-rejects N"
          + " --rejects FILE. Of a database, a query may leave such rows out: write"
          + " query=SELECT … WHERE … in the place of table= in the source's URL.";

  private final Job.RejectPolicy policy;
  private final Meter meter;
  private final RejectLayout layout;
  private final String adviceIfNever;
  private final @Nullable RejectFiles files;
  private final Consumer<SetAside> listener;
  private final Set<Known> seen = new HashSet<>();

  /// Those that are making rows durable.
  private final Set<Thread> committing = ConcurrentHashMap.newKeySet();

  private final Rejects ofReaders = new OfReaders();

  /// All of the job.
  private long count;

  /// Records that an earlier run of the job has read, if it is known which of them were bad.
  private long readBefore;

  /// Those that readers found, which are in no batch.
  private long countOfReaders;

  /// @param layout how the source lays out its records
  public RejectLog(Job.RejectPolicy policy, Meter meter, RecordFile layout) {
    this(policy, meter, RejectLayout.of(layout), _ -> {});
  }

  /// Of a copy.
  ///
  /// @param listener is told each bad record, from one thread at a time
  public RejectLog(Plan plan, Meter meter, Consumer<SetAside> listener) {
    this(plan.job().rejects(), meter, RejectLayout.of(plan), listener, adviceIfNever(plan.job()));
  }

  private static String adviceIfNever(Job job) {
    boolean isNever = job.rejects().limit() instanceof Job.RejectLimit.Never;
    return isNever || job.writeOptions().steps().deletes() ? MEND_ALL : "";
  }

  RejectLog(
      Job.RejectPolicy policy, Meter meter, RejectLayout layout, Consumer<SetAside> listener) {
    this(policy, meter, layout, listener, "");
  }

  private RejectLog(
      Job.RejectPolicy policy,
      Meter meter,
      RejectLayout layout,
      Consumer<SetAside> listener,
      String adviceIfNever) {
    this.listener = listener;
    this.adviceIfNever = adviceIfNever;
    this.policy = policy;
    this.meter = meter;
    this.layout = layout;
    files = policy.file() == null ? null : new RejectFiles(policy.file(), layout);
  }

  /// What readers report to: their bad records are not among the rows that the meter counts.
  private final class OfReaders implements Rejects {

    @Override
    public boolean allowed() {
      return RejectLog.this.allowed();
    }

    @Override
    public String adviceIfNever() {
      return RejectLog.this.adviceIfNever();
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
  public synchronized void resume() {
    if (files != null) {
      count =
          files.reopen().stream()
              .filter(each -> isNew(each.reject(), each.reject().record(), each.hasKey()))
              .count();
      readBefore = meter.rowsBefore() + count;
    }
  }

  @Override
  public boolean allowed() {
    return policy.allowsAny();
  }

  @Override
  public String adviceIfNever() {
    return adviceIfNever;
  }

  @Override
  public void reject(Reject reject) {
    reject(reject, false);
  }

  /// What another process of the run has found.
  public void reject(SetAside bad) {
    reject(bad.reject, bad.byReader);
  }

  private synchronized void reject(Reject reject, boolean byReader) {
    SetAside bad = new SetAside(reject, layout.key(reject.record()), byReader);
    byte[] record = layout.record(reject.record());
    if (!isNew(reject, record, !bad.key.isEmpty())) {
      return;
    }
    count++;
    countOfReaders += byReader ? 1 : 0;
    switch (policy.limit()) {
      case Job.RejectLimit.Never _ -> throw fault(bad, 0, null);
      case Job.RejectLimit.Count(long max) -> {
        if (count > max) {
          throw fault(bad, max, policy.file());
        }
      }
      case Job.RejectLimit.Percent percent -> {
        if (read() >= JUDGED_FROM) {
          judge(percent);
        }
      }
    }
    meter.countReject(bad::words);
    listener.accept(bad);
    if (files != null) {
      files.add(reject, record, bad.key);
      if (committing.contains(Thread.currentThread())) {
        files.flush();
      }
    }
  }

  /// Makes rows durable, and before them the bad records around them.
  ///
  /// @param work may find more of these before it commits
  public <T extends @Nullable Object> T committing(Supplier<T> work) {
    flush();
    committing.add(Thread.currentThread());
    try {
      return work.get();
    } finally {
      committing.remove(Thread.currentThread());
    }
  }

  private synchronized void flush() {
    if (files != null) {
      files.flush();
    }
  }

  /// False if that record has been set aside already.
  private boolean isNew(Reject reject, byte[] record, boolean hasKey) {
    if (!layout.spelled().isEmpty()) {
      Known row = row(reject, record, hasKey);
      return row == null || seen.add(row);
    }
    if (!reject.hasPlace() && record.length == 0) {
      return true;
    }
    String hash = reject.hasPlace() ? "" : hash(record);
    return seen.add(new Known(reject.resource(), reject.row(), reject.byteOffset(), hash));
  }

  /// What a row of a table is known by, beside what it is: two rows without a key may be alike.
  /// Null if nothing tells it from them.
  private @Nullable Known row(Reject reject, byte[] record, boolean hasKey) {
    Reject.InSplit at = reject.inSplit();
    if (hasKey && layout.hasPrimaryKey()) {
      return new Known(reject.resource(), 0, -1, hash(record));
    }
    if (at != null) {
      return new Known(reject.resource(), at.row(), at.split(), hash(record));
    }
    return reject.row() > 0 ? new Known(reject.resource(), reject.row(), -1, hash(record)) : null;
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
  /// @throws Fault.Data if more were bad than a percentage allows
  public synchronized void judge() {
    flush();
    switch (policy.limit()) {
      case Job.RejectLimit.Never _, Job.RejectLimit.Count _ -> {}
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

  private Fault.Data fault(SetAside bad, long max, @Nullable Path file) {
    String advice =
        max == 0
            ? adviceIfNever.isEmpty() ? MEND : adviceIfNever
            : "That is one more bad record than --max-rejects "
                + max
                + " allows"
                + (file == null ? "." : "; those before it are in " + file + ".");
    Reject reject = bad.reject;
    return new Fault.Data(
        bad.words(),
        advice,
        new Location(reject.resource(), 0, reject.row(), reject.line(), reject.byteOffset()));
  }

  private static String words(Reject reject, Map<String, String> key) {
    String where = where(reject, RejectLayout.words(key));
    return where.isEmpty() ? reject.reason() : where + ": " + reject.reason();
  }

  /// `file, line 3, byte 120, row 2, key id = 7, column "amount"`, as much of it as is known.
  private static String where(Reject reject, String key) {
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
    if (!key.isEmpty()) {
      where.append(", key ").append(key);
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
