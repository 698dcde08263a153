package millrace.testkit.oracle.catalog;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A constraint of a table.
///
/// @param columns in the constraint's own order
/// @param text the condition of a check; null for other kinds
/// @param reference the constraint that a foreign key refers to; null for other kinds
/// @param enabled whether rows are checked
public record OraConstraint(
    String name,
    Kind kind,
    List<String> columns,
    @Nullable String text,
    @Nullable Reference reference,
    boolean enabled) {

  /// What a constraint demands, with the dictionary's letter for it.
  public enum Kind {
    PRIMARY_KEY('P'),
    UNIQUE('U'),
    FOREIGN_KEY('R'),
    CHECK('C');

    private final char letter;

    Kind(char letter) {
      this.letter = letter;
    }

    public char letter() {
      return letter;
    }

    public boolean isKey() {
      return this == PRIMARY_KEY || this == UNIQUE;
    }
  }

  /// What a foreign key refers to.
  ///
  /// @param constraint the name of the other table's key
  /// @param columns that key's columns
  /// @param deleteRule what happens when the other row is deleted, such as `CASCADE`
  public record Reference(
      String schema, String table, String constraint, List<String> columns, String deleteRule) {}

  public OraConstraint withEnabled(boolean on) {
    return new OraConstraint(name, kind, columns, text, reference, on);
  }

  public OraConstraint renamed(String other) {
    return new OraConstraint(other, kind, columns, text, reference, enabled);
  }
}
