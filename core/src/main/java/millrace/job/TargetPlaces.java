package millrace.job;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import millrace.spi.Endpoint;
import org.jspecify.annotations.Nullable;

/// Which copies write where, so that no two write to one place. A table's partitions are places of
/// their own, unless somebody writes to the table as a whole. One thread.
///
/// @param <T> what a copy is known by
public final class TargetPlaces<T> {

  private static final String ENTIRE = "";

  private final Map<String, Map<String, T>> taken = new HashMap<>();

  /// Takes a place.
  ///
  /// @param sameSystem whether names stay to the letter; otherwise those that some system takes for
  ///   one count as one
  /// @return who has it; null if it was free
  public @Nullable T take(Endpoint to, boolean sameSystem, T who) {
    String place = to.scheme() + ":" + to.location() + " " + to.text("table").orElse("");
    String partition = to.text(NameTemplate.PARTITION).orElse(ENTIRE);
    return take(
        sameSystem ? place : folded(place), sameSystem ? partition : folded(partition), who);
  }

  /// Takes a place that has no parts, such as a file.
  ///
  /// @return who has it; null if it was free
  public @Nullable T take(String place, T who) {
    return take(place, ENTIRE, who);
  }

  private @Nullable T take(String place, String part, T who) {
    Map<String, T> parts = taken.computeIfAbsent(place, _ -> new HashMap<>());
    T holder = holder(parts, part);
    parts.putIfAbsent(part, who);
    return holder;
  }

  private static <T> @Nullable T holder(Map<String, T> parts, String part) {
    if (part.equals(ENTIRE)) {
      return parts.isEmpty() ? null : parts.values().iterator().next();
    }
    T entire = parts.get(ENTIRE);
    return entire == null ? parts.get(part) : entire;
  }

  /// A quote that is part of a name is doubled within its quotes.
  private static String folded(String name) {
    return name.replace("\"\"", "\0").replace("\"", "").toLowerCase(Locale.ROOT);
  }
}
