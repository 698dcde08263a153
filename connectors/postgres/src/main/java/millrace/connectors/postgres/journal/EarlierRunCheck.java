package millrace.connectors.postgres.journal;

import java.util.List;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.journal.JournalTable.Details;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// Whether what an earlier run has left is still as it left it: others may have emptied, dropped or
/// changed a table since, and a crash of the server empties those without a write-ahead log.
///
/// @param target the table that rows are for
record EarlierRunCheck(QualifiedName target) {

  /// How many rows are staged; -1 if there is no such table, or this user may not read it. They are
  /// nowhere else, and a crash of the server empties it.
  long stagedRows(Session session, QualifiedName staging) {
    Relation there = new Catalog(session).find(staging);
    return there == null || foreignOwner(session, there) != null
        ? -1
        : CommittedRowsCheck.count(session, staging);
  }

  /// Before a run goes on with another: looks at the tables that it wrote to.
  ///
  /// @param columns the target's, as they are now
  /// @throws Fault.User if they are not as it left them
  void checkResumable(
      Session session, Details from, JournaledRun journaledRun, List<String> columns) {
    Relation there = new Catalog(session).find(from.into());
    String into = from.into().label();
    if (there == null || isAnother(there, from)) {
      throw cantGoOn(journaledRun, into + " is not there any more, or is another table by now.");
    }
    if (from.staged() && !columns.equals(from.begun().columns())) {
      throw cantGoOn(journaledRun, "the columns of " + target.label() + " are not what they were.");
    }
  }

  private static boolean isAnother(Relation there, Details from) {
    return !from.staged() && !JournalTable.id(there.oid()).equals(from.begun().tableId());
  }

  private static Fault.User cantGoOn(JournaledRun journaledRun, String why) {
    return new Fault.User(
        "The copy begun at " + journaledRun.run().startedAt() + " can't go on: " + why,
        "Begin again with --fresh.");
  }

  /// Whether rows that went into that table are gone, as far as this user sees all that is in it;
  /// triggers may have put them elsewhere.
  static boolean isEmptied(Session session, Relation there) {
    Catalog catalog = new Catalog(session);
    return CommittedRowsCheck.seesAll(session, there)
        && !catalog.constraints().hasInsertTriggers(there)
        && !catalog.holdsRows(there.name());
  }

  /// @throws Fault.External if the staging table is another user's, who alone may read and drop it
  static void checkOwned(Session session, Details of) {
    Relation there = of.staged() ? new Catalog(session).find(of.into()) : null;
    String owner = there == null ? null : foreignOwner(session, there);
    if (owner != null) {
      throw new Fault.External(
          "The copy begun at "
              + of.run().startedAt()
              + " was cut off, and its staging table "
              + of.into().label()
              + " belongs to user "
              + owner
              + ".",
          "Copy as that user, with --resume to go on with it, or have it dropped: DROP TABLE "
              + of.into().sql()
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
