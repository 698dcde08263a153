package millrace.testkit.oracle.sql;

import java.util.List;
import millrace.testkit.oracle.OraException;

/// What a statement does, with the number that an answer has for it.
public enum StatementKind {
  SELECT(3),
  INSERT(2),
  UPDATE(6),
  DELETE(7),
  MERGE(189),
  BLOCK(47),
  DDL(1),
  COMMIT(44),
  ROLLBACK(45),
  SAVEPOINT(46),
  ALTER_SESSION(42),
  SET_TRANSACTION(48),
  LOCK_TABLE(26);

  private final int code;

  StatementKind(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }

  /// Whether it changes rows.
  public boolean isDml() {
    return this == INSERT || this == UPDATE || this == DELETE || this == MERGE;
  }

  /// The kind of a statement, by its first word.
  ///
  /// @throws OraException ORA-00900 if no statement of Oracle's begins like that
  public static StatementKind of(List<SqlToken> tokens, String sql) throws OraException {
    int first = 0;
    while (tokens.get(first).is("(") || tokens.get(first).kind() == SqlToken.Kind.HINT) {
      first++;
    }
    SqlToken token = tokens.get(first);
    SqlToken second = tokens.get(Math.min(first + 1, tokens.size() - 1));
    if (token.kind() != SqlToken.Kind.WORD) {
      throw invalid(sql);
    }
    return switch (token.text()) {
      case "SELECT", "WITH" -> SELECT;
      case "INSERT" -> INSERT;
      case "UPDATE" -> UPDATE;
      case "DELETE" -> DELETE;
      case "MERGE" -> MERGE;
      case "BEGIN", "DECLARE", "CALL" -> BLOCK;
      case "CREATE",
          "DROP",
          "TRUNCATE",
          "RENAME",
          "COMMENT",
          "GRANT",
          "REVOKE",
          "ANALYZE",
          "PURGE" ->
          DDL;
      case "ALTER" -> second.is("SESSION") ? ALTER_SESSION : DDL;
      case "COMMIT" -> COMMIT;
      case "ROLLBACK" -> ROLLBACK;
      case "SAVEPOINT" -> SAVEPOINT;
      case "SET" -> SET_TRANSACTION;
      case "LOCK" -> LOCK_TABLE;
      default -> throw invalid(sql);
    };
  }

  private static OraException invalid(String sql) {
    return new OraException(900, "invalid SQL statement: " + sql);
  }
}
