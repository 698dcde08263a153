package millrace.connectors.postgres;

import millrace.data.Native;
import millrace.data.Type;

/// A column's type, domains resolved.
///
/// @param declared as in `CREATE TABLE`, with its schema where that is not `pg_catalog`
/// @param type what its values mean
/// @param codec how a value stands in binary
/// @param wire the name of what a value looks like in binary, the same at every server where it
///   means the same; empty where the binary form is private to a database or not known
record PostgresType(String declared, Type type, Codec codec, String wire) {

  /// What a target of this type says of its columns, and a source of this type of its own.
  Native asNative() {
    return new Native(PostgresConnector.NAME, declared);
  }

  /// Whether values of the other type mean the same when taken in binary for one of this type, and
  /// are refused by the server if they do not fit.
  boolean takesWire(String otherWire) {
    if (otherWire.isEmpty() || wire.isEmpty()) {
      return false;
    }
    if (wire.equals(otherWire)) {
      return true;
    }
    return switch (wire) {
      case "text", "character varying" ->
          otherWire.equals("text")
              || otherWire.startsWith("character varying")
              || otherWire.startsWith("character(")
              || otherWire.equals("name")
              || otherWire.startsWith(PostgresTypes.ENUM_WIRE);
      case "numeric" -> otherWire.startsWith("numeric(");
      default -> false;
    };
  }
}
