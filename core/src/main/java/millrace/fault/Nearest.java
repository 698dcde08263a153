package millrace.fault;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;

/// Guesses what was meant by a misspelled name; for the advice of a {@link Fault.User}.
///
/// The distance is Levenshtein's: the fewest letters added, dropped or changed.
public final class Nearest {

  /// Names that were given up, with those that took their place: no guess by letters finds them.
  private static final Map<String, String> RENAMED = Map.of("dialect", "format");

  private Nearest() {}

  /// `Did you mean 'x'?`, or an empty string if no known name is near. Never throws.
  ///
  /// @param wanted the name as given
  /// @param known the names that exist
  public static String hint(String wanted, Collection<String> known) {
    String name = wanted.replaceFirst("^--", "");
    String renamed = wanted.replace(name, RENAMED.getOrDefault(name, name));
    if (!renamed.equals(wanted) && known.contains(renamed)) {
      return "Did you mean '" + renamed + "'?";
    }
    String best = "";
    int least = Math.max(1, wanted.length() / 3) + 1;
    for (String each : known) {
      int distance =
          distance(wanted.toLowerCase(Locale.ROOT), each.toLowerCase(Locale.ROOT), least);
      if (distance < least) {
        least = distance;
        best = each;
      }
    }
    return best.isEmpty() ? "" : "Did you mean '" + best + "'?";
  }

  /// The distance, or something not below the limit if it is no less than that.
  private static int distance(String left, String right, int limit) {
    if (Math.abs(left.length() - right.length()) >= limit) {
      return limit;
    }
    int[] above = new int[right.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] line = new int[above.length];
      line[0] = i;
      for (int j = 1; j < line.length; j++) {
        int change = above[j - 1] + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        line[j] = Math.min(change, 1 + Math.min(line[j - 1], above[j]));
      }
      above = line;
    }
    return above[right.length()];
  }
}
