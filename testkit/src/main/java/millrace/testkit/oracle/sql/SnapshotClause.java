package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.sql.SqlToken.Kind;
import org.jspecify.annotations.Nullable;

/// An AS OF SCN behind a table.
///
/// @param scn the number that was written; null if a bind has it
/// @param bind how many binds stand before the one that has it; -1 if it was written
/// @param end the first token behind the clause
public record SnapshotClause(@Nullable Long scn, int bind, int end) {

  /// @param at the token behind AS OF
  static SnapshotClause read(List<SqlToken> tokens, int at) throws OraException {
    if (!tokens.get(at).is("SCN")) {
      throw OraException.unsupported("AS OF " + tokens.get(at).text(), "a query");
    }
    boolean open = tokens.get(at + 1).is("(");
    SqlToken value = tokens.get(open ? at + 2 : at + 1);
    int end = open ? at + 4 : at + 2;
    if (value.kind() == Kind.NUMBER) {
      return new SnapshotClause(Long.valueOf(value.text()), -1, end);
    }
    if (value.kind() != Kind.BIND) {
      throw OraException.unsupported("AS OF SCN " + value.text(), "a query");
    }
    int before = 0;
    for (SqlToken token : tokens.subList(0, open ? at + 2 : at + 1)) {
      before += token.kind() == Kind.BIND ? 1 : 0;
    }
    return new SnapshotClause(null, before, end);
  }
}
