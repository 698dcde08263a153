package millrace.connectors.duckdb.load;

import java.util.List;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.sql.TableName;
import org.jspecify.annotations.Nullable;

/// What a table demands of its rows beyond the types of their columns.
sealed interface Rule {

  /// It as the database spells it, for the user.
  String text();

  /// What it looks at, as SQL over a row's columns.
  List<String> keys();

  /// The one column that it looks at, or empty if it is not one.
  String column();

  /// What a row must fulfil by itself.
  ///
  /// @param expression the condition over the row's columns
  record Check(String text, List<String> keys, String column, String expression) implements Rule {}

  /// What no two rows have in common.
  record Unique(String text, List<String> keys, String column) implements Rule {}

  /// What a row of another table must have.
  record Reference(String text, List<String> keys, String column, TableName to, List<String> toKeys)
      implements Rule {}

  /// A condition that is true of the rows that break it whatever other rows come; null if only rows
  /// that come can tell.
  ///
  /// @param table where the rows are to go
  /// @param adds whether they are added to the rows that are there
  default @Nullable String broken(TableName table, boolean adds) {
    return switch (this) {
      case Check check ->
          // What can't be computed is refused as well; what is unknown is not.
          "coalesce(TRY(CASE WHEN NOT (" + check.expression + ") THEN 1 ELSE 0 END), 1) = 1";
      case Unique unique ->
          adds
              ? complete(unique.keys) + " AND " + key(unique.keys) + " IN " + in(unique.keys, table)
              : null;
      case Reference reference ->
          complete(reference.keys)
              + " AND "
              + key(reference.keys)
              + " NOT IN "
              + in(reference.toKeys, reference.to);
    };
  }

  private static String in(List<String> keys, TableName table) {
    return "(SELECT "
        + key(keys)
        + " FROM "
        + DuckDbSql.name(table)
        + " WHERE "
        + complete(keys)
        + ")";
  }

  /// All of a key as one value.
  static String key(List<String> keys) {
    return keys.size() == 1 ? keys.getFirst() : "row(" + String.join(", ", keys) + ")";
  }

  /// That no part of a key is missing: of those that lack one, none is like another.
  static String complete(List<String> keys) {
    return keys.stream().map(key -> key + " IS NOT NULL").collect(Collectors.joining(" AND "));
  }
}
