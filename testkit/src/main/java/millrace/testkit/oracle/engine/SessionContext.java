package millrace.testkit.oracle.engine;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import millrace.testkit.oracle.OracleRelease;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraSequence;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.dictionary.DictionaryContext;
import millrace.testkit.oracle.dictionary.SessionFigures;
import millrace.testkit.oracle.dictionary.SessionNumber;
import millrace.testkit.oracle.dictionary.SessionWait;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.value.DatabaseCharset;

/// What the views show to a session.
final class SessionContext implements DictionaryContext {

  private final OraSession session;

  SessionContext(OraSession session) {
    this.session = session;
  }

  @Override
  public OraCatalog catalog() {
    return session.database().catalog().seenBy(session.rights());
  }

  @Override
  public OracleRelease release() {
    return session.database().release();
  }

  @Override
  public DatabaseCharset charset() {
    return session.database().charset();
  }

  @Override
  public SessionRow self() {
    return row(session, 0);
  }

  /// @param rowBlocker the session that has a row that it wants; 0 for none
  private static SessionRow row(OraSession of, long rowBlocker) {
    OraSession.SessionSettings settings = of.settings();
    return new SessionRow(
        of.number(),
        of.user(),
        settings.machine,
        settings.program,
        settings.module,
        settings.action,
        of.isActive(),
        of.isInTransaction(),
        rowBlocker == 0
            ? of.waits()
            : new SessionWait("enq: TX - row lock contention", "Application", rowBlocker),
        of.figures());
  }

  @Override
  public Collection<SessionRow> sessions() {
    Map<Long, Long> rowBlockers = rowBlockers();
    return session.database().sessions().stream()
        .filter(each -> each.number().instance() == session.number().instance())
        .map(each -> row(each, rowBlockers.getOrDefault(each.id(), 0L)))
        .toList();
  }

  @Override
  public SessionNumber number(long id) {
    return session.database().number(id);
  }

  /// Which session has a row that another one waits for, as H2 knows it.
  private Map<Long, Long> rowBlockers() {
    Map<Long, Long> ids = new HashMap<>();
    session.database().sessions().forEach(each -> ids.put(each.embeddedId(), each.id()));
    Map<Long, Long> blockers = new HashMap<>();
    try (Statement statement = session.connection().createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT SESSION_ID, BLOCKER_ID FROM INFORMATION_SCHEMA.SESSIONS"
                    + " WHERE BLOCKER_ID IS NOT NULL")) {
      while (row.next()) {
        Long waits = ids.get(row.getLong(1));
        Long blocker = ids.get(row.getLong(2));
        if (waits != null && blocker != null) {
          blockers.put(waits, blocker);
        }
      }
      return blockers;
    } catch (SQLException e) {
      throw new IllegalStateException("the embedded database does not tell its sessions", e);
    }
  }

  @Override
  public SessionFigures system() {
    SessionFigures all = new SessionFigures();
    all.add(session.database().ended());
    session.database().sessions().forEach(each -> all.add(each.figures()));
    return all;
  }

  @Override
  public long takeScn() {
    try {
      return session.database().snapshots().take();
    } catch (SQLException e) {
      throw new IllegalStateException("no snapshot", e);
    }
  }

  @Override
  public Instant started() {
    return session.database().started();
  }

  @Override
  public String currentSchema() {
    return session.settings().schema;
  }

  @Override
  public String timeZone() {
    return session.settings().zoneName;
  }

  @Override
  public boolean isGranted(String view) {
    return session.database().grants().contains(view);
  }

  @Override
  public boolean isClosed(String view) {
    return session.database().closed().contains(view);
  }

  /// How many rows a table has.
  long rowCount(OraTable table) {
    return number("COUNT(*)", table);
  }

  @Override
  public long lastRow(OraTable table) {
    return number("COALESCE(MAX(_ROWID_), 0)", table);
  }

  private long number(String sql, OraTable table) {
    String name = new ObjectName(table.schema(), table.name()).h2();
    try (Statement statement = session.connection().createStatement();
        ResultSet row = statement.executeQuery("SELECT " + sql + " FROM " + name)) {
      row.next();
      return row.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException("the rows of " + name + " can't be counted", e);
    }
  }

  @Override
  public long lastNumber(OraSequence sequence) {
    String sql =
        "SELECT BASE_VALUE FROM INFORMATION_SCHEMA.SEQUENCES"
            + " WHERE SEQUENCE_SCHEMA = ? AND SEQUENCE_NAME = ?";
    try (PreparedStatement statement = session.connection().prepareStatement(sql)) {
      statement.setString(1, sequence.schema());
      statement.setString(2, sequence.name());
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getLong(1) : sequence.start();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("the sequence " + sequence.name() + " is not there", e);
    }
  }

  @Override
  public Map<String, List<List<Object>>> chunks() {
    return session.database().chunks().rows();
  }
}
