package millrace.connectors.postgres.catalog;

import millrace.data.Column;
import millrace.spi.write.TargetColumn;

/// A column of a table or of a query.
///
/// @param notNull whether it refuses nulls
/// @param hasDefault whether the server fills it if nothing is given
/// @param serverMade why no value can be given, as `a generated column`; empty if one can
/// @param identity PostgreSQL's letter for an identity column, `a` GENERATED ALWAYS or `d` BY
///   DEFAULT; else empty
/// @param insertable whether this user may give it a value
public record TableColumn(
    String name,
    PostgresType type,
    boolean notNull,
    boolean hasDefault,
    String serverMade,
    String identity,
    boolean insertable) {

  /// Whether an `INSERT` must say that it gives its value, and no `UPDATE` may.
  public boolean isAlways() {
    return identity.equals("a");
  }

  /// The same if the server is to make the values of identity columns, whatever the source has.
  public TableColumn generatingIdentity() {
    return identity.isEmpty()
        ? this
        : new TableColumn(
            name, type, notNull, hasDefault, "an identity column", identity, insertable);
  }

  /// The same, as a target describes it.
  ///
  /// @param triggered whether a trigger may give it a value
  public TargetColumn targetColumn(boolean triggered) {
    boolean isFilled = hasDefault || isAlways() || triggered;
    return new TargetColumn(name, type.type(), type.asNative(), !notNull, isFilled, serverMade);
  }

  /// The same, as others describe columns.
  public Column column() {
    return new Column(name, type.type(), !notNull, type.asNative());
  }
}
