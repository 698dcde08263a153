package millrace.spi;

/// The capability of a source or a target that counts what it and its server do.
public interface HasCounters {

  /// Its counters; the caller closes them before the end itself.
  Counters counters();
}
