package millrace.testkit.oracle.engine;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraColumn;
import millrace.testkit.oracle.catalog.OraIndex;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.rules.BindValues;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.RowRules;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.value.ColumnSpec;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;

/// A direct path load: rows are set aside until it is finished, then all of them are there at once.
///
/// The rules for single values hold as rows come. Unique keys are looked at when it is finished: if
/// one is hurt, the rows stay and its index becomes unusable, as Oracle's own loader leaves it. The
/// session's thread uses it.
public final class DirectPathLoad {

  private static final int BATCH = 256;

  private final OraSession session;
  private final Request request;
  private final OraTable table;
  private final List<OraColumn> columns;
  private final String stage;
  private final PreparedStatement insert;
  private int waiting;
  private long rows;

  /// What a client asks for.
  ///
  /// @param partition the only partition or subpartition that is loaded; null for all
  /// @param parallel whether others may load the table meanwhile
  /// @param skipIndexes whether indexes are left behind
  public record Request(
      String schema,
      String table,
      @Nullable String partition,
      List<String> columns,
      boolean parallel,
      boolean skipIndexes) {}

  private DirectPathLoad(
      OraSession session, Request request, OraTable table, List<OraColumn> columns, String stage)
      throws SQLException {
    this.session = session;
    this.request = request;
    this.table = table;
    this.columns = columns;
    this.stage = stage;
    String marks = "?" + ", ?".repeat(columns.size() - 1);
    insert =
        session
            .connection()
            .prepareStatement("INSERT INTO " + stage + names() + " VALUES (" + marks + ")");
  }

  static DirectPathLoad open(OraSession session, Request request) throws OraException {
    if (session.hasChanges()) {
      throw new OraException(26085, "direct path operation must start its own transaction");
    }
    OraTable table = session.names().table(new ObjectName(request.schema(), request.table()));
    session.rights().check("INSERT", table);
    if (table.hasEnabledTrigger()) {
      throw new OraException(26086, "direct path does not support triggers");
    }
    List<OraColumn> columns = columns(request, table);
    checkPartition(request, table);
    lock(session, request, table);
    String stage = "ORA." + ObjectName.quote("LOAD$" + session.id() + "_" + table.objectId());
    try (Statement statement = session.connection().createStatement()) {
      String name = new ObjectName(table.schema(), table.name()).h2();
      statement.execute("DROP TABLE IF EXISTS " + stage);
      statement.execute("CREATE TABLE " + stage + " AS SELECT * FROM " + name + " WHERE FALSE");
      Set<String> loaded = new HashSet<>(request.columns());
      RowRules.createForLoad(session.database().number(), table, loaded, stage, statement);
      DirectPathLoad load = new DirectPathLoad(session, request, table, columns, stage);
      session.setLoad(load);
      return load;
    } catch (SQLException e) {
      throw H2Errors.of(e, "direct path load", table, false);
    }
  }

  /// Loads beside each other leave no index that could be kept up to date.
  private static void lock(OraSession session, Request request, OraTable table)
      throws OraException {
    if (request.parallel()) {
      if (!table.indexes().isEmpty() && !request.skipIndexes()) {
        throw new OraException(
            26002,
            "Table %s.%s has index defined upon it.".formatted(table.schema(), table.name()));
      }
    }
    TableLocks.Mode mode =
        request.parallel() ? TableLocks.Mode.PARALLEL_LOAD : TableLocks.Mode.EXCLUSIVE;
    if (request.partition() == null) {
      session.lock(table, mode, 0);
    } else {
      session.lockPart(table, request.partition(), mode, 0);
    }
  }

  private static List<OraColumn> columns(Request request, OraTable table) throws OraException {
    List<OraColumn> columns = new ArrayList<>();
    for (String name : request.columns()) {
      OraColumn column = table.column(name);
      if (column == null) {
        throw new OraException(904, "\"" + name + "\": invalid identifier");
      }
      if (column.generation() == OraColumn.Generation.VIRTUAL) {
        throw new OraException(54013, "INSERT operation disallowed on virtual columns");
      }
      columns.add(column);
    }
    return columns;
  }

