package millrace.spi.online;

/// A window of a level, or any span of time.
///
/// @param start where it begins, in microseconds since 1970-01-01 in UTC
/// @param end where the next begins
public record Window(long start, long end) {}
