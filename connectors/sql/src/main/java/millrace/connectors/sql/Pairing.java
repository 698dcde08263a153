package millrace.connectors.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.connectors.sql.TableInfo.ColumnInfo;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Which incoming column goes where, and what it becomes.
///
/// @param schema the incoming columns under the names and types that writers get
/// @param slots where each goes, in the same order
/// @param notes what the user should know of single columns
record Pairing(Schema schema, List<Slot> slots, List<String> notes) {

  /// Who is asked for the parts of a pairing.
  ///
  /// @param label the table, for errors
  /// @param key names of columns that must have values
  record Request(String label, Dialect dialect, Schema incoming, List<String> key) {

    private boolean isKey(String name) {
      return key.stream().anyMatch(name::equalsIgnoreCase);
    }
  }

  /// A new table with the incoming columns.
  ///
  /// @throws Fault.User if two of them can't stand side by side
  static Pairing fresh(Request request) {
    Names names = request.dialect.names();
    TypeTable types = request.dialect.types();
    Set<String> taken = new HashSet<>();
    List<Slot> slots = new ArrayList<>();
    List<Column> columns = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Column column : request.incoming.columns()) {
      if (!taken.add(names.identity(column.name()))) {
        throw new Fault.User(
            request.label
                + ": two columns are named \""
                + column.name()
                + "\", and case does not count.",
            "Leave one out with --select, or rename it in a query.");
      }
      String declared = types.declaration(column);
      Type type = accepted(types.find(declared).type());
      columns.add(new Column(column.name(), type, column.nullable(), column.declared()));
      boolean required = !column.nullable() || request.isKey(column.name());
      slots.add(new Slot(column.name(), type, declared, declared, required));
      if (column.type() instanceof Type.Opaque && column.declaredIn(types.system()) == null) {
        notes.add(
            "\""
                + column.name()
                + "\" ("
                + column.declaration()
                + ") becomes "
                + declared
                + ": its values cross as text. To have another type, make the table first.");
      }
    }
    return new Pairing(new Schema(columns, request.incoming.key()), slots, notes);
  }

  /// What a writer is given for a column of that type.
  private static Type accepted(Type type) {
    return type instanceof Type.Opaque ? Type.Text.UNLIMITED : type;
  }

  /// A table that exists.
  ///
  /// @param byPosition whether the first incoming column goes to the first, and so on
  /// @throws Fault.User if columns do not match
  static Pairing existing(Request request, TableInfo table, boolean byPosition) {
    TypeTable types = request.dialect.types();
    List<Column> columns = new ArrayList<>();
    List<Slot> slots = new ArrayList<>();
    Set<ColumnInfo> taken = new HashSet<>();
    for (int i = 0; i < request.incoming.width(); i++) {
      Column column = request.incoming.column(i);
      ColumnInfo target = byPosition ? at(request, table, i) : named(request, column, table);
      if (!taken.add(target)) {
        throw new Fault.User(
            request.label + ": two columns go into \"" + target.name() + "\".",
            "Leave one out with --select.");
      }
      Type type = accepted(types.find(target.typedAs()).type());
      columns.add(new Column(target.name(), type, column.nullable(), column.declared()));
      boolean required = !target.nullable() || request.isKey(target.name());
      slots.add(new Slot(target.name(), type, target.declared(), target.typedAs(), required));
    }
    List<ColumnInfo> unfilled =
        table.writable().stream().filter(column -> !taken.contains(column)).toList();
    checkMissing(request.label, unfilled);
    return new Pairing(new Schema(columns, request.incoming.key()), slots, notes(unfilled));
  }

  private static ColumnInfo at(Request request, TableInfo table, int index) {
    List<ColumnInfo> open = table.writable();
    if (index < open.size()) {
      return open.get(index);
    }
    throw new Fault.User(
        request.label
            + " has "
            + open.size()
            + " columns that can be written, and "
            + request.incoming.width()
            + " come: "
            + all(table)
            + ".",
        "Leave columns out with --select.");
  }

  private static ColumnInfo named(Request request, Column column, TableInfo table) {
    ColumnInfo found = byName(table, column.name());
    if (found == null) {
      throw new Fault.User(
          request.label + " has no column \"" + column.name() + "\".",
          "It has "
              + all(table)
              + ". Leave the column out with --select, or pair columns by position.");
    }
    if (found.generated()) {
      throw new Fault.User(
          request.label + ": the database computes column \"" + found.name() + "\" by itself.",
          "Leave it out with --select.");
    }
    return found;
  }

  /// The column of exactly that name, or else one that differs in case alone.
  private static @Nullable ColumnInfo byName(TableInfo table, String name) {
    ColumnInfo near = null;
    for (ColumnInfo column : table.columns()) {
      if (column.name().equals(name)) {
        return column;
      }
      near = near == null && column.name().equalsIgnoreCase(name) ? column : near;
    }
    return near;
  }

  private static String all(TableInfo table) {
    return table.writable().stream().map(ColumnInfo::name).collect(Collectors.joining(", "));
  }

  private static List<String> notes(List<ColumnInfo> unfilled) {
    String names =
        unfilled.stream()
            .map(column -> "\"" + column.name() + "\"")
            .collect(Collectors.joining(", "));
    return names.isEmpty()
        ? List.of()
        : List.of(
            "the source has nothing for " + names + ": new rows get the default there, or null");
  }

  private static void checkMissing(String label, List<ColumnInfo> unfilled) {
    for (ColumnInfo column : unfilled) {
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

  /// Names of the target's columns, in the order of the batches.
  List<String> names() {
    return slots.stream().map(Slot::name).toList();
  }

  /// The declarations of the columns.
  ///
  /// @param constrained whether a missing value is refused by the database too
  List<String> declarations(Names names, boolean constrained) {
    return slots.stream()
        .map(slot ->
            (names.quoted(slot.name()) + " " + slot.declared()).strip()
                + (constrained && slot.required() ? " NOT NULL" : ""))
        .toList();
  }
}
