package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.fault.Nearest;
import org.jspecify.annotations.Nullable;

/// Pairs a source's columns with those of a table that exists: by name (as spelled, or else without
/// regard to case where that is clear), or by position.
final class ColumnPairing {

  private final String table;
  private final List<TableColumn> columns;
  private final List<String> notes = new ArrayList<>();

  ColumnPairing(String table, List<TableColumn> columns) {
    this.table = table;
    this.columns = columns;
  }

  /// Where each of the source's columns goes.
  ///
  /// @throws Fault.User where a column has no counterpart, or a column that must be filled is not
  List<LoadColumn> pair(Schema incoming, boolean byPosition) {
    List<TableColumn> partners = byPosition ? byPosition(incoming) : byName(incoming);
    checkFilled(partners);
    List<LoadColumn> slots = new ArrayList<>();
    for (TableColumn partner : partners) {
      boolean written = partner.serverMade().isEmpty();
      if (!written) {
        notes.add(
            "column "
                + partner.name()
                + " is "
                + partner.serverMade()
                + ": the server makes its values, and the source's are left out");
      } else if (!partner.insertable()) {
        throw new Fault.External(
            "This user may not write column " + partner.name() + " of " + table + ".",
            "Ask the table's owner for the right to insert, or connect as another user.",
            null);
      }
      if (written) {
        checkList(incoming.column(slots.size()), partner);
      }
      slots.add(
          new LoadColumn(
              partner.name(), partner.type(), !partner.notNull(), written, partner.isAlways()));
    }
    if (slots.stream().noneMatch(LoadColumn::written)) {
      throw new Fault.User("No column of the source can be written to " + table + ".", "");
    }
    return slots;
  }

  /// What the user should know about it.
  List<String> notes() {
    return notes;
  }

  private List<TableColumn> byPosition(Schema incoming) {
    List<TableColumn> writable =
        columns.stream().filter(column -> column.serverMade().isEmpty()).toList();
    List<TableColumn> partners = incoming.width() <= writable.size() ? writable : columns;
    if (incoming.width() > partners.size()) {
      throw new Fault.User(
          "The source has "
              + incoming.width()
              + " columns, and "
              + table
              + " only "
              + columns.size()
              + ".",
          "Choose which ones go with --select.");
    }
    return partners.subList(0, incoming.width());
  }

  private List<TableColumn> byName(Schema incoming) {
    List<TableColumn> partners = new ArrayList<>();
    List<String> found = new ArrayList<>();
    List<String> missing = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (Column column : incoming.columns()) {
      TableColumn partner = partner(column.name());
      if (partner == null) {
        missing.add(column.name());
      } else if (taken.add(partner.name())) {
        partners.add(partner);
        found.add(column.name());
      } else {
        throw new Fault.User(
            "Two columns of the source go into column " + partner.name() + " of " + table + ".",
            "Leave one of them out with --select.");
      }
    }
    if (!missing.isEmpty()) {
      throw noSuchColumn(missing, found);
    }
    return partners;
  }

  private @Nullable TableColumn partner(String name) {
    List<TableColumn> similar = new ArrayList<>();
    for (TableColumn column : columns) {
      if (column.name().equals(name)) {
        return column;
      }
      if (column.name().equalsIgnoreCase(name)) {
        similar.add(column);
      }
    }
    return similar.size() == 1 ? similar.getFirst() : null;
  }

  private Fault.User noSuchColumn(List<String> missing, List<String> found) {
    if (columns.isEmpty()) {
      return new Fault.User(table + " has no columns.", "Name another table, or add columns.");
    }
    List<String> known = columns.stream().map(TableColumn::name).toList();
    String hint = Nearest.hint(missing.getFirst(), known);
    String advice =
        found.isEmpty()
            ? "Pair the columns --by-position, or give the source's columns these names: "
                + Catalog.list(known)
                + "."
            : "Leave them out with --select " + String.join(",", found) + ".";
    return new Fault.User(
        table
            + " has no column "
            + Catalog.list(missing)
            + ", which the source has."
            + (hint.isEmpty() ? "" : " " + hint),
        advice);
  }

  /// Another system's text of a list or a struct is none of PostgreSQL's, which may take it for a
  /// list of something else.
  private void checkList(Column incoming, TableColumn partner) {
    Native declared = incoming.declared();
    if (incoming.type() instanceof Type.Opaque
        && declared != null
        && !declared.system().equals(PostgresConnector.NAME)
        && partner.type().declared().endsWith("[]")) {
      throw new Fault.User(
          "Values would not arrive as they are: column \""
              + incoming.name()
              + "\" is "
              + declared.declaration()
              + " in the source and "
              + partner.type().declared()
              + " in "
              + table
              + ", which spells its lists in another way.",
          "Give the table's column the type text, leave it out with --select, or convert it in a"
              + " query.");
    }
  }

  /// Another database may have a row type of the same name whose members stand in another order,
  /// and the text of a row has nothing but their order.
  ///
  /// @throws Fault.User where a column's members are not those of the source's, in the same order
  static void checkMembers(String table, Schema incoming, List<LoadColumn> slots) {
    for (int i = 0; i < slots.size(); i++) {
      Column column = incoming.column(i);
      Native here = column.declared();
      Native there = slots.get(i).type().asNative();
      if (slots.get(i).written() && here != null && haveOtherMembers(here, there)) {
        throw new Fault.User(
            "Values would not arrive as they are: column \"%s\" is %s with %s in the source and %s with %s in %s, where a row's text has its members by their order alone."
                .formatted(
                    column.name(),
                    here.declaration(),
                    here.members(),
                    there.declaration(),
                    there.members(),
                    table),
            "Leave it out with --select, or put its members in that order in a query, with"
                + " ROW(…).");
      }
    }
  }

  private static boolean haveOtherMembers(Native one, Native other) {
    return one.system().equals(other.system())
        && !one.members().isEmpty()
        && !other.members().isEmpty()
        && !one.members().equals(other.members());
  }

  /// A column that the source does not have gets its default; without one it must take nulls.
  private void checkFilled(List<TableColumn> partners) {
    List<TableColumn> unfilled =
        columns.stream()
            .filter(column ->
                !partners.contains(column) && column.serverMade().isEmpty() && !column.isAlways())
            .toList();
    if (!unfilled.isEmpty()) {
      notes.add(
          "the source has nothing for column "
              + Catalog.list(unfilled.stream().map(TableColumn::name).toList())
              + ": new rows get the default there, or null");
    }
    List<String> empty =
        unfilled.stream()
            .filter(column -> column.notNull() && !column.hasDefault())
            .map(TableColumn::name)
            .toList();
    if (!empty.isEmpty()) {
      throw new Fault.User(
          "The source has nothing for column "
              + Catalog.list(empty)
              + " of "
              + table
              + ", which must not be null and has no default.",
          "Add the column to the source, or give it a default.");
    }
  }
}
