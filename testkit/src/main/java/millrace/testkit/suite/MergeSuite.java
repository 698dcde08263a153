package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import millrace.data.Batch;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingReader;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a merge makes of rows: no others change, all of them arrive or nothing does, and the counts
/// say what happened.
public interface MergeSuite extends Suite {

  String UNIQUE = "CREATE TABLE %s (id bigint PRIMARY KEY, v varchar(20) UNIQUE)";

  /// Rows of few keys, some beside each other and some far apart.
  private static List<Row> rowsOfFewKeys() {
    Random random = new Random(3);
    return IntStream.range(0, 480).mapToObj(i -> Row.of(random.nextInt(60), "v" + i)).toList();
  }

  private Copying ofFewKeys(int lanes, int splitRows, @Nullable Integer commitRows) {
    write(CODES, List.of(Row.of(7, "old")), table("few_keys"));
    return merging(CODES, rowsOfFewKeys(), table("few_keys"))
        .lanes(lanes, 20L * splitRows)
        .units(
            new Amount(10, false),
            new Amount(7, false),
            commitRows == null ? null : new Amount(commitRows, false));
  }

  /// In two batches of one commit, two commits of one split, two splits of one lane, and in two
  /// lanes, of which that with the first rows is the last to write them.
  @ParameterizedTest
  @CsvSource({"1, 1000, 20", "1, 30,", "1, 300, 50", "2, 60, 20"})
  default void theLastRowOfAKeyWinsWhicheverLaneIsTheLast(
      int lanes, int splitRows, @Nullable Integer commitRows) {
    needs(Behaviour.MERGE);
    Copying copying = ofFewKeys(lanes, splitRows, commitRows);
    boolean waits = copying.plan().lanes().first() > 1;
    CountDownLatch others = new CountDownLatch(waits ? 480 / splitRows - 1 : 0);
    copying.between(source -> firstSplitLast(source, others), UnaryOperator.identity()).run();
    RowCheck.sameRows(CODES, lastRows(rowsOfFewKeys()), read(CODES, table("few_keys")));
  }

  /// The first split is read when all others have been.
  private static Source firstSplitLast(Source source, CountDownLatch others) {
    return new ForwardingSource(source) {
      @Override
      protected ReadSession opened(ReadSession session) {
        return new ForwardingReadSession(session) {
          @Override
          public Reader reader(ReadContext context) {
            return new LateReader(super.reader(context), others);
          }
        };
      }
    };
  }

  final class LateReader extends ForwardingReader {
    private final CountDownLatch others;
    private boolean isFirst;

    LateReader(Reader inner, CountDownLatch others) {
      super(inner);
      this.others = others;
    }

    @Override
    public void start(Split split) {
      isFirst = split.index() == 0;
      super.start(split);
    }

