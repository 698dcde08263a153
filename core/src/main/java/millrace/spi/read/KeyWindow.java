package millrace.spi.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// The rows whose value of one column lies between two bounds: what an incremental copy reads.
/// Bounds are spelled as {@link millrace.data.spelling.Spelling} writes values of the column's
/// type, instants in UTC.
///
/// @param column as the source spells it
/// @param type a number, a date or a timestamp
/// @param above the lower bound; null if there is none
/// @param closed whether the lower bound itself belongs to it
/// @param upTo the upper bound, which belongs to it; null if there is none
/// @param missing whether rows without a value belong to it too
/// @param pick whether the row with the least or greatest value is enough; a source that can't find
///   it gives all rows
/// @param notes what else is to be told of it, one sentence each
public record KeyWindow(
    String column,
    Type type,
    @Nullable String above,
    boolean closed,
    @Nullable String upTo,
    boolean missing,
    Pick pick,
    List<String> notes)
    implements Serializable {

  /// Which of its rows are wanted.
  public enum Pick {
    ALL,
    /// One that has the least value is enough.
    LEAST,
    /// One that has the greatest value is enough.
    GREATEST
  }

  public KeyWindow {
    notes = List.copyOf(notes);
  }

  /// One of which there is no more to tell.
  public KeyWindow(
      String column,
      Type type,
      @Nullable String above,
      boolean closed,
      @Nullable String upTo,
      boolean missing,
      Pick pick) {
    this(column, type, above, closed, upTo, missing, pick, List.of());
  }

  /// All rows of which the column has a value.
  public static KeyWindow of(String column, Type type, Pick pick) {
    return new KeyWindow(column, type, null, false, null, false, pick);
  }

  /// Its bounds, for plans and reports.
  public String words() {
    if (above != null && above.equals(upTo) && !closed) {
      return "nothing is new: no " + column + " is above " + above;
    }
    String from = above == null ? "" : (closed ? " from " : " above ") + above;
    return "only rows with " + column + from + (upTo == null ? "" : " up to " + upTo);
  }

  /// The condition in SQL.
  String sql(SqlWords words, @Nullable String where) {
    String name = words.quoted().apply(column);
    List<String> bounds = new ArrayList<>();
    if (above != null) {
      bounds.add(name + (closed ? " >= " : " > ") + words.literal(type, above));
    }
    if (upTo != null) {
      bounds.add(name + " <= " + words.literal(type, upTo));
    }
    boolean picks = pick != Pick.ALL && !words.from().isEmpty();
    if (bounds.isEmpty() && (!missing || picks)) {
      bounds.add(name + " IS NOT NULL");
    }
    String all = String.join(" AND ", bounds);
    if (picks) {
      String end = (pick == Pick.LEAST ? "min(" : "max(") + name + ")";
      String of = where == null ? all : all + " AND (" + where + "\n)";
      all += " AND " + name + " = (SELECT " + end + " FROM " + words.from() + " WHERE " + of + ")";
    }
    return missing && !all.isEmpty() ? "(" + all + " OR " + name + " IS NULL)" : all;
  }
}
