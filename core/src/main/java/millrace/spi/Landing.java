package millrace.spi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// How rows are to land in the target.
///
/// @param mode null where the user named none: an absent target is made, an empty one filled, and
///   one that holds rows is refused with a message that names the modes
/// @param atomic whether append and truncate stage as well, so that all rows appear at once
/// @param key names of the columns that a merge goes by; empty for the target's primary key
/// @param byPosition whether columns pair up by position rather than by name
public record Landing(@Nullable Mode mode, boolean atomic, List<String> key, boolean byPosition) {

  /// What happens without options.
  public static final Landing DEFAULT = new Landing(null, false, List.of(), false);

  public Landing {
    key = List.copyOf(key);
  }
}