  private static void checkPartition(Request request, OraTable table) throws OraException {
    String wanted = request.partition();
    Partitioning division = table.partitioning();
    if (wanted == null) {
      return;
    }
    if (division == null || !division.names().contains(wanted)) {
      throw new OraException(2149, "Specified partition does not exist");
    }
    if (table.indexes().stream().anyMatch(index -> !index.local())) {
      throw new OraException(
          26017, "global indexes not allowed for direct path load of table partition " + wanted);
    }
  }

  private String names() {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(ObjectName.quote(column.name())));
    return " (" + String.join(", ", names) + ")";
  }

  public OraTable table() {
    return table;
  }

  /// The columns, in the order in which their values come.
  public List<ColumnSpec> columns() {
    return columns.stream()
        .map(column -> column.type().spec(column.name(), column.nullable()))
        .toList();
  }

  /// How many rows came so far.
  public long rows() {
    return rows;
  }

  /// Takes a row; {@link #flush} must follow before the call is answered.
  public void add(@Nullable Object[] row) throws OraException {
    rows++;
    if (session.database().discards(table)) {
      return;
    }
    try {
      for (int i = 0; i < row.length; i++) {
        BindValues.set(insert, i + 1, row[i], columns.get(i), session.settings().zone);
      }
      insert.addBatch();
      if (++waiting == BATCH) {
        flush();
      }
    } catch (SQLException e) {
      throw H2Errors.of(e, "direct path load", table, false);
    }
  }

  /// Sets aside the rows that have come.
  public void flush() throws OraException {
    if (waiting == 0) {
      return;
    }
    waiting = 0;
    RowRules.expect(request.partition());
    try {
      insert.executeBatch();
    } catch (SQLException e) {
      // The reason stands behind H2's list of those that failed.
      SQLException reason = e.getNextException();
      throw H2Errors.of(reason == null ? e : reason, "direct path load", table, false);
    } finally {
      RowRules.expect(null);
    }
  }

  /// Puts the rows into the table and commits.
  public void finish() throws OraException {
    try {
      if (request.skipIndexes()) {
        String part = request.partition() == null ? OraIndex.WHOLE : request.partition();
        for (OraIndex index : List.copyOf(table.indexes())) {
          Enforcement.drop(session, table, index, part);
        }
      }
      checkIndexes();
      insertAll();
      session.setDirty();
      session.figures().rowsWritten().add(rows);
      session.commit();
    } catch (SQLException e) {
      throw H2Errors.of(e, "direct path load", table, false);
    }
    end();
  }

  /// A load without skipping does not begin on a unique index that is unusable.
  private void checkIndexes() throws OraException {
    for (OraIndex index : table.indexes()) {
      if (index.unique() && !index.usable() && !request.skipIndexes()) {
        throw new OraException(
            26026,
            "unique index %s.%s initially in unusable state"
                .formatted(table.schema(), index.name()));
      }
    }
  }

  private void insertAll() throws SQLException, OraException {
    String target = new ObjectName(table.schema(), table.name()).h2();
    String sql =
        "INSERT INTO "
            + target
            + names()
            + " SELECT"
            + names().replaceAll("[()]", "")
            + " FROM "
            + stage;
    try (Statement statement = session.connection().createStatement()) {
      while (true) {
        try {
          statement.executeUpdate(sql);
          return;
        } catch (SQLException e) {
          OraIndex hurt = hurt(e);
          if (hurt == null) {
            throw e;
          }
          Enforcement.drop(session, table, hurt, OraIndex.WHOLE);
        }
      }
    }
  }

  /// The unique index that the rows do not keep to; null if something else is wrong.
  private @Nullable OraIndex hurt(SQLException e) {
    if (e.getErrorCode() != ErrorCode.DUPLICATE_KEY_1) {
      return null;
    }
    String message = String.valueOf(e.getMessage());
    for (OraIndex index : table.indexes()) {
      if (index.usable() && message.contains("." + index.name() + " ")) {
        return index;
      }
    }
    return null;
  }

  /// Forgets the rows.
  public void abort() throws OraException {
    // First, because H2 commits what else is open when the table of waiting rows is dropped.
    session.rollback();
    end();
  }

  private void end() throws OraException {
    session.setLoad(null);
    try (Statement statement = session.connection().createStatement()) {
      insert.close();
      statement.execute("DROP TABLE IF EXISTS " + stage);
    } catch (SQLException e) {
      throw H2Errors.of(e, "direct path load", table, false);
    }
  }
}
