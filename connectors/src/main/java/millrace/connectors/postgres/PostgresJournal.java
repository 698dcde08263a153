package millrace.connectors.postgres;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import millrace.fault.Fault;
import millrace.spi.Durable;
import millrace.spi.Journal;
import millrace.spi.JournalText;
import millrace.spi.Mode;
import millrace.spi.Receipt;
import millrace.spi.RunRecord;
import millrace.spi.Split;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Receipts in the table `millrace_journal` of the target's schema: a row for each run, of split
/// -1, and one for each split that has been taken, written in the transaction of the split's rows.
///
/// Where the rows go straight into tables that have no write-ahead log, a crash of the server
/// empties them. Their receipts are as durable as they are: in a table of the same kind,
/// `millrace_journal_unlogged`, that the same crash empties.
///
/// {@link RunLocks} keep those who go on with a run apart from what a killed one has under way.
final class PostgresJournal implements Journal {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresJournal.class);

  private static final String NAME = "millrace_journal";
  private static final String UNLOGGED_NAME = "millrace_journal_unlogged";
  private static final Duration WAIT = Duration.ofSeconds(20);
  private static final int TRIES = 5;

  /// What a run's own row says.
  ///
  /// @param target the table that the rows are for
  /// @param targetOid its number, 0 where it is made at the end
  /// @param into the table that COPY writes to
  /// @param mode what the load's mode turned out to be
  /// @param columns the target's with their types, which rows are laid out by; empty where there
  ///   was no target
  record Details(
      RunRecord run,
      String target,
      long targetOid,
      TableName into,
      Mode mode,
      boolean staged,
      List<String> columns,
      boolean complete) {

    Details completed() {
      return new Details(run, target, targetOid, into, mode, staged, columns, true);
    }

    Details laidOutBy(List<String> columns) {
      return new Details(run, target, targetOid, into, mode, staged, columns, complete);
    }
  }

  private Session session;
  private final Supplier<Session> connect;
  private final TableName target;
  private final TableName table;
  private final boolean unlogged;
  private final RunLocks locks;
  private @Nullable RunRecord run;
  private @Nullable Details details;
  private @Nullable Details before;
  private @Nullable Details goesOn;
  private List<Receipt> receiptsBefore = List.of();
  private volatile boolean lost;
  private volatile boolean forgotten;
  private @Nullable Relation filled;
  private List<String> files = List.of();

  /// @param session the target's own
  /// @param connect opens another connection
  /// @param unlogged whether a crash of the server empties what the rows go into
  PostgresJournal(Session session, Supplier<Session> connect, TableName target, boolean unlogged) {
    this(session, connect, target, unlogged, WAIT);
  }

  /// @param wait how long it waits for what others have under way
  PostgresJournal(
      Session session,
      Supplier<Session> connect,
      TableName target,
      boolean unlogged,
      Duration wait) {
    this.session = session;
    this.connect = connect;
    this.target = target;
    this.unlogged = unlogged;
    locks = new RunLocks(target, wait);
    table = new TableName(target.schema(), unlogged ? UNLOGGED_NAME : NAME, true);
  }

  /// Why this user can't keep a journal beside that table; empty where nothing stands against it.
  String whyNot() {
    Relation there = new Catalog(session).find(table);
    if (there == null) {
      boolean makes =
          session.one(
              "SELECT pg_catalog.has_schema_privilege(?, 'CREATE')",
              row -> row.getBoolean(1),
              String.valueOf(target.schema()));
      return makes
          ? ""
          : "the user may not make the table " + table.label() + " in which receipts are kept";
    }
    boolean writes =
        session.one(
            """
            SELECT bool_and(pg_catalog.has_table_privilege(?::bigint::oid, p))
            FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
            """,
            row -> row.getBoolean(1),
            there.oid());
    return writes ? "" : "the user may not write to " + table.label() + ", where receipts are kept";
  }

  /// Whether others keep a journal beside that table.
  boolean isThere() {
    return new Catalog(session).find(table) != null;
  }

  @Override
  public @Nullable Kept find(String job) {
    locks.takeUp(session, job);
    if (new Catalog(session).find(table) == null) {
      return null;
    }
    Details found = null;
    for (Details one : runs()) {
      if (one.run.job().equals(job)) {
        found = one;
      }
    }
    if (found == null) {
      return null;
    }
    before = found;
    return kept(found);
  }

  /// All runs into the target that it knows of, in the order in which they began.
  private List<Details> runs() {
    return session
        .query(
            "SELECT details FROM " + table.sql() + " WHERE split = -1 ORDER BY run",
            row -> read(row.getString(1), Details.class))
        .stream()
        .filter(one -> one.target.equals(target.sql()))
        .toList();
  }

  private Kept kept(Details of) {
    boolean stays = !of.staged && of.mode != Mode.TRUNCATE;
    return new Kept(of.run, of.complete, stays, receipts(of.run));
  }

  @Override
  public @Nullable Kept findOther(List<String> origins) {
    Catalog catalog = new Catalog(session);
    Relation there = catalog.find(target);
    if (there == null || catalog.find(table) == null) {
      return null;
    }
    // What is told of them is looked at again once they have ended.
    for (Details one : unfinishedRuns(there, origins)) {
      locks.awaitFree(session, one.run.job());
    }
    return unfinishedRuns(there, origins).stream()
        .filter(one -> locks.isFree(session, one.run.job()))
        .map(this::kept)
        .filter(one -> one.rows() > 0)
        .findFirst()
        .orElse(null);
  }

  /// The runs whose rows went from one of those origins straight into that table.
  private List<Details> unfinishedRuns(Relation into, List<String> origins) {
    return runs().stream()
        .filter(one -> !one.staged && !one.complete && one.targetOid == into.oid())
        .filter(one -> !Collections.disjoint(one.run.origins(), origins))
        .toList();
  }

  /// What other copies into the target, which nobody is at work at, have left staged; one sentence
  /// each.
  List<String> leftovers() {
    Catalog catalog = new Catalog(session);
    if (catalog.find(table) == null) {
      return List.of();
    }
    Details own = goesOn == null ? before : goesOn;
    return runs().stream()
        .filter(one -> one.staged && !one.complete && !one.equals(own))
        .filter(one -> catalog.find(one.into) != null && locks.isFree(session, one.run.job()))
        .map(one ->
            "another copy, begun at "
                + one.run.startedAt()
                + " and cut off, has left "
                + one.into.label()
                + ": its own command goes on with it by --resume, or drop it (DROP TABLE "
                + one.into.sql()
                + ")")
        .toList();
  }

  private List<Receipt> receipts(RunRecord of) {
    return session.query(
        "SELECT details FROM " + table.sql() + " WHERE run = ? AND split >= 0",
        row -> read(row.getString(1), Receipt.class),
        of.id());
  }

  @Override
  public @Nullable Kept resume(Kept kept) {
    if (before != null && !kept.complete()) {
      checkOwned(before);
    }
    if (before != null && before.staged && !kept.complete() && isStagingEmptied(before, kept)) {
      return null;
    }
    goesOn = before;
    before = null;
    run = kept.run();
    details = goesOn;
    receiptsBefore = kept.receipts();
    if (goesOn != null && !kept.complete()) {
      List<String> columns = targetColumns();
      checkTables(goesOn, kept, columns);
      details = goesOn.laidOutBy(columns);
    }
    return kept;
  }

  /// @param columns the target's, as they are now
  private void checkTables(Details from, Kept kept, List<String> columns) {
    Relation there = new Catalog(session).find(from.into);
    if (there == null || (!from.staged && there.oid() != from.targetOid)) {
      throw new Fault.User(
          "The copy begun at "
              + kept.run().startedAt()
              + " can't go on: "
              + from.into.label()
              + " is not there any more, or is another table by now.",
          "Begin again with --fresh.");
    }
    if (!from.staged && kept.rows() > 0 && isEmptied(there)) {
      throw new Fault.User(
          String.format(
              Locale.ROOT,
              "The copy begun at %s can't go on: %s is empty, though %,d rows had been committed.",
              kept.run().startedAt(),
              from.into.label(),
              kept.rows()),
          "Begin again with --fresh.");
    }
    if (from.staged) {
      if (!columns.equals(from.columns)) {
        throw new Fault.User(
            "The copy begun at "
                + kept.run().startedAt()
                + " can't go on: the columns of "
                + target.label()
                + " are not what they were.",
            "Begin again with --fresh.");
      }
    }
  }

  /// @throws Fault.External where the staging table is another user's, who alone may read and drop
  ///   it
  private void checkOwned(Details of) {
    Relation there = of.staged ? new Catalog(session).find(of.into) : null;
    String owner = there == null ? null : foreignOwner(there);
    if (owner != null) {
      throw new Fault.External(
          "The copy begun at "
              + of.run.startedAt()
              + " was cut off, and its staging table "
              + of.into.label()
              + " belongs to user "
              + owner
              + ".",
          "Copy as that user, with --resume to go on with it, or have it dropped: DROP TABLE "
              + of.into.sql()
              + ";",
          null);
    }
  }

  private @Nullable String foreignOwner(Relation staging) {
    return session.one(
        """
        SELECT CASE WHEN NOT pg_catalog.pg_has_role(relowner, 'USAGE')
          THEN pg_catalog.pg_get_userbyid(relowner) END
        FROM pg_catalog.pg_class WHERE oid = ?::bigint::oid
        """,
        row -> row.getString(1),
        staging.oid());
  }

  /// Whether rows that were staged are gone, with a crash of the server for the most part: they are
  /// nowhere else.
  private boolean isStagingEmptied(Details from, Kept kept) {
    return new Catalog(session).find(from.into) != null
        && rowsIn(session, from.into) != kept.rows();
  }

  private static long rowsIn(Session own, TableName staging) {
    return own.one("SELECT count(*) FROM " + staging.sql(), row -> row.getLong(1));
  }

  /// Whether rows that went into that table are gone, as far as this user sees all that is in it;
  /// triggers may have put them elsewhere.
  private boolean isEmptied(Relation there) {
    return seesAll(there)
        && !new Catalog(session).hasInsertTriggers(there)
        && session.one(
            "SELECT NOT EXISTS (SELECT FROM " + there.name().sql() + ")", row -> row.getBoolean(1));
  }

  private boolean seesAll(Relation there) {
    return session.one(
        """
        SELECT pg_catalog.has_table_privilege(oid, 'SELECT')
          AND NOT pg_catalog.row_security_active(oid)
        FROM (SELECT ?::bigint::oid) AS the(oid)
        """,
        row -> row.getBoolean(1),
        there.oid());
  }

  /// Rows go straight into the target from here on.
  void rememberFiles() {
    Catalog catalog = new Catalog(session);
    filled = catalog.find(target);
    files = filled == null ? List.of() : catalog.files(filled);
  }

  /// Sees to it that nobody has taken the target away since or emptied it, as far as this user sees
  /// its rows, and as their number shows.
  ///
  /// @param rows that were committed
  void checkNotEmptied(long rows) {
    Relation before = filled;
    if (before == null) {
      return;
    }
    Catalog catalog = new Catalog(session);
    Relation there = catalog.find(target);
    if (there == null || there.oid() != before.oid()) {
      throw takenAway(there);
    }
    if (catalog.files(there).equals(files) || !seesAll(there)) {
      return;
    }
    long left = rowsIn(session, target);
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

  private List<String> targetColumns() {
    return new Catalog(session).declarations(target);
  }

  /// Sees to it that all rows are still in their staging table: a server that broke down in between
  /// empties it where it has no write-ahead log.
  void checkStaged(TableName staging, long rows) {
    long there = rowsIn(session, staging);
    if (there != rows) {
      throw stagingLost(staging, there, rows);
    }
  }

  /// The same while lanes work, as far as one row shows it. From any thread.
  ///
  /// @param rows that were committed before the connection was made
  void checkNotEmptied(Session own, TableName staging, long rows) {
    String isEmpty = "SELECT NOT EXISTS (SELECT FROM " + staging.sql() + ")";
    if (rows > 0 && own.one(isEmpty, row -> row.getBoolean(1))) {
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

  @Override
  public void open(RunRecord begun, @Nullable Kept kept) {
    run = begun;
    before = kept == null ? null : goesOn == null ? before : goesOn;
    goesOn = null;
    receiptsBefore = List.of();
  }

  /// The run that this one goes on with; null where it begins from the start.
  @Nullable Details goesOn() {
    return goesOn;
  }

  /// Whether receipts are to be kept.
  boolean isOpen() {
    return run != null;
  }

  /// What the run had committed before it was cut.
  List<Receipt> receiptsBefore() {
    return receiptsBefore;
  }

  /// Makes the journal's table, in a transaction of its own: in a long one it would keep others
  /// waiting who want to make it. Those take turns, since of two that make it at the same moment
  /// the server lets one fail, IF NOT EXISTS or not.
  void makeTable() {
    if (new Catalog(session).find(table) != null) {
      return;
    }
    session.transaction(() -> {
      session.execute(locks.alone("makes " + table.sql()));
      session.execute(
          """
          CREATE %s TABLE IF NOT EXISTS %s (
            run text NOT NULL,
            split integer NOT NULL,
            from_position bigint NOT NULL,
            rows bigint NOT NULL,
            bytes bigint NOT NULL,
            checksum bigint NOT NULL,
            rest_position bigint,
            details text NOT NULL,
            PRIMARY KEY (run, split, from_position))
          """
              .formatted(unlogged ? "UNLOGGED" : "", table.sql()));
      session.execute(
          "COMMENT ON TABLE "
              + table.sql()
              + " IS 'Which parts of a copy have been committed, so that millrace can go on after"
              + " it was cut off. May be dropped when no copy is to go on.'");
    });
  }

  /// Writes down that the run begins, in the transaction that makes or empties what it loads.
  void begin(LoadPlan plan, Runnable prepare) {
    for (int tries = 1; ; tries++) {
      makeTable();
      try {
        session.transaction(() -> begun(plan, prepare));
        return;
      } catch (Fault.User e) {
        // Another run has ended in between and dropped the table when it was empty.
        if (tries == TRIES || session.isInTransaction()) {
          throw e;
        }
        LOG.debug("the journal was dropped meanwhile", e);
        if (new Catalog(session).find(table) != null) {
          throw e;
        }
      }
    }
  }

  private void begun(LoadPlan plan, Runnable prepare) {
    RunRecord begun = run();
    // Nobody who ends may drop it while this run waits for the table that it empties.
    session.execute("LOCK TABLE " + table.sql() + " IN ROW EXCLUSIVE MODE");
    if (before != null) {
      if (before.staged && !before.complete) {
        checkOwned(before);
        Staging.drop(session, before.into);
      }
      delete(session, before.run);
    }
    prepare.run();
    if (!plan.staged() && plan.mode() == Mode.TRUNCATE) {
      // Behind the lock that empties the table: of two that begin at once, the later one finds the
      // earlier.
      forgetOthers();
    }
    Relation into = plan.staged() ? null : new Catalog(session).find(plan.into());
    Details first =
        new Details(
            begun,
            target.sql(),
            into == null ? 0 : into.oid(),
            plan.into(),
            plan.mode(),
            plan.staged(),
            targetColumns(),
            false);
    details = first;
    session.query(
        "INSERT INTO " + table.sql() + " VALUES (?, -1, 0, 0, 0, 0, NULL, ?) RETURNING 1",
        row -> row.getInt(1),
        begun.id(),
        JournalText.write(first));
  }

  /// What other runs have put into a table that is emptied or replaced is not there any more.
  private void forgetOthers() {
    for (Details one : runs()) {
      if (!one.staged && !one.run.id().equals(run().id())) {
        delete(session, one.run);
      }
    }
  }

  private RunRecord run() {
    if (run == null) {
      throw new Fault.Bug("the journal has not been opened", null);
    }
    return run;
  }

  /// A connection joins the run: whoever takes the job up waits for its end.
  void join(Session own) {
    locks.join(own, run().job());
  }

  /// The target's own connection was lost, and another takes its place.
  ///
  /// @return whether the run is complete
  /// @throws Fault.User where somebody else has taken the job up meanwhile
  /// @throws Fault.External where a crash of the server may have emptied the target, and there is
  ///   no journal to tell
  boolean rejoin(Session own) {
    session = own;
    if (run == null && unlogged) {
      throw new Fault.External(
          "The connection that was open all the time was lost. If the server has crashed, "
              + target.label()
              + " lacks rows that it had taken: it has no write-ahead log, and no journal tells.",
          "Compare both ends with millrace verify, or copy again with --mode truncate.",
          null);
    }
    return run != null && isComplete(own);
  }

  /// The statement that begins a transaction of a split.
  String beginSplit(Split split) {
    return locks.beginSplit(run().id(), split);
  }

  /// The statement that records a receipt, for the transaction of its rows. It fails where the run
  /// is not known any more, see {@link #orForgotten}: rows must not follow those that another copy
  /// has put in their place.
  String record(Receipt receipt) {
    Split rest = receipt.rest();
    return """
    INSERT INTO %1$s VALUES ((SELECT run FROM %1$s WHERE run = %2$s AND split = -1),
      %3$d, %4$d, %5$d, %6$d, %7$d, %8$s, %9$s)
    ON CONFLICT (run, split, from_position) DO UPDATE SET rows = EXCLUDED.rows,
      bytes = EXCLUDED.bytes, checksum = EXCLUDED.checksum,
      rest_position = EXCLUDED.rest_position, details = EXCLUDED.details
    """
        .formatted(
            table.sql(),
            Sql.text(run().id()),
            receipt.split().index(),
            receipt.split().from(),
            receipt.rows(),
            receipt.bytes(),
            receipt.checksum(),
            rest == null ? "NULL" : Long.toString(rest.from()),
            Sql.text(JournalText.write(receipt)));
  }

  /// What of a split has been committed, once what its lost connection had sent is carried out or
  /// undone. From any thread.
  Durable durable(Split split) {
    try (Session own = connect.get()) {
      locks.awaitSplit(own, run().id(), split);
      List<Receipt> found =
          own.query(
              "SELECT details FROM "
                  + table.sql()
                  + " WHERE run = ? AND split = ? AND from_position = ?",
              row -> read(row.getString(1), Receipt.class),
              run().id(),
              split.index(),
              split.from());
      return found.isEmpty() ? new Durable.Nothing() : new Durable.Taken(found.getFirst());
    }
  }

  /// Marks the run complete, in the transaction that makes its rows appear.
  void complete() {
    Details last = details;
    if (run == null || last == null) {
      return;
    }
    if (!last.staged) {
      checkStillThere(last);
      checkColumns(last);
    }
    try {
      if (last.staged && last.mode != Mode.APPEND && last.mode != Mode.MERGE) {
        forgetOthers();
      }
      if (!marksComplete(last)) {
        throw forgotten();
      }
    } catch (Fault.User e) {
      throw orForgotten(e);
    }
  }

  /// Rows that its receipts tell of.
  long rowsTold() {
    return session.one(
        "SELECT coalesce(sum(rows), 0) FROM " + table.sql() + " WHERE run = ? AND split >= 0",
        row -> row.getLong(1),
        run().id());
  }

  private boolean marksComplete(Details last) {
    return !session
        .query(
            "UPDATE " + table.sql() + " SET details = ? WHERE run = ? AND split = -1 RETURNING 1",
            row -> row.getInt(1),
            JournalText.write(last.completed()),
            run().id())
        .isEmpty();
  }

  private Fault forgotten() {
    forgotten = true;
    if (unlogged) {
      return new Fault.External(
          "The server has crashed meanwhile, which empties tables that have no write-ahead log, or"
              + " another copy has emptied "
              + target.label()
              + ": it lacks rows that it had taken.",
          "Copy again with --mode truncate.",
          null);
    }
    return new Fault.External(
        "What "
            + table.label()
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or gone on with it.",
        "Compare both ends with millrace verify.",
        null);
  }

  /// What has gone wrong where the server refused something: that the run is not known any more, if
  /// it is the journal of which the server speaks. From any thread.
  Fault orForgotten(Fault why) {
    return String.valueOf(why.getMessage()).contains(table.name()) ? forgotten() : why;
  }

  /// Rows that went into a table are not in another one that has its name by now.
  private void checkStillThere(Details of) {
    Relation there = new Catalog(session).find(of.into);
    if (there == null || there.oid() != of.targetOid) {
      throw takenAway(there);
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

  /// A column may have become one of another type between two commits, whose values are as long:
  /// bytes that were meant for the one mean something else there.
  private void checkColumns(Details of) {
    if (!targetColumns().containsAll(of.columns)) {
      lost = true;
      throw new Fault.External(
          "The columns of "
              + target.label()
              + " were changed while rows were copied: later ones may hold other values.",
          "Compare both ends with millrace verify, or copy again.",
          null);
    }
  }

  /// Whether rows that it knew of, or what it knew, were gone at the end, so that no other run can
  /// go on with it.
  boolean isLost() {
    return lost || forgotten;
  }

  /// Whether the run was not known any more, so that another copy may have removed its rows.
  boolean isForgotten() {
    return forgotten;
  }

  /// Whether it still says that the run has begun, so that another can go on with it.
  boolean knowsOf(Session own) {
    return new Catalog(own).find(table) != null
        && own.one(
            "SELECT EXISTS (SELECT FROM " + table.sql() + " WHERE run = ? AND split = -1)",
            row -> row.getBoolean(1),
            run().id());
  }

  /// Whether the table that rows went into is there still, and no other has its name.
  boolean isIntoThere(Session own) {
    Details of = details;
    Relation there = of == null ? null : new Catalog(own).find(of.into);
    return of != null && there != null && (of.staged || there.oid() == of.targetOid);
  }

  /// How the user knows the journal's table.
  String label() {
    return table.label();
  }

  /// Whether the run is complete, for a connection that was lost when it ended.
  boolean isComplete() {
    try (Session own = connect.get()) {
      return isComplete(own);
    }
  }

  private boolean isComplete(Session own) {
    locks.takeUp(own, run().job());
    return own.query(
            "SELECT details FROM " + table.sql() + " WHERE run = ? AND split = -1",
            row -> read(row.getString(1), Details.class).complete,
            run().id())
        .contains(true);
  }

  @Override
  public void forget(RunRecord known) {
    try {
      forget(session, known);
    } catch (Fault.Transient e) {
      LOG.debug("the connection was lost after the end", e);
      try (Session own = connect.get()) {
        if (new Catalog(own).find(table) != null) {
          forget(own, known);
        }
      }
    }
  }

  /// Removes a run from the journal, and the journal with it where it holds no other and nobody is
  /// about to write to it. All at once and last: until then the journal knows that the copy is
  /// complete, even if its process is killed.
  void forget(Session own, RunRecord known) {
    try {
      own.transaction(() -> forgetAndDrop(own, known));
    } catch (Fault e) {
      LOG.debug("the journal stays: another run uses it", e);
      delete(own, known);
    }
  }

  private void forgetAndDrop(Session own, RunRecord known) {
    own.execute("LOCK TABLE " + table.sql() + " IN ACCESS EXCLUSIVE MODE NOWAIT");
    delete(own, known);
    boolean empty =
        own.one("SELECT NOT EXISTS (SELECT FROM " + table.sql() + ")", row -> row.getBoolean(1));
    if (empty) {
      own.execute("DROP TABLE " + table.sql());
    }
  }

  private void delete(Session own, RunRecord known) {
    own.execute("DELETE FROM " + table.sql() + " WHERE run = " + Sql.text(known.id()));
  }

  /// Removes what the run that has failed wrote down.
  void abandon(Session own) {
    if (details != null) {
      forget(own, details.run);
    }
  }

  private <T> T read(String text, Class<T> type) {
    return new JournalText(
            "The journal " + table.label(),
            "Drop it where no copy is to go on: DROP TABLE " + table.sql() + ";")
        .read(text, type);
  }
}
