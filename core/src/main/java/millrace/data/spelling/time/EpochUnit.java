package millrace.data.spelling.time;

/// What a number of seconds or less counts, from 1970-01-01 00:00 UTC.
public enum EpochUnit {
  SECONDS("s", 1_000_000_000L),
  MILLIS("ms", 1_000_000L),
  MICROS("us", 1_000L),
  NANOS("ns", 1L);

  private final String label;
  private final long nanos;

  EpochUnit(String label, long nanos) {
    this.label = label;
    this.nanos = nanos;
  }

  /// The name in options.
  public String label() {
    return label;
  }

  /// How long one is.
  long nanos() {
    return nanos;
  }
}
