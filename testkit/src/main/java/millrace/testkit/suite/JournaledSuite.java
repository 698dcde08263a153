package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInfo;

/// What suites of copies with a journal share: their rows, and what somebody does to a target
/// between two runs. It has no tests. A fixture says besides how things are taken away from its
/// tables and, if it has a server, where that listens.
public interface JournaledSuite extends Suite {

  /// Rows of a copy: some splits of some batches each.
  int ROWS = 640;

  int BATCH_ROWS = 20;
  int LANES = 2;

  /// Some 80 rows.
  long SPLIT_BYTES = 2_400;

  /// Of a copy that tries again almost at once.
  RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofMinutes(5), Duration.ZERO, Duration.ofNanos(1_000), Duration.ofMillis(2));

  Schema DOCUMENTS = Schema.of(List.of(new Column("doc", new Type.Json(), false, null)));

  /// A mode, with or without --atomic.
  record Way(Mode mode, boolean atomic) {

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
  enum Loss {
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
  void lose(Loss loss, String name);

  /// Somebody gives a table the name of another, which is gone then, by the system's own means.
  default void putInPlace(String other, String name) {
    throw notGiven(Behaviour.TABLE_IDENTITY);
  }

  /// What copies have left in the place of that table: all that is there but the table and the
  /// journal.
  List<String> leftovers(String name);

  /// Other spellings of the same table, for reading and for writing.
  List<Endpoint> spellings(String name);

  /// Other spellings of the same table, for reading it from a copy to the next.
  default List<Endpoint> sourceSpellings(String name) {
    return spellings(name);
  }

  /// Whether a killed process leaves what its writers have open as it is. Those of a server lose
  /// their connections.
  default boolean killedWritersStayOpen() {
    return false;
  }

  /// Where the system's server listens.
  default InetSocketAddress server() {
    throw notGiven(Behaviour.SERVER);
  }

  /// Has the server's answers lost that say that rows and their receipt have been committed, or
  /// that rows that may come again have been taken.
  ///
  /// @param before how many of them arrive first
  /// @param times how many are lost then
  default void loseAnswers(FaultyProxy proxy, int before, int times) {
    throw notGiven(Behaviour.LOST_ANSWERS);
  }

  /// Has the next of the server's answers lost that say that the end of a copy has been committed.
  default void loseAnswerAtTheEnd(FaultyProxy proxy) {
    loseAnswers(proxy, 0, 1);
  }

  /// The same table, behind a proxy of the server.
  default Endpoint through(FaultyProxy proxy, Endpoint table) {
    String port = ":" + server().getPort();
    String location = table.location().replace(port, ":" + proxy.port());
    return new Endpoint(table.scheme(), location, table.parameters(), table.secret());
  }

  /// Stands before the system's server, and harms nothing until it is told to.
  default FaultyProxy proxy() {
    needs(Behaviour.SERVER);
    InetSocketAddress server = server();
    return new FaultyProxy(
        server.getHostString(), server.getPort(), _ -> new ConnectionFault.None());
  }

  /// Ends the connections of this process after a statement, as its death does.
  default Deaths deaths() {
    return new ProxyDeaths(this);
  }

  /// All tables of a test, as a pattern of names; null if journals and locks lie in no tables.
  default @Nullable Endpoint allTables() {
    return table("*");
  }

  /// What a resume that is refused says if a killed process may have left rows in the table itself
  /// of which nobody can tell; empty if that can't be.
  default String refusalInDoubt() {
    return "";
  }

  /// Whether the target takes documents, each with the values of a row, and no columns.
  default boolean takesDocuments() {
    return false;
  }

  /// What is copied.
  default Schema schema() {
    return schema(takesDocuments());
  }

  static Schema schema(boolean documents) {
    return documents ? DOCUMENTS : ITEMS;
  }

  /// That many rows of {@link #schema}, with keys from a number on.
  default List<Row> rows(int first, int count) {
    return rows(takesDocuments(), first, count);
  }

  static List<Row> rows(boolean documents, int first, int count) {
    return documents
        ? MemoryFixture.itemsFrom(first, count).stream().map(JournaledSuite::document).toList()
        : MemoryFixture.itemsFrom(first, count);
  }

  private static Row document(Row item) {
    return Row.of("{\"id\":" + item.value(0) + ",\"amount\":" + item.value(2) + "}");
  }

  default boolean offers(Way way) {
    return offers(way.mode(), way.atomic());
  }

  default void needs(Way way) {
    needs(way.mode(), way.atomic());
  }

  /// Ends the test as not offered if the target takes documents.
  default void needsColumns() {
    needs(!takesDocuments(), "columns, since it takes documents");
  }

  /// A copy of rows with --resume.
  default ResumableCopy copy(List<Row> rows, Endpoint table, Mode mode) {
    return copy(rows, table, new Way(mode, false));
  }

  default ResumableCopy copy(List<Row> rows, Endpoint table, Way way) {
    return copy("rows", schema(), rows, table, way);
  }

  /// A copy of rows that are known by a name in memory.
  default ResumableCopy copy(String name, Schema schema, List<Row> rows, Endpoint table, Way way) {
    memory().put(name, schema, rows);
    Copying copying =
        Copying.of(memory(), memory().endpoint(name), connector(), table)
            .mode(way.mode())
            .atomic(way.atomic())
            .lanes(LANES, SPLIT_BYTES);
    return ResumableCopy.of(copying, BATCH_ROWS);
  }

  /// Kills another process that does that copy of {@link #ROWS} rows, as soon as something is so.
  default void killProcessWhen(Endpoint table, Mode mode, BooleanSupplier isDue)
      throws IOException, InterruptedException {
    ChildCopy.killedWhen(connector(), table, mode, takesDocuments(), isDue);
  }

  default void kill(ResumableCopy copy, ResumableCopy.Kill where) {
    copy.kill(where, 20, killedWritersStayOpen());
  }

  /// Makes the table that a mode needs.
  ///
  /// @return those of its rows that stay
  default List<Row> before(Endpoint table, Way way) {
    if (way.mode() == Mode.CREATE) {
      return List.of();
    }
    write(schema(), rows(0, 10), table);
    return way.adds() ? rows(0, 10) : List.of();
  }

  /// Checks that a table holds those rows and that nothing else is there but marks of complete
  /// copies.
  default void assertHolds(List<Row> rows, String name, ResumableCopy copy) {
    assertHolds(rows, table(name));
    assertThat(leftovers(name)).as("left behind").isEmpty();
    assertThat(copy.inJournal(Journal::list)).as("the journal").allMatch(JournaledRun::complete);
  }

  default void assertHolds(List<Row> rows, Endpoint table) {
    RowCheck.sameRows(schema(), rows, held(table));
  }

  /// What a table holds, of the columns that are copied.
  default List<Row> held(Endpoint table) {
    memory().put("held", Schema.of(schema().columns()), List.of());
    Copying.of(connector(), table, memory(), memory().endpoint("held"))
        .mode(Mode.APPEND)
        .select(schema().names())
        .run();
    return memory().rows("held");
  }

  /// Checks that the same command finds nothing to do, and that a dry run says so too.
  default void assertNothingToDo(ResumableCopy copy) {
    assertThat(copy.decide()).contains("complete since", "nothing to do");
    Ran run = copy.run();
    assertThat(run.completeSince()).isNotEmpty();
    assertThat(run.meter().rows()).isZero();
  }

  /// Checks that a run and its dry run are refused with those words, and that the user is told of
  /// --fresh.
  default void assertRefused(ResumableCopy copy, String words) {
    for (Runnable each : List.<Runnable>of(copy::decide, copy::run)) {
      Fault.User fault = catchThrowableOfType(Fault.User.class, each::run);
      assertThat(fault).as("it should be refused: " + words).isNotNull();
      assertThat(fault).hasMessageContaining(words);
      assertThat(fault.advice()).contains("--fresh");
    }
  }
}
