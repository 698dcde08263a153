package millrace.spi.write;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.spi.LaneLimit;
import org.jspecify.annotations.Nullable;

/// What a target is, found out before the plan is made. Made by name: {@link #of}, and then what is
/// special about it.
///
/// @param label how to name it in plans, reports and errors
/// @param existing the columns that it has and that may be written, or null if it does not exist
///   yet, will be replaced, or has no types of its own
/// @param typed whether it keeps types (a database) rather than text (a CSV file)
/// @param forms those it speaks besides columns; the planner asks {@link Target#cost} for more
/// @param lanes how many can write at once
/// @param joins whether splits come together in their order in one output, so that those of all
///   lanes but one wait in memory for their turn
public record TargetDescription(
    String label,
    @Nullable Schema existing,
    boolean typed,
    List<Form> forms,
    LaneLimit lanes,
    boolean joins) {

  public TargetDescription {
    forms = List.copyOf(forms);
  }

  /// A target that keeps types, takes columns alone, and has room for any number of lanes.
  ///
  /// @param existing see {@link TargetDescription}
  public static TargetDescription of(String label, @Nullable Schema existing) {
    return new TargetDescription(label, existing, true, List.of(), LaneLimit.NONE, false);
  }

  /// The same, for so many lanes at once.
  public TargetDescription withLanes(LaneLimit limit) {
    return new TargetDescription(label, existing, typed, forms, limit, joins);
  }

  /// The same, taking these forms besides columns.
  public TargetDescription withForms(List<Form> others) {
    return new TargetDescription(label, existing, typed, others, lanes, joins);
  }

  /// The same, whether or not it keeps types.
  public TargetDescription withTypes(boolean keeps) {
    return new TargetDescription(label, existing, keeps, forms, lanes, joins);
  }

  /// The same, whether or not all splits come together in one output.
  public TargetDescription joining(boolean all) {
    return new TargetDescription(label, existing, typed, forms, lanes, all);
  }
}
