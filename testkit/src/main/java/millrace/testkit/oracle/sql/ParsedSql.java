package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.OraException;

/// A statement in tokens.
public record ParsedSql(String sql, StatementKind kind, List<SqlToken> tokens) {

  /// Cuts a statement into tokens.
  ///
  /// @throws OraException if no statement begins like that, or a text in it does not end
  public static ParsedSql of(String sql) throws OraException {
    List<SqlToken> tokens = SqlLexer.tokens(sql);
    return new ParsedSql(sql, StatementKind.of(tokens, sql), tokens);
  }

  public boolean isQuery() {
    return kind == StatementKind.SELECT;
  }
}