    @Override
    public @Nullable Batch next() {
      if (isFirst) {
        try {
          assertThat(others.await(30, TimeUnit.SECONDS)).as("other lanes read on").isTrue();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      Batch next = super.next();
      if (next == null && !isFirst) {
        others.countDown();
      }
      return next;
    }
  }

  /// A split that is read once more keeps its place among the others.
  @ParameterizedTest
  @CsvSource({"READ, 1, 1000", "WRITE, 2, 60"})
  default void theLastRowOfAKeyWinsAfterOtherTries(FaultPlan.Site where, int lanes, int splitRows) {
    needs(Behaviour.MERGE);
    Copying copying = ofFewKeys(lanes, splitRows, 20);
    FaultPlan plan =
        (site, split, call) ->
            site == where && (call == 2 || call == 5) && split % 2 == 0
                ? FaultPlan.Kind.TRANSIENT
                : null;
    Copying failing =
        copying
            .from(new FaultyConnector(memory(), plan))
            .to(new FaultyConnector(connector(), plan))
            .patience(JournaledSuite.SOON);
    try {
      assertThat(failing.run().meter().retries()).isNotEmpty();
    } catch (Fault.Transient _) {
      // What can't take back a lane's rows alone ends. Nothing of it stays, or it comes again.
      copying.run();
    }
    RowCheck.sameRows(CODES, lastRows(rowsOfFewKeys()), read(CODES, table("few_keys")));
  }

  @Test
  default void valuesThatAreSwappedArriveOrNothingChanges() {
    needs(Behaviour.MERGE);
    sql("swapped", UNIQUE);
    insert("swapped", "", "1, 'a'", "2, 'b'");
    List<Row> before = List.of(Row.of(1, "a"), Row.of(2, "b"));
    List<Row> swapped = List.of(Row.of(1, "b"), Row.of(2, "a"));
    boolean refused = false;
    try {
      merging(CODES, swapped, table("swapped")).run();
    } catch (Fault.Data _) {
      refused = true;
    }
    RowCheck.sameRows(CODES, refused ? before : swapped, read(CODES, table("swapped")));
  }

  @Test
  default void aRefusedValueIsNamedAndNothingChanges() {
    needs(Behaviour.MERGE);
    sql("refused", UNIQUE);
    insert("refused", "", "1, 'taken'", "2, 'b'");
    List<Row> before = List.of(Row.of(1, "taken"), Row.of(2, "b"));
    for (int id : List.of(2, 4711)) {
      List<Row> rows = List.of(Row.of(5, "x"), Row.of(1, "taken"), Row.of(id, "taken"));
      assertThatThrownBy(() -> merging(CODES, rows, table("refused")).run())
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("taken");
      RowCheck.sameRows(CODES, before, read(CODES, table("refused")));
    }
  }

  /// The run that has staged the record is not the one that its table refuses it in.
  @Test
  default void aMergeThatGoesOnNamesARefusedRecordAsOneThatWasNeverCutOffDoes() {
    needs(Behaviour.MERGE);
    sql("refused_later", UNIQUE);
    sql("refused_later", "INSERT INTO %s VALUES (1, 'taken')");
    List<Row> rows = new ArrayList<>();
    IntStream.range(100, 400).forEach(id -> rows.add(Row.of(id, "v" + id)));
    rows.set(3, Row.of(4711, "taken"));
    ResumableCopy copy =
        ResumableCopy.of(merging(CODES, rows, table("refused_later")).lanes(2, 20L * 80), 20);
    Fault.Data told = catchThrowableOfType(Fault.Data.class, () -> copy.unrequested().run());
    assertThat(told).isNotNull();
    copy.kill(ResumableCopy.Kill.BEFORE_THE_END, 0, false);
    Ran later = copy.failing(Fault.Data.class, String.valueOf(told.getMessage()));
    assertThat(((Fault.Data) Objects.requireNonNull(later.result().fault())).location())
        .isEqualTo(told.location());
    RowCheck.sameRows(CODES, List.of(Row.of(1, "taken")), read(CODES, table("refused_later")));
  }

  /// What a trigger writes beside it is no row of the copy.
  @Test
  default void oneRowThatATriggerWritesAnotherForIsOne() {
    Schema log = Schema.of(List.of(Column.of("what", TEXT)));
    sql("watched_one", "CREATE TABLE %s (id bigint PRIMARY KEY, v varchar(20))");
    sql("watched_one_log", "CREATE TABLE %s (what varchar(1))");
    logged("watched_one", "watched_one_log");
    Ran run = into(CODES, List.of(Row.of(1, "a")), table("watched_one")).mode(Mode.APPEND).run();
    assertThat(run.meter().rows()).isOne();
    assertThat(run.notes()).noneMatch(note -> note.contains("ignored"));
    assertThat(read(CODES, table("watched_one"))).containsExactly(Row.of(1, "a"));
    assertThat(read(log, table("watched_one_log"))).containsExactly(Row.of("i"));
  }

  @Test
  default void whatIsTheSameIsUnchanged() {
    Schema schema =
        new Schema(
            List.of(
                new Column("id", new Type.Int(64), false, null),
                Column.of("f", new Type.Float(64))),
            List.of("id"));
    needs(Behaviour.MERGE);
    needs(new Type.Float(64));
    double zero = can(Behaviour.SIGN_OF_ZERO) ? -0.0 : 0.0;
    Endpoint table = table("same_floats");
    write(schema, List.of(Row.of(1, null), Row.of(2, 1.5), Row.of(3, 0.0), Row.of(4, null)), table);
    List<Row> rows = List.of(Row.of(1, null), Row.of(2, 1.5), Row.of(3, zero), Row.of(4, 0.0));
    Ran run = merging(schema, rows, table).run();
    List<Row> found = read(schema, table);
    // To some systems 0 is -0, so that they leave it as it is.
    boolean isWritten = found.contains(Row.of(3, -0.0));
    checkCounts(run, 0, isWritten ? 2 : 1, isWritten ? 2 : 3, 0);
    Row third = Row.of(3, isWritten ? -0.0 : 0.0);
    RowCheck.sameRows(schema, List.of(rows.get(0), rows.get(1), third, rows.get(3)), found);
    checkCounts(merging(schema, rows, table).run(), 0, 0, 4, 0);
  }

  @Test
  default void aValueInAnotherCaseIsAnotherValue() {
    needs(Behaviour.MERGE);
    sql("other_case", "CREATE TABLE %s (id bigint PRIMARY KEY, v " + anyCase() + ")");
    sql("other_case", "INSERT INTO %s VALUES (1, 'Ann')");
    checkCounts(merging(CODES, List.of(Row.of(1, "ANN")), table("other_case")).run(), 0, 1, 0, 0);
    assertThat(read(CODES, table("other_case"))).containsExactly(Row.of(1, "ANN"));
  }

  @Test
  default void columnsThatDoNotComeStayAsTheyAre() {
    needs(Behaviour.MERGE);
    sql("partial", "CREATE TABLE %s (id bigint PRIMARY KEY, a bigint DEFAULT 7, v varchar(20))");
    insert("partial", "", "1, 1, 'old'", "2, NULL, 'old'");
    List<Row> rows = List.of(Row.of(1, "new"), Row.of(2, "old"), Row.of(3, null));
    checkCounts(merging(CODES, rows, table("partial")).run(), 1, 1, 1, 0);
    Schema all =
        Schema.of(
            List.of(
                Column.of("id", new Type.Int(64)),
                Column.of("a", new Type.Int(64)),
                Column.of("v", TEXT)));
    RowCheck.sameRows(
        all,
        List.of(Row.of(1, 1, "new"), Row.of(2, null, "old"), Row.of(3, 7, null)),
        read(all, table("partial")));
  }

  @Test
  default void triggersSeeWhatChangesAndNothingElse() {
    Schema log = Schema.of(List.of(Column.of("what", TEXT)));
    needs(Behaviour.MERGE);
    sql("watched", "CREATE TABLE %s (id bigint PRIMARY KEY, v varchar(20))");
    insert("watched", "", "1, 'a'", "2, 'b'", "3, 'c'");
    sql("watch_log", "CREATE TABLE %s (what varchar(1))");
    logged("watched", "watch_log");
    List<Row> rows = List.of(Row.of(1, "a"), Row.of(2, "x"), Row.of(4, "y"), Row.of(4, "d"));
    checkCounts(merging(CODES, rows, table("watched")).run(), 1, 1, 1, 1);
    RowCheck.sameRows(log, List.of(Row.of("i"), Row.of("u")), read(log, table("watch_log")));
  }

  @Test
  default void aKeyThatATriggerGivesMayBeMissing() {
    needs(Behaviour.SQL);
    needs(Behaviour.FILLING_TRIGGERS);
    sql("filled", "CREATE TABLE %s (id bigint PRIMARY KEY, v varchar(20))");
    Schema schema = Schema.of(List.of(Column.of("v", TEXT)));
    Copying copying = into(schema, List.of(Row.of("a")), table("filled")).mode(Mode.APPEND);
    assertThatThrownBy(copying::run).hasMessageContaining("must not be null");
    filled("filled");
    assertThat(copying.run().plan().writePlan().notes())
        .anyMatch(note -> note.matches("the source has nothing for column \"?(?i:id)\"?: .*"));
    List<Column> all = List.of(Column.of("id", new Type.Int(64)), Column.of("v", TEXT));
    assertThat(read(Schema.of(all), table("filled"))).containsExactly(Row.of(7, "a"));
  }

  @Test
  default void aNumberThatTheDatabaseGivesStaysAndNewRowsGetOne() {
    needs(Behaviour.MERGE);
    String columns = numbered() + ", k varchar(20) NOT NULL UNIQUE, v varchar(20)";
    sql("numbered", "CREATE TABLE %s (id " + columns + ")");
    insert("numbered", "(k, v)", "'a', 'old'", "'b', 'old'");
    Schema schema = keyed(TEXT);
    List<Row> rows = List.of(Row.of("b", "new"), Row.of("c", "new"));
    checkCounts(merging(schema, rows, table("numbered"), "k").run(), 1, 1, 0, 0);
    List<Row> found =
        read(
            Schema.of(
                List.of(
                    Column.of("id", new Type.Int(64)), Column.of("k", TEXT), Column.of("v", TEXT))),
            table("numbered"));
    assertThat(found).contains(Row.of(1, "a", "old"), Row.of(2, "b", "new")).hasSize(3);
    assertThat(found).extracting(row -> row.value(0)).doesNotContainNull().doesNotHaveDuplicates();
  }
}
