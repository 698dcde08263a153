package millrace.testkit.oracle.engine;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.rules.ChunkTasks;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.value.OraRowid;
import org.jspecify.annotations.Nullable;

/// The procedures of Oracle's packages that a bulk loader or unloader calls.
final class Procedures {

  private static final int ROW_BYTES = 100;
  private static final List<String> PART = List.of("\"ORA$PART\"");
  private static final List<String> PARTS = List.of("\"ORA$PART\"", "\"ORA$SUBPART\"");

  private final OraSession session;
  private final Arguments arguments;

  /// What a call was given.
  record Arguments(List<@Nullable Object> values, Map<String, @Nullable Object> named) {

    @Nullable Object get(int index, String name) {
      return index < values.size() ? values.get(index) : named.get(name);
    }

    String text(int index, String name) {
      Object value = get(index, name);
      return value == null ? "" : value.toString();
    }

    BigDecimal number(int index, String name, int other) {
      Object value = get(index, name);
      return value instanceof Number given
          ? new BigDecimal(given.toString())
          : BigDecimal.valueOf(other);
    }
  }

  Procedures(OraSession session, Arguments arguments) {
    this.session = session;
    this.arguments = arguments;
  }

  /// Calls a procedure.
  ///
  /// @return false if there is no such procedure here
  boolean run(String name) throws OraException {
    boolean isTask = name.startsWith(ChunkTasks.PACKAGE + ".");
    if (isTask && session.database().closed().contains(ChunkTasks.PACKAGE)) {
      return false;
    }
    if (isTask) {
      session.database().checkWritable();
    }
    switch (name) {
      case "DBMS_PARALLEL_EXECUTE.CREATE_TASK" ->
          session.database().chunks().create(arguments.text(0, "TASK_NAME"));
      case "DBMS_PARALLEL_EXECUTE.DROP_TASK" ->
          session.database().chunks().drop(arguments.text(0, "TASK_NAME"));
      case "DBMS_PARALLEL_EXECUTE.CREATE_CHUNKS_BY_ROWID" -> chunks();
      case "DBMS_STATS.GATHER_TABLE_STATS" ->
          gather(table(arguments.text(0, "OWNNAME"), arguments.text(1, "TABNAME")));
      case "DBMS_STATS.DELETE_TABLE_STATS" ->
          table(arguments.text(0, "OWNNAME"), arguments.text(1, "TABNAME")).setStatistics(null);
      case "DBMS_RLS.ADD_POLICY" ->
          table(arguments.text(0, "OBJECT_SCHEMA"), arguments.text(1, "OBJECT_NAME"))
              .attached()
              .add(List.of("POLICY", arguments.text(2, "POLICY_NAME")));
      case "DBMS_APPLICATION_INFO.SET_MODULE" ->
          session.setModule(arguments.text(0, "MODULE_NAME"), arguments.text(1, "ACTION_NAME"));
      case "DBMS_APPLICATION_INFO.SET_ACTION" ->
          session.setModule(session.settings().module, arguments.text(0, "ACTION_NAME"));
      case "DBMS_APPLICATION_INFO.SET_CLIENT_INFO",
          "DBMS_SESSION.SET_IDENTIFIER",
          "DBMS_OUTPUT.ENABLE",
          "DBMS_OUTPUT.DISABLE",
          "DBMS_OUTPUT.PUT_LINE" -> {}
      case "DBMS_SESSION.SLEEP", "DBMS_LOCK.SLEEP" ->
          session.sleep(arguments.number(0, "SECONDS", 0).movePointRight(3).longValue());
      default -> {
        return false;
      }
    }
    return true;
  }

  private OraTable table(String owner, String name) throws OraException {
    String schema = owner.isEmpty() ? session.user() : unquoted(owner);
    return session.names().table(new ObjectName(schema, unquoted(name)));
  }

  private static String unquoted(String name) {
    return name.startsWith("\"") ? name.replace("\"", "") : name.toUpperCase(Locale.ROOT);
  }

  /// The first row's number and the last's, and how many there are, in that order.
  private long[] rows(OraTable table) throws OraException {
    String name = new ObjectName(table.schema(), table.name()).h2();
    String sql =
        "SELECT COALESCE(MIN(_ROWID_), 0), COALESCE(MAX(_ROWID_), -1), COUNT(*) FROM " + name;
    try (Statement statement = session.connection().createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new long[] {row.getLong(1), row.getLong(2), row.getLong(3)};
    } catch (SQLException e) {
      throw H2Errors.of(e, sql, table, false);
    }
  }

  private void chunks() throws OraException {
    OraTable table = table(arguments.text(1, "TABLE_OWNER"), arguments.text(2, "TABLE_NAME"));
    if (table.isExternal() || table.cluster() != null) {
      throw new OraException(29491, "invalid table for chunking");
    }
    long[] rows = rows(table);
    Object byRow = arguments.get(3, "BY_ROW");
    boolean inRows = byRow instanceof Boolean truth ? truth : !String.valueOf(byRow).equals("0");
    long size = arguments.number(4, "CHUNK_SIZE", 1000).longValue();
    session.commit();
    session
        .database()
        .chunks()
        .cut(
            arguments.text(0, "TASK_NAME"),
            table.dataObjects(),
            rows[0],
            rows[1],
            inRows ? size : size * OraRowid.ROWS_IN_BLOCK);
  }

  private void gather(OraTable table) throws OraException {
    long count = rows(table)[2];
    session.commit();
    table.setStatistics(
        new OraTable.Statistics(
            count, count / OraRowid.ROWS_IN_BLOCK + 1, ROW_BYTES, parts(table)));
  }

  /// How many rows each partition and subpartition has.
  private Map<String, Long> parts(OraTable table) throws OraException {
    Map<String, Long> rows = new HashMap<>();
    Partitioning division = table.partitioning();
    if (division == null) {
      return rows;
    }
    String from = " FROM " + new ObjectName(table.schema(), table.name()).h2();
    for (String column : division.subpartitions() == 0 ? PART : PARTS) {
      String sql = "SELECT %1$s, COUNT(*)%2$s GROUP BY %1$s".formatted(column, from);
      try (Statement statement = session.connection().createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        while (row.next()) {
          rows.put(row.getString(1), row.getLong(2));
        }
      } catch (SQLException e) {
        throw H2Errors.of(e, sql, table, false);
      }
    }
    return rows;
  }
}
