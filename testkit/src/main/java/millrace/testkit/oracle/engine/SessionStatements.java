package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.ParsedSql;
import millrace.testkit.oracle.sql.TokenReader;

/// Statements about the session and its transaction.
final class SessionStatements {

  private static final Pattern OFFSET = Pattern.compile("([+-])(\\d{1,2}):(\\d{1,2})");

  private final OraSession session;
  private final TokenReader in;

  private SessionStatements(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
  }

  static void run(OraSession session, ParsedSql parsed) throws OraException {
    SessionStatements statements = new SessionStatements(session, new TokenReader(parsed.sql()));
    try {
      switch (parsed.kind()) {
        case COMMIT -> session.commit();
        case ROLLBACK -> statements.rollback();
        case SAVEPOINT -> statements.savepoint();
        case ALTER_SESSION -> statements.alterSession();
        case SET_TRANSACTION -> statements.setTransaction();
        case LOCK_TABLE -> statements.lockTable();
        default -> throw OraException.unsupported("this statement", parsed.sql());
      }
    } catch (SQLException e) {
      throw H2Errors.of(e, parsed.sql(), null, false);
    }
  }

  private void rollback() throws OraException, SQLException {
    in.expect("ROLLBACK");
    in.accept("WORK");
    if (!in.accept("TO")) {
      session.rollback();
      return;
    }
    in.accept("SAVEPOINT");
    h2("ROLLBACK TO SAVEPOINT " + ObjectName.quote(in.name()));
  }

  private void savepoint() throws OraException, SQLException {
    in.expect("SAVEPOINT");
    h2("SAVEPOINT " + ObjectName.quote(in.name()));
  }

  private void alterSession() throws OraException, SQLException {
    in.expect("ALTER", "SESSION");
    if (!in.accept("SET")) {
      // ENABLE PARALLEL DML, ADVISE and the like change nothing here.
      return;
    }
    while (!in.atEnd()) {
      String name = in.name();
      in.accept("=");
      String value = in.next().text();
      switch (name) {
        case "CURRENT_SCHEMA" -> useSchema(value);
        case "TIME_ZONE" -> setTimeZone(value);
        case "ISOLATION_LEVEL" -> session.setSerializable(value.equals("SERIALIZABLE"));
        default -> {
          // NLS parameters and the optimizer's: dates and numbers travel as bytes.
          while (!in.atEnd() && !in.peek(1).is("=")) {
            in.next();
          }
        }
      }
    }
  }

  private void useSchema(String value) throws OraException, SQLException {
    if (!session.database().catalog().schemas().contains(value)) {
      throw new OraException(1435, "user does not exist");
    }
    session.useSchema(value);
  }

  private void setTimeZone(String value) throws OraException {
    try {
      // Hours and minutes may have one digit each.
      Matcher offset = OFFSET.matcher(value);
      String name =
          offset.matches()
              ? "%s%02d:%02d"
                  .formatted(
                      offset.group(1),
                      Integer.parseInt(offset.group(2)),
                      Integer.parseInt(offset.group(3)))
              : value;
      session.settings().zone = ZoneId.of(name);
      session.settings().zoneName = name;
    } catch (DateTimeException e) {
      throw new OraException(1882, "timezone region not found", e);
    }
  }

  private void setTransaction() throws OraException, SQLException {
    in.expect("SET");
    if (in.accept("ROLE") || in.accept("CONSTRAINTS") || in.accept("CONSTRAINT")) {
      return;
    }
    in.expect("TRANSACTION");
    if (session.hasChanges()) {
      throw new OraException(1453, "SET TRANSACTION must be first statement of transaction");
    }
    boolean fixed = in.accept("READ", "ONLY") || in.accept("ISOLATION", "LEVEL", "SERIALIZABLE");
    if (fixed) {
      session.fixTransaction();
    }
  }

  private void lockTable() throws OraException {
    in.expect("LOCK", "TABLE");
    ObjectName name = in.objectName(session.settings().schema);
    OraTable table = session.names().table(name);
    session.rights().checkSees(table);
    in.expect("IN");
    boolean exclusive = in.accept("EXCLUSIVE");
    while (!in.accept("MODE")) {
      in.next();
      if (in.atEnd()) {
        throw in.unexpected("MODE was expected");
      }
    }
    long wait = OraSession.LOCK_SECONDS;
    if (in.accept("NOWAIT")) {
      wait = 0;
    } else if (in.accept("WAIT")) {
      wait = in.integer();
    }
    session.lock(table, exclusive ? TableLocks.Mode.EXCLUSIVE : TableLocks.Mode.ROWS, wait);
    session.setDirty();
  }

  private void h2(String sql) throws SQLException {
    try (Statement statement = session.connection().createStatement()) {
      statement.execute(sql);
    }
  }
}
