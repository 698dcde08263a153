package millrace.testkit.oracle.dictionary;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// All views by their names: those of the dictionary as `ALL_`, `USER_` and `DBA_`, and the V$
/// views.
final class DictionaryViews {

  private static final Map<String, ViewDefinition> VIEWS = all();

  private DictionaryViews() {}

  static @Nullable ViewDefinition find(String name) {
    return VIEWS.get(name);
  }

  private static Map<String, ViewDefinition> all() {
    Map<String, ViewDefinition> views = new HashMap<>();
    for (Map<String, ViewDefinition> part :
        List.of(
            TableViews.all(),
            ObjectViews.all(),
            ConstraintViews.all(),
            PartitionViews.all(),
            AttachedViews.all())) {
      part.forEach((name, view) -> {
        views.put("ALL_" + name, view);
        views.put("DBA_" + name, view);
        views.put("USER_" + name, view.ofUser());
      });
    }
    views.putAll(PerformanceViews.all());
    return views;
  }
}
