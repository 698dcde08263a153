package millrace.connectors.oracle.direct;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.write.LedgerTable;
import millrace.connectors.sql.write.OwnerRows;
import millrace.connectors.sql.write.SqlJournal;
import millrace.fault.Fault;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// Streams that were announced, in the journal's table: each a row like a receipt's, whose split is
/// -2 and below, down to the {@link OwnerRows}. If one is left that no receipt speaks of, a run was
/// killed at its end, and only the rows themselves can tell whether it is there.
///
/// @param table the table that is loaded
record StreamsInDoubt(SqlJournal ledger, Dialect dialect, TableName table) {

  /// So many are tried in all combinations.
  private static final int TRIED_MAX = 12;

  /// Where a receipt begins.
  private record ReceiptStart(int split, long from) {

    static ReceiptStart of(Receipt receipt) {
      return new ReceiptStart(receipt.split().index(), receipt.split().from());
    }
  }

  private static Receipt announced(Receipt receipt) {
    return numbered(receipt, -2 - receipt.split().index());
  }

  private static Receipt numbered(Receipt receipt, int index) {
    Split split = receipt.split();
    return new Receipt(
        new Split(index, split.resource(), split.position(), split.firstRow(), split.firstLine()),
        receipt.rest(),
        receipt.rows(),
        receipt.refused(),
        receipt.bytes(),
        receipt.checksum(),
        receipt.durable());
  }

  /// Writes down that rows are about to be there.
  ///
  /// @throws Fault.External if the run is not known any more
  void announce(SqlSession by, RunRecord run, Receipt receipt) {
    ledger.record(by, run, announced(receipt));
  }

  /// They are not there.
  void withdraw(SqlSession by, RunRecord run, Receipt receipt) {
    Split split = announced(receipt).split();
    by.update(
        "DELETE FROM " + journal().sql() + journal().of(split.index(), split.from()), run.id());
  }

  private LedgerTable journal() {
    return ledger.table();
  }

  private String below() {
    return " WHERE %1$s = ? AND %2$s < -1 AND %2$s > %3$d"
        .formatted(journal().column("run"), journal().column("split"), OwnerRows.LAST);
  }

  private List<Receipt> all(SqlSession by, RunRecord run) {
    String details = "SELECT " + journal().column("details") + " FROM " + journal().sql() + below();
    return by.query(details, row -> journal().text().entries(row.getString(1)), run.id()).stream()
        .flatMap(List::stream)
        .map(entry -> ((Entry.Taken) entry).receipt())
        .map(receipt -> numbered(receipt, -2 - receipt.split().index()))
        .toList();
  }

  /// What the journal says of a run, with the announced streams that are there. If nobody can tell,
  /// none is taken for there, and who goes on with the run is told so.
  ///
  /// @param entries what stands in it; not empty
  List<Entry> settled(SqlSession by, List<Entry> entries) {
    List<Receipt> there = there(by, entries);
    return there == null || there.isEmpty()
        ? entries
        : Stream.concat(
                entries.stream(), there.stream().map(receipt -> new Entry.Taken(receipt, null)))
            .sorted((one, other) -> Boolean.compare(isEnd(one), isEnd(other)))
            .toList();
  }

  private static boolean isEnd(Entry entry) {
    return entry instanceof Entry.Sealing || entry instanceof Entry.Complete;
  }

  /// Writes receipts for those that are there, before another run goes on with the one that
  /// announced them; nothing is open then.
  ///
  /// @param label the table, for the error
  /// @throws Fault.User if nobody can tell what is there
  void settle(SqlSession by, JournaledRun from, String label) {
    RunRecord run = from.run();
    List<Receipt> there = there(by, journal().entries(by, run.id()));
    if (there == null) {
      throw new Fault.User(
          "The copy before was killed at the end of a stream, and nobody can tell whether its last"
              + " rows are in "
              + label
              + ".",
          "Compare both ends with millrace verify, or begin again with --fresh.");
    }
    by.begin(dialect.statements().begin());
    there.forEach(receipt -> ledger.record(by, run, receipt));
    by.update("DELETE FROM " + journal().sql() + below(), run.id());
    by.commit();
  }

