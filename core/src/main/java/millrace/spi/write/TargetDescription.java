package millrace.spi.write;

import java.util.List;
import millrace.data.Form;
import millrace.data.Schema;
import org.jspecify.annotations.Nullable;

/// What a target is, found out before the plan is made.
///
/// @param label how to name it in plans, reports and errors
/// @param existing the columns that it has and that may be written, or null where it does not exist
///   yet, will be replaced, or has no types of its own
/// @param typed whether it keeps types (a database) rather than text (a CSV file)
/// @param forms those it speaks besides columns; the planner asks {@link Target#cost} for more
/// @param lanesMax most lanes that can write at once
/// @param lanesWhy why not more; empty where lanes are unlimited
/// @param joins whether splits come together in their order in one output, so that those of all
///   lanes but one wait in memory for their turn
public record TargetDescription(
    String label,
    @Nullable Schema existing,
    boolean typed,
    List<Form> forms,
    int lanesMax,
    String lanesWhy,
    boolean joins) {

  /// A target that writes a split wherever another is.
  public TargetDescription(
      String label,
      @Nullable Schema existing,
      boolean typed,
      List<Form> forms,
      int lanesMax,
      String lanesWhy) {
    this(label, existing, typed, forms, lanesMax, lanesWhy, false);
  }
}
