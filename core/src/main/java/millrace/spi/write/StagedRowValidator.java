package millrace.spi.write;

import millrace.spi.PhaseTimer;

/// The capability of a session that finds some bad rows only once all are there, such as the second
/// one of a key. Asked before complete, if bad records may be set aside.
public interface StagedRowValidator {

  /// Sets those rows aside.
  ///
  /// @param steps for parts of it that may take long
  /// @return how many of the rows that writers took were set aside
  long validateStaged(Rejects rejects, PhaseTimer steps);
}
