package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraConstraint;
import millrace.testkit.oracle.catalog.OraTable;
import millrace.testkit.oracle.rules.H2Errors;
import millrace.testkit.oracle.rules.TableLocks;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.SqlNames;
import millrace.testkit.oracle.sql.TokenReader;

/// Carries out DDL: in H2, and in the catalogue. The transaction is committed before and after.
final class DdlRunner {

  private final OraSession session;
  private final OraCatalog catalog;
  private final String schema;
  private final TokenReader in;

  private DdlRunner(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    catalog = session.database().catalog();
    schema = session.settings().schema;
  }

  static void run(OraSession session, String sql) throws OraException {
    session.database().checkWritable();
    session.commit();
    session.database().ddl().lock();
    try {
      new DdlRunner(session, new TokenReader(sql)).statement();
      session.setDirty();
    } catch (SQLException e) {
      throw H2Errors.of(e, sql, null, false);
    } finally {
      session.database().ddl().unlock();
      session.commit();
    }
  }

  private void statement() throws OraException, SQLException {
    if (in.accept("CREATE")) {
      create();
    } else if (in.accept("DROP")) {
      drop();
    } else if (in.accept("TRUNCATE", "TABLE")) {
      truncate();
    } else if (in.accept("ALTER")) {
      alter();
    } else if (in.accept("RENAME")) {
      OraTable table = table(new ObjectName(schema, in.name()));
      in.expect("TO");
      AlterTable.rename(session, table, in.name());
      table.setChanged();
    } else if (in.accept("COMMENT", "ON")) {
      comment();
    } else if (in.accept("GRANT")) {
      grant(true);
    } else if (in.accept("REVOKE")) {
      grant(false);
    } else if (!in.peek().isAny("PURGE", "ANALYZE")) {
      throw OraException.unsupported(in.peek().text(), in.sql());
    }
  }

  private void create() throws OraException, SQLException {
    boolean replace = in.accept("OR", "REPLACE");
    in.accept("FORCE");
    in.accept("EDITIONABLE");
    if (new CodeDdl(session, in).create(replace)) {
      return;
    }
    if (in.accept("VIEW")) {
      new TableDdl(session, in).createView(replace);
    } else if (in.peek().isAny("INDEX", "UNIQUE", "BITMAP")) {
      new IndexDdl(session, in).create();
    } else if (in.accept("SEQUENCE")) {
      new SequenceDdl(session, in).create();
    } else if (in.accept("MATERIALIZED", "VIEW", "LOG", "ON")) {
      OraTable table = table(in.objectName(schema));
      table.attached().add(List.of("LOG", "MLOG$_" + table.name()));
    } else if (in.accept("TRIGGER")) {
      new TriggerDdl(session, in).create();
    } else if (in.peek().isAny("TABLE", "GLOBAL", "PRIVATE")) {
      new TableDdl(session, in).create();
    } else {
      throw OraException.unsupported("CREATE " + in.peek().text(), in.sql());
    }
  }

  private void comment() throws OraException {
    boolean isOfTable = in.accept("TABLE");
    if (!isOfTable) {
      in.expect("COLUMN");
    }
    List<String> path = new ArrayList<>(List.of(in.name()));
    while (in.accept(".")) {
      path.add(in.name());
    }
    in.expect("IS");
    String text = in.next().text();
    String column = isOfTable ? "" : path.removeLast();
    OraTable of = table(new ObjectName(path.size() > 1 ? path.getFirst() : schema, path.getLast()));
    session.rights().checkSystem("COMMENT ANY TABLE", of.schema());
    if (isOfTable) {
      of.setComment(text);
    } else if (of.column(column) == null) {
      throw new OraException(904, "\"" + column + "\": invalid identifier");
    } else {
      of.columnComments().put(column, text);
    }
  }

  /// Keeps who may do what; anybody may grant.
  ///
  /// @param gives whether he may from now on, or no longer
  private void grant(boolean gives) throws OraException {
    List<String> privileges = new ArrayList<>();
    do {
      StringBuilder privilege = new StringBuilder(in.next().text());
      while (!in.atEnd() && !in.peek().isAny(",", "ON", "TO", "FROM")) {
        privilege.append(' ').append(in.next().text());
      }
      privileges.add(privilege.toString());
    } while (in.accept(","));
    ObjectName name = in.accept("ON") ? in.objectName(schema) : null;
    in.next();
    String grantee = in.name();
    for (String each : privileges) {
      if (name == null) {
        put(session.database().systemRights(grantee), each, gives);
      } else if (!name.schema().equals("SYS")) {
        put(table(name).grants(), List.of(each, grantee), gives);
      }
    }
    if (name != null && !name.schema().equals("SYS")) {
      table(name).setChanged();
    }
  }

