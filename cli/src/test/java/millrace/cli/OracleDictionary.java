package millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The views of Oracle's dictionary that Millrace asks, their columns, and the first release that
/// has each: `oracle-dictionary.txt`, by the Oracle Database Reference of 12.1, 12.2, 18c, 19c, 21c
/// and 23ai. Of a column that only a newer release has, the stand-in would say nothing.
///
/// @param views the columns of each, with the release times 100
record OracleDictionary(Map<String, Map<String, Integer>> views) {

  /// The oldest release that Millrace speaks to.
  private static final int OLDEST = 1201;

  private static final Pattern TEXT = Pattern.compile("'(?:[^']|'')*'|\"[^\"]*\"|/\\*.*?\\*/");

  private static final Pattern WORD = Pattern.compile("[A-Z][A-Z0-9_$#]*");

  private static final Pattern VIEW =
      Pattern.compile("(?:ALL|DBA|USER)_[A-Z_]+|G?V\\$[A-Z_]+|NLS_[A-Z]+_PARAMETERS");

  static OracleDictionary read() throws IOException {
    Map<String, Map<String, Integer>> views = new HashMap<>();
    try (InputStream list =
        Objects.requireNonNull(
            OracleDictionary.class.getResourceAsStream("oracle-dictionary.txt"))) {
      for (String line : new String(list.readAllBytes(), UTF_8).lines().toList()) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        String[] words = line.strip().split("[: ]+", -1);
        Map<String, Integer> columns = new HashMap<>();
        for (String column : List.of(words).subList(1, words.length)) {
          String[] parts = column.split("@", 2);
          columns.put(parts[0], parts.length == 1 ? OLDEST : release(parts[1]));
        }
        views.put(words[0], columns);
      }
    }
    return new OracleDictionary(views);
  }

  private static int release(String spelled) {
    String[] numbers = spelled.split("\\.", 2);
    return 100 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]);
  }

  /// What the oldest release would refuse of some statements, and what is in no list.
  ///
  /// @param standIn has the views too; each of their columns has to be in the list
  Set<String> complaints(Collection<String> sent, Connection standIn) throws SQLException {
    Set<String> all = new TreeSet<>();
    Map<String, Set<String>> offered = new HashMap<>();
    for (String sql : sent) {
      Set<String> words = words(sql);
      for (String view : words) {
        if (!VIEW.matcher(view).matches() || isColumn(view)) {
          continue;
        }
        Map<String, Integer> columns = views.get(view);
        if (columns == null) {
          all.add(view + " is in no list: " + cut(sql));
          continue;
        }
        if (!offered.containsKey(view)) {
          offered.put(view, columns(standIn, view));
          Set<String> unlisted = new TreeSet<>(offered.get(view));
          unlisted.removeAll(columns.keySet());
          unlisted.forEach(column -> all.add(view + "." + column + " is in no list"));
        }
        words.stream()
            .filter(word -> columns.getOrDefault(word, OLDEST) > OLDEST)
            .forEach(word -> all.add(view + "." + word + " is too new: " + cut(sql)));
      }
    }
    return all;
  }

  private static String cut(String sql) {
    return sql.substring(0, Math.min(100, sql.length()));
  }

  private boolean isColumn(String word) {
    return !views.containsKey(word)
        && views.values().stream().anyMatch(columns -> columns.containsKey(word));
  }

  private static Set<String> words(String sql) {
    Set<String> words = new TreeSet<>();
    Matcher word = WORD.matcher(TEXT.matcher(sql).replaceAll(" ").toUpperCase(Locale.ROOT));
    while (word.find()) {
      words.add(word.group());
    }
    return words;
  }

  private static Set<String> columns(Connection standIn, String view) throws SQLException {
    Set<String> columns = new TreeSet<>();
    try (Statement statement = standIn.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + view + " WHERE 1 = 0")) {
      ResultSetMetaData found = none.getMetaData();
      for (int i = 1; i <= found.getColumnCount(); i++) {
        columns.add(found.getColumnName(i));
      }
    }
    return columns;
  }
}
