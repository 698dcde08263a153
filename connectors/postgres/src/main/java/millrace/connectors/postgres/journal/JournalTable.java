package millrace.connectors.postgres.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.catalog.PostgresTypes;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.catalog.Relation;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.write.LedgerTable;
import millrace.connectors.sql.write.OwnerRows;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.load.SplitOwners;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The table `millrace_journal` of the target's schema, or `millrace_journal_unlogged`: a row for
/// each run, of split -1, which has all entries but its receipts, and one for each split that has
/// been taken. What it says and when, {@link PostgresJournal} decides.
///
/// @param target the table that rows are for
/// @param table the journal's
/// @param unlogged whether a crash of the server empties it
public record JournalTable(QualifiedName target, QualifiedName table, boolean unlogged) {

  private static final String UNLOGGED_NAME = LedgerTable.NAME + "_unlogged";

  /// What rows of tables have besides that earlier versions have made. Their receipts' are in the
  /// details too.
  private static final String EARLIER = "'rows', 0, 'bytes', 0, 'checksum', 0";

  /// What else is known of a run.
  ///
  /// @param target the table that its rows are for
  private record Purpose(String target) {}

  static JournalTable beside(QualifiedName target, boolean unlogged) {
    String name = unlogged ? UNLOGGED_NAME : LedgerTable.NAME;
    return new JournalTable(target, new QualifiedName(target.schema(), name, true), unlogged);
  }

  /// How the user knows it.
  public String label() {
    return table.label();
  }

  public boolean isThere(Session session) {
    return new PostgresCatalog(session).find(table) != null;
  }

