package millrace.connectors.postgres.definition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.postgres.definition.DatabaseObject.Phase;
import org.junit.jupiter.api.Test;

/// Objects are made when nothing that they need is missing.
final class ObjectOrderTest {

  private static final DatabaseObject TYPE = object(1, "type", Phase.BEFORE_ROWS);
  private static final DatabaseObject FUNCTION = object(2, "function", Phase.BEFORE_ROWS);
  private static final DatabaseObject OTHER = object(3, "function", Phase.BEFORE_ROWS);
  private static final DatabaseObject TABLE = object(4, "table", Phase.NEVER);
  private static final DatabaseObject VIEW = object(5, "view", Phase.AFTER_ROWS);
  private static final DatabaseObject TRIGGER = object(6, "trigger", Phase.AFTER_ROWS);

  private static DatabaseObject object(long oid, String kind, Phase phase) {
    return new DatabaseObject(
        new DatabaseObject.CatalogRow(0, oid), "s", kind, "s.o" + oid, List.of(), phase);
  }

  private static String order(
      Map<DatabaseObject, Set<DatabaseObject>> needs, Set<DatabaseObject> keys) {
    ObjectOrder order =
        ObjectOrder.of(
            List.of(TYPE, FUNCTION, OTHER, TABLE, VIEW, TRIGGER),
            object -> needs.getOrDefault(object, Set.of()),
            keys::contains);
    return oids(order.before()) + " | " + oids(order.after());
  }

  private static String oids(List<DatabaseObject> objects) {
    return objects.stream().map(each -> "" + each.id().oid()).collect(Collectors.joining(" "));
  }

  @Test
  void whatNeedsNothingKeepsItsPlace() {
    assertThat(order(Map.of(), Set.of())).isEqualTo("1 2 3 4 | 5 6");
  }

  @Test
  void aFunctionFollowsTheTableWhoseRowsItTakes() {
    assertThat(order(Map.of(FUNCTION, Set.of(TABLE), TABLE, Set.of(OTHER)), Set.of()))
        .isEqualTo("1 3 4 2 | 5 6");
  }

  @Test
  void aViewThatAFunctionNeedsComesBeforeRows() {
    assertThat(order(Map.of(FUNCTION, Set.of(VIEW), VIEW, Set.of(TABLE)), Set.of()))
        .isEqualTo("1 3 4 5 2 | 6");
  }

  @Test
  void aViewThatNeedsAKeyComesAfterRowsWithAllThatNeedsIt() {
    assertThat(
            order(
                Map.of(FUNCTION, Set.of(VIEW), VIEW, Set.of(TABLE), TRIGGER, Set.of(FUNCTION)),
                Set.of(VIEW)))
        .isEqualTo("1 3 4 | 5 2 6");
  }

  @Test
  void aCircleLosesNothing() {
    assertThat(order(Map.of(FUNCTION, Set.of(OTHER), OTHER, Set.of(FUNCTION)), Set.of()))
        .isEqualTo("1 4 2 3 | 5 6");
  }
}
