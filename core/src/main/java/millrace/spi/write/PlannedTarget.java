package millrace.spi.write;

import java.util.function.Function;
import java.util.function.ToDoubleFunction;
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

  /// One of these parts.
  ///
  /// @param cost see {@link #cost}
  /// @param opener see {@link #open}
  static PlannedTarget of(
      WritePlan plan, ToDoubleFunction<Form> cost, Function<WriteStart, WriteSession> opener) {
    return new PlannedTarget() {
      @Override
      public WritePlan plan() {
        return plan;
      }

      @Override
      public double cost(Form form) {
        return cost.applyAsDouble(form);
      }

      @Override
      public WriteSession open(WriteStart start) {
        return opener.apply(start);
      }
    };
  }

  /// One that takes columns alone.
  ///
  /// @param columnsCost see {@link #cost}
  static PlannedTarget ofColumns(
      WritePlan plan, double columnsCost, Function<WriteStart, WriteSession> opener) {
    return of(plan, form -> form.equals(Form.COLUMNS) ? columnsCost : -1, opener);
  }
}
