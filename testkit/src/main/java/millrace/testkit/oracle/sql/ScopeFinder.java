package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.sql.SqlToken.Kind;
import org.jspecify.annotations.Nullable;

/// Finds the query blocks of a statement and the tables that each names.
final class ScopeFinder {

  /// The name of the column that H2 has for a row's partition, and for its subpartition.
  static final String PARTITION_COLUMN = "ORA$PART";

  static final String SUBPARTITION_COLUMN = "ORA$SUBPART";

  private static final Set<String> AFTER_FROM =
      Set.of(
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "CONNECT",
          "START",
          "UNION",
          "MINUS",
          "INTERSECT",
          "FETCH",
          "OFFSET",
          "FOR",
          "SET",
          "WHEN",
          "SELECT",
          "VALUES");
  private static final Set<String> AFTER_WHERE =
      Set.of(
          "GROUP",
          "HAVING",
          "ORDER",
          "CONNECT",
          "START",
          "UNION",
          "MINUS",
          "INTERSECT",
          "FETCH",
          "OFFSET",
          "FOR",
          "WHEN");
  private static final Set<String> NO_ALIAS =
      Set.of(
          "JOIN",
          "INNER",
          "LEFT",
          "RIGHT",
          "FULL",
          "CROSS",
          "NATURAL",
          "ON",
          "USING",
          "AS",
          "LOG",
          "PARTITION",
          "SUBPARTITION",
          "SAMPLE",
          "RETURNING");

  private final List<SqlToken> tokens;
  private final SqlNames names;
  private final QueryScope[] scopeOf;
  private final List<QueryScope> all = new ArrayList<>();
  private final Set<String> withNames = new HashSet<>();
  private @Nullable SnapshotClause snapshot;
  private @Nullable String filledPart;

  ScopeFinder(List<SqlToken> tokens, SqlNames names) {
    this.tokens = tokens;
    this.names = names;
    scopeOf = new QueryScope[tokens.size()];
  }

  void find() throws OraException {
    for (int i = 0; i + 2 < tokens.size(); i++) {
      if (tokens.get(i).isName()
          && tokens.get(i + 1).is("AS")
          && tokens.get(i + 2).is("(")
          && token(i + 3).isAny("SELECT", "WITH", "(")) {
        withNames.add(tokens.get(i).text());
      }
    }
    level(0, scope(null), true);
  }

  private QueryScope scope(@Nullable QueryScope parent) {
    QueryScope scope = new QueryScope(parent);
    all.add(scope);
    return scope;
  }

  /// The block that a token stands in.
  QueryScope scope(int token) {
    return scopeOf[token];
  }

  /// All blocks, the outer ones first.
  List<QueryScope> scopes() {
    return all;
  }

  /// The only partition or subpartition that is inserted into; null if rows go where they belong.
  @Nullable String filledPart() {
    return filledPart;
  }

  /// The AS OF of the statement's tables; null if they are read as they are.
  @Nullable SnapshotClause snapshot() {
    return snapshot;
  }

  private SqlToken token(int index) {
    return tokens.get(Math.min(index, tokens.size() - 1));
  }

  /// Goes through one level of parentheses.
  ///
  /// @param statement whether words of DML name tables there
  /// @return the token that closes it
  private int level(int first, QueryScope outer, boolean statement) throws OraException {
    QueryScope scope = outer;
    boolean query = false;
    boolean from = false;
    boolean list = false;
    boolean where = false;
    int i = first;
    while (true) {
      SqlToken token = tokens.get(i);
      scopeOf[i] = scope;
      boolean over = token.kind() == Kind.END || token.is(")");
      boolean set = statement && !list && token.is("SET");
      if (from && !set && (over || isOneOf(token, AFTER_FROM))) {
        scope.fromEnd = i;
        from = false;
        list = false;
      }
      if (where && (over || isOneOf(token, AFTER_WHERE))) {
        scope.whereEnd = i;
        where = false;
      }
      if (over) {
        return i;
      }
      int table = -1;
      if (token.is("(")) {
        boolean inner = token(i + 1).isAny("SELECT", "WITH");
        i = level(i + 1, inner ? scope(scope) : scope, false);
        scopeOf[i] = scope;
      } else if (token.is("SELECT")) {
        if (query || statement) {
          scope = scope(statement ? outer : outer.parent);
          scopeOf[i] = scope;
        }
        query = true;
      } else if (token.is("WHERE")) {
        where = true;
      } else if (token.is("FROM") && query) {
        from = true;
        list = true;
        table = i + 1;
      } else if (list && token.isAny(",", "JOIN")) {
        table = i + 1;
      } else if (statement && namesTable(token, i)) {
        from = token.isAny("UPDATE", "DELETE");
        table = token.is("DELETE") && token(i + 1).is("FROM") ? i + 2 : i + 1;
      }
      for (int k = i + 1; k < table; k++) {
        scopeOf[k] = scope;
      }
      i = table < 0 ? i + 1 : reference(table, scope);
    }
  }

