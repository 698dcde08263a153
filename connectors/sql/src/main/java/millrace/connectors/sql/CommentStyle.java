package millrace.connectors.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import millrace.data.TableComments;

/// How comments get on a table that is made.
///
/// @param place where they stand
/// @param charactersMax how many one may have; a longer one is cut
/// @param text spells one as a literal
public record CommentStyle(Location place, int charactersMax, UnaryOperator<String> text) {

  /// Where comments stand.
  public enum Location {
    /// The database keeps none.
    NOWHERE,
    /// In the declarations of the columns, and behind the table's.
    DECLARATIONS,
    /// In statements of their own, `COMMENT ON`.
    STATEMENTS
  }

  /// A database without comments.
  public static final CommentStyle NONE = new CommentStyle(Location.NOWHERE, 0, Names::text);

  /// What of some comments the database keeps.
  public TableComments fitting(TableComments comments) {
    if (place == Location.NOWHERE) {
      return TableComments.NONE;
    }
    Map<String, String> columns = new LinkedHashMap<>();
    comments.columns().forEach((name, comment) -> columns.put(name, cut(comment)));
    return new TableComments(cut(comments.table()), columns);
  }

  private String cut(String comment) {
    return comment.codePointCount(0, comment.length()) <= charactersMax
        ? comment
        : comment.substring(0, comment.offsetByCodePoints(0, charactersMax));
  }

  /// What becomes of some comments, if they don't all come as they are; as a sentence without its
  /// end, else empty.
  public String changed(TableComments comments) {
    if (comments.isEmpty() || fitting(comments).equals(comments)) {
      return "";
    }
    return place == Location.NOWHERE
        ? "comments on the table and its columns do not come: this database keeps none"
        : "comments are cut to " + charactersMax + " characters";
  }

  /// What stands behind a column's declaration.
  public String inColumn(String comment) {
    return place != Location.DECLARATIONS || comment.isEmpty()
        ? ""
        : " COMMENT " + text.apply(comment);
  }

  /// What stands behind a table's.
  public String inTable(String comment) {
    return place != Location.DECLARATIONS || comment.isEmpty()
        ? ""
        : " COMMENT = " + text.apply(comment);
  }

  /// The statements that follow the one that makes the table.
  ///
  /// @param table as SQL names it
  public List<String> statements(String table, Names names, TableComments comments) {
    List<String> statements = new ArrayList<>();
    if (place != Location.STATEMENTS) {
      return statements;
    }
    if (!comments.table().isEmpty()) {
      statements.add("COMMENT ON TABLE " + table + " IS " + text.apply(comments.table()));
    }
    comments
        .columns()
        .forEach((column, comment) ->
            statements.add(
                "COMMENT ON COLUMN "
                    + table
                    + "."
                    + names.quoted(column)
                    + " IS "
                    + text.apply(comment)));
    return statements;
  }
}
