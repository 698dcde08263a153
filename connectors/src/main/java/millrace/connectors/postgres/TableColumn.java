package millrace.connectors.postgres;

import millrace.data.Column;

/// A column of a table or of a query.
///
/// @param notNull whether it refuses nulls
/// @param hasDefault whether the server fills it where nothing is given
/// @param serverMade why no value can be given, as `a generated column`; empty where one can
/// @param insertable whether this user may give it a value
record TableColumn(
    String name,
    PostgresType type,
    boolean notNull,
    boolean hasDefault,
    String serverMade,
    boolean insertable) {

  Column column() {
    return new Column(name, type.type(), !notNull, type.asNative());
  }
}
