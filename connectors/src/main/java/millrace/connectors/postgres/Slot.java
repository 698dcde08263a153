package millrace.connectors.postgres;

import millrace.data.Column;

/// Where one column of the source goes.
///
/// @param name of the target's column
/// @param type of the target's column
/// @param nullable whether it takes nulls
/// @param written whether its values are sent; false where the server makes its own
record Slot(String name, PostgresType type, boolean nullable, boolean written) {

  /// The column that writers get; one that is not written stays as it is.
  Column column(Column incoming) {
    return written ? new Column(name, type.type(), nullable, type.asNative()) : incoming;
  }
}
