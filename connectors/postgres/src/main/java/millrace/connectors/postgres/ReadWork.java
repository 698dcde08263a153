package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.text.NameList;
import org.slf4j.LoggerFactory;

/// What a statement that reads rows has the server do beside reading them, by the server's plan:
/// functions that somebody has written, and a sort.
final class ReadWork {

  private static final String BEGIN = "COPY (";
  private static final String END = ") TO STDOUT (";

  private static final Pattern CALL = Pattern.compile("([\\w.\"$]+)\\(");
  private static final Pattern SORT = Pattern.compile("(?m)^ *Sort Key: (.*)$");
  private static final int SHOWN_MAX = 80;

  private ReadWork() {}

  /// Whether a statement that a process has under way reads rows for us.
  static boolean isReading(String statement) {
    return statement.startsWith(BEGIN);
  }

  /// What makes it dear and what would help, as sentences; empty if its plan says nothing, or the
  /// server shows only the statement's beginning.
  ///
  /// @param aside in a transaction
  static String of(Session aside, String statement) {
    int end = statement.lastIndexOf(END);
    if (!isReading(statement) || end < 0) {
      return "";
    }
    aside.execute("SAVEPOINT millrace_plan");
    try {
      return words(aside, statement.substring(BEGIN.length(), end));
    } catch (Fault.User | Fault.Data | Fault.External e) {
      LoggerFactory.getLogger(ReadWork.class).debug("no plan of {}", statement, e);
      aside.execute("ROLLBACK TO SAVEPOINT millrace_plan");
      return "";
    }
  }

  private static String words(Session aside, String select) {
    String plan =
        String.join(
            "\n", aside.query("EXPLAIN (VERBOSE, COSTS off) " + select, row -> row.getString(1)));
    List<String> words = new ArrayList<>();
    List<String> functions = written(aside, plan);
    if (!functions.isEmpty()) {
      words.add(
          "What is read calls "
              + (functions.size() == 1 ? "the function " : "functions: ")
              + NameList.spelled(functions, ", ")
              + ". The copy is faster without.");
    }
    Matcher sort = SORT.matcher(plan);
    if (sort.find()) {
      String key = sort.group(1);
      words.add(
          "What is read is sorted first, by "
              + (key.length() > SHOWN_MAX ? key.substring(0, SHOWN_MAX) + "…" : key)
              + ": rows come sooner without ORDER BY, or with an index in that order.");
    }
    return String.join(" ", words);
  }

  /// Which of the functions that a plan names are none of the server's own.
  private static List<String> written(Session aside, String plan) {
    List<String> names = new ArrayList<>();
    Matcher call = CALL.matcher(plan);
    while (call.find()) {
      String name = call.group(1).replace("\"", "");
      names.add(name.substring(name.lastIndexOf('.') + 1));
    }
    return aside.query(
        """
        SELECT DISTINCT p.proname::text FROM pg_catalog.pg_proc p
        JOIN pg_catalog.pg_language l ON l.oid = p.prolang
        WHERE p.proname::text = ANY (string_to_array(?, ' ')) AND l.lanname NOT IN ('internal', 'c')
          AND p.pronamespace <> 'pg_catalog'::pg_catalog.regnamespace
        ORDER BY 1
        """,
        row -> row.getString(1),
        String.join(" ", names));
  }
}
