package millrace.testkit.oracle.dictionary;

import java.sql.ResultSet;
import java.sql.Timestamp;
import java.sql.Types;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.h2.tools.SimpleResultSet;
import org.jspecify.annotations.Nullable;

/// A view: its columns, and how its rows are made.
///
/// @param columns names, each with a letter before it: `T` for a text, `L` for a long one, `N` for
///   a number, `D` for a date
/// @param owner the column that has the owner; null if the rows are nobody's
/// @param source makes the rows
record ViewDefinition(
    List<String> columns,
    @Nullable String owner,
    Function<DictionaryContext, List<List<@Nullable Object>>> source) {

  private static final int TEXT_LENGTH = 128;
  private static final int LONG_LENGTH = 4000;
  private static final int DIGITS = 38;

  /// Whether a session may see it under that name.
  boolean isVisible(String name, DictionaryContext context) {
    return !context.isClosed(name) && (!name.startsWith("DBA_") || context.isGranted(name));
  }

  /// The same view with the rows of the session's own user, without the owner.
  ViewDefinition ofUser() {
    int at = owner == null ? -1 : columns.indexOf("T" + owner);
    if (at < 0) {
      return this;
    }
    List<String> rest = new ArrayList<>(columns);
    rest.remove(at);
    return new ViewDefinition(rest, null, context -> own(context, at));
  }

  private List<List<@Nullable Object>> own(DictionaryContext context, int ownerColumn) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (List<@Nullable Object> row : source.apply(context)) {
      if (context.currentSchema().equals(row.get(ownerColumn))) {
        List<@Nullable Object> rest = new ArrayList<@Nullable Object>(row);
        rest.remove(ownerColumn);
        rows.add(rest);
      }
    }
    return rows;
  }

  ResultSet rows(DictionaryContext context) {
    SimpleResultSet rows = empty();
    for (List<@Nullable Object> row : source.apply(context)) {
      rows.addRow(row.stream().map(ViewDefinition::plain).toArray());
    }
    return rows;
  }

  /// The view's columns, without a row.
  SimpleResultSet empty() {
    SimpleResultSet rows = new SimpleResultSet();
    for (String column : columns) {
      String name = column.substring(1);
      switch (column.charAt(0)) {
        case 'N' -> rows.addColumn(name, Types.NUMERIC, DIGITS, 0);
        case 'D' -> rows.addColumn(name, Types.TIMESTAMP, 19, 0);
        case 'L' -> rows.addColumn(name, Types.VARCHAR, LONG_LENGTH, 0);
        default -> rows.addColumn(name, Types.VARCHAR, TEXT_LENGTH, 0);
      }
    }
    return rows;
  }

  private static @Nullable Object plain(@Nullable Object value) {
    return value instanceof LocalDateTime time ? Timestamp.valueOf(time) : value;
  }
}
