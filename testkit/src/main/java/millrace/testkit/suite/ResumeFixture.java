package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/// What the tests of copies with a journal share: their rows, and what somebody does to a target
/// between two runs. It has no tests.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class ResumeFixture extends MemoryFixture {

  /// Rows of a copy: some splits of some batches each.
  protected static final int ROWS = 640;

  protected static final int BATCH_ROWS = 20;
  protected static final int LANES = 2;

  /// Some 80 rows.
  protected static final long SPLIT_BYTES = 2_400;

  private static final Schema DOCUMENTS =
      Schema.of(List.of(new Column("doc", new Type.Json(), false, null)));

  /// A mode, with or without --atomic.
  public record Way(Mode mode, boolean atomic) {

    /// Whether rows come beside those that are there.
    boolean adds() {
      return mode == Mode.APPEND || mode == Mode.MERGE;
    }

    @Override
    public String toString() {
      return mode + (atomic ? " atomic" : "");
    }
  }

  /// All that there are.
  static Stream<Way> ways() {
    return Stream.concat(
        Stream.of(Mode.values()).map(mode -> new Way(mode, false)),
        Stream.of(new Way(Mode.APPEND, true), new Way(Mode.TRUNCATE, true)));
  }

  /// Three of them for one test of one system, one of each kind of landing: staged to become the
  /// table, written into it, and brought in at the end. Which ones changes from test to test and
  /// from system to system, so that each system tries all ways and each test is tried in all of
  /// them. With the system property `millrace.ways=all` there are all, for a campaign.
  static Stream<Way> someWays(TestInfo test) {
    return Ways.of(test, 0);
  }

  /// What somebody may take away from a target.
  public enum Loss {
    /// The table, or the file.
    TABLE,
    /// All rows of the table, by other means than the connector's.
    ROWS,
    /// Rows that wait under another name for the end of a copy.
    STAGED,
    /// The last of them.
    STAGED_LAST,
    /// All that is known of copies.
    JOURNAL
  }

  /// Somebody takes something away from the table of that name, or from what belongs to it.
  protected abstract void lose(Loss loss, String name);

  /// Somebody gives a table the name of another, which is gone then, by the system's own means.
  protected void putInPlace(String other, String name) {
    throw notGiven(Behaviour.TABLE_IDENTITY);
  }

  /// What copies have left in the place of that table: all that is there but the table and the
  /// journal.
  protected abstract List<String> leftovers(String name);

  /// Other spellings of the same table, for reading and for writing.
  protected abstract List<Endpoint> spellings(String name);

  /// Other spellings of the same table, for reading it from a copy to the next.
  protected List<Endpoint> sourceSpellings(String name) {
    return spellings(name);
  }

  /// Whether a killed process leaves what its writers have open as it is. Those of a server lose
  /// their connections.
  protected boolean killedWritersStayOpen() {
    return false;
  }

  /// What a resume that is refused says if a killed process may have left rows in the table itself
  /// of which nobody can tell; empty if that can't be.
  protected String refusalInDoubt() {
    return "";
  }

  /// Whether the target takes documents, each with the values of a row, and no columns.
  protected boolean takesDocuments() {
    return false;
  }

  /// What is copied.
  protected final Schema schema() {
    return schema(takesDocuments());
  }

  static Schema schema(boolean documents) {
    return documents ? DOCUMENTS : ITEMS;
  }

  /// That many rows of {@link #schema}, with keys from a number on.
  protected final List<Row> rows(int first, int count) {
    return rows(takesDocuments(), first, count);
  }

  static List<Row> rows(boolean documents, int first, int count) {
    return documents
        ? itemsFrom(first, count).stream().map(ResumeFixture::document).toList()
        : itemsFrom(first, count);
  }

  private static Row document(Row item) {
    return Row.of("{\"id\":" + item.value(0) + ",\"amount\":" + item.value(2) + "}");
  }

  protected final boolean offers(Way way) {
    return offers(way.mode(), way.atomic());
  }

  protected final void needs(Way way) {
    needs(way.mode(), way.atomic());
  }

  /// Ends the test as not offered if the target takes documents.
  protected final void needsColumns() {
    needs(!takesDocuments(), "columns, since it takes documents");
  }

  /// A copy of rows with --resume.
  protected final ResumableCopy copy(List<Row> rows, Endpoint table, Mode mode) {
    return copy(rows, table, new Way(mode, false));
  }

  protected final ResumableCopy copy(List<Row> rows, Endpoint table, Way way) {
    return copy("rows", schema(), rows, table, way);
  }

  /// A copy of rows that are known by a name in memory.
  protected final ResumableCopy copy(
      String name, Schema schema, List<Row> rows, Endpoint table, Way way) {
    memory().put(name, schema, rows);
    Copying copying =
        Copying.of(memory(), memory().endpoint(name), connector(), table)
            .mode(way.mode())
            .atomic(way.atomic())
            .lanes(LANES, SPLIT_BYTES);
    return ResumableCopy.of(copying, BATCH_ROWS);
  }

  /// Kills another process that does that copy of {@link #ROWS} rows, as soon as something is so.
  protected final void killProcessWhen(Endpoint table, Mode mode, BooleanSupplier isDue)
      throws IOException, InterruptedException {
    ChildCopy.killedWhen(connector(), table, mode, takesDocuments(), isDue);
  }

  protected final void kill(ResumableCopy copy, ResumableCopy.Kill where) {
    copy.kill(where, 20, killedWritersStayOpen());
  }

  /// Makes the table that a mode needs.
  ///
  /// @return those of its rows that stay
  protected final List<Row> before(Endpoint table, Way way) {
    if (way.mode() == Mode.CREATE) {
      return List.of();
    }
    write(schema(), rows(0, 10), table);
    return way.adds() ? rows(0, 10) : List.of();
  }

  protected static List<Row> all(List<Row> some, List<Row> others) {
    List<Row> all = new ArrayList<>(some);
    all.addAll(others);
    return all;
  }

  /// Checks that a table holds those rows and that nothing else is there but marks of complete
  /// copies.
  protected final void assertHolds(List<Row> rows, String name, ResumableCopy copy) {
    assertHolds(rows, table(name));
    assertThat(leftovers(name)).as("left behind").isEmpty();
    assertThat(copy.inJournal(Journal::list)).as("the journal").allMatch(JournaledRun::complete);
  }

  protected final void assertHolds(List<Row> rows, Endpoint table) {
    RowCheck.sameRows(schema(), rows, held(table));
  }

  /// What a table holds, of the columns that are copied.
  protected final List<Row> held(Endpoint table) {
    memory().put("held", Schema.of(schema().columns()), List.of());
    Copying.of(connector(), table, memory(), memory().endpoint("held"))
        .mode(Mode.APPEND)
        .select(schema().names())
        .run();
    return memory().rows("held");
  }

  /// Checks that the same command finds nothing to do, and that a dry run says so too.
  protected static void assertNothingToDo(ResumableCopy copy) {
    assertThat(copy.decide()).contains("complete since", "nothing to do");
    Ran run = copy.run();
    assertThat(run.completeSince()).isNotEmpty();
    assertThat(run.meter().rows()).isZero();
  }

  /// Checks that a run and its dry run are refused with those words, and that the user is told of
  /// --fresh.
  protected static void assertRefused(ResumableCopy copy, String words) {
    for (Runnable each : List.<Runnable>of(copy::decide, copy::run)) {
      Fault.User fault = catchThrowableOfType(Fault.User.class, each::run);
      assertThat(fault).as("it should be refused: " + words).isNotNull();
      assertThat(fault).hasMessageContaining(words);
      assertThat(fault.advice()).contains("--fresh");
    }
  }
}
