package millrace.spi.write;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// What a merge does with keys, by whether source and target have them.
///
/// @param inserts whether rows are inserted whose key the target lacks
/// @param updates whether rows are updated whose key both have; if not, they are left as they are
/// @param deletes whether rows of the target are deleted whose key did not come
public record MergeSteps(boolean inserts, boolean updates, boolean deletes)
    implements Serializable {

  /// Updates and inserts.
  public static final MergeSteps USUAL = new MergeSteps(true, true, false);

  /// Leaves rows alone that are there.
  public static final MergeSteps INSERT_ONLY = new MergeSteps(true, false, false);

  /// Deletes rows whose key did not come, and does nothing else.
  public static final MergeSteps DELETE_ONLY = new MergeSteps(false, false, true);

  /// The same, deleting.
  public MergeSteps deleting() {
    return new MergeSteps(inserts, updates, true);
  }

  /// What a merge of these steps tells of its rows: if it updates nothing, nobody has looked
  /// whether values are the same.
  public @Nullable MergeCounts reported(@Nullable MergeCounts counts) {
    return counts == null || updates ? counts : counts.leaving();
  }

  /// As it stands in messages.
  public String words() {
    return (updates ? "" : inserts ? "insert-only" : "no insert") + (deletes ? " --deletes" : "");
  }
}
