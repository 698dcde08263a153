package millrace.connectors.duckdb.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.duckdb.DuckDbCatalog;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;

/// Settles which column goes where, and what it becomes.
///
/// @param schema the incoming columns under the names and types that writers get
/// @param slots where each goes, in the same order
/// @param notes what the user should know of single columns
public record PairedColumns(Schema schema, List<AppendColumn> slots, List<String> notes) {

  /// A new table with the incoming columns.
  ///
  /// @param label the table, for errors
  /// @param key names of the key's columns, which must have values
  /// @throws Fault.User where a column can't be kept
  public static PairedColumns fresh(String label, Schema incoming, List<String> key) {
    Set<String> names = new HashSet<>();
    List<AppendColumn> slots = new ArrayList<>();
    for (Column column : incoming.columns()) {
      if (!names.add(fold(column.name()))) {
        throw new Fault.User(
            label + ": two columns are named \"" + column.name() + "\", and case does not count.",
            "Leave one out with --select, or rename it in a query.");
      }
      String declared = DuckDbTypes.declaration(column);
      refuseIfLossy(label, column);
      boolean required = !column.nullable() || isOneOf(key, column.name());
      slots.add(AppendColumn.of(column, column.name(), column.type(), declared, required));
    }
    return new PairedColumns(incoming, slots, notes(incoming));
  }

  private static List<String> notes(Schema incoming) {
    List<String> notes = new ArrayList<>();
    for (Column column : incoming.columns()) {
      switch (column.type()) {
        case Type.Decimal decimal
            when column.declaredIn(DuckDbTypes.SYSTEM) == null && !DuckDbTypes.fits(decimal) ->
            notes.add(
                "\""
                    + column.name()
                    + "\" ("
                    + decimal.label()
                    + ") becomes VARCHAR, which keeps every digit: DuckDB's DECIMAL ends at "
                    + DuckDbTypes.DIGITS_MAX
                    + " of them. To have numbers, make the table first with a DECIMAL of your"
                    + " choice.");
        case Type.Opaque _ when column.declaredIn(DuckDbTypes.SYSTEM) == null ->
            notes.add(
                "\""
                    + column.name()
                    + "\""
                    + (column.declared() == null
                        ? ""
                        : " (" + column.declared().declaration() + ")")
                    + " becomes VARCHAR: its values cross as text. To have another type, make the"
                    + " table first.");
        case Type _ -> {}
      }
    }
    return notes;
  }

  /// A table that exists.
  ///
  /// @param key names of columns that a merge goes by, which must have values
  /// @param byPosition whether the first incoming column goes to the first, and so on
  /// @throws Fault.User where columns do not match
  public static PairedColumns existing(
      String label,
      Schema incoming,
      DuckDbCatalog.Found table,
      List<String> key,
      boolean byPosition) {
    List<DuckDbCatalog.Described> open =
        table.columns().stream().filter(column -> !column.generated()).toList();
    List<Column> columns = new ArrayList<>();
    List<AppendColumn> slots = new ArrayList<>();
    Set<DuckDbCatalog.Described> taken = new HashSet<>();
    for (int i = 0; i < incoming.width(); i++) {
      Column column = incoming.column(i);
      DuckDbCatalog.Described target =
          byPosition ? at(label, incoming, table, open, i) : named(label, column, table, open);
      if (!taken.add(target)) {
        throw new Fault.User(
            label + ": two columns go into \"" + target.name() + "\".",
            "Leave one out with --select.");
      }
      if (column.type() instanceof Type.Opaque) {
        refuseIfLossy(label, column);
      }
      refuseIfAnother(label, column, target);
      Type type = DuckDbTypes.accepted(target.declared(), column);
      columns.add(new Column(target.name(), type, column.nullable(), column.declared()));
      boolean required = !target.nullable() || isOneOf(key, target.name());
      slots.add(AppendColumn.of(column, target.name(), type, target.declared(), required));
    }
    List<DuckDbCatalog.Described> unfilled =
        open.stream().filter(column -> !taken.contains(column)).toList();
    checkMissing(label, unfilled);
    return new PairedColumns(new Schema(columns, incoming.key()), slots, notes(unfilled));
  }

  private static DuckDbCatalog.Described at(
      String label,
      Schema incoming,
      DuckDbCatalog.Found table,
      List<DuckDbCatalog.Described> open,
      int index) {
    if (index >= open.size()) {
      throw new Fault.User(
          label
              + " has "
              + open.size()
              + " columns that can be written, and "
              + incoming.width()
              + " come: "
              + String.join(", ", table.schema(true).names())
              + ".",
          "Leave columns out with --select.");
    }
    return open.get(index);
  }

  private static DuckDbCatalog.Described named(
      String label, Column column, DuckDbCatalog.Found table, List<DuckDbCatalog.Described> open) {
    for (DuckDbCatalog.Described candidate : table.columns()) {
      if (fold(candidate.name()).equals(fold(column.name()))) {
        if (!open.contains(candidate)) {
          throw new Fault.User(
              label + ": DuckDB computes column \"" + candidate.name() + "\" by itself.",
              "Leave it out with --select.");
        }
        return candidate;
      }
    }
    throw new Fault.User(
        label + " has no column \"" + column.name() + "\".",
        "It has "
            + String.join(", ", table.schema(true).names())
            + ". Leave the column out with --select, or pair columns by position.");
  }

  private static List<String> notes(List<DuckDbCatalog.Described> unfilled) {
    String names =
        unfilled.stream()
            .map(column -> "\"" + column.name() + "\"")
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? List.of()
        : List.of(
            "the source has nothing for " + names + ": new rows get the default there, or null");
  }

  private static void checkMissing(String label, List<DuckDbCatalog.Described> unfilled) {
    for (DuckDbCatalog.Described column : unfilled) {
      if (!column.nullable() && !column.hasDefault()) {
        throw new Fault.User(
            label
                + ": column \""
                + column.name()
                + "\" must have a value, has no default, and nothing comes for it.",
            "Add it to the source, or give it a default in the table.");
      }
    }
  }

  private static void refuseIfAnother(String label, Column column, DuckDbCatalog.Described target) {
    String why = Spellings.refusal(target.declared(), column);
    if (why != null) {
      throw new Fault.User(
          label
              + ": values would not arrive as they are: column \""
              + column.name()
              + "\" is "
              + column.declaration()
              + " in the source and "
              + target.declared()
              + " in the target: "
              + why
              + ".",
          "Give the target's column another type, leave it out with --select, or convert it in a"
              + " query.");
    }
  }

  private static void refuseIfLossy(String label, Column column) {
    String own = column.declaredIn(DuckDbTypes.SYSTEM);
    if (own != null && column.type() instanceof Type.Opaque && !DuckDbTypes.keepsValueAsText(own)) {
      throw new Fault.User(
          label
              + ": column \""
              + column.name()
              + "\" ("
              + own
              + ") can't be kept: its text does not tell all that a value holds.",
          "Leave it out with --select, or select what you need of it with query=.");
    }
  }

  /// The declarations of a new table's columns.
  public List<String> declarations() {
    return slots.stream()
        .map(s -> DuckDbSql.name(s.name()) + " " + s.declared() + (s.required() ? " NOT NULL" : ""))
        .toList();
  }

  private static boolean isOneOf(List<String> names, String name) {
    return names.stream().anyMatch(name::equalsIgnoreCase);
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
