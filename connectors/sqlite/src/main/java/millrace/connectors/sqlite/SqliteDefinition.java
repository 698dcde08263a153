package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.DependentObject;
import millrace.fault.Shortened;
import millrace.text.NameList;

/// What the definition of a table says beside its columns' names and types.
final class SqliteDefinition {

  /// What SQL is made of: comments and what is quoted, whole; words; any other character.
  static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|/\\*.*?(?:\\*/|\\z)|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`"
              + "|\\[[^\\]]*\\]|[\\w$\\x{80}-\\x{10ffff}]+|.",
          Pattern.DOTALL);

  private static final int CHECK_SHOWN_MAX = 60;

  private SqliteDefinition() {}

  /// Its rules, in words, but for its primary key and `NOT NULL`.
  static List<String> rules(SqlSession session, String table) {
    List<String> rules = new ArrayList<>();
    rules.addAll(
        SqliteDialect.texts(
            session,
            "SELECT 'unique (' || (SELECT group_concat(coalesce(name, 'expression'), ', ')"
                + " FROM pragma_index_info(i.name)) || ')'"
                + " FROM pragma_index_list(?) i WHERE origin = 'u'",
            table));
    rules.addAll(
        SqliteDialect.texts(
            session,
            "SELECT 'foreign key (' || group_concat(\"from\", ', ') || ') to ' || \"table\""
                + " FROM pragma_foreign_key_list(?) GROUP BY id",
            table));
    rules.addAll(
        SqliteDialect.texts(
            session,
            "SELECT iif(hidden > 1, 'generated column ', 'default of ') || name"
                + " FROM pragma_table_xinfo(?) WHERE hidden > 1 OR dflt_value IS NOT NULL",
            table));
    rules.addAll(
        SqliteDialect.texts(
            session,
            "SELECT 'strict' FROM pragma_table_list WHERE schema = 'main' AND name = ?1 AND strict"
                + " UNION ALL SELECT 'without rowid' FROM pragma_table_list"
                + " WHERE schema = 'main' AND name = ?1 AND wr AND type = 'table'"
                + " UNION ALL SELECT 'virtual table' FROM pragma_table_list"
                + " WHERE schema = 'main' AND name = ?1 AND type IN ('virtual', 'shadow')",
            table));
    SqliteDialect.texts(
            session,
            "SELECT sql FROM sqlite_schema WHERE name = ? AND type = 'table' AND sql IS NOT NULL",
            table)
        .forEach(sql -> rules.addAll(written(sql)));
    return rules;
  }

  /// The rules that only the statement tells which made the table: SQLite keeps its text, and
  /// CHECK, COLLATE and AUTOINCREMENT name nothing in it that is not quoted.
  static List<String> written(String sql) {
    List<String> tokens =
        TOKEN
            .matcher(sql)
            .results()
            .map(result -> result.group())
            .filter(token -> !token.startsWith("--") && !token.startsWith("/*"))
            .toList();
    List<String> rules = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      switch (tokens.get(i).toUpperCase(Locale.ROOT)) {
        case "CHECK" ->
            rules.add("check " + Shortened.value(parentheses(tokens, i + 1), CHECK_SHOWN_MAX));
        case "COLLATE" -> rules.add("collate" + following(tokens, i + 1));
        case "AUTOINCREMENT" -> rules.add("autoincrement");
        default -> {}
      }
    }
    return rules.stream().distinct().toList();
  }

  /// The text up to the parenthesis that closes the first.
  private static String parentheses(List<String> tokens, int from) {
    StringBuilder text = new StringBuilder();
    int depth = 0;
    for (String token : tokens.subList(from, tokens.size())) {
      depth += token.equals("(") ? 1 : token.equals(")") ? -1 : 0;
      text.append(token);
      if (depth == 0 && token.equals(")")) {
        break;
      }
    }
    return text.toString().strip().replaceAll("\\s+", " ");
  }

  private static String following(List<String> tokens, int from) {
    return tokens.subList(from, tokens.size()).stream()
        .filter(token -> !token.isBlank())
        .findFirst()
        .map(token -> " " + token)
        .orElse("");
  }

  /// Its indexes and triggers, but for the indexes that belong to its rules.
  static List<DependentObject> dependentObjects(SqlSession session, String table) {
    return session.query(
        "SELECT type, name, sql, type = 'index' AND EXISTS (SELECT 1 FROM pragma_index_list(?1) i"
            + " WHERE i.name = s.name AND i.\"unique\") FROM sqlite_schema s"
            + " WHERE tbl_name = ?1 COLLATE NOCASE AND type IN ('index', 'trigger')"
            + " AND sql IS NOT NULL",
        row -> {
          String type = row.getString(1);
          String name = row.getString(2);
          return new DependentObject(
              type + " " + NameList.spelled(List.of(name), ""),
              row.getBoolean(4),
              "DROP " + type.toUpperCase(Locale.ROOT) + " main." + SqliteDialect.NAMES.quoted(name),
              row.getString(3));
        },
        table);
  }
}
