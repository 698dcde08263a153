package millrace.testkit;

import org.opentest4j.TestAbortedException;

/// Ends a test whose system has not got what it tries. The test counts as skipped, and `./check`
/// lists what was not offered: it must not count as passed.
public final class NotOffered extends TestAbortedException {

  /// What `./check` knows such tests by.
  private static final String PREFIX = "not offered: ";

  /// @param system the connector's name
  /// @param what it lacks, as a phrase
  public NotOffered(String system, String what) {
    super(PREFIX + system + ": " + what);
  }
}
