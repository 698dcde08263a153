package millrace.connectors.sql.write;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.sql.ServerDialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TypeTable;
import millrace.data.Type;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The receipts in a journal's table, each a row by its split and where it begins.
///
/// Rows that are there before their receipt can be are announced: in a row whose split is -2 and
/// below. If one is left, a run was killed between the two, and only the table itself can tell.
///
/// @param columns its columns as SQL names them
record SqlReceipts(LedgerTable table, String columns) {

  private static final int ID_LENGTH = 100;
  private static final int NAME_LENGTH = 500;

  /// So long that no system has it in a column of short texts.
  private static final int DETAILS_LENGTH = 10_000_000;

  /// So many announced streams are tried in all combinations.
  private static final int TRIED_MAX = 12;

  /// Counts the rows of a staging table.
  interface RowCount {
    long of(SqlSession by, String staging);
  }

  private String quoted(String column) {
    return table.column(column);
  }

  private String journal() {
    return table.sql();
  }

  /// The statement that makes the table.
  String ddl(ServerDialect dialect) {
    TypeTable types = dialect.types();
    String id = types.ddl().apply(new Type.Text(ID_LENGTH)) + " NOT NULL";
    String name = types.ddl().apply(new Type.Text(NAME_LENGTH)) + " NOT NULL";
    String declarations =
        "%s %s, %s %s NOT NULL, %s %s NOT NULL, %s %s, %s %s, %s %s NOT NULL, PRIMARY KEY (%s, %s, %s)"
            .formatted(
                quoted("run"),
                id,
                quoted("split"),
                types.ddl().apply(new Type.Int(32)),
                quoted("from_position"),
                types.ddl().apply(new Type.Int(64)),
                quoted("job"),
                name,
                quoted("target"),
                name,
                quoted("details"),
                types.ddl().apply(new Type.Text(DETAILS_LENGTH)),
                quoted("run"),
                quoted("split"),
                quoted("from_position"));
    return dialect.statements().tables().create().formatted(journal(), declarations);
  }

  private static int announcedAs(int split) {
    return -2 - split;
  }

  /// Writes a receipt, in the transaction of its rows. Returns false if the run is not known any
  /// more.
  boolean record(SqlSession by, RunRecord run, Receipt receipt) {
    return put(by, run, receipt.split().index(), receipt);
  }

  /// Writes down that rows are about to be there. Returns false if the run is not known any more.
  boolean announce(SqlSession by, RunRecord run, Receipt receipt) {
    return put(by, run, announcedAs(receipt.split().index()), receipt);
  }

  /// Rows that were announced have their receipt, or are not there.
  void withdraw(SqlSession by, RunRecord run, Receipt receipt) {
    Split split = receipt.split();
    by.update(
        "DELETE FROM " + journal() + table.of(announcedAs(split.index()), split.from()), run.id());
  }

  private boolean put(SqlSession by, RunRecord run, int split, Receipt receipt) {
    String details = JournalText.spell(new Entry.Taken(receipt, null));
    long from = receipt.split().from();
    long changed =
        by.update(
            "UPDATE " + journal() + " SET " + quoted("details") + " = ?" + table.of(split, from),
            details,
            run.id());
    return changed > 0
        || by.update(
                "INSERT INTO %1$s (%2$s) SELECT %3$s, %4$d, %5$d, %6$s, %7$s, ? FROM %1$s WHERE %3$s = ? AND %8$s = -1 AND %9$s = 0"
                    .formatted(
                        journal(),
                        columns,
                        quoted("run"),
                        split,
                        from,
                        quoted("job"),
                        quoted("target"),
                        quoted("split"),
                        quoted("from_position")),
                details,
                run.id())
            > 0;
  }

  /// Rows that were announced are there, or not; nothing is open any more.
  void settle(SqlSession by, RunRecord run, List<Receipt> there) {
    there.forEach(receipt -> record(by, run, receipt));
    by.update(
        "DELETE FROM %s WHERE %s = ? AND %s < -1"
            .formatted(journal(), quoted("run"), quoted("split")),
        run.id());
  }

  /// What was announced of a run and has no receipt.
  ///
  /// @param split of that alone; -1 for all
  List<Receipt> announced(SqlSession by, String run, int split) {
    String which = split < 0 ? " < -1" : " = " + announcedAs(split);
    return by
        .query(
            "SELECT %s FROM %s WHERE %s = ? AND %s%s"
                .formatted(quoted("details"), journal(), quoted("run"), quoted("split"), which),
            row -> table.text().entries(row.getString(1)),
            run)
        .stream()
        .flatMap(List::stream)
        .map(entry -> ((Entry.Taken) entry).receipt())
        .toList();
  }

  /// Where a receipt begins.
  private record Start(int split, long from) {
    static Start of(Receipt receipt) {
      return new Start(receipt.split().index(), receipt.split().from());
    }
  }

  /// What the journal says of a run, with the announced streams that are there. If nobody can tell,
  /// none is taken for there, and who goes on with the run is told so.
  ///
  /// @param said what stands in it
  List<Entry> settled(SqlSession by, String run, List<Entry> said, RowCount count) {
    List<Receipt> there = there(by, run, said, count);
    return there == null || there.isEmpty()
        ? said
        : Stream.concat(
                said.stream(), there.stream().map(receipt -> new Entry.Taken(receipt, null)))
            .sorted((one, other) -> Boolean.compare(isEnd(one), isEnd(other)))
            .toList();
  }

  private static boolean isEnd(Entry entry) {
    return entry instanceof Entry.Sealing || entry instanceof Entry.Complete;
  }

  /// Which of the announced streams are there, by the rows of the staging table; null if that does
  /// not tell.
  @Nullable List<Receipt> there(SqlSession by, String run, List<Entry> said, RowCount count) {
    List<Receipt> open = announced(by, run, -1);
    if (open.isEmpty()) {
      return open;
    }
    Map<Start, Receipt> receipts = new LinkedHashMap<>();
    String staging = "";
    for (Entry entry : said) {
      if (entry instanceof Entry.Taken taken) {
        receipts.put(Start.of(taken.receipt()), taken.receipt());
      } else if (entry instanceof Entry.Begun begun) {
        staging = begun.staging();
      }
    }
    if (staging.isEmpty() || open.size() > TRIED_MAX) {
      return null;
    }
    long more = count.of(by, staging) - receipts.values().stream().mapToLong(Receipt::rows).sum();
    List<List<Receipt>> fitting = new ArrayList<>();
    for (int set = 0; set < 1 << open.size(); set++) {
      List<Receipt> some = new ArrayList<>();
      long rows = 0;
      for (int i = 0; i < open.size(); i++) {
        if ((set >> i & 1) == 1) {
          Receipt before = receipts.get(Start.of(open.get(i)));
          some.add(open.get(i));
          rows += open.get(i).rows() - (before == null ? 0 : before.rows());
        }
      }
      if (rows == more) {
        fitting.add(some);
      }
    }
    return fitting.size() == 1 ? fitting.getFirst() : null;
  }
}
