package millrace.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values of one row as objects, so that rows compare with `equals`: a Long or a Double for
/// what vectors hold as such, a String of hexadecimal digits for UUIDs and raw bytes, a String for
/// all other text; null for a missing value. Doubles compare by their bits, as {@link Double} does.
///
/// @param values one a column
public record Row(List<@Nullable Object> values) {

  public Row {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }

  /// A row of those values; whole numbers may be given as int.
  public static Row of(@Nullable Object... values) {
    List<@Nullable Object> list = new ArrayList<>();
    for (@Nullable Object value : values) {
      list.add(value instanceof Integer number ? (Object) number.longValue() : value);
    }
    return new Row(list);
  }

  /// The value of a column, counted from 0.
  public @Nullable Object value(int column) {
    return values.get(column);
  }

  /// The values of some columns, in the order given.
  public Row pick(List<Integer> columns) {
    List<@Nullable Object> picked = new ArrayList<>();
    columns.forEach(column -> picked.add(values.get(column)));
    return new Row(picked);
  }
}
