package millrace.spi.write;

import millrace.data.Form;

/// How a target takes the columns of one copy, ready to be opened. One thread, until its {@link
/// Target} is closed.
public interface PlannedTarget {

  /// What was settled.
  WritePlan plan();

  /// What taking rows in this form costs, the target system's own work included, in nanoseconds of
  /// CPU per byte of text; negative if it does not speak the form for the columns that were
  /// planned. Unless told otherwise it speaks columns alone.
  default double cost(Form form) {
    return form.equals(Form.COLUMNS) ? Form.USUAL_COLUMNS_COST : -1;
  }

  /// Makes ready what the lanes write to: the table or its staging table, the folder. The caller
  /// closes what it gets before the target.
  ///
  /// @throws OpenFailed if it fails and has something to say of what it leaves; whatever it throws,
  ///   it has undone what it could
  WriteSession open(WriteStart start);
}
