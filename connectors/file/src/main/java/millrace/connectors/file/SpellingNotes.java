package millrace.connectors.file;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.file.csv.FileColumns;
import millrace.connectors.file.csv.TypeSample;
import millrace.data.Column;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.ColumnsOption.Named;
import millrace.spi.read.Selection;

/// What is to be said of how the values of columns are spelled.
final class SpellingNotes {

  private SpellingNotes() {}

  /// The notes on the columns that are read.
  ///
  /// @throws Fault.User if a number that is declared could be another one
  static List<String> of(TypeSample sample, FileColumns columns, List<Named> named) {
    List<String> notes = new ArrayList<>();
    for (int i = 0; i < columns.fieldOf().size(); i++) {
      int field = columns.fieldOf().get(i);
      if (field < 0) {
        continue; // a value of the file's folders
      }
      Column column = columns.schema().column(i);
      String name = columns.fields().get(field);
      boolean guessed = columns.guessed().get(i);
      boolean isText = column.type() instanceof Type.Text;
      String recognised = sample.recognised(field);
      String doubt = sample.doubt(field);
      boolean hasType = hasType(name, named);
      if (!isText
          && !guessed
          && !hasType
          && sample.mayHaveGroups(field)
          && column.type() instanceof Type.Numeric) {
        throw new Fault.User(
            "The column '"
                + name
                + "' is not sure to be numbers with points before fractions: others"
                + " have commas there.",
            "Say --decimal-separator , and --thousands . if its points stand between thousands, or"
                + " give its type with --columns.");
      }
      if (recognised != null && !isText && !hasType) {
        notes.add(name + " is read by " + recognised + ", as its first values have it");
      } else if (doubt != null && isText && guessed) {
        notes.add(name + " is text: " + doubt);
      }
    }
    return notes;
  }

  private static boolean hasType(String name, List<Named> named) {
    int at = Selection.position(name, named.stream().map(Named::name).toList());
    return at >= 0 && named.get(at).type() != null;
  }
}
