package millrace.plan.mapping;

import java.io.Serializable;
import millrace.data.Column;
import org.jspecify.annotations.Nullable;

/// A column that goes to the target, and what it is made of.
///
/// @param position of the source's column; -1 if it is none of the source's
/// @param column its name and type on the way
/// @param isCast whether the user has said its type
/// @param constant the value that all rows get; null if it is the source's
public record MappedColumn(
    int position, Column column, boolean isCast, @Nullable AddedValue constant)
    implements Serializable {

  /// The same, as another column.
  public MappedColumn as(Column other) {
    return new MappedColumn(position, other, isCast, constant);
  }
}
