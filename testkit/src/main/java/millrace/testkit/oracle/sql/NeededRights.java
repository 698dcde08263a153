package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Rights;

/// What a statement needs of the tables that it names.
///
/// @param rights its user's
/// @param isAsOf whether it reads them as of a moment
record NeededRights(Rights rights, StatementKind kind, List<SqlToken> tokens, boolean isAsOf) {

  /// Conditions of UPDATE and DELETE read, too, as SQL92_SECURITY has it since release 12.2.
  ///
  /// @param isTarget whether the statement names the table to change its rows
  void check(OraTable table, boolean isTarget) throws OraException {
    for (String verb : List.of("INSERT", "UPDATE", "DELETE")) {
      boolean isMerged = kind == StatementKind.MERGE && has(verb);
      if (isTarget && (isMerged || kind.name().equals(verb))) {
        rights.check(verb, table);
      }
    }
    boolean hasCondition =
        (kind == StatementKind.UPDATE || kind == StatementKind.DELETE) && has("WHERE");
    if (!isTarget || hasCondition) {
      rights.check("SELECT", table);
    }
    if (isAsOf) {
      rights.check("FLASHBACK", table);
    }
  }

  private boolean has(String word) {
    return tokens.stream().anyMatch(token -> token.is(word));
  }
}
