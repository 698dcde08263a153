package millrace.connectors.mariadb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.text.NameList;
import org.slf4j.LoggerFactory;

/// What a statement that reads rows has the server do beside reading them, by the server's plan:
/// stored functions, for which the server's own rewriting has views resolved, and a sort.
final class StatementWork {

  private static final Pattern CALL = Pattern.compile("`([^`]+)`\\(");

  private static final String SORTED =
      "What is read is sorted first: rows come sooner without ORDER BY, or with an index in that"
          + " order.";

  private StatementWork() {}

  /// What makes it dear and what would help, as sentences; empty if its plan says nothing.
  static String help(Statement aside, String statement, boolean isMariaDb) {
    Set<String> functions = new TreeSet<>();
    boolean sorts = false;
    try {
      ResultSet plan =
          aside.executeQuery((isMariaDb ? "EXPLAIN EXTENDED " : "EXPLAIN ") + statement);
      while (plan.next()) {
        sorts |= String.valueOf(plan.getString("Extra")).contains("Using filesort");
      }
      ResultSet notes = aside.executeQuery("SHOW WARNINGS");
      while (notes.next()) {
        Matcher call = CALL.matcher(notes.getString(3));
        while (call.find()) {
          functions.add(call.group(1));
        }
      }
    } catch (SQLException e) {
      LoggerFactory.getLogger(StatementWork.class).debug("no plan of {}", statement, e);
    }
    String calls =
        functions.isEmpty()
            ? ""
            : "What is read calls "
                + (functions.size() == 1 ? "the function " : "functions: ")
                + NameList.spelled(List.copyOf(functions), ", ")
                + ". The copy is faster without. ";
    return (calls + (sorts ? SORTED : "")).strip();
  }
}
