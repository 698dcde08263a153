package millrace.connectors.oracle;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/// Reads V$ views on a connection of its own, and remembers which of them the user may not see.
///
/// One thread at a time.
final class ViewReader implements AutoCloseable {

  /// How long nobody waits for figures of a network that has gone silent.
  static final int ANSWER_SECONDS_MAX = 5;

  private static final List<Integer> CLOSED =
      List.of(OracleFaults.NO_TABLE, OracleFaults.NO_RIGHT, OracleFaults.LACKS_RIGHT);

  private static final int FEW_ROWS = 500;
  private static final String NO_COUNTERS = "the server's counters: ";

  private final String user;
  private final String whyNot;
  private final Map<String, String> missing = new LinkedHashMap<>();
  private @Nullable Connection aside;

  /// A figure.
  ///
  /// @param id of what it belongs to; 0 for the whole server
  record Row(String name, long value, long id) {}

  private ViewReader(String user, String whyNot, @Nullable Connection aside) {
    this.user = user;
    this.whyNot = whyNot;
    this.aside = aside;
  }

  /// Connects; if that fails, {@link #whyNot} says so.
  static ViewReader open(OracleConnections connections) {
    try {
      Connection aside = connections.aside();
      return new ViewReader(aside.getMetaData().getUserName(), "", aside);
    } catch (SQLException e) {
      Fault fault = OracleFaults.TABLE.of(e, connections.address().server());
      return new ViewReader("", NO_COUNTERS + fault.clause(), null);
    } catch (Fault e) {
      return new ViewReader("", NO_COUNTERS + e.clause(), null);
    }
  }

  /// Why there is no connection, as a sentence without its end; empty if there is one.
  String whyNot() {
    return whyNot;
  }

  /// Null if there is none.
  @Nullable Connection connection() {
    return aside;
  }

  /// The rows of a query that gives a name, a value and a number; none if the user may not see one
  /// of its views, or they do not answer.
  ///
  /// @param view the first of them, by which the others are given up, too
  List<Row> rows(String view, List<String> others, String sql) {
    Connection open = aside;
    if (open == null || missing.containsKey(view)) {
      return List.of();
    }
    List<Row> found = new ArrayList<>();
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(ANSWER_SECONDS_MAX);
      statement.setFetchSize(FEW_ROWS);
      ResultSet rows = statement.executeQuery(sql);
      while (rows.next()) {
        found.add(new Row(rows.getString(1), rows.getLong(2), rows.getLong(3)));
      }
      return found;
    } catch (SQLException e) {
      others.forEach(other -> probe(open, other));
      boolean isOther = others.stream().anyMatch(missing::containsKey);
      if (isOther) {
        probe(open, view);
        missing.putIfAbsent(view, "");
      } else if (!isClosedBy(view, e)) {
        missing.put(view, view + ": " + OracleFaults.TABLE.of(e, view).clause());
      }
      return List.of();
    }
  }

  /// Finds out whether the user may see a view.
  private void probe(Connection open, String view) {
    try (Statement statement = open.createStatement()) {
      statement.setQueryTimeout(ANSWER_SECONDS_MAX);
      statement.executeQuery("SELECT COUNT(*) FROM " + view + " WHERE ROWNUM = 0").close();
    } catch (SQLException e) {
      if (!isClosedBy(view, e)) {
        LoggerFactory.getLogger(ViewReader.class).debug("{} does not answer", view, e);
      }
    }
  }

  /// Whether the user may not see a view, as far as anybody has tried.
  boolean isClosed(String view) {
    return missing.containsKey(view);
  }

  /// Whether that is why a query failed; the view is then missing from now on.
  boolean isClosedBy(String view, SQLException e) {
    if (!CLOSED.contains(e.getErrorCode())) {
      return false;
    }
    missing.put(
        view,
        view
            + ": user "
            + user
            + " may not see it; an administrator can allow it: GRANT SELECT ON SYS."
            + view.replace("V$", "V_$")
            + " TO "
            + user
            + ";");
    return true;
  }

  /// What could not be read and why, one sentence without its end each.
  List<String> missing() {
    return missing.values().stream().filter(why -> !why.isEmpty()).toList();
  }

  @Override
  public void close() {
    try (Connection _ = aside) {
      aside = null;
    } catch (SQLException e) {
      LoggerFactory.getLogger(ViewReader.class).debug("not closed", e);
    }
  }
}
