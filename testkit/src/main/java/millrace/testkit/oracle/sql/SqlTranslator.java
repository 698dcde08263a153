package millrace.testkit.oracle.sql;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.sql.SqlToken.Kind;
import millrace.testkit.oracle.value.OraRowid;
import millrace.testkit.oracle.value.TtcType;
import org.jspecify.annotations.Nullable;

/// Rewrites queries and DML for H2, token by token.
///
/// One statement with the types of its binds is translated by one object, on one thread.
public final class SqlTranslator {

  private static final Set<String> COMPARISONS =
      Set.of("=", "<", ">", "<=", ">=", "<>", "!=", "^=", "BETWEEN", "IN", "NOT");

  private final String sql;
  private final List<SqlToken> tokens;
  private final StatementKind kind;
  private final SqlNames names;
  private final List<TtcType> bindTypes;
  private final StringBuilder out = new StringBuilder();
  private final List<BindUse> uses = new ArrayList<>();
  private final Deque<String> closing = new ArrayDeque<>();
  private final ScopeFinder scopes;
  private @Nullable InsertTargets targets;
  private boolean append;
  private int binds;
  private int at;

  private SqlTranslator(ParsedSql parsed, SqlNames names, List<TtcType> bindTypes) {
    sql = parsed.sql();
    tokens = parsed.tokens();
    kind = parsed.kind();
    this.names = names;
    this.bindTypes = bindTypes;
    scopes = new ScopeFinder(tokens, names);
  }

  /// Rewrites a statement.
  ///
  /// @throws OraException if a table does not exist, or the statement needs what is not known here
  public static TranslatedSql translate(ParsedSql parsed, SqlNames names, List<TtcType> bindTypes)
      throws OraException {
    return new SqlTranslator(parsed, names, bindTypes).run();
  }

  private TranslatedSql run() throws OraException {
    scopes.find();
    OraTable target = null;
    Set<OraTable> tables = new LinkedHashSet<>();
    boolean forUpdate = false;
    NeededRights needed = new NeededRights(names.rights(), kind, tokens, scopes.snapshot() != null);
    for (QueryScope scope : scopes.scopes()) {
      for (TableRef ref : scope.tables) {
        if (ref.table() != null) {
          boolean isTarget = target == null && kind.isDml();
          tables.add(ref.table());
          target = isTarget ? ref.table() : target;
          needed.check(ref.table(), isTarget);
        }
      }
    }
    for (int i = 0; i + 1 < tokens.size() && kind == StatementKind.SELECT; i++) {
      forUpdate |= tokens.get(i).is("FOR") && tokens.get(i + 1).is("UPDATE");
    }
    if (kind.isDml() && target == null) {
      throw OraException.unsupported("what is written to", sql);
    }
    if (kind == StatementKind.INSERT && target != null) {
      targets = InsertTargets.of(tokens, target, scopes);
    }
    while (tokens.get(at).kind() != Kind.END) {
      step();
    }
    clauseEnds();
    return new TranslatedSql(
        out.toString(),
        uses,
        List.copyOf(tables),
        target,
        scopes.filledPart(),
        append,
        forUpdate,
        scopes.snapshot());
  }

  private void step() throws OraException {
    clauseEnds();
    TableRef ref = referenceAt(at);
    if (ref != null) {
      emit(ref);
      skipTo(ref.to());
      return;
    }
    SqlToken token = tokens.get(at);
    switch (token.kind()) {
      case HINT -> {
        append |= token.text().contains("APPEND") && !token.text().contains("NOAPPEND");
        at++;
      }
      case BIND -> {
        bind(targets == null ? null : targets.columnAt(at));
        at++;
      }
      case STRING -> emit(literal(token.text()));
      case QUOTED -> emit(ObjectName.quote(token.text()));
      case NUMBER -> emit(number(token.text()));
      case SYMBOL -> symbol(token);
      case WORD -> word(token);
      case END -> throw new IllegalStateException("the end is no step");
    }
  }

  /// Adds what partitions demand at the end of FROM, and closes the condition that it is added to.
  private void clauseEnds() {
    for (QueryScope each : scopes.scopes()) {
      if (each.whereEnd == at && !each.partitions().isEmpty()) {
        out.append(") ");
      }
      if (each.fromEnd == at && !each.partitions().isEmpty()) {
        out.append("WHERE ").append(String.join(" AND ", each.partitions())).append(' ');
        if (tokens.get(at).is("WHERE")) {
          out.append("AND (");
          at++;
          clauseEnds();
          return;
        }
      }
    }
  }