  /// Which of the announced streams are there, by the rows of the staging table; null if that does
  /// not tell.
  private @Nullable List<Receipt> there(SqlSession by, List<Entry> entries) {
    Map<ReceiptStart, Receipt> receipts = new LinkedHashMap<>();
    Entry.Begun begun = null;
    for (Entry entry : entries) {
      if (entry instanceof Entry.Taken taken) {
        receipts.put(ReceiptStart.of(taken.receipt()), taken.receipt());
      } else if (entry instanceof Entry.Begun beginning) {
        begun = beginning;
      }
    }
    if (begun == null) {
      return List.of();
    }
    List<Receipt> open =
        all(by, begun.run()).stream().filter(receipt -> more(receipt, receipts) > 0).toList();
    if (open.isEmpty()) {
      return open;
    }
    if (!begun.isStaged() || open.size() > TRIED_MAX) {
      return null;
    }
    TableName staging = ledger.named(begun.staging());
    long rows = dialect.catalog().exists(by, staging) ? rowsAtRest(by, staging) : 0;
    long known = receipts.values().stream().mapToLong(Receipt::rows).sum();
    return onlySetOf(open, receipts, rows - known);
  }

  /// Before the rows appear, compares them with what the receipts say: a stream's end that nobody
  /// waited for may have come after all.
  ///
  /// @throws Fault.External if there are others
  void check(SqlSession by, RunRecord run, TableName staging) {
    if (!dialect.catalog().exists(by, staging)) {
      // They have appeared already.
      return;
    }
    long rows = rowsAtRest(by, staging);
    long known =
        journal().entries(by, run.id()).stream()
            .mapToLong(entry -> entry instanceof Entry.Taken taken ? taken.receipt().rows() : 0)
            .sum();
    if (rows != known) {
      throw new Fault.External(
          String.format(
              Locale.ROOT,
              "%,d rows were staged for %s, and %s holds %,d.",
              known,
              table.name(),
              staging.name(),
              rows),
          "A stream of a run that was killed has come to its end late, or somebody has changed the"
              + " staging table. Begin again with --fresh.",
          null);
    }
  }

  /// How many rows an announced stream has beside those that a receipt speaks of.
  private static long more(Receipt announced, Map<ReceiptStart, Receipt> receipts) {
    Receipt before = receipts.get(ReceiptStart.of(announced));
    return announced.rows() - (before == null ? 0 : before.rows());
  }

  /// Those of the streams that have so many rows in sum; null if there are no such ones, or several
  /// choices.
  private static @Nullable List<Receipt> onlySetOf(
      List<Receipt> open, Map<ReceiptStart, Receipt> receipts, long wanted) {
    List<List<Receipt>> fitting = new ArrayList<>();
    for (int set = 0; set < 1 << open.size(); set++) {
      List<Receipt> some = new ArrayList<>();
      long rows = 0;
      for (int i = 0; i < open.size(); i++) {
        if ((set >> i & 1) == 1) {
          some.add(open.get(i));
          rows += more(open.get(i), receipts);
        }
      }
      if (rows == wanted) {
        fitting.add(some);
      }
    }
    return fitting.size() == 1 ? fitting.getFirst() : null;
  }

  /// How many rows a table has once nobody loads it any more: the server ends a stream's last call
  /// though the process that made it is gone, and holds the table until then.
  private long rowsAtRest(SqlSession by, TableName staging) {
    String name = staging.sql(dialect.names());
    by.begin(dialect.statements().begin());
    try {
      by.execute("LOCK TABLE " + name + " IN EXCLUSIVE MODE");
      return by.query("SELECT count(*) FROM " + name, row -> row.getLong(1)).getFirst();
    } finally {
      by.rollback();
    }
  }
}
