package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo.RowRules;

/// What a table has made of the rows that were sent to it, by its own rules. One thread.
final class TakenRows {

  private final SqlLoad plan;
  private final SqlSession session;
  private final RowRules rules;
  private final boolean counts;
  private long rowsBefore;
  private long rows;
  private long ignored;
  private final EmptyTextCounter empty = new EmptyTextCounter();

  TakenRows(SqlLoad plan, SqlSession session) {
    this.plan = plan;
    this.session = session;
    rules = plan.found() == null ? RowRules.NONE : plan.found().rowRules();
    // Counting reads the whole table: only if rows may take the place of others.
    counts = rules.replaces() && !plan.isBeside();
  }

  /// The table is as it is filled from now on, within the transaction.
  void begin() {
    rowsBefore = counts ? count() : 0;
  }

  /// A split has been written into the table, or all rows have been merged.
  ///
  /// @param taken rows that are in the table now, beside those that were there
  /// @param left rows that it left out without an error
  void add(long taken, long left) {
    rows += taken;
    ignored += left;
  }

  /// Counts empty values that are missing in the table.
  EmptyTextCounter empty() {
    return empty;
  }

  /// Rows that are in the table now, beside those that were there.
  long rows() {
    return rows;
  }

  /// What the user should know of it, before the end of the transaction.
  List<String> notes() {
    List<String> notes = new ArrayList<>(empty.notes());
    if (ignored > 0) {
      notes.add(
          rows(ignored, "was ignored", "were ignored")
              + " by the table's own rule (ON CONFLICT IGNORE or a trigger).");
    }
    long gone = counts ? rowsBefore + rows - count() : 0;
    if (gone > 0) {
      notes.add(
          rows(gone, "was replaced", "were replaced")
              + " by another of the same key (ON CONFLICT REPLACE"
              + (rules.onInsert().isEmpty() ? ")." : ", or a trigger)."));
    }
    return notes;
  }

  private static String rows(long count, String one, String many) {
    return count == 1 ? "1 row " + one : String.format(Locale.ROOT, "%,d rows %s", count, many);
  }

  private long count() {
    String table = plan.table().sql(plan.dialect().names());
    return session.query("SELECT count(*) FROM " + table, row -> row.getLong(1)).getFirst();
  }
}