  private @Nullable TableRef referenceAt(int token) {
    for (TableRef ref : scopes.scope(token).tables) {
      if (ref.from() == token) {
        return ref;
      }
    }
    return null;
  }

  /// Binds of an AS OF clause count, although H2 does not see them.
  private void skipTo(int end) {
    for (; at < end; at++) {
      binds += tokens.get(at).kind() == Kind.BIND ? 1 : 0;
    }
  }

  private void emit(TableRef ref) {
    OraTable table = ref.table();
    if (table != null) {
      put(new ObjectName(table.schema(), table.name()).h2());
    } else if ("DUAL".equals(ref.view())) {
      put("\"ORA\".\"DUAL\"");
    } else {
      put("\"ORA\".ORA_VIEW('" + ref.view() + "', " + names.key() + ")");
    }
    if (ref.aliased() || table == null) {
      put(ObjectName.quote(ref.alias()));
    }
  }

  private void bind(@Nullable OraColumn column) throws OraException {
    int index = binds++;
    if (index >= bindTypes.size()) {
      throw new OraException(1008, "not all variables bound");
    }
    uses.add(new BindUse(index, column));
    put(column == null ? "CAST(? AS " + castType(bindTypes.get(index)) + ")" : "?");
  }

  private static String castType(TtcType type) {
    return switch (type) {
      case VARCHAR, CHAR, LONG, ROWID, UROWID -> "VARCHAR";
      case NUMBER, BINARY_INTEGER -> "DECFLOAT(40)";
      case DATE -> "TIMESTAMP(0)";
      case TIMESTAMP, TIMESTAMP_LTZ -> "TIMESTAMP(9)";
      case TIMESTAMP_TZ -> "TIMESTAMP(9) WITH TIME ZONE";
      case RAW -> "VARBINARY";
      case CLOB -> "CLOB";
      case BLOB, LONG_RAW, JSON, VECTOR -> "BLOB";
      case BINARY_FLOAT -> "REAL";
      case BINARY_DOUBLE -> "DOUBLE PRECISION";
      case INTERVAL_YM -> "INTERVAL YEAR(9) TO MONTH";
      case INTERVAL_DS -> "INTERVAL DAY(9) TO SECOND(9)";
      case BOOLEAN -> "BOOLEAN";
      case CURSOR -> "VARCHAR";
    };
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String number(String text) {
    char last = text.charAt(text.length() - 1);
    String plain = text.substring(0, text.length() - 1);
    return switch (last) {
      case 'D' -> "CAST(" + plain + " AS DOUBLE PRECISION)";
      case 'F' -> "CAST(" + plain + " AS REAL)";
      default -> text;
    };
  }

  private void symbol(SqlToken token) throws OraException {
    switch (token.text()) {
      // Integers are divided as integers by H2, as decimals by Oracle.
      case "/" -> emit("/ CAST(1 AS DECFLOAT(40)) /");
      case "^=" -> emit("<>");
      case ";" -> at++;
      case "(" -> {
        if (token(1).is("+") && token(2).is(")")) {
          throw OraException.unsupported("the outer join (+)", sql);
        }
        closing.push("");
        emit("(");
      }
      case ")" -> emit(")" + (closing.isEmpty() ? "" : closing.pop()));
      default -> emit(token.text());
    }
  }

  private void word(SqlToken token) throws OraException {
    if (isRowid(at)) {
      rowid(null, 1);
    } else if (token(1).is(".") && isRowid(at + 2)) {
      rowid(token.text(), 3);
    } else if (token.is("DBMS_FLASHBACK") && token(2).is("GET_SYSTEM_CHANGE_NUMBER")) {
      at += 2;
      emit("ORA_SCN(" + names.key() + ")");
    } else if (token.is("SYS") && token(1).is(".") && token(2).text().startsWith("DBMS_")) {
      at += 2;
    } else if (token(1).is("(")) {
      function(token.text());
    } else if (token(1).is(".") && token(3).is("(") && token.text().startsWith("DBMS_")) {
      String name = "ORA_" + token.text() + "_" + token(2).text();
      at += 2;
      emit(name);
    } else {
      plainWord(token);
    }
  }

  private void plainWord(SqlToken token) throws OraException {
    boolean part = at > 0 && tokens.get(at - 1).is(".");
    boolean whole = part || token(1).is(".");
    switch (whole ? "" : token.text()) {
      case "USER" -> emit("ORA_SYS_CONTEXT(" + names.key() + ", 'USERENV', 'SESSION_USER')");
      case "DBTIMEZONE" -> emit("'+00:00'");
      case "SESSIONTIMEZONE" ->
          emit("ORA_SYS_CONTEXT(" + names.key() + ", 'USERENV', 'SESSION_TIME_ZONE')");
      case "CURRENT_DATE" -> emit("CAST(LOCALTIMESTAMP AS TIMESTAMP(0))");
      case "DATE" -> {
        if (token(1).kind() == Kind.STRING) {
          String text = token(1).text();
          at++;
          emit("CAST(DATE " + literal(text) + " AS TIMESTAMP(0))");
        } else {
          emit("TIMESTAMP(0)");
        }
      }
      // Behind FROM_VECTOR, whose result is a CLOB here in any case.
      case "RETURNING" -> at += 2;
      case "CONNECT" -> throw OraException.unsupported("CONNECT BY", sql);
      default -> emit(identifier(token.text()));
    }
  }

  private static String identifier(String word) {
    return word.indexOf('$') >= 0 || word.indexOf('#') >= 0 ? ObjectName.quote(word) : word;
  }

  private void function(String name) {
    switch (name) {
      case "TO_DATE" -> wrapped("CAST(TO_DATE", " AS TIMESTAMP(0))");
      case "SYS_CONTEXT", "USERENV" -> {
        put("ORA_" + name + "(" + names.key() + ",");
        closing.push("");
        at += 2;
      }
      case "TO_NUMBER",
          "LENGTHB",
          "TO_CLOB",
          "TO_NCLOB",
          "TO_BLOB",
          "EMPTY_CLOB",
          "EMPTY_BLOB",
          "DUMP",
          "INITCAP",
          "ROWIDTOCHAR",
          "VSIZE",
          "STANDARD_HASH",
          "ORA_HASH",
          "FROM_VECTOR",
          "SUBSTRB",
          "NLS_CHARSET_ID",
          "UNISTR" ->
          emit("ORA_" + name);
      default -> emit(identifier(name));
    }
  }

  private void wrapped(String before, String after) {
    put(before + "(");
    closing.push(after);
    at += 2;
  }

  private boolean isRowid(int index) {
    SqlToken token = tokens.get(Math.min(index, tokens.size() - 1));
    boolean called = tokens.get(Math.min(index + 1, tokens.size() - 1)).is("(");
    boolean type = index > 0 && tokens.get(index - 1).is("AS");
    return token.is("ROWID") && !called && !type;
  }

  /// A rowid is the number of a row where it is compared, and 18 letters elsewhere.
  private void rowid(@Nullable String of, int length) throws OraException {
    TableRef ref = scopes.scope(at).find(of);
    if (ref == null || ref.table() == null) {
      throw new OraException(1445, "cannot select ROWID from a view without a table: " + sql);
    }
    String alias = ObjectName.quote(ref.alias());
    String row = alias + "._ROWID_";
    Partitioning division = ref.table().partitioning();
    String part = division == null ? "0" : division.place(alias);
    at += length;
    if (!COMPARISONS.contains(tokens.get(at).text())) {
      put("ORA_ROWID(%d, %s, %s)".formatted(ref.table().objectId(), part, row));
      return;
    }
    put(division == null ? row : "(%s * %d + %s)".formatted(part, OraRowid.ROWS_IN_PART, row));
    if (tokens.get(at).is("NOT")) {
      step();
    }
    boolean between = tokens.get(at).is("BETWEEN");
    boolean list = tokens.get(at).is("IN");
    step();
    if (list && !token(1).isAny("SELECT", "WITH")) {
      step();
      rowNumber();
      while (tokens.get(at).is(",")) {
        step();
        rowNumber();
      }
    } else if (!list) {
      rowNumber();
      if (between) {
        step();
        rowNumber();
      }
    }
  }

  /// The operand of a comparison with a rowid: a bind, a text, a function, a column or a rowid.
  private void rowNumber() throws OraException {
    put("ORA_ROW_NUMBER(");
    if (tokens.get(at).isAny("CHARTOROWID", "ROWIDTOCHAR")) {
      at++;
    }
    boolean open = tokens.get(at).is("(");
    step();
    while (!open && tokens.get(at).is(".")) {
      step();
      step();
    }
    for (int depth = open ? 1 : 0; depth > 0; ) {
      depth += tokens.get(at).is("(") ? 1 : tokens.get(at).is(")") ? -1 : 0;
      step();
    }
    put(")");
  }

  private SqlToken token(int ahead) {
    return tokens.get(Math.min(at + ahead, tokens.size() - 1));
  }

  private void emit(String text) {
    put(text);
    at++;
  }

  private void put(String text) {
    out.append(text).append(' ');
  }
}
