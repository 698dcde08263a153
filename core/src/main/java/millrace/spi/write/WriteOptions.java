package millrace.spi.write;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How rows are to land in the target.
///
/// @param mode null if the user named none: an absent target is made, an empty one filled, and one
///   that holds rows is refused with a message that names the modes
/// @param atomic whether append and truncate stage as well, so that all rows appear at once
/// @param key names of the columns that a merge goes by; empty for the target's primary key
/// @param byPosition whether columns pair up by position rather than by name
/// @param types whose types a table has that replaces one; null if the user did not say: the old
///   table's stay for columns whose types the source has guessed
/// @param steps what a merge does
public record WriteOptions(
    @Nullable Mode mode,
    boolean atomic,
    List<String> key,
    boolean byPosition,
    @Nullable Types types,
    MergeSteps steps)
    implements Serializable {

  /// Whose types the columns of a table have that replaces one.
  public enum Types {
    /// The source's: declared, or by sample.
    SOURCE,
    /// The old table's, as far as it has columns of the same names.
    TARGET
  }

  /// What happens without options.
  public static final WriteOptions DEFAULT = new WriteOptions(null, false, List.of(), false);

  /// One without a word on whose types a new table has.
  public WriteOptions(@Nullable Mode mode, boolean atomic, List<String> key, boolean byPosition) {
    this(mode, atomic, key, byPosition, null);
  }

  /// One whose merge updates and inserts.
  public WriteOptions(
      @Nullable Mode mode,
      boolean atomic,
      List<String> key,
      boolean byPosition,
      @Nullable Types types) {
    this(mode, atomic, key, byPosition, types, MergeSteps.USUAL);
  }

  /// The same, with a merge of these steps.
  public WriteOptions doing(MergeSteps other) {
    return new WriteOptions(mode, atomic, key, byPosition, types, other);
  }

  /// Whether the old table's types are looked at, in a replace.
  public boolean mayKeepTypes() {
    return types != Types.SOURCE;
  }

  public WriteOptions {
    key = List.copyOf(key);
  }
}
