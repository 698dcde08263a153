package millrace.connectors.sql.write;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSavepoint;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.connectors.sql.sink.RejectBisector;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Rows that wait for a merge, and the statements that bring them into their table. If the table
/// refuses one, it is found and named.
///
/// @param staged the table in which they wait
/// @param places where the rows stood in the source
public record StagedRows(SqlLoad plan, SqlSession session, TableName staged, StagedPlaces places) {

  private static final String SAVEPOINT = "millrace_merge";

  /// Does a part of the merge.
  interface Change {

    /// The statement.
    ///
    /// @param among a condition on the order of the staged rows, to put behind others
    String sql(Function<String, String> among);
  }

  /// Changes the table. Returns how many rows that made.
  ///
  /// @throws Fault.Data if it refuses a row, which is named
  long change(Change change) {
    String all = change.sql(_ -> "");
    if (!savepoint().exists()) {
      return session.update(all);
    }
    long[] done = {0};
    if (attempt(all, done) != null) {
      throw refused(change);
    }
    return done[0];
  }

  /// Runs a statement, and undoes what it did if the table refuses a row. Returns why, or null.
  private @Nullable SQLException attempt(String sql, long[] done) {
    SqlSavepoint savepoint = savepoint();
    savepoint.set();
    SQLException why =
        session.<@Nullable SQLException>run(open -> {
          // Prepared, since only then SQLite's driver leaves out what triggers change.
          try (PreparedStatement statement = open.prepareStatement(sql)) {
            session.runs(statement);
            done[0] = statement.executeLargeUpdate();
            return null;
          } catch (SQLException e) {
            if (plan.dialect().faults().kind(e) != SqlFaults.Kind.DATA) {
              throw e;
            }
            return e;
          }
        });
    if (why == null) {
      savepoint.release();
    } else {
      savepoint.undo();
    }
    return why;
  }

  private SqlSavepoint savepoint() {
    return new SqlSavepoint(session, plan.dialect().statements().savepoints(), SAVEPOINT);
  }

  /// Finds the first row that is refused.
  private Fault refused(Change change) {
    String order = names().quoted(StagedPlaces.ORDER);
    long first = count("SELECT min(%s) FROM %s".formatted(order, sql()));
    long last = count("SELECT max(%s) FROM %s".formatted(order, sql()));
    RejectBisector.run(
        first,
        last + 1,
        (from, to) ->
            attempt(
                change.sql(name -> " AND %s >= %d AND %s < %d".formatted(name, from, name, to)),
                new long[1]),
        (at, why) -> {
          throw refused(at, why);
        });
    return new Fault.Bug("a merge that was refused as a whole is taken in parts", null);
  }

  private Fault.Data refused(long at, SQLException why) {
    List<String> columns = plan.columns().names();
    return session
        .query(
            "SELECT %s FROM %s WHERE %s = %d"
                .formatted(
                    names().quoted(plan.filledColumns()),
                    sql(),
                    names().quoted(StagedPlaces.ORDER),
                    at),
            row -> {
              List<String> values = new ArrayList<>();
              for (int i = 1; i <= columns.size(); i++) {
                values.add(SqlLoad.shown(String.valueOf(row.getString(i))));
              }
              String message = plan.refusal(why, name -> values.get(columns.indexOf(name)));
              long number = row.getLong(columns.size() + 2);
              return places.refused(at, number, row.getLong(columns.size() + 3), message);
            })
        .getFirst();
  }

  /// The number that a query gives.
  long count(String query) {
    return session.query(query, row -> row.getLong(1)).getFirst();
  }

  private String sql() {
    return staged.sql(names());
  }

  private Names names() {
    return plan.dialect().names();
  }
}
