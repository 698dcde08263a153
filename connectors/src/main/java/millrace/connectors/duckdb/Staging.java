package millrace.connectors.duckdb;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The temporary table of one connection that rows wait in where they can't go straight to their
/// table: for a merge, or because bad ones are to be found among them.
final class Staging {

  static final String TABLE = "temp.millrace_stage";

  private final List<Slot> slots;
  private final Beside beside;
  private final String prefix;

  /// @param slots its columns
  /// @param others names of further columns of the target, which may stand beside them in a query
  Staging(List<Slot> slots, List<String> others, Beside beside) {
    this.slots = slots;
    this.beside = beside;
    prefix = prefix(Stream.concat(slots.stream().map(Slot::name), others.stream()).toList());
  }

  /// A beginning that none of the names has.
  private static String prefix(List<String> names) {
    String prefix = "_";
    while (true) {
      String start = prefix;
      if (names.stream().noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith(start))) {
        return prefix;
      }
      prefix += "_";
    }
  }

  /// The name of a column beside those of the rows, as SQL spells it.
  String beside(String name) {
    return Sql.name(prefix + name);
  }

  /// The statement that makes it.
  String ddl() {
    Stream<String> columns = slots.stream().map(s -> Sql.name(s.name()) + " " + s.declared());
    Stream<String> more =
        Stream.concat(beside.sent().stream(), beside.computed().stream())
            .map(column -> beside(column.name()) + " " + column.type());
    return "CREATE TEMP TABLE millrace_stage ("
        + Stream.concat(columns, more).collect(Collectors.joining(", "))
        + ")";
  }

  /// The statement that moves all rows into their table.
  String move(Sql.Table table) {
    String names = Sql.names(slots.stream().map(Slot::name).toList());
    return "INSERT INTO " + table.sql() + " (" + names + ") SELECT " + names + " FROM " + TABLE;
  }
}
