package millrace.connectors.mariadb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlDatabase;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.TableOrQuery;
import millrace.connectors.sql.read.HeldState;
import millrace.connectors.sql.read.HeldStates;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot.Held;
import org.jspecify.annotations.Nullable;

/// The tables of a job in one state, for as many connections as it has lanes. As with one table,
/// see {@link LockedStart}, all are locked against writers for the milliseconds in which the
/// connections begin.
final class HeldTables {

  private static final String SAVEPOINT = "millrace_begun";

  private static final String WHY_NOT =
      "SELECT t.table_schema, t.table_name, if(t.table_type LIKE '%VIEW', 'a view reads its own"
          + " state', if(e.transactions = 'YES', '', concat('a table of engine ',"
          + " coalesce(t.engine, 'none'), ' has no states'))) FROM information_schema.tables t"
          + " LEFT JOIN information_schema.engines e ON e.engine = t.engine"
          + " WHERE t.table_schema = ? AND t.table_name = ?";

  private final SqlDatabase database;
  private final SqlSession session;
  private final Names names;

  /// @param session locks the tables; it stays open, and has no transaction afterwards
  HeldTables(SqlDatabase database, SqlSession session) {
    this.database = database;
    this.session = session;
    names = database.dialect().names();
  }

  /// Takes the state.
  ///
  /// @param defaultDatabase that of tables that are named alone
  /// @param lanes how many connections see it
  Held take(List<Endpoint> ends, String defaultDatabase, int lanes, OpenContext context) {
    List<TableOrQuery> relations =
        ends.stream().map(end -> TableOrQuery.source(end, names, defaultDatabase)).toList();
    Map<TableName, String> refused = refused(tables(relations).toList());
    List<TableName> locked =
        tables(relations).filter(table -> "".equals(refused.get(table))).distinct().toList();
    if (locked.isEmpty()) {
      return Held.none(ends, why(relations, refused));
    }
    String locks =
        locked.stream().map(table -> table.sql(names)).collect(Collectors.joining(" READ, "));
    String refusal = LockedStart.refusal(session, locks);
    if (!refusal.isEmpty()) {
      return Held.none(ends, refusal);
    }
    List<SqlSession> begun = begun(locks, lanes);
    HeldState state =
        new HeldState(
            "",
            begun,
            List.of("ROLLBACK TO SAVEPOINT " + SAVEPOINT),
            () -> begun.forEach(SqlSession::close));
    List<@Nullable Endpoint> reading = new ArrayList<>();
    for (int i = 0; i < ends.size(); i++) {
      boolean isHeld =
          relations.get(i) instanceof TableOrQuery.Table(TableName table)
              && "".equals(refused.get(table));
      reading.add(isHeld ? ends.get(i) : null);
    }
    HeldStates.keep(state, reading.stream().flatMap(Stream::ofNullable).toList(), context);
    return new Held(reading, why(relations, refused), state::close);
  }

  private static Stream<TableName> tables(List<TableOrQuery> relations) {
    return relations.stream()
        .filter(TableOrQuery.Table.class::isInstance)
        .map(each -> ((TableOrQuery.Table) each).name());
  }

  private static String why(List<TableOrQuery> relations, Map<TableName, String> refused) {
    for (TableOrQuery each : relations) {
      String why =
          each instanceof TableOrQuery.Table(TableName name)
              ? refused.getOrDefault(name, "")
              : "a query reads its own state";
      if (!why.isEmpty()) {
        return why;
      }
    }
    return "";
  }

  /// Why each table can't be read in one state with others; empty if it can. One that is not there
  /// has no entry.
  private Map<TableName, String> refused(List<TableName> tables) {
    Map<TableName, String> refused = new HashMap<>();
    for (TableName table : tables) {
      session.<@Nullable String>query(
          WHY_NOT,
          row -> {
            // Whether case counts is the server's to say, and its catalog ignores it.
            TableName found = new TableName(row.getString(1), row.getString(2));
            return found.identity(names).equals(table.identity(names))
                ? refused.put(table, row.getString(3))
                : null;
          },
          table.schema(),
          table.name());
    }
    return refused;
  }

  private List<SqlSession> begun(String locks, int lanes) {
    List<SqlSession> begun = new ArrayList<>();
    try {
      while (begun.size() < lanes) {
        begun.add(SqlSession.open(database, false));
      }
      try (SqlSession locker = session.additional(database)) {
        LockedStart.locked(
            locker, locks, () -> begun.forEach(each -> each.begin(LockedStart.BEGIN)));
      }
      begun.forEach(each -> each.execute("SAVEPOINT " + SAVEPOINT));
      return begun;
    } catch (RuntimeException e) {
      begun.forEach(SqlSession::close);
      throw e;
    }
  }
}
