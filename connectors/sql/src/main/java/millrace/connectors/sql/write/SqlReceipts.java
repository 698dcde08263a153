package millrace.connectors.sql.write;

import millrace.connectors.sql.Dialect;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TypeTable;
import millrace.data.Type;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;

/// The receipts in a journal's table, each a row by its split and where it begins.
///
/// @param columns its columns as SQL names them
record SqlReceipts(LedgerTable table, String columns) {

  private static final int ID_LENGTH = 100;
  private static final int NAME_LENGTH = 500;

  /// So long that no system has it in a column of short texts.
  private static final int DETAILS_LENGTH = 10_000_000;

  private String quoted(String column) {
    return table.column(column);
  }

  private String journal() {
    return table.sql();
  }

  /// The statement that makes the table.
  String ddl(Dialect dialect) {
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

  /// Writes a receipt, in the transaction of its rows. Returns false if the run is not known any
  /// more.
  boolean record(SqlSession by, RunRecord run, Receipt receipt) {
    String details = JournalText.spell(new Entry.Taken(receipt, null));
    int split = receipt.split().index();
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
}
