package millrace.connectors.sqlite;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.RowRules;

/// What a table of SQLite does by itself to rows that are inserted, by its definition.
final class SqliteRules {

  /// A clause of a constraint, or what looks like one: nothing worse than a count comes of it.
  private static final Pattern REPLACES =
      Pattern.compile(
          "\\bON%1$sCONFLICT%1$sREPLACE\\b".formatted("(?:\\s|/\\*.*?\\*/|--[^\n]*\n)+"),
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /// What a trigger runs on is the first of these words that is no name.
  private static final Pattern EVENT =
      Pattern.compile("(?<![\\w$])(INSERT|UPDATE|DELETE)(?![\\w$])", Pattern.CASE_INSENSITIVE);

  private static final Pattern QUOTED =
      Pattern.compile("\"[^\"]*\"|'[^']*'|`[^`]*`|\\[[^]]*]|/\\*.*?\\*/|--[^\n]*", Pattern.DOTALL);

  private SqliteRules() {}

  static RowRules of(SqlSession session, String table) {
    List<String> definition =
        session.query(
            "SELECT sql FROM sqlite_schema WHERE name = ? COLLATE NOCASE AND type = 'table'",
            row -> row.getString(1),
            table);
    Map<String, List<String>> triggers = new TreeMap<>();
    session.query(
        "SELECT name, sql FROM sqlite_schema WHERE tbl_name = ? COLLATE NOCASE AND type = 'trigger'"
            + " ORDER BY 1",
        row -> {
          Matcher event = EVENT.matcher(QUOTED.matcher(row.getString(2)).replaceAll(" "));
          String on = event.find() ? event.group().toUpperCase(Locale.ROOT) : "";
          return triggers.computeIfAbsent(on, _ -> new ArrayList<>()).add(row.getString(1));
        },
        table);
    return new RowRules(
        definition.stream().anyMatch(sql -> REPLACES.matcher(sql).find()),
        triggers.getOrDefault("INSERT", List.of()),
        triggers.getOrDefault("UPDATE", List.of()));
  }
}
