package millrace.connectors.sql.plan;

import millrace.connectors.sql.types.TypeTable;
import millrace.data.Type;

/// Where one column of the batches goes.
///
/// @param name the target's column
/// @param type the type in which batches bring it
/// @param declared the target's type in the database's words
/// @param typedAs the declaration by which the type table knows it
/// @param required whether a value may not be missing
public record Slot(String name, Type type, String declared, String typedAs, boolean required) {

  /// The same, if a value may not be missing.
  public Slot demanding() {
    return new Slot(name, type, declared, typedAs, true);
  }

  /// How values are set, and the type of a missing one.
  public TypeTable.Cell cell(TypeTable types) {
    return types.find(typedAs).cell();
  }
}
