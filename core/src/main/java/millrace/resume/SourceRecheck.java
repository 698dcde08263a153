package millrace.resume;

import java.util.List;
import millrace.spi.journal.Receipt;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Split;

/// Reads a source again, to see whether what an earlier run has taken of it is still the same.
@FunctionalInterface
public interface SourceRecheck {

  /// What reading again has shown.
  ///
  /// @param change how the source has changed, as a sentence without its end; empty if it has not
  /// @param rows how many rows were read for it
  record Result(String change, long rows) {}

  /// Reads it.
  ///
  /// @param reading adds up checksums
  /// @param taken whose splits must have the same rows
  /// @param empty splits that must have none
  Result recheck(ReadSession reading, List<Receipt> taken, List<Split> empty);
}
