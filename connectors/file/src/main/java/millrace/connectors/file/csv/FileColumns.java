package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Schema;
import millrace.data.spelling.SpellingStyle;

/// Which fields of a file's records become which columns.
///
/// @param fields the names of the file's fields, in the order in which they stand
/// @param schema the columns that are wanted
/// @param fieldOf for each of those, its field
/// @param guessed for each of those, whether its type is a guess by sample, and nobody's word
/// @param styles for each of those, how its values are spelled
public record FileColumns(
    List<String> fields,
    Schema schema,
    List<Integer> fieldOf,
    List<Boolean> guessed,
    List<SpellingStyle> styles) {

  public FileColumns {
    fields = List.copyOf(fields);
    fieldOf = List.copyOf(fieldOf);
    guessed = List.copyOf(guessed);
    styles = List.copyOf(styles);
  }

  /// How many fields a record has.
  public int width() {
    return fields.size();
  }

  /// The name of a field; of one too many, its number.
  String name(int field) {
    return field < fields.size() ? fields.get(field) : "field " + (field + 1);
  }

  /// Whether the columns are the fields, in order.
  public boolean isIdentity() {
    for (int i = 0; i < fieldOf.size(); i++) {
      if (fieldOf.get(i) != i) {
        return false;
      }
    }
    return fieldOf.size() == fields.size();
  }

  /// The same columns from a file whose fields stand in another order.
  ///
  /// @param order for each of that file's fields, the field here
  public FileColumns reordered(List<Integer> order) {
    List<String> names = new ArrayList<>();
    for (int field : order) {
      names.add(fields.get(field));
    }
    List<Integer> from = new ArrayList<>();
    for (int field : fieldOf) {
      from.add(order.indexOf(field));
    }
    return new FileColumns(names, schema, from, guessed, styles);
  }
}
