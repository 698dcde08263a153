package millrace.spi.store;

/// How many requests reading all of a source takes whose files lie in a store, beside those by
/// which it was looked at: stores are paid by requests. A capability of {@link
/// millrace.spi.read.DescribedSource}.
@FunctionalInterface
public interface ReadRequests {

  /// About how many.
  long count();
}
