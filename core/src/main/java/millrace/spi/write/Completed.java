package millrace.spi.write;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a run has ended well.
///
/// @param notes what the user should know of how it went, one sentence each
/// @param merged what a merge made of the rows; null of other modes, or if nobody can tell
public record Completed(List<String> notes, @Nullable MergeCounts merged) {

  /// Nothing to tell.
  public static final Completed PLAIN = new Completed(List.of(), null);

  public Completed {
    notes = List.copyOf(notes);
  }

  /// With something to tell.
  public static Completed noting(List<String> notes) {
    return new Completed(notes, null);
  }
}
