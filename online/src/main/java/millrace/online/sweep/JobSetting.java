package millrace.online.sweep;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.online.job.OnlineJob;
import millrace.text.TimeSpan;

/// What a sweep can change in a job by itself. Everything else is left to a command of the user's.
enum JobSetting {
  PARTITION("partition") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      OnlineJob.Tables old = job.tables();
      return job.with(
          new OnlineJob.Tables(
              old.raw(),
              old.timeFirst(),
              TimeSpan.parse(option(), value),
              old.ahead(),
              old.hashBuckets()));
    }
  },
  HASH_BUCKETS("hash-buckets") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      OnlineJob.Tables old = job.tables();
      int buckets = (int) number(value, 0, HASH_BUCKETS_MAX);
      return job.with(
          new OnlineJob.Tables(old.raw(), old.timeFirst(), old.partition(), old.ahead(), buckets));
    }
  },
  KEY("key") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      OnlineJob.Tables old = job.tables();
      boolean timeFirst = isFirst(value, "time-first", "device-first");
      return job.with(
          new OnlineJob.Tables(
              old.raw(), timeFirst, old.partition(), old.ahead(), old.hashBuckets()));
    }
  },
  SORTED("sorted") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      OnlineJob.Load old = job.load();
      boolean sorted = isFirst(value, "yes", "no");
      return job.with(
          new OnlineJob.Load(
              old.rows(),
              old.clients(),
              old.duration(),
              old.clock(),
              old.prefill(),
              sorted,
              old.rowsFrom()));
    }
  },
  CLIENTS("clients") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      OnlineJob.Load old = job.load();
      int clients = (int) number(value, 1, CLIENTS_MAX);
      return job.with(
          new OnlineJob.Load(
              old.rows(),
              clients,
              old.duration(),
              old.clock(),
              old.prefill(),
              old.sorted(),
              old.rowsFrom()));
    }
  },
  ROWS("rows") {
    @Override
    OnlineJob set(OnlineJob job, String value) {
      return job.with(job.load().with(number(value, 1, ROWS_MAX), "--vary rows"));
    }
  };

  // As in a job file.
  private static final long HASH_BUCKETS_MAX = 256;
  private static final long CLIENTS_MAX = 1_000;
  private static final long ROWS_MAX = 100_000_000;

  private final String spelling;

  JobSetting(String spelling) {
    this.spelling = spelling;
  }

  /// The job with this setting changed.
  ///
  /// @throws Fault.User if it can't have this value
  abstract OnlineJob set(OnlineJob job, String value);

  /// The one that is spelled so.
  static Optional<JobSetting> of(String spelling) {
    return Arrays.stream(values()).filter(each -> each.spelling.equals(spelling)).findFirst();
  }

  /// All of them, for messages.
  static String all() {
    return Arrays.stream(values()).map(each -> each.spelling).collect(Collectors.joining(", "));
  }

  /// The option that sets it, for messages.
  String option() {
    return "--vary " + spelling;
  }

  long number(String value, long min, long max) {
    if (value.matches("[0-9][0-9_]{0,11}")) {
      long number = Long.parseLong(value.replace("_", ""));
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw new Fault.User(
        String.format(Locale.ROOT, "%s: '%s' can't be.", option(), value),
        String.format(Locale.ROOT, "Write whole numbers from %,d to %,d.", min, max));
  }

  boolean isFirst(String value, String first, String second) {
    if (!value.equals(first) && !value.equals(second)) {
      throw new Fault.User(
          option() + ": '" + value + "' is neither " + first + " nor " + second + ".", "");
    }
    return value.equals(first);
  }
}
