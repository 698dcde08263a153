package millrace.testkit.oracle.catalog;

import java.util.List;

/// An index of a table, one that was created or one that a key brought with it.
///
/// @param columns columns, or expressions of a function-based index
/// @param usable whether it is kept up to date; a unique one that is not refuses rows
public record OraIndex(
    String name, long objectId, boolean unique, List<String> columns, boolean usable) {

  public OraIndex withUsable(boolean now) {
    return new OraIndex(name, objectId, unique, columns, now);
  }
}
