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
public record MergeTables(
    String target, String staging, List<MergeColumn> key, List<MergeColumn> others, String order) {

  /// A column.
  ///
  /// @param sql of a key, what its values are compared by, with `%s` for one; else whether two
  ///   values are the same, with `%s` for one and the other in turn
  public record MergeColumn(String name, String sql) {

    /// What values of the column itself are compared by.
    public String compared() {
      return of(name);
    }

    String of(String... values) {
      StringBuilder out = new StringBuilder();
      String[] parts = sql.split("%s", -1);
      for (int i = 0; i < parts.length; i++) {
        // Names may hold anything, so that a format would not do.
        out.append(i == 0 ? "" : values[(i - 1) % values.length]).append(parts[i]);
      }
      return out.toString();
    }
  }

  public MergeTables {
    key = List.copyOf(key);
    others = List.copyOf(others);
  }

  /// The statements of the standard.
  public MergeStatements statements() {
    List<MergeColumn> all = Stream.concat(key.stream(), others.stream()).toList();
    return new MergeStatements(
        "DELETE FROM %1$s WHERE EXISTS (SELECT 1 FROM %1$s later WHERE %3$s AND later.%2$s > %1$s.%2$s)"
            .formatted(staging, order, sameKey("later.", staging + ".")),
        among ->
            "MERGE INTO %s old USING %s fresh ON (%s) WHEN MATCHED AND %s%s THEN UPDATE SET %s"
                .formatted(
                    target,
                    staging,
                    sameKey("old.", "fresh."),
                    differ(),
                    among,
                    each(others, "%1$s = fresh.%1$s")),
        among ->
            "INSERT INTO %s (%s) SELECT %s FROM %s fresh WHERE NOT EXISTS (SELECT 1 FROM %s old WHERE %s)%s"
                .formatted(
                    target,
                    each(all, "%1$s"),
                    each(all, "fresh.%1$s"),
                    staging,
                    target,
                    sameKey("old.", "fresh."),
                    among));
  }

  /// A query that counts: staged rows whose keys the table has, those of them that have other
  /// values, and rows of the table that they will change.
  public String count() {
    return "SELECT count(*), sum(CASE WHEN changed > 0 THEN 1 ELSE 0 END), sum(changed) FROM (SELECT sum(CASE WHEN %2$s THEN 1 ELSE 0 END) AS changed FROM %3$s GROUP BY fresh.%1$s) millrace_keys"
        .formatted(order, differ(), joined());
  }

  /// Deletes rows of the table whose keys are not staged. What has no key is equal to nothing that
  /// could come, so it stays.
  public String deleteGone() {
    return "DELETE FROM %s WHERE %s AND NOT EXISTS (SELECT 1 FROM %s fresh WHERE %s)"
        .formatted(
            target,
            key.stream()
                .map(part -> part.name + " IS NOT NULL")
                .collect(Collectors.joining(" AND ")),
            staging,
            sameKey("fresh.", target + "."));
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
        .map(part -> part.of(one + part.name) + " = " + part.of(other + part.name))
        .collect(Collectors.joining(" AND "));
  }

  /// Whether two rows of the same key have other values.
  public String differ() {
    String same =
        others.stream()
            .map(part -> part.of("old." + part.name, "fresh." + part.name))
            .collect(Collectors.joining(" AND "));
    return same.isEmpty() ? "1 = 0" : "CASE WHEN " + same + " THEN 0 ELSE 1 END = 1";
  }

  /// SQL of columns, as a list.
  ///
  /// @param sql of one, with `%1$s` for its name
  public static String each(List<MergeColumn> columns, String sql) {
    return columns.stream()
        .map(part -> sql.replace("%1$s", part.name))
        .collect(Collectors.joining(", "));
  }

  /// What a merge does, in this order.
  ///
  /// @param dropSuperseded deletes staged rows that a later one of the same key takes the place of
  /// @param update updates rows that have other values, for a condition on the order column after
  ///   its own
  /// @param insert inserts the rest, likewise
  public record MergeStatements(
      String dropSuperseded, UnaryOperator<String> update, UnaryOperator<String> insert) {}
}
