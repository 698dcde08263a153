package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.TableInfo.RowRules;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.connectors.sql.plan.StagedPlaces;
import millrace.spi.journal.Receipt;
import millrace.spi.write.Mode;

/// What a table has made of the rows that were sent to it, by its own rules. Lanes add to it, all
/// else is on the target's thread.
final class TakenRows {

  private final SqlLoad plan;
  private final LazySession session;
  private final RowRules rules;
  private final boolean counts;
  private final boolean merges;
  private final CommittedParts sent = new CommittedParts();
  private final LongAdder empty = new LongAdder();

  /// Where they came from, by the numbers of splits.
  private final Map<Integer, String> resources = new ConcurrentHashMap<>();

  private long rowsBefore;
  private long merged;
  private long ignored;

  TakenRows(SqlLoad plan, LazySession session) {
    this.plan = plan;
    this.session = session;
    rules = plan.found() == null ? RowRules.NONE : plan.found().rowRules();
    boolean isOneTransaction = plan.landing().whole();
    // Counting reads the whole table: only if rows may take the place of others.
    counts = rules.replaces() && isOneTransaction && !plan.fillsNewTable();
    merges = isOneTransaction && plan.mode() == Mode.MERGE;
  }

  /// The table is as it is filled from now on, within the transaction.
  void begin() {
    rowsBefore = counts ? count() : 0;
  }

  /// A writer has sent rows, and the table has them.
  ///
  /// @param emptied how many values the database has taken for missing ones, beside those known
  void add(Receipt receipt, long emptied) {
    sent.add(receipt);
    empty.add(emptied);
  }

  /// An earlier run has sent rows, or one whose answer was lost.
  void addKnown(Receipt receipt) {
    sent.add(receipt);
    resources.put(receipt.split().index(), receipt.split().resource());
  }

  /// All rows have been merged.
  ///
  /// @param taken rows that are in the table now, beside those that were there
  /// @param left rows that it left out without an error
  void add(long taken, long left) {
    merged = taken;
    ignored = left;
  }

  /// Where rows of a merge note where they stood.
  StagedPlaces places() {
    return new StagedPlaces(resources);
  }

  /// Rows that were sent.
  long sent() {
    return sent.rows();
  }

  /// Rows that are in the table now, beside those that were there.
  long rows() {
    return merges ? merged : sent.rows();
  }

  /// What the user should know of it; if all is one transaction, before its end.
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    if (empty.sum() > 0) {
      notes.add(
          counted(
                  empty.sum(),
                  "empty value became a missing one",
                  "empty values became missing ones")
              + ", since this database knows no empty text.");
    }
    long left = merges ? ignored : sent.refused();
    if (left > 0) {
      notes.add(
          counted(left, "row was ignored", "rows were ignored")
              + " by the table's own rule"
              + (plan.landing().whole() ? " (ON CONFLICT IGNORE or a trigger)." : "s."));
    }
    long gone = counts ? rowsBefore + rows() - count() : 0;
    if (gone > 0) {
      notes.add(
          counted(gone, "row was replaced", "rows were replaced")
              + " by another of the same key (ON CONFLICT REPLACE"
              + (rules.onInsert().isEmpty() ? ")." : ", or a trigger)."));
    }
    return notes;
  }

  private static String counted(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  private long count() {
    String table = plan.table().sql(plan.dialect().names());
    return session.get().query("SELECT count(*) FROM " + table, row -> row.getLong(1)).getFirst();
  }
}
