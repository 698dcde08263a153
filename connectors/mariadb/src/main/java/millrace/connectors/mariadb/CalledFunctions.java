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

/// Which stored functions a statement calls that reads rows, by the server's own rewriting of it:
/// views are resolved there.
final class CalledFunctions {

  private static final Pattern CALL = Pattern.compile("`([^`]+)`\\(");

  private CalledFunctions() {}

  /// What would make it cheaper, as a sentence; empty if it calls none, or if the server does not
  /// say.
  static String help(Statement aside, String statement, boolean isMariaDb) {
    Set<String> names = new TreeSet<>();
    try {
      aside.executeQuery((isMariaDb ? "EXPLAIN EXTENDED " : "EXPLAIN ") + statement).close();
      ResultSet notes = aside.executeQuery("SHOW WARNINGS");
      while (notes.next()) {
        Matcher call = CALL.matcher(notes.getString(3));
        while (call.find()) {
          names.add(call.group(1));
        }
      }
    } catch (SQLException e) {
      LoggerFactory.getLogger(CalledFunctions.class).debug("no plan of {}", statement, e);
    }
    return names.isEmpty()
        ? ""
        : "What is read calls "
            + (names.size() == 1 ? "the function " : "functions: ")
            + NameList.spelled(List.copyOf(names), ", ")
            + ". The copy is faster without.";
  }
}
