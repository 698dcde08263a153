package millrace.connectors.duckdb.load;

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