  private static boolean isOneOf(SqlToken token, Set<String> words) {
    return token.kind() == Kind.WORD && words.contains(token.text());
  }

  private boolean namesTable(SqlToken token, int index) {
    if (token.isAny("INTO", "USING")) {
      return true;
    }
    // UPDATE and DELETE stand in a MERGE, too, and in FOR UPDATE.
    boolean begins = index == 0 || tokens.get(index - 1).kind() == Kind.HINT;
    return token.isAny("UPDATE", "DELETE") && begins;
  }

  /// Takes a table with all that belongs to it, if there is one; else stays.
  private int reference(int first, QueryScope scope) throws OraException {
    int i = first;
    while (tokens.get(i).kind() == Kind.HINT) {
      i++;
    }
    // A name with parentheses behind it is a function, unless they hold the columns of an INSERT.
    boolean called = token(i + 1).is("(") && !token(first - 1).is("INTO");
    if (!tokens.get(i).isName() || called || token(i).is("SELECT")) {
      return i;
    }
    int start = i;
    ObjectName name = new ObjectName(names.schema(), tokens.get(i).text());
    boolean qualified = token(i + 1).is(".");
    if (qualified) {
      name = new ObjectName(tokens.get(i).text(), tokens.get(i + 2).text());
      i += 2;
    }
    i++;
    if (!qualified && withNames.contains(name.name())) {
      return i;
    }
    String view = view(name, qualified);
    OraTable table = view == null ? names.table(name) : null;
    String part = null;
    if (token(i).isAny("PARTITION", "SUBPARTITION")) {
      part = part(table, name, i);
      if (token(first - 1).is("INTO")) {
        filledPart = token(i + 2).text();
        part = null;
      }
      i += 4;
    }
    if (token(i).is("AS") && token(i + 1).is("OF")) {
      snapshot = SnapshotClause.read(tokens, i + 2);
      i = snapshot.end();
    }
    if (token(i).is("SAMPLE")) {
      throw OraException.unsupported("SAMPLE", name.shown());
    }
    boolean as = token(i).is("AS");
    String alias = alias(token(as ? i + 1 : i));
    int end = alias == null ? i : as ? i + 2 : i + 1;
    String visible = alias == null ? name.name() : alias;
    String predicate = part == null ? null : ObjectName.quote(visible) + "." + part;
    TableRef ref = new TableRef(table, view, visible, start, end, predicate, alias != null);
    scope.tables.add(ref);
    for (int k = first; k < end; k++) {
      scopeOf[k] = scope;
    }
    return end;
  }

  private @Nullable String view(ObjectName name, boolean qualified) {
    boolean mine = !qualified && names.catalog().table(name.schema(), name.name()) != null;
    boolean theirs = qualified && !name.schema().equals("SYS");
    if (mine || theirs) {
      return null;
    }
    String plain = name.name().toUpperCase(Locale.ROOT).replace("V_$", "V$");
    return names.isView().test(plain) ? plain : null;
  }

  private static @Nullable String alias(SqlToken token) {
    boolean word = token.kind() == Kind.WORD;
    boolean taken = word && (AFTER_FROM.contains(token.text()) || NO_ALIAS.contains(token.text()));
    return token.isName() && !taken ? token.text() : null;
  }

  /// The predicate of a PARTITION or SUBPARTITION clause, without the alias.
  private String part(@Nullable OraTable table, ObjectName name, int at) throws OraException {
    String wanted = token(at + 2).text();
    boolean sub = token(at).is("SUBPARTITION");
    Partitioning division = table == null ? null : table.partitioning();
    if (division == null) {
      throw new OraException(14501, "object is not partitioned: " + name.shown());
    }
    boolean known = false;
    for (Partitioning.Part part : division.partitions()) {
      known |= !sub && part.name().equals(wanted);
      for (int i = 0; sub && i < division.subpartitions(); i++) {
        known |= Partitioning.subName(part.name(), i).equals(wanted);
      }
    }
    if (!known) {
      throw new OraException(2149, "Specified partition does not exist: " + wanted);
    }
    String column = ObjectName.quote(sub ? SUBPARTITION_COLUMN : PARTITION_COLUMN);
    return column + " = '" + wanted.replace("'", "''") + "'";
  }
}
