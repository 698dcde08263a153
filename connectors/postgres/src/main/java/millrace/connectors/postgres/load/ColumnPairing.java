package millrace.connectors.postgres.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.PostgresConnector;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.connectors.postgres.catalog.TableColumn;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.TargetColumn;
import millrace.spi.write.WriteRequest;

/// Columns of a table that exists, as a source's values go into them.
final class ColumnPairing {

  private final String table;
  private final List<TableColumn> columns;

  ColumnPairing(String table, List<TableColumn> columns) {
    this.table = table;
    this.columns = columns;
  }

  /// Where each of the source's columns goes.
  ///
  /// @throws Fault.User if its values would not arrive as they are
  List<LoadColumn> slots(WriteRequest request) {
    if (columns.isEmpty()) {
      throw new Fault.User(table + " has no columns.", "Name another table, or add columns.");
    }
    List<LoadColumn> slots = new ArrayList<>();
    for (TargetColumn one : request.partners()) {
      TableColumn partner =
          columns.stream().filter(each -> each.name().equals(one.name())).findFirst().orElseThrow();
      if (!partner.insertable()) {
        throw new Fault.External(
            "This user may not write column " + partner.name() + " of " + table + ".",
            "Ask the table's owner for the right to insert, or connect as another user.",
            null);
      }
      checkNested(request.incoming().column(slots.size()), partner);
      slots.add(
          new LoadColumn(partner.name(), partner.type(), !partner.notNull(), partner.isAlways()));
    }
    return slots;
  }

  /// Another system's text of a list or a struct is none of PostgreSQL's, which may take it for a
  /// list of something else.
  private void checkNested(Column incoming, TableColumn partner) {
    Native declared = incoming.declared();
    boolean areNested = incoming.type().nested() != null && partner.type().type().nested() != null;
    if (incoming.type() instanceof Type.Opaque
        && !areNested
        && declared != null
        && !declared.system().equals(PostgresConnector.NAME)
        && (partner.type().shape() == PostgresType.Shape.LIST
            || partner.type().shape() == PostgresType.Shape.ROW)) {
      throw new Fault.User(
          "Values would not arrive as they are: column \""
              + incoming.name()
              + "\" is "
              + declared.declaration()
              + " in the source and "
              + partner.type().declared()
              + " in "
              + table
              + ", which spells its values in another way.",
          "Give the table's column the type text, leave it out with --select, or convert it in a"
              + " query.");
    }
  }

  /// Another database may have a row type of the same name whose members stand in another order,
  /// and the text of a row has nothing but their order.
  ///
  /// @throws Fault.User if a column's members are not those of the source's, in the same order
  static void checkMembers(String table, Schema incoming, List<LoadColumn> slots) {
    for (int i = 0; i < slots.size(); i++) {
      Column column = incoming.column(i);
      Native here = column.declared();
      Native there = slots.get(i).type().asNative();
      if (here != null && haveOtherMembers(here, there)) {
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
}
