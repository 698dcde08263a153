package millrace.plan;

import java.nio.file.Path;
import millrace.spi.Amount;
import millrace.spi.Endpoint;
import millrace.spi.Landing;
import millrace.spi.Selection;
import org.jspecify.annotations.Nullable;

/// What the user asked for: rows from here to there.
///
/// @param from where rows come from
/// @param to where they go
/// @param selection which rows and columns
/// @param landing what happens to what the target holds
/// @param tuning how hard to try
/// @param rejects what happens to bad records
public record Job(
    Endpoint from,
    Endpoint to,
    Selection selection,
    Landing landing,
    Tuning tuning,
    RejectPolicy rejects) {

  /// The knobs; each null or 0 where the user leaves it to us.
  ///
  /// @param lanes how many lanes, or 0 to choose
  /// @param ordered whether rows must arrive in source order
  /// @param readUnit how much to ask the source for at a time
  /// @param writeUnit how much to send to the target at a time
  /// @param commitUnit how much to commit at a time
  public record Tuning(
      int lanes,
      boolean ordered,
      @Nullable Amount readUnit,
      @Nullable Amount writeUnit,
      @Nullable Amount commitUnit) {

    /// All left to us.
    public static final Tuning AUTOMATIC = new Tuning(0, false, null, null, null);
  }

  /// How many bad records may be set aside, and where.
  ///
  /// @param countMax most bad records; 0 stops at the first
  /// @param file where they go; null only where none are allowed
  public record RejectPolicy(long countMax, @Nullable Path file) {

    /// The first bad record stops the run.
    public static final RejectPolicy NONE = new RejectPolicy(0, null);
  }
}
