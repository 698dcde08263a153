package millrace.connectors.sql;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a merge is between; all names as SQL spells them. Its staged rows are `fresh` in the
/// statements, those of the table `old`.
///
/// @param key the columns that it goes by
/// @param others those that are updated
/// @param order the column of the staging table that grows in the order of the source
/// @param same for each of the others, whether two of its values are the same, with `%1$s` and
///   `%2$s` for them
public record MergeTables(
    String target,
    String staging,
    List<String> key,
    List<String> others,
    String order,
    UnaryOperator<String> same) {

  public MergeTables {
    key = List.copyOf(key);
    others = List.copyOf(others);
  }

  /// The statements of the standard.
  public MergeStatements statements() {
    String count = "SELECT count(DISTINCT fresh." + order + ") FROM " + joined();
    List<String> all = Stream.concat(key.stream(), others.stream()).toList();
    return new MergeStatements(
        "DELETE FROM %1$s WHERE EXISTS (SELECT 1 FROM %1$s later WHERE %3$s AND later.%2$s > %1$s.%2$s)"
            .formatted(staging, order, sameKey("later.", staging + ".")),
        count,
        count + " WHERE " + differ(),
        among ->
            "MERGE INTO %s old USING %s fresh ON (%s) WHEN MATCHED AND (%s)%s THEN UPDATE SET %s"
                .formatted(
                    target,
                    staging,
                    sameKey("old.", "fresh."),
                    differ(),
                    among,
                    each(others, "%1$s = fresh.%1$s", ", ")),
        among ->
            "INSERT INTO %s (%s) SELECT %s FROM %s fresh WHERE NOT EXISTS (SELECT 1 FROM %s old WHERE %s)%s"
                .formatted(
                    target,
                    String.join(", ", all),
                    each(all, "fresh.%1$s", ", "),
                    staging,
                    target,
                    sameKey("old.", "fresh."),
                    among));
  }

  /// Staged rows with those of the table that have their keys.
  public String joined() {
    return staging + " fresh JOIN " + target + " old ON " + sameKey("old.", "fresh.");
  }

  /// Whether two rows have the same key.
  ///
  /// @param one what stands before the columns of the one; so is the other
  public String sameKey(String one, String other) {
    return key.stream()
        .map(name -> one + name + " = " + other + name)
        .collect(Collectors.joining(" AND "));
  }

  /// Whether two rows of the same key have other values.
  public String differ() {
    return others.stream()
        .map(name ->
            "NOT ("
                + same.apply(name).replace("%1$s", "old." + name).replace("%2$s", "fresh." + name)
                + ")")
        .collect(Collectors.joining(" OR "));
  }

  /// SQL of columns.
  ///
  /// @param sql of one, with `%1$s` for its name
  public static String each(List<String> columns, String sql, String between) {
    return columns.stream()
        .map(column -> sql.replace("%1$s", column))
        .collect(Collectors.joining(between));
  }

  /// What a merge does, in this order.
  ///
  /// @param dropSuperseded deletes staged rows that a later one of the same key takes the place of
  /// @param countFound how many keys the target has
  /// @param countChanged how many of those have other values
  /// @param update updates them, for a condition on the order column after its own; empty if
  ///   nothing is updated
  /// @param insert inserts the rest, likewise
  public record MergeStatements(
      String dropSuperseded,
      String countFound,
      String countChanged,
      UnaryOperator<String> update,
      UnaryOperator<String> insert) {}
}
