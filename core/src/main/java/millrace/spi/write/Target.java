package millrace.spi.write;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.Counters;
import millrace.spi.PhaseTimer;
import millrace.spi.Waiting;
import millrace.spi.journal.Journal;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// An endpoint open for writing. The engine calls all methods but the writers' from one thread, in
/// this order: describe, fit, cost, begin, writer(s), sift, then complete or abandon, then close.
///
/// Any thread may ask what a fit, a begin, a complete or a writer waits for, and cancel a fit, a
/// begin, a sift or a complete.
public interface Target extends Waiting, AutoCloseable {

  /// Looks at the target. Changes nothing.
  TargetDescription describe();

  /// Settles how it will take these columns. Changes nothing.
  ///
  /// @throws millrace.fault.Fault.User where a column can't be kept, naming the column and why, or
  ///   where the target holds rows and no mode says what to do with them
  WritePlan fit(Schema incoming);

  /// What taking rows in this form costs, the target system's own work included, in nanoseconds of
  /// CPU per byte of text; negative if it does not speak the form for these columns. After fit.
  /// Unless told otherwise it speaks columns alone.
  default double cost(Form form) {
    return form.equals(Form.COLUMNS) ? Form.USUAL_COLUMNS_COST : -1;
  }

  /// In which of its ways it is handed rows, such as `direct`, for what is found best in one is not
  /// in another; empty where it has one.
  default String method() {
    return "";
  }

  /// What to do to load it with what is read from itself, as advice; empty where it stays as it is
  /// until all has been read, and nothing more need be done. After fit.
  default String adviceToReadItself() {
    return "Copy to another name, and rename that.";
  }

  /// Where receipts are kept so that a run that was cut can go on; null where they are not, and
  /// {@link #journalWhyNot} may say why.
  default @Nullable Journal journal() {
    return null;
  }

  /// Why there is no journal where one could be expected, as a sentence without its end; else
  /// empty.
  default String journalWhyNot() {
    return "";
  }

  /// Whether a journal is there and only this user can't use it, so that nobody can tell whether
  /// the same copy was begun.
  default boolean journalIsClosed() {
    return false;
  }

  /// What of a split would survive, asked on a fresh connection after a writer has failed. Waits
  /// until what the writer had sent has been carried out or undone. From any thread.
  ///
  /// @throws millrace.fault.Fault.Transient where the target can't be asked now
  default CommitStatus durable(Split split) {
    return new CommitStatus.Unknown();
  }

  /// Bad records may be set aside, so that {@link #validateStaged} is called once all rows are
  /// there. Before begin.
  default void expectSift() {}

  /// Makes ready what the lanes write to: the table or its staging table, the folder.
  ///
  /// @param lanes most writers at once; with one, rows arrive in source order
  void begin(int lanes);

  /// What makes one lane's columns into frames for its writer; null where the writers take columns
  /// themselves. After begin.
  ///
  /// @param context with the clock of the lane's reader
  default @Nullable Encoder encoder(WriteContext context) {
    return null;
  }

  /// A writer for one lane that takes batches in that form and in the fallback form. As with
  /// readers, several may have the same lane's number after each other.
  Writer writer(Form form, WriteContext context);

  /// All lanes are done: sets aside those rows that only now show to be bad, such as the second one
  /// of a key, before complete. Only after {@link #expectSift}.
  ///
  /// @param steps for parts of it that may take long
  /// @return how many of the rows that writers took were set aside
  default long validateStaged(Rejects rejects, PhaseTimer steps) {
    return 0;
  }

  /// All lanes are done: makes the rows appear where the mode staged them.
  ///
  /// @param steps for parts of it that may take long, to stand in the report by themselves
  void complete(PhaseTimer steps);

  /// Whether a complete that failed in a way that may pass can be called once more: what it did is
  /// undone, or it finds out what is done already. Asked after such a failure.
  default boolean completesAgain() {
    return false;
  }

  /// The run failed or was stopped: removes what was staged and leaves what the mode promises.
  void abandon();

  /// Whether rows that no receipt speaks of would stay where the run is abandoned, so that it is to
  /// be gone on with if it can be. Asked once it has failed, before {@link #keep} or {@link
  /// #abandon}.
  default boolean abandonLeavesRows() {
    return false;
  }

  /// The run failed or was stopped, and its journal knows what is durable of it: leaves that for a
  /// run that goes on with it.
  ///
  /// @return whether there was anything to leave
  default boolean keep() {
    abandon();
    return false;
  }

  /// Whether others have taken the target away while the run went on, or what it knew of the run,
  /// so that nothing can be said to be durable of it. Asked when a run has failed, after {@link
  /// #abandon} or {@link #keep}.
  default boolean isGone() {
    return false;
  }

  /// What stays of rows that no receipt speaks of, as a sentence; empty where nothing does. Asked
  /// when a run has failed, after {@link #abandon} or {@link #keep}.
  default String leaves() {
    return "";
  }

  /// What the user should know of how it went, one sentence each. Once the run has ended.
  default List<String> notes() {
    return List.of();
  }

  /// What a merge made of the rows, once it is complete; null of other modes, or if nobody can
  /// tell.
  default @Nullable MergeCounts merged() {
    return null;
  }

  /// What this end counts; the caller closes it before the end itself. Null where nothing is
  /// counted.
  default @Nullable Counters counters() {
    return null;
  }

  @Override
  void close();
}
