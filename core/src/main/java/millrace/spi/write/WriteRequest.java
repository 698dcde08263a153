package millrace.spi.write;

import java.util.List;
import millrace.data.Schema;
import millrace.spi.journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// What a target is to take, as the engine has settled it: the mode is one that the target has, and
/// every column that comes has its partner.
///
/// @param incoming the columns that come, in their order; none for a {@linkplain
///   TargetColumn#generated generated} column
/// @param mode what happens to what is there
/// @param partners of each column that comes, the target's own that it goes into; empty if the
///   target is made anew
/// @param notes what becomes of the target's other columns, one sentence each; part of the plan
/// @param key of a merge, the columns that it goes by: all come, and are named as the target spells
///   them; empty in other modes
/// @param goesOn the run that this one goes on with, be it complete: the target is planned for as
///   it was then; null if it begins from the start
public record WriteRequest(
    Schema incoming,
    Mode mode,
    List<TargetColumn> partners,
    List<String> notes,
    List<String> key,
    @Nullable JournaledRun goesOn) {

  public WriteRequest {
    partners = List.copyOf(partners);
    notes = List.copyOf(notes);
    key = List.copyOf(key);
  }

  /// Columns that go into a target that is made anew.
  public static WriteRequest of(Schema incoming, Mode mode) {
    return new WriteRequest(incoming, mode, List.of(), List.of(), List.of(), null);
  }

  /// The same, for a merge by that key.
  public WriteRequest by(List<String> columns) {
    return new WriteRequest(incoming, mode, partners, notes, columns, goesOn);
  }

  /// Whether the run that this one goes on with is complete, so that nothing will be written.
  public boolean isComplete() {
    return goesOn != null && goesOn.complete();
  }
}