  /// Why this user can't keep a journal beside that table; empty if nothing stands against it.
  public String whyNot(Session session) {
    Relation there = new PostgresCatalog(session).find(table);
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

  /// Makes it, in a transaction of its own: in a long one it would keep others waiting who want to
  /// make it. Those take turns, since of two that make it at the same moment the server lets one
  /// fail, IF NOT EXISTS or not.
  void make(Session session, RunLocks locks) {
    if (isThere(session)) {
      return;
    }
    session.transaction(() -> {
      session.execute(locks.alone("makes " + table.sql()));
      session.execute(
          "CREATE %s TABLE IF NOT EXISTS %s (%s)"
              .formatted(
                  unlogged ? "UNLOGGED" : "",
                  table.sql(),
                  ledger().declarations(JournalTable::declaration)));
      session.execute(
          "COMMENT ON TABLE "
              + table.sql()
              + " IS 'Which parts of a copy have been committed, so that millrace can go on after"
              + " it was cut off. May be dropped when no copy is to go on.'");
    });
  }

  private static String declaration(Type type) {
    return type instanceof Type.Text ? "text" : PostgresTypes.declaration(type);
  }

  /// The statement that keeps others from dropping it until the transaction ends.
  String holding() {
    return "LOCK TABLE " + table.sql() + " IN ROW EXCLUSIVE MODE";
  }

  private LedgerTable ledger() {
    TableName name = new TableName(String.valueOf(table.schema()), table.name());
    return new LedgerTable(PostgresSql.NAMES, name, null, text());
  }

  /// The connection for one statement of those that all ledgers have in common.
  private static SqlSession shared(Session session) {
    session.called();
    return new SqlSession(session.driver(), "The journal", (e, _) -> session.fault(e));
  }

  /// What is written down of all runs into the target that it knows of, but for their receipts, in
  /// the order in which they began.
  List<List<Entry>> runs(Session session) {
    // As JSON spells it: most of what a journal says may be of other tables. What is spelled in
    // another way is looked at whatever it is of: it may be by another version.
    String inJson = JournalText.details(target.sql()).toString();
    String either = "(strpos(details, ?) > 0 OR strpos(details, '{\"v\":1,\"begun\":') <> 1)";
    return ledger().heads(shared(session), either, inJson).stream()
        .map(this::known)
        .filter(each -> purpose(begun(each)).equals(target.sql()))
        .toList();
  }

  private String purpose(Begun begun) {
    return text().details(begun.details(), Purpose.class).target;
  }

  /// How a run began.
  static Begun begun(List<Entry> entries) {
    return (Begun) entries.getFirst();
  }

  /// Versions before wrote of a load of one transaction that its rows wait in the target.
  private List<Entry> known(List<Entry> entries) {
    if (entries.isEmpty() || !(entries.getFirst() instanceof Begun begun)) {
      throw text().damaged();
    }
    if (!begun.staging().equals(target.sql())) {
      return entries;
    }
    List<Entry> all = new ArrayList<>(entries);
    all.set(
        0,
        new Begun(
            begun.run(),
            begun.mode(),
            "",
            begun.tableId(),
            begun.columns(),
            begun.details(),
            begun.landing()));
    return all;
  }

  /// All entries of a run.
  List<Entry> entries(Session session, RunRecord run) {
    return known(ledger().entries(shared(session), run.id()));
  }

  /// The receipt of a split of a run; null if there is none.
  @Nullable Receipt receipt(Session session, RunRecord run, Split split) {
    return ledger().receipt(shared(session), run, split);
  }

  /// Rows that the receipts of a run tell of.
  long rows(Session session, RunRecord run) {
    return session.one(
        """
        SELECT coalesce(sum(coalesce(json #>> '{taken,receipt,rows}', json ->> 'rows')::bigint), 0)
        FROM (SELECT details::json AS json FROM %s WHERE run = ? AND split >= 0) AS receipts
        """
            .formatted(table.sql()),
        row -> row.getLong(1),
        run.id());
  }

  /// Writes down entries of a run of which nothing is written down yet, the first of which is that
  /// it has begun.
  void begin(Session session, Begun begun, Entry... more) {
    List<Entry> all = new ArrayList<>(List.of(more));
    all.addFirst(begun.with(new Purpose(target.sql())));
    String values =
        "'run', %s, 'split', -1, 'from_position', 0, 'job', %s, 'target', %s, 'details', %s"
            .formatted(
                PostgresSql.text(begun.run().id()),
                PostgresSql.text(begun.run().job()),
                PostgresSql.text(target.sql()),
                PostgresSql.text(JournalText.spell(all)));
    session.execute(insert("NULL::" + table.sql(), values + ", " + EARLIER));
  }

  /// The statement that writes a row by the names of its columns, whichever of them the table has.
  ///
  /// @param like a row that has the other values, as SQL; so are the values
  private String insert(String like, String values) {
    return "INSERT INTO %s SELECT * FROM pg_catalog.json_populate_record(%s, pg_catalog.json_build_object(%s))"
        .formatted(table.sql(), like, values);
  }

  /// A table's number as entries have it.
  static String id(long oid) {
    return oid == 0 ? "" : Long.toString(oid);
  }

  /// The statement that records a receipt, in a row like the run's. It fails if the run is not
  /// known any more.
  String record(RunRecord run, Receipt receipt) {
    String values =
        "'split', %d, 'from_position', %d, 'details', %s"
            .formatted(
                receipt.split().index(),
                receipt.split().from(),
                PostgresSql.text(JournalText.spell(new Entry.Taken(receipt, null))));
    return insert(head(run), values)
        + " ON CONFLICT (run, split, from_position) DO UPDATE SET details = EXCLUDED.details";
  }

  private String head(RunRecord run) {
    return "(SELECT head FROM %s AS head WHERE run = %s AND split = -1)"
        .formatted(table.sql(), PostgresSql.text(run.id()));
  }

  /// The rows of those who own splits.
  OwnerRows owners(Supplier<Session> session) {
    return new OwnerRows(ledger(), "BEGIN", this::insertOwner, () -> shared(session.get()));
  }

  private String insertOwner(RunRecord run, int split, long token) {
    return insert(
        head(run), "'split', %d, 'from_position', %d, 'details', 'owner'".formatted(split, token));
  }

  /// The statement that looks up who owns a split, for the transaction of its rows. It fails if
  /// that is another, in the words of {@link SplitOwners#overtaken}.
  String checkOwner(RunRecord run, Split split, long token) {
    return """
    DO $millrace$ BEGIN PERFORM FROM %s WHERE run = %s AND split = %d AND from_position = %d
      FOR UPDATE; IF NOT FOUND THEN RAISE EXCEPTION '%s'; END IF; END $millrace$\
    """
        .formatted(
            table.sql(),
            PostgresSql.text(run.id()),
            OwnerRows.row(split.index()),
            token,
            SplitOwners.overtaken(split).getMessage());
  }

  /// Adds to what is written down of a run. Returns whether it was still known.
  boolean append(Session session, RunRecord run, Entry entry) {
    return ledger().append(shared(session), run, entry);
  }

  /// What is written down of a run, but for its receipts; empty if nothing is.
  List<Entry> head(Session session, RunRecord run) {
    return isThere(session) ? ledger().head(shared(session), run) : List.of();
  }

  /// What has gone wrong if a run that was begun is not known any more.
  Fault forgotten() {
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
            + label()
            + " had to say of this copy is gone: another copy has emptied the table, or somebody"
            + " has removed it or resumed it.",
        "Compare both ends with millrace verify.",
        null);
  }

  /// Removes a run.
  void delete(Session session, RunRecord known) {
    ledger().delete(shared(session), known);
  }

  private JournalText text() {
    return new JournalText(
        "The journal " + table.label(),
        "Drop it if no copy is to be resumed: DROP TABLE " + table.sql() + ";",
        JournalTable::earlier);
  }

  /// What versions before journals had one spelling have kept of a run.
  private static List<Entry> earlier(JsonNode row) throws JsonProcessingException {
    RunRecord run = JournalText.run(row);
    JsonNode into = row.path("into");
    boolean staged = row.path("staged").asBoolean();
    String id = id(row.path("targetOid").asLong());
    List<String> columns = new ArrayList<>();
    row.path("columns").forEach(column -> columns.add(column.asText()));
    QualifiedName staging =
        new QualifiedName(into.path("schema").asText(), into.path("name").asText(), true);
    Begun begun =
        new Begun(
                run,
                JournalText.mode(row),
                staged ? staging.sql() : "",
                staged ? "" : id,
                columns,
                null)
            .with(new Purpose(row.path("target").asText()));
    String at = row.path("completeAt").asText("");
    return row.path("complete").asBoolean()
        ? List.of(begun, new Entry.Complete(at, id, false))
        : List.of(begun);
  }
}
