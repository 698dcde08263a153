package millrace.connectors.postgres.journal;

import java.util.List;
import java.util.Locale;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.journal.Entry.Begun;
import org.jspecify.annotations.Nullable;

/// Sees to it that rows which were committed are still where they went. While a copy runs, others
/// may empty, drop, rename or change a table, and a crash of the server empties those without a
/// write-ahead log. One for each load.
public final class CommittedRowsCheck {

  private final QualifiedName target;
  private final boolean unlogged;
  private @Nullable Relation filled;
  private List<String> files = List.of();
  private volatile boolean lost;

  /// @param target the table that rows are for
  /// @param unlogged whether rows go straight into a table that a crash of the server empties
  public CommittedRowsCheck(QualifiedName target, boolean unlogged) {
    this.target = target;
    this.unlogged = unlogged;
  }

  /// Whether any were found gone, so that no other run can go on with this one. Any thread.
  public boolean areLost() {
    return lost;
  }

  /// Whether this user sees all rows of that table.
  static boolean seesAll(Session session, Relation there) {
    return session.one(
        """
        SELECT pg_catalog.has_table_privilege(oid, 'SELECT')
          AND NOT pg_catalog.row_security_active(oid)
        FROM (SELECT ?::bigint::oid) AS the(oid)
        """,
        row -> row.getBoolean(1),
        there.oid());
  }

  /// Counts the rows of a table.
  static long count(Session session, QualifiedName table) {
    return session.one("SELECT count(*) FROM " + table.sql(), row -> row.getLong(1));
  }

  /// Rows go straight into the target from here on.
  public void rememberFiles(Session session) {
    PostgresCatalog catalog = new PostgresCatalog(session);
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
    PostgresCatalog catalog = new PostgresCatalog(session);
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
  /// empties it if it has no write-ahead log.
  public void checkStaged(Session session, QualifiedName staging, long rows) {
    long there = count(session, staging);
    if (there != rows) {
      throw stagingLost(staging, there, rows);
    }
  }

  /// The same while lanes work, as far as one row shows it. From any thread.
  ///
  /// @param rows that were committed before the connection was made
  public void checkStagingNotEmptied(Session own, QualifiedName staging, long rows) {
    if (rows > 0 && !new PostgresCatalog(own).holdsRows(staging)) {
      throw stagingLost(staging, 0, rows);
    }
  }

  private Fault stagingLost(QualifiedName staging, long there, long rows) {
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

  /// Before a load that no journal tells of goes on after the target's own connection was lost.
  ///
  /// @throws Fault.External if a crash of the server may have emptied the target
  public void checkNotCrashed() {
    if (unlogged) {
      throw new Fault.External(
          "The connection that was open all the time was lost. If the server has crashed, "
              + target.label()
              + " lacks rows that it had taken: it has no write-ahead log, and no journal tells.",
          "Compare both ends with millrace verify, or copy again with --mode truncate.",
          null);
    }
  }

  /// Before a run that went straight into the target is complete: rows that went into a table are
  /// not in another one that has its name by now, and mean something else if its columns were
  /// changed.
  void checkUnchanged(Session session, Begun begun) {
    Relation there = new PostgresCatalog(session).find(target);
    if (there == null || !JournalTable.id(there.oid()).equals(begun.tableId())) {
      throw takenAway(there);
    }
    // A column may have become one of another type between two commits, whose values are as long:
    // bytes that were meant for the one mean something else there.
    if (!new PostgresCatalog(session).declarations(target).containsAll(begun.columns())) {
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
