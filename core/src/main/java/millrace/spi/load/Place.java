package millrace.spi.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Landing;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// Where the rows of a load go, and what only the system itself can do there; when it is done,
/// {@link LoadWalk} decides. Tables go by the names of {@link millrace.spi.journal.Looks}: empty
/// for the target, else the one in which rows wait. On the target's thread.
public interface Place {

  /// What is known before anything is made.
  ///
  /// @param staging where rows wait; empty if they go into the target itself
  /// @param columns by what rows are laid out that wait; an earlier run's of others can't be
  ///   resumed
  /// @param details what else the journal is to know of the run; or null
  /// @param makesTarget whether the load makes the target, or the run did that it resumes, be it
  ///   filled at once or from where rows wait; not if what waits takes its name
  /// @param making when tables are made
  /// @param emptiesInSteps whether a target is emptied by several steps, so that one which fails
  ///   has done some of them
  record Layout(
      String staging,
      List<String> columns,
      @Nullable JsonNode details,
      boolean makesTarget,
      Making making,
      boolean emptiesInSteps) {

    /// What the journal keeps of a run that begins.
    Entry.Begun begun(RunRecord run, Landing landing, String id) {
      return new Entry.Begun(run, landing.mode(), staging, id, columns, details, landing);
    }
  }

  /// When tables are made.
  enum Making {
    /// Before the run is written down: the journal lies in them, or has what the system calls them.
    BEFORE_ENTRY,
    /// Once the run is written down, so that there is none that nobody knows of.
    AFTER_ENTRY,
    /// In the transaction that undoes them: of all rows, or of what begins a load in parts. Names
    /// change in the transaction that ends the load.
    WITHIN
  }

  Layout layout();

  /// Makes a table.
  void make(String staging);

  /// Removes all rows of the target.
  default void empty() {
    throw new Fault.Bug("nothing is emptied that another takes the place of", null);
  }

  /// Removes a table, if it is there.
  void drop(String staging);

  /// Looks whether what waits can take the target's place.
  ///
  /// @param sealed whether an earlier try may have begun with it
  /// @return what else the journal is to know of the end; or null
  /// @throws millrace.fault.Fault.User if somebody else has put something there
  default @Nullable Object checkSwap(boolean sealed) {
    // Most find another table of that name when names change.
    return null;
  }

  /// Puts what waits into the target's place, or does as much of that as is still to be done.
  default void swap(boolean sealed) {
    throw new Fault.Bug("no table takes the place of another", null);
  }

  /// All rows are there: adds those that wait to the target, and makes again what was taken away
  /// for them.
  ///
  /// @param steps times what takes long of it
  /// @return what a merge made of them; null in other modes
  default @Nullable MergeCounts add(PhaseTimer steps) {
    // Rows are where they belong, or all take the target's place.
    return null;
  }

  /// Removes what is not needed once the rows have appeared; what is gone already is no fault.
  default void clear() {
    // What waits has another name by now, or nothing does.
  }

  /// What makes several steps one, if the system has that.
  default Transaction transaction() {
    return Transaction.NONE;
  }

  /// Connects anew: what was sent on the old connection is not waited for.
  default void reconnect() {
    // Files have none.
  }

  /// All has been undone: takes away what was made for the load beside its tables.
  default void undone() {
    // Most make nothing else.
  }

  /// A transaction of the place: of all rows of a load that is {@linkplain
  /// millrace.spi.write.Landing#whole whole}, of its end alone if it is not.
  interface Transaction {

    /// For systems that have none.
    Transaction NONE = new Transaction() {};

    default void begin() {
      // If there are none, or all rows have one.
    }

    default void commit() {
      // As durable as it was.
    }

    /// Undoes it; one that the system has ended by itself is no fault.
    default void rollback() {
      // What is there stays.
    }

    /// Whether a commit that was cut off may be asked for once more.
    default boolean isRepeatable() {
      return false;
    }
  }
}
