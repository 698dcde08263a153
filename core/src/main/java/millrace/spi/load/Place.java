package millrace.spi.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import millrace.data.Form;
import millrace.spi.journal.Receipt;
import millrace.spi.write.Encoder;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// Where the rows of a load go, and what only the system itself can do there. It decides nothing of
/// when: see {@link LoadWalk}. On the target's thread, but for encoders and writers.
public interface Place {

  /// Which of the tables that a load may have to do with.
  enum Where {
    /// The one that the rows are for.
    TARGET,
    /// The one in which they wait for the end.
    STAGED
  }

  /// How the user knows the target.
  String name();

  /// Where rows wait, as the journal names it; empty if they go into the target itself.
  String staging();

  /// By what rows are laid out that wait; others than those of an earlier run can't be added to
  /// its rows.
  List<String> columns();

  /// What else the journal is to know of the run; or null.
  @Nullable JsonNode details();

  /// Whether the table is there.
  boolean isThere(Where where);

  /// Whether there is a row in it.
  boolean holdsRows(Where where);

  /// Whether the load makes the target, be it filled at once or from where rows wait; not if what
  /// waits takes its name.
  boolean makesTarget();

  /// Makes it.
  void makeTarget();

  /// Makes the table in which rows wait.
  void makeStaging();

  /// Removes all rows of the target.
  void empty();

  /// Removes a table in which rows have waited, if it is there.
  ///
  /// @param staging as the journal names it
  void drop(String staging);

  /// Removes the target, which this load has made.
  void dropTarget();

  /// The run resumes another one, of which that is known.
  void resume(List<Receipt> receipts);

  /// A commit whose answer was lost has gone through. From any thread.
  void recovered(Receipt receipt);

  /// All rows have been written: looks whether the load may still end.
  default void aboutToEnd() {
    // Most hold nothing that could be lost meanwhile.
  }

  /// Looks whether what waits can take the target's place.
  ///
  /// @param sealed whether an earlier try may have begun with it
  /// @throws millrace.fault.Fault.User if somebody else has put something there
  void checkSwap(boolean sealed);

  /// Puts what waits into the target's place, or as much of that as is still to be done.
  void swap(boolean sealed);

  /// Adds the rows that wait to the target.
  ///
  /// @return what a merge made of them; null in other modes
  @Nullable MergeCounts add();

  /// Does work in a transaction, if the system has some.
  void inTransaction(Runnable work);

  /// Removes what is not needed once the rows have appeared; what is gone already is no fault.
  void clear();

  /// Connects anew: what was sent on the old connection is not waited for.
  void reconnect();

  /// See {@link millrace.spi.write.WriteSession#encoder}.
  default @Nullable Encoder encoder(WriteContext context) {
    return null;
  }

  /// Opens a writer for a lane.
  ///
  /// @param receipts what it tells of what it has committed; null if no journal is kept
  Writer writer(Form form, WriteContext context);

  /// What of the rows was special, one sentence each.
  List<String> notes();

  /// What stays of rows that are not undone with their transaction, as a sentence; empty if
  /// nothing does.
  String leaves();
}
