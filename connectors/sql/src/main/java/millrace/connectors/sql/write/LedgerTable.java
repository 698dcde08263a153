package millrace.connectors.sql.write;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.connectors.sql.Locks;
import millrace.connectors.sql.Names;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableName;
import millrace.data.Column;
import millrace.data.Type;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournalText;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;

/// The table of a ledger, which has one shape in all databases: a row for each run, of split -1,
/// which has all entries but its receipts, and one for each split that the run has taken, by where
/// it begins. Each has the job and the target of the run too.
///
/// @param names how its columns are spelled
/// @param settling how others who are writing its rows are waited for; null if something else keeps
///   them apart
/// @param text how its entries are spelled
public record LedgerTable(
    Names names, TableName table, @Nullable Settling settling, JournalText text) {

  /// How others who are writing rows are waited for.
  ///
  /// @param begin begins a transaction
  public record Settling(String begin, Locks.LockingRead read) {}

  /// The name of such a table.
  public static final String NAME = "millrace_journal";

  /// So long that no system has it in a column of short texts.
  private static final int DETAILS_LENGTH = 10_000_000;

  private static final List<Column> COLUMNS =
      List.of(
          Column.of("run", new Type.Text(100)),
          Column.of("split", new Type.Int(32)),
          Column.of("from_position", new Type.Int(64)),
          Column.of("job", new Type.Text(500)),
          Column.of("target", new Type.Text(500)),
          Column.of("details", new Type.Text(DETAILS_LENGTH)));

  /// What a row is known by.
  static final List<Column> KEY = COLUMNS.subList(0, 3);

  /// It as SQL names it.
  public String sql() {
    return table.sql(names);
  }

  /// Its columns and its key, as a statement that makes it declares them.
  ///
  /// @param ddl the name of a type
  public String declarations(Function<Type, String> ddl) {
    return COLUMNS.stream()
        .map(each -> declaration(each, ddl) + " NOT NULL")
        .collect(Collectors.joining(", ", "", ", PRIMARY KEY (" + list(KEY) + ")"));
  }

  String declaration(Column column, Function<Type, String> ddl) {
    return column(column.name()) + " " + ddl.apply(column.type());
  }

  /// All of its columns, in the order of their declarations.
  String columns() {
    return list(COLUMNS);
  }

  private String list(List<Column> columns) {
    return columns.stream().map(each -> column(each.name())).collect(Collectors.joining(", "));
  }

  /// A column of it as SQL names it.
  public String column(String name) {
    return names.quoted(names.folded(name));
  }

  /// The condition of all rows of a run, whose id is a parameter.
  String ofRun() {
    return " WHERE " + column("run") + " = ?";
  }

  /// The condition of the row that tells how a run began.
  String ofHead() {
    return ofRun() + " AND " + column("split") + " = -1";
  }

  /// The condition of a row of a run, whose id is a parameter.
  public String of(int split, long from) {
    return ofRun()
        + " AND %s = %d AND %s = %d"
            .formatted(column("split"), split, column("from_position"), from);
  }

  /// The entries of some rows, a list for each.
  ///
  /// @param behind what follows the name of the table
  List<List<Entry>> details(SqlSession by, String behind, String... texts) {
    return texts(by, behind, texts).stream().map(text::entries).toList();
  }

  /// The same as they are spelled.
  List<String> texts(SqlSession by, String behind, String... texts) {
    String query = "SELECT " + column("details") + " FROM " + sql() + behind;
    return by.query(query, row -> row.getString(1), texts);
  }

  /// What is written down of runs, but for their receipts, in the order in which they began.
  ///
  /// @param condition of their rows; empty for all
  public List<List<Entry>> heads(SqlSession by, String condition, String... texts) {
    String all = " WHERE " + column("split") + " = -1";
    String more = condition.isEmpty() ? "" : " AND " + condition;
    return details(by, all + more + " ORDER BY " + column("run"), texts);
  }

  /// The same of one run; empty if nothing is.
  public List<Entry> head(SqlSession by, RunRecord run) {
    return details(by, ofHead(), run.id()).stream().flatMap(List::stream).toList();
  }

  /// The same once all who are writing to it have ended.
  public List<Entry> settledHead(SqlSession by, RunRecord run) {
    return settled(by, ofHead(), run.id()).stream().flatMap(List::stream).toList();
  }

  private List<List<Entry>> settled(SqlSession by, String behind, String... texts) {
    if (settling == null) {
      return details(by, behind, texts);
    }
    by.begin(settling.begin);
    try {
      if (!settling.read.before().isEmpty()) {
        by.execute(settling.read.before());
      }
      return details(by, behind + " " + settling.read.after(), texts);
    } finally {
      by.rollback();
    }
  }

  /// All entries of a run. Rows of a split below -1 are the connector's, and are none.
  public List<Entry> entries(SqlSession by, String run) {
    String known =
        " AND %1$s >= -1 ORDER BY %1$s, %2$s".formatted(column("split"), column("from_position"));
    return settled(by, ofRun() + known, run).stream().flatMap(List::stream).toList();
  }

  /// What a run says of a split that it has taken; null if it has not.
  public @Nullable Receipt receipt(SqlSession by, RunRecord run, Split split) {
    return settled(by, of(split.index(), split.from()), run.id()).stream()
        .flatMap(List::stream)
        .flatMap(entry ->
            entry instanceof Entry.Taken taken ? Stream.of(taken.receipt()) : Stream.empty())
        .findFirst()
        .orElse(null);
  }

  /// Adds to what is written down of a run, in the transaction of {@code by}. Returns whether the
  /// run was still known.
  public boolean append(SqlSession by, RunRecord run, Entry entry) {
    String details = column("details");
    List<String> said = texts(by, ofHead(), run.id());
    return !said.isEmpty()
        && by.update(
                "UPDATE " + sql() + " SET " + details + " = ?" + ofHead(),
                said.getFirst() + "\n" + JournalText.spell(entry),
                run.id())
            > 0;
  }

  /// Removes a run.
  public void delete(SqlSession by, RunRecord run) {
    by.update("DELETE FROM " + sql() + ofRun(), run.id());
  }
}
