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

/// Where the rows of a load go, and what only the system itself can do there; when it is done,
/// {@link LoadWalk} decides. Tables go by the names of {@link millrace.spi.journal.Looks}: empty
/// for the target, else the one in which rows wait. On the target's thread, but for encoders and
/// writers.
public interface Place {

  /// What is known before anything is made.
  ///
  /// @param staging where rows wait; empty if they go into the target itself
  /// @param columns by what rows are laid out that wait; an earlier run's of others can't be
  ///   resumed
  /// @param details what else the journal is to know of the run; or null
  /// @param makesTarget whether the load makes the target, be it filled at once or from where rows
  ///   wait; not if what waits takes its name
  record Layout(
      String staging, List<String> columns, @Nullable JsonNode details, boolean makesTarget) {}

  Layout layout();

  /// Makes a table.
  void make(String staging);

  /// Removes all rows of the target.
  void empty();

  /// Removes a table, if it is there.
  void drop(String staging);

  /// Rows have been committed by a run that this one resumes, or by a commit whose answer was lost.
  /// From any thread.
  void committed(Receipt receipt);

  /// Looks whether what waits can take the target's place.
  ///
  /// @param sealed whether an earlier try may have begun with it
  /// @throws millrace.fault.Fault.User if somebody else has put something there
  void checkSwap(boolean sealed);

  /// Puts what waits into the target's place, or does as much of that as is still to be done.
  void swap(boolean sealed);

  /// Adds the rows that wait to the target.
  ///
  /// @return what a merge made of them; null in other modes
  @Nullable MergeCounts add();

  /// Removes what is not needed once the rows have appeared; what is gone already is no fault.
  void clear();

  /// Does work in a transaction, if the system has some.
  void inTransaction(Runnable work);

  /// Connects anew: what was sent on the old connection is not waited for.
  void reconnect();

  /// See {@link millrace.spi.write.WriteSession#encoder}.
  default @Nullable Encoder encoder(WriteContext context) {
    return null;
  }

  /// See {@link millrace.spi.write.WriteSession#writer}.
  Writer writer(Form form, WriteContext context);

  /// What was special of the rows so far, one sentence each.
  List<String> notes();

  /// What stays of rows that are not undone with their transaction, as a sentence; empty if
  /// nothing does.
  default String leaves() {
    return "";
  }
}
