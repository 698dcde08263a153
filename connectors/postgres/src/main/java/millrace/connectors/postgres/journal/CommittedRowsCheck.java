package millrace.connectors.postgres.journal;

import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.catalog.Catalog;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.catalog.TableName;
import millrace.connectors.postgres.journal.JournalTable.Details;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.Journal.JournaledRun;
import org.jspecify.annotations.Nullable;

/// Sees to it that rows which were committed are still where they went. While a copy runs, and
/// before it goes on, others may empty, drop, rename or change a table, and a crash of the server
/// empties those without a write-ahead log.
public final class CommittedRowsCheck {

  private final TableName target;
  private @Nullable Relation filled;
  private List<String> files = List.of();
  private volatile boolean lost;

  CommittedRowsCheck(TableName target) {
    this.target = target;
  }

  /// Whether any were found gone, so that no other run can go on with this one. Any thread.
  boolean areLost() {
    return lost;
  }

  /// The target's columns with their types; none where there is no target.
  List<String> targetColumns(Session session) {
    return new Catalog(session).declarations(target);
  }

  /// Whether rows that were staged are gone, with a crash of the server for the most part: they are
  /// nowhere else.
  boolean isStagingEmptied(Session session, Details from, JournaledRun journaledRun) {
    return new Catalog(session).find(from.into()) != null
        && count(session, from.into()) != journaledRun.rows();
  }

  /// Before a run goes on with another: looks at the tables that it wrote to.
  ///
  /// @param columns the target's, as they are now
  /// @throws Fault.User where they are not as it left them
  void checkGoingOn(
      Session session, Details from, JournaledRun journaledRun, List<String> columns) {
    Relation there = new Catalog(session).find(from.into());
    String into = from.into().label();
    if (there == null || (!from.staged() && there.oid() != from.targetOid())) {
      throw cantGoOn(journaledRun, into + " is not there any more, or is another table by now.");
    }
    if (!from.staged() && journaledRun.rows() > 0 && isEmptied(session, there)) {
      throw cantGoOn(
          journaledRun,
          String.format(
              Locale.ROOT,
              "%s is empty, though %,d rows had been committed.",
              into,
              journaledRun.rows()));
    }
    if (from.staged() && !columns.equals(from.columns())) {
      throw cantGoOn(journaledRun, "the columns of " + target.label() + " are not what they were.");
    }
  }

  /// How the target has changed since a copy into it was complete, as a sentence without its end;
  /// empty if it has not, as far as one look shows it.
  ///
  /// @param oid the number that it had then; 0 if that is not known
  /// @param committed rows that the copy had committed
  String change(Session session, long oid, long committed) {
    Relation there = new Catalog(session).find(target);
    if (there == null) {
      return target.label() + " is not there any more";
    }
    if (oid != 0 && there.oid() != oid) {
      return target.label() + " is another table by now";
    }
    return committed > 0 && isEmptied(session, there)
        ? String.format(
            Locale.ROOT,
            "%s is empty, though %,d rows had been committed",
            target.label(),
            committed)
        : "";
  }

  private static Fault.User cantGoOn(JournaledRun journaledRun, String why) {
    return new Fault.User(
        "The copy begun at " + journaledRun.run().startedAt() + " can't go on: " + why,
        "Begin again with --fresh.");
  }

  /// Whether rows that went into that table are gone, as far as this user sees all that is in it;
  /// triggers may have put them elsewhere.
  private static boolean isEmptied(Session session, Relation there) {
    Catalog catalog = new Catalog(session);
    return seesAll(session, there)
        && !catalog.hasInsertTriggers(there)
        && !catalog.holdsRows(there.name());
  }

  private static boolean seesAll(Session session, Relation there) {
    return session.one(
        """
        SELECT pg_catalog.has_table_privilege(oid, 'SELECT')
          AND NOT pg_catalog.row_security_active(oid)
        FROM (SELECT ?::bigint::oid) AS the(oid)
        """,
        row -> row.getBoolean(1),
        there.oid());
  }

  private static long count(Session session, TableName table) {
    return session.one("SELECT count(*) FROM " + table.sql(), row -> row.getLong(1));
  }

  /// Rows go straight into the target from here on.
  public void rememberFiles(Session session) {
    Catalog catalog = new Catalog(session);
    filled = catalog.find(target);
    files = filled == null ? List.of() : catalog.files(filled);
  }

  /// Sees to it that nobody has taken the target away since or emptied it, as far as this user sees
  /// its rows, and as their number shows.
  ///
  /// @param rows that were committed
  public void checkNotEmptied(Session session, long rows) {
    Relation before = filled;
    if (before == null) {
      return;
    }
    Catalog catalog = new Catalog(session);
    Relation there = catalog.find(target);
    if (there == null || there.oid() != before.oid()) {
      throw takenAway(there);
    }
    if (catalog.files(there).equals(files) || !seesAll(session, there)) {
      return;
    }
    long left = count(session, target);
    if (left < rows) {
      lost = true;
      throw new Fault.External(
          String.format(
              Locale.ROOT,
              "%s holds %,d rows, and this copy alone has committed %,d: somebody has emptied the"
                  + " table, or a partition of it, meanwhile.",
              target.label(),
              left,
              rows),
          "Copy again when nobody empties it; --mode truncate removes what is there first.",
          null);
    }
  }

  /// Sees to it that all rows are still in their staging table: a server that broke down in between
  /// empties it where it has no write-ahead log.
  public void checkStaged(Session session, TableName staging, long rows) {
    long there = count(session, staging);
    if (there != rows) {
      throw stagingLost(staging, there, rows);
    }
  }

  /// The same while lanes work, as far as one row shows it. From any thread.
  ///
  /// @param rows that were committed before the connection was made
  public void checkStagingNotEmptied(Session own, TableName staging, long rows) {
    if (rows > 0 && !new Catalog(own).holdsRows(staging)) {
      throw stagingLost(staging, 0, rows);
    }
  }

  private Fault stagingLost(TableName staging, long there, long rows) {
    lost = true;
    return new Fault.External(
        String.format(
            Locale.ROOT,
            "The staging table %s holds %,d rows, not %,d: a crash of the server empties tables"
                + " that have no write-ahead log.",
            staging.label(),
            there,
            rows),
        "Copy again from the start; nothing of it was in the target yet.",
        null);
  }

  /// Before a run that went straight into the target is complete: rows that went into a table are
  /// not in another one that has its name by now, and mean something else where its columns were
  /// changed.
  void checkUnchanged(Session session, Details of) {
    Relation there = new Catalog(session).find(of.into());
    if (there == null || there.oid() != of.targetOid()) {
      throw takenAway(there);
    }
    // A column may have become one of another type between two commits, whose values are as long:
    // bytes that were meant for the one mean something else there.
    if (!targetColumns(session).containsAll(of.columns())) {
      lost = true;
      throw new Fault.External(
          "The columns of "
              + target.label()
              + " were changed while rows were copied: later ones may hold other values.",
          "Compare both ends with millrace verify, or copy again.",
          null);
    }
  }

  /// @param there what has the target's name now
  private Fault takenAway(@Nullable Relation there) {
    lost = true;
    return new Fault.External(
        there == null
            ? target.label()
                + " is not there any more: somebody has dropped or renamed it meanwhile."
            : "Somebody has put another table in the place of "
                + target.label()
                + " meanwhile, which lacks rows of this copy.",
        "Compare both ends with millrace verify, or copy again.",
        null);
  }
}
