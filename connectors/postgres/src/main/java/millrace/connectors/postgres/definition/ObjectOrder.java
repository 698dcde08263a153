package millrace.connectors.postgres.definition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import millrace.connectors.postgres.definition.DatabaseObject.Phase;

/// Objects in an order in which nothing lacks what it needs. Pure.
///
/// @param before what is made before rows
/// @param after what is made when rows and keys are in
record ObjectOrder(List<DatabaseObject> before, List<DatabaseObject> after) {

  /// Puts objects in order; those that need none of each other keep theirs.
  ///
  /// @param needs what one needs of the others
  /// @param needsKeys whether one needs keys of tables, which follow rows
  static ObjectOrder of(
      List<DatabaseObject> objects,
      Function<DatabaseObject, Set<DatabaseObject>> needs,
      Predicate<DatabaseObject> needsKeys) {
    List<DatabaseObject> ordered = ordered(objects, needs);
    Set<DatabaseObject> late = new HashSet<>();
    for (DatabaseObject object : ordered) {
      if (!object.isTable()
          && (needsKeys.test(object) || needs.apply(object).stream().anyMatch(late::contains))) {
        late.add(object);
      }
    }
    Set<DatabaseObject> early = new HashSet<>();
    for (DatabaseObject object : ordered.reversed()) {
      if (!late.contains(object)
          && (object.phase() == Phase.BEFORE_ROWS || object.isTable() || early.contains(object))) {
        early.add(object);
        early.addAll(needs.apply(object));
      }
    }
    early.removeAll(late);
    return new ObjectOrder(
        ordered.stream().filter(early::contains).toList(),
        ordered.stream().filter(object -> !early.contains(object)).toList());
  }

  /// Of a circle the first comes first, and what it lacks later.
  private static List<DatabaseObject> ordered(
      List<DatabaseObject> objects, Function<DatabaseObject, Set<DatabaseObject>> needs) {
    Map<DatabaseObject, Integer> places = new HashMap<>();
    objects.forEach(object -> places.put(object, places.size()));
    Map<DatabaseObject, Set<DatabaseObject>> lacking = new HashMap<>();
    Map<DatabaseObject, List<DatabaseObject>> neededBy = new HashMap<>();
    PriorityQueue<Integer> ready = new PriorityQueue<>();
    for (DatabaseObject object : objects) {
      Set<DatabaseObject> lacks = new HashSet<>(needs.apply(object));
      lacks.retainAll(places.keySet());
      lacks.forEach(each -> neededBy.computeIfAbsent(each, _ -> new ArrayList<>()).add(object));
      lacking.put(object, lacks);
      if (lacks.isEmpty()) {
        ready.add(places.getOrDefault(object, 0));
      }
    }
    Set<DatabaseObject> ordered = new LinkedHashSet<>();
    int first = 0;
    while (ordered.size() < objects.size()) {
      while (ready.isEmpty() && ordered.contains(objects.get(first))) {
        first++;
      }
      DatabaseObject next = objects.get(ready.isEmpty() ? first : ready.remove());
      if (ordered.add(next)) {
        for (DatabaseObject each : neededBy.getOrDefault(next, List.of())) {
          Set<DatabaseObject> lacks = lacking.getOrDefault(each, Set.of());
          if (lacks.remove(next) && lacks.isEmpty()) {
            ready.add(places.getOrDefault(each, 0));
          }
        }
      }
    }
    return List.copyOf(ordered);
  }
}
