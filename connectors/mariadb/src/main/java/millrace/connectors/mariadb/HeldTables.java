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

  /// Why a table can't be read in one state with others; empty if it can. One that is not there has
  /// no entry.
  private Map<TableName, String> refused(List<TableName> tables) {
    Map<TableName, String> refused = new HashMap<>();
    if (tables.isEmpty()) {
      return refused;
    }
    String all = tables.stream().map(_ -> "(?, ?)").collect(Collectors.joining(", "));
    List<String> texts =
        tables.stream().flatMap(table -> Stream.of(table.schema(), table.name())).toList();
    record Seen(String key, String why) {}
    Map<String, String> seen =
        session
            .query(
                "SELECT t.table_schema, t.table_name, t.table_type, coalesce(t.engine, 'none'),"
                    + " coalesce(e.transactions, '') FROM information_schema.tables t"
                    + " LEFT JOIN information_schema.engines e ON e.engine = t.engine"
                    + " WHERE (t.table_schema, t.table_name) IN ("
                    + all
                    + ")",
                row ->
                    new Seen(
                        key(new TableName(row.getString(1), row.getString(2))),
                        whyNot(row.getString(3), row.getString(4), row.getString(5))),
                texts.toArray(String[]::new))
            .stream()
            .collect(Collectors.toMap(Seen::key, Seen::why, (one, _) -> one));
    for (TableName table : tables) {
      String why = seen.get(key(table));
      if (why != null) {
        refused.put(table, why);
      }
    }
    return refused;
  }

  /// The same for all spellings of one table, and for no other table.
  private String key(TableName table) {
    return table.identity(names);
  }

  private static String whyNot(String kind, String engine, String transactions) {
    if (kind.contains("VIEW")) {
      return "a view reads its own state";
    }
    return transactions.equals("YES") ? "" : "a table of engine " + engine + " has no states";
  }

  private List<SqlSession> begun(String locks, int lanes) {
    List<SqlSession> begun = new ArrayList<>();
    try {
      while (begun.size() < lanes) {
        begun.add(SqlSession.open(database, false));
      }
      try (SqlSession locker = session.beside(database)) {
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
