package millrace.spi.read;

import millrace.spi.Capable;

/// An endpoint that can be read, open. What can be done with it is a method of what {@link
/// #describe} returns. One thread at a time.
///
/// Capabilities: {@link millrace.spi.HasCounters}, {@link millrace.spi.Blockable}.
public interface Source extends Capable, AutoCloseable {

  /// Looks at the source: columns, size, how far it can be read in parallel.
  ///
  /// @return a view of this source that ends with it
  /// @throws millrace.fault.Fault.User if it is missing or can't be understood
  DescribedSource describe(ColumnRequest columnRequest);

  @Override
  void close();
}
