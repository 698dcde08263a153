package millrace.connectors.duckdb.load;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.sql.plan.LoadColumns;
import millrace.connectors.sql.plan.Slot;
import millrace.data.Column;
import millrace.data.Type;

/// Where one column of the batches goes.
///
/// @param name the target's column
/// @param type the type in which batches bring it
/// @param declared the target's type in DuckDB's words
/// @param required whether a value may not be missing
/// @param declares whether what comes declares the column, as systems do that look at its values
public record AppendColumn(
    String name, Type type, String declared, boolean required, boolean declares) {

  /// Where the columns of a load go.
  public static List<AppendColumn> of(LoadColumns columns) {
    List<AppendColumn> all = new ArrayList<>();
    for (int i = 0; i < columns.slots().size(); i++) {
      Slot slot = columns.slots().get(i);
      Column incoming = columns.schema().column(i);
      all.add(of(incoming, slot.name(), slot.type(), slot.declared(), slot.required()));
    }
    return List.copyOf(all);
  }

  /// Where a column that comes goes.
  public static AppendColumn of(
      Column incoming, String name, Type type, String declared, boolean required) {
    return new AppendColumn(name, type, declared, required, incoming.declared() != null);
  }

  /// How its values are handed over.
  SendFormat writing() {
    return SendFormat.of(type, declared);
  }

  /// Whether values come as text that may be none of the target's type.
  public boolean mayMisfit() {
    return writing().send() == Send.TEXT && writing().sql().startsWith("CAST(");
  }
}
