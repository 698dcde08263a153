package millrace.connectors.sql.plan;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.WriteOptions;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// A table that a replace puts another one in the place of, and whether its definition stays. Pure.
///
/// It stays if it says more than names and types, and the source has just its columns, of the same
/// types. If it can't stay, the user has to accept what would be lost.
///
/// @param label the table, for errors
/// @param system the name under which columns carry its declarations
/// @param rules what its definition says beside columns, `NOT NULL` and its key, in words
/// @param dependentObjects its indexes and triggers in words, which only need its columns to be
///   made again
public record ReplacedTable(
    String label,
    String system,
    List<TargetColumn> columns,
    List<String> key,
    List<String> rules,
    List<String> dependentObjects) {

  /// Whether its definition stays.
  ///
  /// @throws Fault.User if rules would be lost that the user did not give up
  public boolean keepsDefinition(Schema incoming, WriteOptions options) {
    List<String> losses = losses(incoming);
    if (losses.isEmpty() || options.types() == WriteOptions.Types.SOURCE) {
      return false;
    }
    Difference difference = difference(incoming);
    if (difference != null) {
      throw refusal(losses, difference);
    }
    return true;
  }

  /// Of a table that can't be made like this one.
  ///
  /// @throws Fault.User if rules would be lost
  public void checkGivenUp(Schema incoming) {
    List<String> losses = losses(incoming);
    if (!losses.isEmpty()) {
      Difference difference = difference(incoming);
      throw refusal(
          losses,
          difference == null
              ? new Difference(
                  "the names of columns differ in case",
                  "To keep it, give the source's columns the table's names in a query.")
              : difference);
    }
  }

  private Fault.User refusal(List<String> losses, Difference difference) {
    return new Fault.User(
        label
            + " can't be replaced as it is: "
            + String.join(", ", losses)
            + " would be lost, because "
            + difference.why
            + ".",
        difference.advice + " --types source replaces the table and gives all that up.");
  }

  /// What the plan tells of a table that is made in the place of this one.
  public List<String> notes(Schema incoming) {
    List<String> losses = losses(incoming);
    return losses.isEmpty()
        ? List.of()
        : List.of("the new table will not have the old one's " + String.join(", ", losses));
  }

  /// Whether all that needs its columns can be made again on a table of those.
  public boolean hasAllColumns(Schema incoming) {
    return columns.stream()
        .allMatch(column -> incoming.names().stream().anyMatch(column.name()::equalsIgnoreCase));
  }

  /// What a table of those columns would not have.
  private List<String> losses(Schema incoming) {
    List<String> losses = new ArrayList<>();
    if (!key.isEmpty() && !isSame(key, incoming.key())) {
      losses.add("primary key (" + NameList.spelled(key, ", ") + ")");
    }
    List<String> required =
        columns.stream()
            .filter(column -> !column.nullable() && !hasRequired(incoming, column.name()))
            .map(TargetColumn::name)
            .filter(name -> key.stream().noneMatch(name::equalsIgnoreCase))
            .toList();
    if (!required.isEmpty()) {
      losses.add("not null (" + NameList.spelled(required, ", ") + ")");
    }
    losses.addAll(rules);
    if (!hasAllColumns(incoming)) {
      losses.addAll(dependentObjects);
    }
    return losses;
  }

  private static boolean isSame(List<String> one, List<String> other) {
    boolean same = one.size() == other.size();
    for (int i = 0; same && i < one.size(); i++) {
      same = one.get(i).equalsIgnoreCase(other.get(i));
    }
    return same;
  }

  private static boolean hasRequired(Schema incoming, String name) {
    return incoming.columns().stream()
        .anyMatch(column -> column.name().equalsIgnoreCase(name) && !column.nullable());
  }

  /// @param advice what keeps the definition
  private record Difference(String why, String advice) {}

  private @Nullable Difference difference(Schema incoming) {
    List<String> known = new ArrayList<>();
    List<TargetColumn> open = new ArrayList<>(columns);
    open.removeIf(column -> !column.isWritable());
    for (Column column : incoming.columns()) {
      int at = position(column.name());
      if (at >= 0) {
        known.add(column.name());
        open.remove(columns.get(at));
      }
    }
    if (known.size() < incoming.width()) {
      List<String> more = new ArrayList<>(incoming.names());
      more.removeAll(known);
      return new Difference(
          "the table has no column " + NameList.spelled(more, ", ") + ", which the source has",
          known.isEmpty()
              ? "Give the source's columns the table's names in a query."
              : "To keep it, take these: --select '" + NameList.spelled(known, ",") + "'.");
    }
    if (!open.isEmpty()) {
      List<String> names = open.stream().map(TargetColumn::name).toList();
      return new Difference(
          "the source has no column " + NameList.spelled(names, ", "),
          "To keep it, use --mode truncate, which fills the columns that the source has.");
    }
    return incoming.columns().stream()
        .filter(column -> !isAlike(column, columns.get(position(column.name()))))
        .findFirst()
        .map(column ->
            new Difference(
                "column "
                    + NameList.spelled(List.of(column.name()), "")
                    + " is "
                    + column.declaration()
                    + " in the source and "
                    + columns.get(position(column.name())).column().declaration()
                    + " in the table",
                "To keep it, use --types target, or --mode truncate."))
        .orElse(null);
  }

  private int position(String name) {
    return Selection.position(name, columns.stream().map(TargetColumn::name).toList());
  }

  /// Whatever comes for one that the database makes itself is left out.
  private boolean isAlike(Column incoming, TargetColumn old) {
    String declared = incoming.declaredIn(system);
    return !old.isWritable()
        || (declared == null
            ? incoming.type().equals(old.type())
            : declared.equals(old.column().declaredIn(system)));
  }
}
