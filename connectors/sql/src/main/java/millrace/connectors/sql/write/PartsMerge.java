package millrace.connectors.sql.write;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.ServerDialect.MergeStatements;
import millrace.connectors.sql.SqlFaults;
import millrace.connectors.sql.SqlSession;
import millrace.fault.Fault;
import millrace.spi.write.MergeCounts;
import org.jspecify.annotations.Nullable;

/// How rows that several sessions have staged are merged into their table, within a transaction.
///
/// @param places where the rows stood in the source
record PartsMerge(SqlLoad plan, ServerDialect dialect, SqlSession session, StagedPlaces places) {

  private static final String SAVEPOINT = "millrace_merge";

  /// Does it.
  ///
  /// @throws Fault.Data if the table refuses a row, with its place and its key
  MergeCounts run() {
    MergeStatements statements = dialect.merge(tables());
    long superseded = session.update(statements.dropSuperseded());
    long keys = count("SELECT count(*) FROM " + staging());
    long found = count(statements.countFound());
    long changed = others().isEmpty() ? 0 : count(statements.countChanged());
    if (changed > 0) {
      change(statements.update());
    }
    long inserted = keys == found ? 0 : change(statements.insert());
    return new MergeCounts(inserted, changed, found - changed, superseded);
  }

  private ServerDialect.MergeTables tables() {
    return new ServerDialect.MergeTables(
        plan.table().sql(names()),
        staging(),
        plan.key().stream().map(names()::quoted).toList(),
        others(),
        names().quoted(StagedPlaces.ORDER));
  }

  private Names names() {
    return dialect.names();
  }

  private String staging() {
    return plan.staging().sql(names());
  }

  /// The columns that are no part of the key: those of it stay as the table has them.
  private List<String> others() {
    return plan.columns().names().stream()
        .filter(name -> !plan.key().contains(name))
        .map(names()::quoted)
        .toList();
  }

  private long count(String query) {
    return session.query(query, row -> row.getLong(1)).getFirst();
  }

  private long change(UnaryOperator<String> statement) {
    long[] done = {0};
    if (attempt(statement.apply(""), done) != null) {
      throw refused(statement);
    }
    return done[0];
  }

  /// Runs a statement, and undoes what it did if the table refuses a row. Returns why, or null.
  private @Nullable SQLException attempt(String sql, long[] done) {
    session.setSavepoint(dialect.statements().savepoints(), SAVEPOINT);
    SQLException why =
        session.<@Nullable SQLException>run(open -> {
          try (PreparedStatement statement = open.prepareStatement(sql)) {
            session.runs(statement);
            done[0] = statement.executeLargeUpdate();
            return null;
          } catch (SQLException e) {
            if (dialect.faults().kind(e) != SqlFaults.Kind.DATA) {
              throw e;
            }
            return e;
          }
        });
    if (why != null) {
      session.undo(dialect.statements().savepoints(), SAVEPOINT);
    }
    return why;
  }

  /// Finds the first row that is refused.
  private Fault refused(UnaryOperator<String> statement) {
    String order = names().quoted(StagedPlaces.ORDER);
    long first = count("SELECT min(%s) FROM %s".formatted(order, staging()));
    long last = count("SELECT max(%s) FROM %s".formatted(order, staging()));
    RejectBisector.run(
        first,
        last + 1,
        (from, to) ->
            attempt(
                statement.apply(
                    " AND fresh.%s >= %d AND fresh.%s < %d".formatted(order, from, order, to)),
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
                    staging(),
                    names().quoted(StagedPlaces.ORDER),
                    at),
            row -> {
              List<String> values = new ArrayList<>();
              for (int i = 1; i <= columns.size(); i++) {
                values.add(SqlLoad.shown(String.valueOf(row.getString(i))));
              }
              String said = plan.refusal(why, name -> values.get(columns.indexOf(name)));
              long number = row.getLong(columns.size() + 2);
              return places.refused(at, number, row.getLong(columns.size() + 3), said);
            })
        .getFirst();
  }
}
