package millrace.spi.write;

import millrace.spi.Capable;

/// An endpoint that can be written, open. The engine describes it, plans with what it gets, and
/// opens what that gives, from one thread. Nothing is changed before the plan is opened.
///
/// Capabilities: {@link millrace.spi.journal.Ledger}, {@link millrace.spi.journal.JobLock}, {@link
/// millrace.spi.HasCounters}, {@link millrace.spi.Blockable}, {@link ColumnAdder}.
public interface Target extends Capable, AutoCloseable {

  /// Looks at the target.
  ///
  /// @return a view of this target that ends with it
  DescribedTarget describe();

  @Override
  void close();
}
