package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.sql.SqlToken.Kind;
import org.jspecify.annotations.Nullable;

/// Which columns take the binds of an `INSERT … VALUES (:1, :2)` as they are.
final class InsertTargets {
  private final Map<Integer, OraColumn> columns = new HashMap<>();

  private InsertTargets() {}

  /// @throws OraException ORA-00904 if a column is not there, ORA-00913 or ORA-00947 if the numbers
  ///   of columns and values differ
  static InsertTargets of(List<SqlToken> tokens, OraTable table, ScopeFinder scopes)
      throws OraException {
    InsertTargets targets = new InsertTargets();
    int at = 0;
    while (!tokens.get(at).is("INTO")) {
      at++;
    }
    at = scopes.scope(at + 1).tables.getFirst().to();
    List<OraColumn> columns = new ArrayList<>(table.columns());
    if (tokens.get(at).is("(") && !tokens.get(at + 1).isAny("SELECT", "WITH")) {
      columns.clear();
      do {
        at++;
        columns.add(column(table, tokens.get(at).text()));
        at++;
      } while (tokens.get(at).is(","));
      at++;
    }
    if (tokens.get(at).is("VALUES") && tokens.get(at + 1).is("(")) {
      targets.values(tokens, at + 2, columns);
    }
    return targets;
  }

  private static OraColumn column(OraTable table, String name) throws OraException {
    OraColumn column = table.column(name);
    if (column == null) {
      throw new OraException(904, "\"" + name + "\": invalid identifier");
    }
    return column;
  }

  private void values(List<SqlToken> tokens, int first, List<OraColumn> targets)
      throws OraException {
    int depth = 1;
    int item = 0;
    for (int i = first; depth > 0 && tokens.get(i).kind() != Kind.END; i++) {
      SqlToken token = tokens.get(i);
      depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
      if (depth == 1 && token.is(",")) {
        item++;
      }
      boolean alone = tokens.get(i - 1).isAny("(", ",") && tokens.get(i + 1).isAny(")", ",");
      if (depth == 1 && token.kind() == Kind.BIND && alone && item < targets.size()) {
        columns.put(i, targets.get(item));
      }
    }
    if (item + 1 > targets.size()) {
      throw new OraException(913, "too many values");
    }
    if (item + 1 < targets.size()) {
      throw new OraException(947, "not enough values");
    }
  }

  @Nullable OraColumn columnAt(int token) {
    return columns.get(token);
  }
}
