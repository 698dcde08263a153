package millrace.spi.read;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import millrace.text.ConditionColumns;
import millrace.text.NameList;
import org.jspecify.annotations.Nullable;

/// Which part of the source is wanted.
///
/// A source says in its {@link SourceDescription} which of these it sees to itself; the engine does
/// the rest on batches of columns.
///
/// @param columns names in the order wanted; empty for all
/// @param where an SQL condition on the columns, or null for every row
/// @param limit most rows wanted; {@link Long#MAX_VALUE} for all
/// @param window of an incremental copy, the rows that it reads; null of any other
public record Selection(
    List<String> columns, @Nullable String where, long limit, @Nullable KeyWindow window)
    implements Serializable {

  /// Everything.
  public static final Selection ALL = new Selection(List.of(), null, Long.MAX_VALUE);

  public Selection {
    columns = List.copyOf(columns);
  }

  /// One of a copy that is not incremental.
  public Selection(List<String> columns, @Nullable String where, long limit) {
    this(columns, where, limit, null);
  }

  /// All that rows have to fulfil, the user's condition and the window, in the source's SQL; null
  /// if all are wanted.
  public @Nullable String condition(SqlWords words) {
    if (window == null) {
      return where;
    }
    String bounds = window.sql(words, where);
    return where == null
        ? bounds.isEmpty() ? null : bounds
        : bounds.isEmpty() ? where : "(" + where + "\n) AND " + bounds;
  }

  /// Whether any rows may be left out by what they hold.
  public boolean filters() {
    return condition(SqlWords.ENGINE) != null;
  }

  /// Why the rows are read by one query; empty if they need not be. An index may find them.
  public String oneQuery() {
    return window != null && (window.above() != null || window.pick() != KeyWindow.Pick.ALL)
        ? "rows above a mark are one query"
        : "";
  }

  /// The columns to read for a source that leaves the condition to the engine, empty for all: those
  /// that are wanted, and behind them the others that the condition names, which the engine drops
  /// when it has looked at them.
  public List<String> columnsToRead() {
    if (columns.isEmpty()) {
      return columns;
    }
    List<String> read = new ArrayList<>(columns);
    for (String name : conditionNames()) {
      if (read.stream().noneMatch(name::equalsIgnoreCase)) {
        read.add(name);
      }
    }
    return read;
  }

  /// The names of columns in the condition.
  public List<String> conditionNames() {
    List<String> names = new ArrayList<>(where == null ? List.of() : ConditionColumns.of(where));
    if (window != null) {
      names.add(window.column());
    }
    return names;
  }

  /// How many of the columns to read are there for the condition alone.
  public int conditionColumns() {
    return columnsToRead().size() - columns.size();
  }

  /// Finds columns of a source by the names that the user gives them: by exactly that name, or else
  /// by the only one that differs in case alone. One rule for all sources.
  ///
  /// @param label the source, for errors
  /// @param names those that are asked for; empty for all
  /// @param known those that it has
  /// @return the position of each, in the order asked for
  /// @throws Fault.User if one of them is not there, with the nearest name and all of them
  public static List<Integer> positions(String label, List<String> names, List<String> known) {
    if (names.isEmpty()) {
      return IntStream.range(0, known.size()).boxed().toList();
    }
    List<Integer> positions = new ArrayList<>();
    for (String name : names) {
      int position = position(name, known);
      if (position < 0) {
        throw new Fault.User(
            label + " has no column '" + name + "'.",
            (Nearest.hint(name, known) + " It has " + NameList.spelled(known, ", ") + ".").strip());
      }
      positions.add(position);
    }
    return positions;
  }

  /// Where a name stands among others, by the same rule; -1 if nowhere, or if nobody can tell which
  /// is meant.
  public static int position(String name, List<String> known) {
    int found = known.indexOf(name);
    for (int i = 0; found < 0 && i < known.size(); i++) {
      if (known.get(i).equalsIgnoreCase(name)) {
        List<String> after = known.subList(i + 1, known.size());
        return after.stream().anyMatch(name::equalsIgnoreCase) ? -1 : i;
      }
    }
    return found;
  }

  /// The same rows, of these columns.
  public Selection withColumns(List<String> columns) {
    return new Selection(columns, where, limit, window);
  }

  /// The same of these rows alone.
  public Selection within(KeyWindow other) {
    return new Selection(columns, where, limit, other);
  }

  /// Whether anything is left out.
  public boolean isAll() {
    return columns.isEmpty() && !filters() && limit == Long.MAX_VALUE;
  }
}
