package millrace.spi.write;

import millrace.data.Form;
import millrace.spi.Capable;

/// An endpoint that can be written. The engine calls its methods from one thread: describe, plan,
/// cost, open, close. Nothing is changed before open.
///
/// Capabilities: {@link millrace.spi.journal.JournalStore}, {@link millrace.spi.Counted}, {@link
/// millrace.spi.Waiting}.
public interface Target extends Capable, AutoCloseable {

  /// Looks at the target.
  TargetDescription describe();

  /// Settles how it will take these columns.
  ///
  /// @throws millrace.fault.Fault.User if a column can't be kept, naming the column and why, or if
  ///   nothing can go on with the run that this one goes on with
  WritePlan plan(WriteRequest request);

  /// What taking rows in this form costs, the target system's own work included, in nanoseconds of
  /// CPU per byte of text; negative if it does not speak the form for the columns that were
  /// planned. Unless told otherwise it speaks columns alone.
  default double cost(Form form) {
    return form.equals(Form.COLUMNS) ? Form.USUAL_COLUMNS_COST : -1;
  }

  /// Makes ready what the lanes write to: the table or its staging table, the folder. The caller
  /// closes what it gets before the target.
  ///
  /// @param plan what this target settled last
  /// @throws OpenFailed if it fails and has something to say of what it leaves; whatever it throws,
  ///   it has undone what it could
  WriteSession open(WritePlan plan, WriteStart start);

  @Override
  void close();
}
