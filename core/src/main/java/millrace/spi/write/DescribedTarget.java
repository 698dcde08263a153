package millrace.spi.write;

import java.util.function.Function;
import millrace.data.Schema;

/// A target that has been looked at, and can be planned for. One thread, until its {@link Target}
/// is closed.
public interface DescribedTarget {

  /// What was seen.
  TargetDescription description();

  /// Whether a target that is there holds rows. Asked only if nobody has said what happens to them.
  default boolean holdsRows() {
    return true;
  }

  /// Whether the table that a replace by these columns leaves is of the old one's definition, so
  /// that they go into its columns. Asked if there is a table that is to be replaced, before
  /// columns are paired: some may be among them that it makes itself.
  ///
  /// @throws millrace.fault.Fault.User if something would be lost that the user did not give up
  default boolean keepsDefinition(Schema incoming) {
    return false;
  }

  /// Settles how the target takes these columns. Changes nothing.
  ///
  /// @throws millrace.fault.Fault.User if a column can't be kept, naming the column and why, or if
  ///   nothing can go on with the run that this one goes on with
  PlannedTarget plan(WriteRequest request);

  /// A target that needs no more than its description to be planned for.
  static DescribedTarget of(
      TargetDescription description, Function<WriteRequest, PlannedTarget> planner) {
    return of(description, true, planner);
  }

  /// The same, of which it is known whether it holds rows.
  static DescribedTarget of(
      TargetDescription description,
      boolean holdsRows,
      Function<WriteRequest, PlannedTarget> planner) {
    return new DescribedTarget() {
      @Override
      public TargetDescription description() {
        return description;
      }

      @Override
      public boolean holdsRows() {
        return holdsRows;
      }

      @Override
      public PlannedTarget plan(WriteRequest request) {
        return planner.apply(request);
      }
    };
  }
}
