package millrace.connectors.duckdb.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.duckdb.DuckDbSql;
import millrace.connectors.duckdb.DuckDbTypes;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.TargetColumn;

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
  /// @throws Fault.User if a column can't be kept
  public static PairedColumns fresh(String label, Schema incoming, List<String> key) {
    List<AppendColumn> slots = new ArrayList<>();
    for (Column column : incoming.columns()) {
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
  /// @param partners of each incoming column, the one that it goes into
  /// @param key names of columns that a merge goes by, which must have values
  /// @param notes what becomes of the table's other columns
  /// @throws Fault.User if values would not arrive as they are
  public static PairedColumns existing(
      String label,
      Schema incoming,
      List<TargetColumn> partners,
      List<String> key,
      List<String> notes) {
    List<Column> columns = new ArrayList<>();
    List<AppendColumn> slots = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      Column column = incoming.column(i);
      TargetColumn target = partners.get(i);
      String declared = target.column().declaration();
      if (column.type() instanceof Type.Opaque) {
        refuseIfLossy(label, column);
      }
      refuseIfAnother(label, column, declared);
      Type type = DuckDbTypes.accepted(declared, column);
      columns.add(new Column(target.name(), type, column.nullable(), column.declared()));
      boolean required = !target.nullable() || isOneOf(key, target.name());
      slots.add(AppendColumn.of(column, target.name(), type, declared, required));
    }
    return new PairedColumns(new Schema(columns, incoming.key()), slots, notes);
  }

  private static void refuseIfAnother(String label, Column column, String target) {
    String why = Spellings.refusal(target, column);
    if (why != null) {
      throw new Fault.User(
          label
              + ": values would not arrive as they are: column \""
              + column.name()
              + "\" is "
              + column.declaration()
              + " in the source and "
              + target
              + " in the target: "
              + why
              + ".",
          DuckDbTypes.holds(target, "UNION")
              ? "Leave it out with --select, or load it into a column of another type and make the"
                  + " union of it in DuckDB."
              : "Give the target's column another type, leave it out with --select, or convert it"
                  + " in a query.");
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
}
