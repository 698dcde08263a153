package millrace.spi.journal;

import java.util.List;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// The capability of a target that keeps what runs have done, so that another run can go on.
///
/// It keeps entries, and core decides what they come to. A run's {@link Entry.Begun} is written by
/// {@link millrace.spi.write.PlannedTarget#open}, its {@link Entry.Taken} by its writers, and its
/// {@link Entry.Sealing} and {@link Entry.Complete} by {@link
/// millrace.spi.write.WriteSession#complete}: each in the transaction of the rows that it speaks
/// of, if there are transactions. The methods here are called on the target's thread.
public interface Ledger extends Looks {

  /// How far it is to be relied on.
  ///
  /// @param keepsParts whether a run that was cut off leaves parts that another can go on with;
  ///   else it leaves nothing, and only that a run is complete is kept
  /// @param accountsForAll whether receipts tell of every row that a run has put into the target:
  ///   they are as durable as the rows, in one transaction. Else rows may stand there that no
  ///   receipt tells of yet
  /// @param countsStaged whether rows that are staged are counted before another run goes on with
  ///   them, since a crash of the server may empty tables. Whatever else has become of a table, its
  ///   plan refuses then
  /// @param attempts how several attempts at one split, by processes that write to one run, come to
  ///   each row once
  /// @param isPaidFor whether users pay for what a run leaves: one that they stop leaves nothing
  ///   then, unless they have said that it is to be resumed
  record Guarantees(
      boolean keepsParts,
      boolean accountsForAll,
      boolean countsStaged,
      Attempts attempts,
      boolean isPaidFor) {

    /// One whose runs leave what costs nothing.
    public Guarantees(
        boolean keepsParts, boolean accountsForAll, boolean countsStaged, Attempts attempts) {
      this(keepsParts, accountsForAll, countsStaged, attempts, false);
    }

    /// One whose runs are written by one process.
    public Guarantees(boolean keepsParts, boolean accountsForAll, boolean countsStaged) {
      this(keepsParts, accountsForAll, countsStaged, Attempts.ONE_PROCESS);
    }

    /// The same with other attempts.
    public Guarantees with(Attempts others) {
      return new Guarantees(keepsParts, accountsForAll, countsStaged, others);
    }

    /// The same of which users pay for what runs leave.
    public Guarantees paidFor() {
      return new Guarantees(keepsParts, accountsForAll, countsStaged, attempts, true);
    }

    /// All rows of a run are one transaction, with the mark that it is complete.
    public static final Guarantees MARK_ONLY = new Guarantees(false, true, false);

    /// Receipts are written in the transactions of their rows.
    public static final Guarantees EXACT = new Guarantees(true, true, false);
  }

  /// How several attempts at one split come to each row once.
  enum Attempts {
    /// The newest owns the split. A commit checks that in its own transaction, so that a late one
    /// loses its rows.
    FENCED,
    /// Each writes the same rows over those of the others, however late. The process that has begun
    /// the run writes down their receipts, when it is told of them.
    SAME_ROWS,
    /// They don't: the process that has begun a run writes all of its rows.
    ONE_PROCESS
  }

  /// See {@link Guarantees}.
  Guarantees guarantees();

  /// Why a run of this target as it is asked for can't be joined; null if it can.
  default Fault.@Nullable User refusalToJoin() {
    boolean isWhole = !guarantees().keepsParts();
    String why = isWhole ? "they appear at once" : "it can't tell two attempts at a part apart";
    return guarantees().attempts() == Attempts.ONE_PROCESS
        ? ofOneProcess(name(), why, "Copy on one machine, with more lanes.")
        : null;
  }

  /// What {@link #refusalToJoin} says.
  ///
  /// @param target how to name it
  /// @param why as the end of a sentence of which the rows are the subject
  static Fault.User ofOneProcess(String target, String why, String advice) {
    return new Fault.User(
        target + " takes the rows of a copy from one process alone: " + why + ".", advice);
  }

  /// What it says of the run of a job into this target, from its beginning on; empty if it knows of
  /// none. Changes nothing.
  ///
  /// @param job or one of {@link #jobs}. What it says may be of another job with a similar name
  List<Entry> read(String job);

  /// The jobs whose runs it knows of, in any order, or as much of their names as it knows them by.
  List<String> jobs();

  /// Brings a run to its end that {@linkplain JournaledRun.State#LACKS_END lacks nothing else}, in
  /// place of another run; of one that is complete, removes what it may have left.
  default void finish(JournaledRun run) {
    // Most are marked complete in the step that makes their rows appear.
  }

  /// Nobody needs to know any more that the run was there. A run that is under way is left alone.
  void forget(RunRecord run);
}
