package millrace.testkit.oracle.engine;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.SqlToken;
import millrace.testkit.oracle.sql.SqlToken.Kind;
import millrace.testkit.oracle.sql.StatementKind;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// Carries out a PL/SQL block that is nothing but statements one after the other: calls of known
/// procedures, assignments to binds, SQL, and EXECUTE IMMEDIATE of a text.
final class BlockRunner {

  private final OraSession session;
  private final Map<String, Integer> bindNames = new HashMap<>();
  private final Map<Integer, Object> outValues = new HashMap<>();
  private String sql = "";
  private List<SqlToken> tokens = List.of();
  private List<@Nullable Object> binds = List.of();
  private int at;

  BlockRunner(OraSession session) {
    this.session = session;
  }

  OutBinds run(ParsedSql parsed, List<@Nullable Object> values) throws OraException {
    sql = parsed.sql();
    tokens = parsed.tokens();
    binds = values;
    for (SqlToken token : tokens) {
      if (token.kind() == Kind.BIND) {
        bindNames.putIfAbsent(token.text(), bindNames.size());
      }
    }
    if (accept("CALL")) {
      statement();
      return new OutBinds(outValues);
    }
    if (!accept("BEGIN")) {
      throw unknown("DECLARE");
    }
    while (!accept("END")) {
      statement();
    }
    return new OutBinds(outValues);
  }

  private OraException unknown(String what) {
    return OraException.unsupported(what, sql);
  }

  private boolean accept(String word) {
    if (tokens.get(at).is(word)) {
      at++;
      return true;
    }
    return false;
  }

  /// One statement with its semicolon.
  private void statement() throws OraException {
    int first = at;
    SqlToken token = tokens.get(at);
    int end = first;
    for (int depth = 0; !(tokens.get(end).is(";") && depth == 0); end++) {
      if (tokens.get(end).kind() == Kind.END) {
        break;
      }
      depth += tokens.get(end).is("(") ? 1 : tokens.get(end).is(")") ? -1 : 0;
    }
    boolean procedure = token.kind() == Kind.WORD && tokens.get(at + 1).isAny(".", "(", ";");
    if (token.kind() == Kind.BIND && tokens.get(at + 1).is(":=")) {
      assign(first, end);
    } else if (accept("NULL")) {
      at = end;
    } else if (accept("EXECUTE")) {
      at++;
      immediate(argument());
    } else if (token.isAny("IF", "FOR", "LOOP", "WHILE", "EXCEPTION", "DECLARE", "BEGIN")) {
      throw unknown(token.text() + " in a block");
    } else if (procedure && !token.isAny("COMMIT", "ROLLBACK")) {
      call();
    } else {
      sql(first, end);
    }
    at = tokens.get(end).kind() == Kind.END ? end : end + 1;
  }

  private void assign(int first, int end) throws OraException {
    int index = bindNames.getOrDefault(tokens.get(first).text(), 0);
    String expression = sql.substring(tokens.get(first + 2).start(), tokens.get(end).start());
    ParsedSql query = ParsedSql.of("SELECT " + expression + " FROM DUAL");
    List<@Nullable Object> values = values(query);
    try (CompiledStatement statement = session.compile(query, types(values));
        OraCursor rows = statement.query(values)) {
      @Nullable Object[] row = rows.next();
      if (row != null && row[0] != null) {
        outValues.put(index, row[0]);
      }
    }
  }

  private void sql(int first, int end) throws OraException {
    ParsedSql inner =
        ParsedSql.of(sql.substring(tokens.get(first).start(), tokens.get(end).start()));
    if (inner.kind() == StatementKind.DDL || inner.isQuery()) {
      throw unknown(inner.kind() + " in a block");
    }
    execute(inner, values(inner));
  }

  private void immediate(@Nullable Object text) throws OraException {
    if (!(text instanceof String statement)) {
      throw unknown("EXECUTE IMMEDIATE of what is no text");
    }
    execute(ParsedSql.of(statement), List.of());
  }

  private void execute(ParsedSql inner, List<@Nullable Object> values) throws OraException {
    if (!inner.kind().isDml()) {
      session.execute(inner, values);
      return;
    }
    try (CompiledStatement statement = session.compile(inner, types(values))) {
      statement.beginCall();
      statement.update(values);
      statement.endCall();
    }
  }

  /// The values of the binds that a part of the block has, in their order there.
  private List<@Nullable Object> values(ParsedSql part) {
    List<@Nullable Object> values = new ArrayList<>();
    for (SqlToken token : part.tokens()) {
      if (token.kind() == Kind.BIND) {
        values.add(bind(token));
      }
    }
    return values;
  }

  private @Nullable Object bind(SqlToken token) {
    int index = bindNames.getOrDefault(token.text(), 0);
    return index < binds.size() ? binds.get(index) : null;
  }

  private static List<TtcType> types(List<@Nullable Object> values) {
    List<TtcType> types = new ArrayList<>();
    for (Object value : values) {
      types.add(
          value instanceof BigDecimal
              ? TtcType.NUMBER
              : value instanceof byte[] ? TtcType.RAW : TtcType.VARCHAR);
    }
    return types;
  }

  private void call() throws OraException {
    StringBuilder name = new StringBuilder(tokens.get(at++).text());
    while (accept(".")) {
      name.append('.').append(tokens.get(at++).text());
    }
    String plain = name.toString().replaceFirst("^SYS\\.", "");
    List<@Nullable Object> values = new ArrayList<>();
    Map<String, @Nullable Object> named = new HashMap<>();
    if (accept("(")) {
      while (!accept(")")) {
        if (tokens.get(at + 1).is("=>")) {
          String parameter = tokens.get(at).text();
          at += 2;
          named.put(parameter, argument());
        } else {
          values.add(argument());
        }
        accept(",");
      }
    }
    boolean isClosed = session.database().closed().contains("DBMS_UTILITY");
    if (plain.equals("DBMS_UTILITY.DB_VERSION") && !isClosed) {
      outValues.put(0, session.database().release().fullVersion());
      outValues.put(1, session.database().catalog().compatible());
      return;
    }
    Procedures procedures = new Procedures(session, new Procedures.Arguments(values, named));
    if (!procedures.run(plain)) {
      throw new OraException(
          6550,
          "line 1, column 7:\nPLS-00201: identifier '%s' must be declared, in: %s"
              .formatted(plain.toUpperCase(Locale.ROOT), sql));
    }
  }

  /// A value that is written: a text, a number, a bind, TRUE, FALSE or NULL.
  private @Nullable Object argument() throws OraException {
    SqlToken token = tokens.get(at++);
    return switch (token.kind()) {
      case STRING -> token.text();
      case NUMBER -> new BigDecimal(token.text());
      case BIND -> bind(token);
      case WORD ->
          switch (token.text()) {
            case "TRUE" -> true;
            case "FALSE" -> false;
            case "NULL" -> null;
            case "USER" -> session.user();
            default -> throw unknown("the argument " + token.text());
          };
      default -> throw unknown("the argument " + token.text());
    };
  }
}
