package millrace.spi.write;

import java.io.Serializable;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Type;
import org.jspecify.annotations.Nullable;

/// A column of a target that exists.
///
/// @param declared how the target itself declares it; null if it does not
/// @param nullable whether it takes rows without a value
/// @param hasDefault whether rows that bring nothing for it get a value all the same, or may by a
///   trigger
/// @param generated what it is if the target makes its values by itself, such as `a generated
///   column`, so that none can be written; empty if values can be written
public record TargetColumn(
    String name,
    Type type,
    @Nullable Native declared,
    boolean nullable,
    boolean hasDefault,
    String generated)
    implements Serializable {

  /// A column that takes what is written.
  public static TargetColumn of(Column column, boolean hasDefault) {
    return new TargetColumn(
        column.name(), column.type(), column.declared(), column.nullable(), hasDefault, "");
  }

  /// Whether values can be written to it.
  public boolean isWritable() {
    return generated.isEmpty();
  }

  /// The same, as others describe columns.
  public Column column() {
    return new Column(name, type, nullable, declared);
  }
}
