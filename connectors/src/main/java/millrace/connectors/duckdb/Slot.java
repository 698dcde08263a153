package millrace.connectors.duckdb;

import millrace.data.Type;

/// Where one column of the batches goes.
///
/// @param name the target's column
/// @param type the type in which batches bring it
/// @param declared the target's type in DuckDB's words
/// @param required whether a value may not be missing
record Slot(String name, Type type, String declared, boolean required) {

  /// How its values are handed over.
  DuckDbTypes.Writing writing() {
    return DuckDbTypes.writing(type, declared);
  }

  /// Whether values come as text that may be none of the target's type.
  boolean mayMisfit() {
    return writing().send() == Send.TEXT && writing().sql().startsWith("CAST(");
  }
}