  private static <T> void put(Set<T> set, T element, boolean gives) {
    if (gives) {
      set.add(element);
    } else {
      set.remove(element);
    }
  }

  private OraTable table(ObjectName name) throws OraException {
    return session.names().table(name);
  }

  private void drop() throws OraException, SQLException {
    if (in.accept("TABLE")) {
      dropTable();
    } else if (in.accept("VIEW")) {
      OraTable view = table(in.objectName(schema));
      Enforcement.execute(session, "DROP VIEW " + Enforcement.name(view));
      catalog.remove(view);
    } else if (in.accept("INDEX")) {
      new IndexDdl(session, in).drop();
    } else if (in.accept("SEQUENCE")) {
      new SequenceDdl(session, in).drop();
    } else if (in.accept("TRIGGER")) {
      new TriggerDdl(session, in).drop();
    } else {
      throw OraException.unsupported("DROP " + in.peek().text(), in.sql());
    }
  }

  private void dropTable() throws OraException, SQLException {
    boolean ifExists = in.accept("IF", "EXISTS");
    ObjectName name = in.objectName(schema);
    OraTable table = catalog.table(name.schema(), name.name());
    if (table == null || table.isView()) {
      if (ifExists) {
        return;
      }
      throw SqlNames.noTable(name);
    }
    session.rights().checkSees(table);
    session.rights().checkSystem("DROP ANY TABLE", table.schema());
    boolean cascade = in.accept("CASCADE", "CONSTRAINTS");
    if (!cascade && isReferenced(table)) {
      throw new OraException(2449, "unique/primary keys in table referenced by foreign keys");
    }
    session.lock(table, TableLocks.Mode.EXCLUSIVE, 0);
    Enforcement.execute(
        session, "DROP TABLE " + Enforcement.name(table) + (cascade ? " CASCADE" : ""));
    catalog.remove(table);
    if (cascade) {
      forgetReferences(table);
    }
  }

  private boolean refers(OraConstraint constraint, OraTable to) {
    OraConstraint.Reference reference = constraint.reference();
    return reference != null
        && reference.schema().equals(to.schema())
        && reference.table().equals(to.name());
  }

  private boolean isReferenced(OraTable table) {
    return catalog.tables().stream()
        .filter(other -> !other.equals(table))
        .flatMap(other -> other.constraints().stream())
        .anyMatch(constraint -> refers(constraint, table));
  }

  private void forgetReferences(OraTable table) {
    for (OraTable other : catalog.tables()) {
      other.constraints().removeIf(constraint -> refers(constraint, table));
    }
  }

  private void truncate() throws OraException, SQLException {
    OraTable table = table(in.objectName(schema));
    session.rights().checkSees(table);
    session.rights().checkSystem("DROP ANY TABLE", table.schema());
    session.lock(table, TableLocks.Mode.EXCLUSIVE, 0);
    for (OraTable other : catalog.tables()) {
      for (OraConstraint constraint : List.copyOf(other.constraints())) {
        if (!other.equals(table) && constraint.enabled() && refers(constraint, table)) {
          throw new OraException(
              2266, "unique/primary keys in table referenced by enabled foreign keys");
        }
      }
    }
    boolean selfReferring = table.constraints().stream().anyMatch(each -> refers(each, table));
    String verb = selfReferring ? "DELETE FROM " : "TRUNCATE TABLE ";
    Enforcement.execute(session, verb + Enforcement.name(table));
    IndexDdl.rebuildAll(session, table);
    table.setChanged();
  }

  private void alter() throws OraException, SQLException {
    if (in.accept("TABLE")) {
      new AlterTable(session, in).run();
    } else if (in.accept("INDEX")) {
      new IndexDdl(session, in).alter();
    } else if (in.accept("SEQUENCE")) {
      new SequenceDdl(session, in).alter();
    } else if (in.accept("TRIGGER")) {
      new TriggerDdl(session, in).alter();
    } else if (in.accept("TABLESPACE") || in.accept("DATABASE")) {
      catalog.setLogging(in.rest());
    } else if (!in.peek().isAny("SYSTEM", "USER")) {
      throw OraException.unsupported("ALTER " + in.peek().text(), in.sql());
    }
  }
}
