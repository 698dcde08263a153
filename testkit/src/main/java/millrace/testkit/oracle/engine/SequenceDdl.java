package millrace.testkit.oracle.engine;

import java.sql.SQLException;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.OraCatalog;
import millrace.testkit.oracle.catalog.OraSequence;
import millrace.testkit.oracle.sql.ObjectName;
import millrace.testkit.oracle.sql.TokenReader;

/// DDL of sequences.
final class SequenceDdl {

  private static final long CACHE = 20;

  private final OraSession session;
  private final OraCatalog catalog;
  private final TokenReader in;

  SequenceDdl(OraSession session, TokenReader in) {
    this.session = session;
    this.in = in;
    catalog = session.database().catalog();
  }

  void create() throws OraException, SQLException {
    ObjectName name = in.objectName(session.settings().schema);
    if (catalog.sequence(name.schema(), name.name()) != null) {
      throw new OraException(955, "name is already used by an existing object");
    }
    long start = 1;
    long increment = 1;
    long cache = CACHE;
    while (!in.atEnd()) {
      if (in.accept("START", "WITH")) {
        start = in.integer();
      } else if (in.accept("INCREMENT", "BY")) {
        increment = in.integer();
      } else if (in.accept("CACHE")) {
        cache = in.integer();
      } else if (in.accept("NOCACHE")) {
        cache = 0;
      } else if (in.accept("MAXVALUE") || in.accept("MINVALUE")) {
        in.integer();
      } else {
        word();
      }
    }
    Enforcement.execute(
        session,
        "CREATE SEQUENCE %s START WITH %d INCREMENT BY %d".formatted(name.h2(), start, increment));
    catalog.add(
        new OraSequence(
            name.schema(), name.name(), catalog.nextObjectId(), start, increment, cache));
  }

  private void word() throws OraException {
    if (!in.accept("NOMAXVALUE")
        && !in.accept("NOMINVALUE")
        && !in.accept("NOCYCLE")
        && !in.accept("NOORDER")
        && !in.accept("ORDER")
        && !in.accept("NOKEEP")) {
      throw in.unexpected("this is not known of a sequence");
    }
  }

  private OraSequence find(ObjectName name) throws OraException {
    OraSequence sequence = catalog.sequence(name.schema(), name.name());
    if (sequence == null) {
      throw new OraException(2289, "sequence does not exist");
    }
    return sequence;
  }

  void drop() throws OraException, SQLException {
    ObjectName name = in.objectName(session.settings().schema);
    catalog.remove(find(name));
    Enforcement.execute(session, "DROP SEQUENCE " + name.h2());
  }

  void alter() throws OraException, SQLException {
    ObjectName name = in.objectName(session.settings().schema);
    OraSequence sequence = find(name);
    if (in.accept("RESTART")) {
      long start = in.accept("START", "WITH") ? in.integer() : sequence.start();
      Enforcement.execute(session, "ALTER SEQUENCE %s RESTART WITH %d".formatted(name.h2(), start));
    } else if (in.accept("INCREMENT", "BY")) {
      long increment = in.integer();
      Enforcement.execute(
          session, "ALTER SEQUENCE %s INCREMENT BY %d".formatted(name.h2(), increment));
      catalog.add(
          new OraSequence(
              sequence.schema(),
              sequence.name(),
              sequence.objectId(),
              sequence.start(),
              increment,
              sequence.cache()));
    } else {
      throw in.unexpected("this is not known in ALTER SEQUENCE");
    }
  }
}
