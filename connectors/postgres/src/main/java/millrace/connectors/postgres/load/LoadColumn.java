package millrace.connectors.postgres.load;

import java.util.List;
import millrace.connectors.postgres.catalog.PostgresType;
import millrace.data.Column;

/// Where one column of the source goes.
///
/// @param name of the target's column
/// @param type of the target's column
/// @param nullable whether it takes nulls
/// @param always whether it is an identity column that is GENERATED ALWAYS
public record LoadColumn(String name, PostgresType type, boolean nullable, boolean always) {

  /// What an `INSERT` says between columns and values so that the source's values are kept, as
  /// `COPY` keeps them.
  public static String overriding(List<LoadColumn> slots) {
    return slots.stream().anyMatch(LoadColumn::always) ? " OVERRIDING SYSTEM VALUE" : "";
  }

  /// The column that writers get.
  public Column column() {
    return new Column(name, type.type(), nullable, type.asNative());
  }
}
