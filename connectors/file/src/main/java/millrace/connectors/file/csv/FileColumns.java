package millrace.connectors.file.csv;

import java.util.ArrayList;
import java.util.List;
import millrace.data.Schema;
import millrace.data.spelling.SpellingStyle;
import org.jspecify.annotations.Nullable;

/// Which fields of a file's records become which columns.
///
/// @param fields the names of the file's fields, in the order in which they stand
/// @param schema the columns that are wanted
/// @param fieldOf for each of those, its field; a negative one, counted from -1, is a value of the
///   file's folders
/// @param guessed for each of those, whether its type is a guess by sample, and nobody's word
/// @param styles for each of those, how its values are spelled
/// @param folderValues the values of the file's folders that are wanted
public record FileColumns(
    List<String> fields,
    Schema schema,
    List<Integer> fieldOf,
    List<Boolean> guessed,
    List<SpellingStyle> styles,
    List<FolderValue> folderValues) {

  public FileColumns {
    fields = List.copyOf(fields);
    fieldOf = List.copyOf(fieldOf);
    guessed = List.copyOf(guessed);
    styles = List.copyOf(styles);
    folderValues = List.copyOf(folderValues);
  }

  /// The value of a column that is one of the file's folders; null if it is a field.
  @Nullable FolderValue folderValue(int column) {
    int field = fieldOf.get(column);
    return field < 0 ? folderValues.get(-1 - field) : null;
  }

  /// The same columns of a file that lies in other folders.
  public FileColumns in(List<FolderValue> values) {
    return new FileColumns(fields, schema, fieldOf, guessed, styles, values);
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
      from.add(field < 0 ? field : order.indexOf(field));
    }
    return new FileColumns(names, schema, from, guessed, styles, folderValues);
  }
}
