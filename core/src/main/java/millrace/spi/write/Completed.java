package millrace.spi.write;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How a run has ended well.
///
/// @param notes what the user should know of how it went, one sentence each
/// @param merged what a merge made of the rows; null of other modes, or if nobody can tell
/// @param rowsLeftOut rows that had been written, and that the target left out in the end by its
///   own rules; a note says so
public record Completed(List<String> notes, @Nullable MergeCounts merged, long rowsLeftOut) {

  /// Nothing to tell.
  public static final Completed PLAIN = new Completed(List.of(), null);

  /// One that has left no rows out.
  public Completed(List<String> notes, @Nullable MergeCounts merged) {
    this(notes, merged, 0);
  }

  public Completed {
    notes = List.copyOf(notes);
  }

  /// With something to tell.
  public static Completed noting(List<String> notes) {
    return new Completed(notes, null);
  }
}
