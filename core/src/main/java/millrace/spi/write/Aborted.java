package millrace.spi.write;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What stays of a run that has failed or was stopped.
///
/// @param retained whether anything was left for a run that goes on with it
/// @param gone whether others have taken the target away while the run went on, or what it knew of
///   the run, so that nothing can be said to be durable of it
/// @param leaves what stays of rows that no receipt speaks of, as a sentence; empty if nothing does
/// @param notes what the user should know of how it went, one sentence each
/// @param failure why what was staged could not be removed; null if it was
public record Aborted(
    boolean retained,
    boolean gone,
    String leaves,
    List<String> notes,
    @Nullable RuntimeException failure) {

  /// Nothing stays.
  public static final Aborted CLEAN = new Aborted(false, false, "", List.of(), null);

  /// What is durable was left for a run that goes on with it.
  public static final Aborted RETAINED = new Aborted(true, false, "", List.of(), null);

  public Aborted {
    notes = List.copyOf(notes);
  }

  /// The same, with what could not be removed.
  public Aborted failing(RuntimeException why) {
    return new Aborted(retained, gone, leaves, notes, why);
  }

  /// The same, with what stays.
  public Aborted leaving(String words) {
    return new Aborted(retained, gone, words, notes, failure);
  }

  /// The same, if others have taken the target away.
  public Aborted goneIf(boolean isGone) {
    return new Aborted(retained, isGone, leaves, notes, failure);
  }

  /// The same, with what the user should know.
  public Aborted noting(List<String> sentences) {
    return new Aborted(retained, gone, leaves, sentences, failure);
  }
}
