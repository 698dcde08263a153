package millrace.testkit.oracle.catalog;

/// A trigger of a table. The only ones that do anything are those that give a column a value if a
/// row comes without it.
///
/// @param type as the dictionary has it, such as `BEFORE EACH ROW`
/// @param events such as `INSERT OR UPDATE`
/// @param column the column that it gives a value; empty if none
/// @param value the expression of that value
public record OraTrigger(String name, String type, String events, String column, String value) {

  /// Whether it gives a column a value.
  public boolean fills() {
    return !column.isEmpty();
  }
}
