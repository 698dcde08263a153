package millrace.connectors.postgres.journal;

import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// Whether what an earlier run has left is still as it left it: others may have emptied, dropped or
/// changed a table since, and a crash of the server empties those without a write-ahead log.
public final class EarlierRunCheck {

  private EarlierRunCheck() {}

  /// How many rows are staged; -1 if this user may not read them. They are nowhere else, and a
  /// crash of the server empties such a table.
  static long stagedRows(Session session, QualifiedName staging) {
    Relation there = new PostgresCatalog(session).find(staging);
    if (there == null) {
      return 0;
    }
    return foreignOwner(session, there) == null ? CommittedRowsCheck.count(session, staging) : -1;
  }

  /// Whether rows that went into that table are gone, as far as this user sees all that is in it;
  /// triggers may have put them elsewhere.
  static boolean isEmptied(Session session, Relation there) {
    PostgresCatalog catalog = new PostgresCatalog(session);
    return CommittedRowsCheck.seesAll(session, there)
        && !catalog.constraints().hasInsertTriggers(there)
        && !catalog.holdsRows(there.name());
  }

  /// Whoever resumes a run, or takes its place, has to own its staging table.
  ///
  /// @throws Fault.External if it is another user's, who alone may read and drop it
  public static void checkOwned(Session session, JournaledRun run) {
    QualifiedName staging = QualifiedName.parse(run.begun().staging());
    Relation there = new PostgresCatalog(session).find(staging);
    String owner = there == null ? null : foreignOwner(session, there);
    if (owner != null) {
      throw new Fault.External(
          "The copy begun at "
              + run.run().startedAt()
              + " was cut off, and its staging table "
              + staging.label()
              + " belongs to user "
              + owner
              + ".",
          "Copy as that user, with --resume to continue it, or have it dropped: DROP TABLE "
              + staging.sql()
              + ";",
          null);
    }
  }

  private static @Nullable String foreignOwner(Session session, Relation staging) {
    return session.one(
        """
        SELECT CASE WHEN NOT pg_catalog.pg_has_role(relowner, 'USAGE')
          THEN pg_catalog.pg_get_userbyid(relowner) END
        FROM pg_catalog.pg_class WHERE oid = ?::bigint::oid
        """,
        row -> row.getString(1),
        staging.oid());
  }
}
