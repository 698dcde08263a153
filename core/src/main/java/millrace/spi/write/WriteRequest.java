package millrace.spi.write;

import java.io.Serializable;
import java.util.List;
import millrace.data.Schema;
import millrace.data.TableComments;
import millrace.spi.journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// What a target is to take, as the engine has settled it: the landing is one that the target
/// offers, and every column that comes has its partner.
///
/// @param incoming the columns that come, in their order; none for a {@linkplain
///   TargetColumn#generated generated} column
/// @param landing how rows get there
/// @param partners of each column that comes, the target's own that it goes into; empty if the
///   target is made anew
/// @param notes what becomes of the target's other columns, one sentence each; part of the plan
/// @param resumed the run that this one goes on with, be it complete: the target is planned for as
///   it was then; null if it begins from the start
/// @param comments on the columns that come and on their table, for a target that is made anew
public record WriteRequest(
    Schema incoming,
    Landing landing,
    List<TargetColumn> partners,
    List<String> notes,
    @Nullable JournaledRun resumed,
    TableComments comments)
    implements Serializable {

  public WriteRequest {
    partners = List.copyOf(partners);
    notes = List.copyOf(notes);
  }

  /// Columns that go into a target that is made anew, or has none of its own.
  public static WriteRequest of(DescribedTarget target, Schema incoming, Mode mode) {
    Landing.Offer offer = target.description().modes().offer();
    Landing landing = Landing.settle(offer, mode, false, mode == Mode.APPEND, List.of());
    return new WriteRequest(incoming, landing, List.of(), List.of(), null, TableComments.NONE);
  }

  /// The same for a run that resumes that one, or joins it.
  public WriteRequest resuming(@Nullable JournaledRun run) {
    return new WriteRequest(incoming, landing, partners, notes, run, comments);
  }

  /// What happens to what is there.
  public Mode mode() {
    return landing.mode();
  }

  /// Of a merge, the columns that it goes by: all come, and are named as the target spells them;
  /// empty in other modes.
  public List<String> key() {
    return landing.key();
  }

  /// Whether the run that this one goes on with is complete, so that nothing will be written.
  public boolean isComplete() {
    return resumed != null && resumed.complete();
  }
}
