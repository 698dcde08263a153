package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Source;
import millrace.spi.read.Splits;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.suite.ResumableCopy.Kill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.commons.support.ReflectionSupport;

/// What every connector that keeps a journal promises of copies with --resume: their rows are there
/// once, wherever the process is killed and however often the same command is given. What becomes
/// of changed commands and sources is in {@link ResumeChoiceSuite}, of what somebody takes away in
/// {@link ResumeLossSuite}, of faults in {@link ResumeFaultSuite} and {@link ConnectionFaultSuite},
/// of runs that several processes write to in {@link JoinSuite} and {@link ClusterSuite}.
public interface ResumeSuite extends JournaledSuite {

  /// By a class of tests beside this one, of the same fixture.
  @ParameterizedTest
  @ValueSource(
      classes = {
        ClusterSuite.class,
        ConnectionFaultSuite.class,
        JoinSuite.class,
        ResumeFaultSuite.class,
        ResumeChoiceSuite.class,
        ResumeLossSuite.class
      })
  default void everySuiteOfCopiesWithAJournalIsTried(Class<?> suite) {
    Class<?> fixture = getClass();
    while (!Modifier.isAbstract(fixture.getModifiers())) {
      fixture = fixture.getSuperclass();
    }
    Class<?> given = fixture;
    assertThat(
            ReflectionSupport.findAllClassesInPackage(
                getClass().getPackageName(),
                each -> given.isAssignableFrom(each) && suite.isAssignableFrom(each),
                _ -> true))
        .as("classes of tests that try it")
        .isNotEmpty();
  }

  static Stream<Arguments> kills() {
    return JournaledSuite.ways()
        .flatMap(way -> Stream.of(Kill.values()).map(kill -> Arguments.of(way, kill)));
  }

  @ParameterizedTest(name = "{0} that is killed {1}")
  @MethodSource("kills")
  default void rowsAreThereOnceWhereverTheProcessIsKilled(Way way, Kill kill) {
    needs(way);
    Endpoint table = table("killed");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, kill);
    long kept = copy.rowsKept();
    String said = copy.decide();
    Ran run = copy.run();
    assertThat(run.notes()).as("what a dry run said").contains(said);
    if (run.completeSince().isEmpty()) {
      boolean amongRows =
          kill.compareTo(Kill.AMONG_ROWS) >= 0 && kill.compareTo(Kill.AFTER_THE_LAST_COMMIT) < 0;
      assertThat(kept > 0).isEqualTo(copy.keepsParts() && amongRows);
      assertThat(run.meter().rows()).as("rows copied once more").isEqualTo(ROWS - kept);
      assertThat(run.meter().rowsBefore()).as("where progress begins").isEqualTo(kept);
      assertThat(run.meter().rowsDurable()).as("rows told as durable").isEqualTo(ROWS);
    } else {
      assertThat(kill).isGreaterThanOrEqualTo(Kill.BEHIND_A_STEP_OF_THE_END);
    }
    assertHolds(both(before, rows), "killed", copy);
    assertNothingToDo(copy);
    assertHolds(both(before, rows), "killed", copy);
  }

  /// The three modes, each killed once; and as many more at random moments as the system property
  /// `millrace.kills` says, for a campaign (bench/kills).
  static Stream<Arguments> realKills() {
    List<Mode> modes = List.of(Mode.CREATE, Mode.APPEND, Mode.REPLACE);
    int least = 20;
    return Stream.concat(
        modes.stream().map(mode -> Arguments.of(mode, least)),
        IntStream.range(0, Integer.getInteger("millrace.kills", 0))
            .mapToObj(seed -> {
              Random random = new Random(seed);
              int batches = random.nextInt(least, ROWS / BATCH_ROWS - 4);
              return Arguments.of(modes.get(random.nextInt(modes.size())), batches);
            }));
  }

  /// Another process, and what the system leaves of it.
  @ParameterizedTest(name = "{0} that is killed after {1} batches")
  @MethodSource("realKills")
  default void rowsAreThereOnceIfAnotherProcessIsReallyKilled(Mode mode, int batches)
      throws IOException, InterruptedException {
    Way way = new Way(mode, false);
    needs(way);
    needs(Behaviour.OTHER_PROCESS);
    Endpoint table = table("process");
    List<Row> before = before(table, way);
    ResumableCopy copy = copy(rows(1_000, ROWS), table, way);
    ChildCopy.killed(connector(), table, mode, batches, takesDocuments());
    if (mode == Mode.CREATE && can(Behaviour.APPEARS_WHOLE)) {
      assertAbsent(table);
    } else if (mode != Mode.REPLACE) {
      RowCheck.onlyRowsOf(schema(), both(before, rows(1_000, ROWS)), held(table));
    } else {
      assertHolds(rows(0, 10), table);
    }
    Ran run;
    try {
      run = copy.run();
    } catch (Fault.User e) {
      boolean isInDoubt = mode == Mode.APPEND || mode == Mode.TRUNCATE;
      if (!isInDoubt || refusalInDoubt().isEmpty()) {
        throw e;
      }
      assertThat(e).hasMessageContaining(refusalInDoubt());
      RowCheck.onlyRowsOf(schema(), both(before, rows(1_000, ROWS)), held(table));
      return;
    }
    assertThat(run.meter().rowsBefore() + run.meter().rows()).isEqualTo(ROWS);
    assertHolds(both(before, rows(1_000, ROWS)), "process", copy);
    assertNothingToDo(copy);
  }

  /// Neither a journal nor a lock is copied with the tables beside it.
  @Test
  default void aPatternOfNamesMeansNoTableOfOurOwn() {
    TableCatalog catalog = connector().capability(TableCatalog.class);
    Endpoint all = allTables();
    needs(catalog != null && all != null, Behaviour.NAME_PATTERNS);
    for (String name : List.of("theirs_one", "theirs_two")) {
      copy(rows(0, 10), table(name), new Way(Mode.CREATE, false)).run();
    }
    assertThat(
            Objects.requireNonNull(catalog).tables(Objects.requireNonNull(all), new OpenContext()))
        .extracting(entry -> entry.name().toLowerCase(Locale.ROOT))
        .hasSize(2)
        .allMatch(name -> name.contains("theirs_"));
  }

  static Stream<Arguments> cuts(TestInfo test) {
    return JournaledSuite.someWays(test)
        .flatMap(way -> Stream.of(0, 9, 30).map(batches -> Arguments.of(way, batches)));
  }

  /// By faults, so that each run puts in order what it can.
  @ParameterizedTest(name = "{0} that fails after {1} batches")
  @MethodSource("cuts")
  default void aCopyThatFailsAgainAndAgainGoesOn(Way way, int batches) {
    needs(way);
    Endpoint table = table("fails");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    copy.cut(batches);
    copy.cut(3);
    Ran run = copy.run();
    assertThat(run.meter().rowsBefore() + run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertHolds(both(before, rows), "fails", copy);
    assertNothingToDo(copy);
  }

  /// The first is cut off before any receipt is due, and the next before any lane has begun.
  @ParameterizedTest
  @MethodSource("someWays")
  default void aCopyThatGoesOnAndFailsAtOnceForgetsNothing(Way way) {
    needs(way);
    Endpoint table = table("fails_at_once");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    Copying one = copy(rows, table, way).copying().lanes(1, Long.MAX_VALUE);
    ResumableCopy copy = ResumableCopy.of(one, BATCH_ROWS).commitRows(ROWS);
    copy.cut(12);
    ResumableCopy failing = copy.between(ResumeSuite::withoutSplits, UnaryOperator.identity());
    assertThatThrownBy(failing::run).hasMessage("no splits");
    copy.run();
    assertHolds(both(before, rows), "fails_at_once", copy);
  }

  private static Source withoutSplits(Source source) {
    return new ForwardingSource(source) {
      @Override
      protected ReadSession opened(ReadSession session) {
        return new ForwardingReadSession(session) {
          @Override
          public Splits splits() {
            throw new Fault.External("no splits", "", null);
          }
        };
      }
    };
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void oneSplitGoesOnBehindItsLastCommit(Way way) {
    needs(way);
    Endpoint table = table("one_split");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    Copying one = copy(rows, table, way).copying().lanes(1, Long.MAX_VALUE);
    ResumableCopy copy = ResumableCopy.of(one, BATCH_ROWS);
    if (copy.keepsParts()) {
      Ran first = copy.cutBehindReceipt(12);
      assertThat(first.kept()).isTrue();
      Ran second = copy.cutBehindReceipt(12);
      assertThat(second.meter().rowsBefore()).isPositive();
    } else {
      copy.cut(12);
    }
    Ran run = copy.run();
    assertThat(run.meter().rows() < ROWS).isEqualTo(copy.keepsParts());
    assertHolds(both(before, rows), "one_split", copy);
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void aCopyThatFailsInItsFirstSplitGoesOn(Way way) {
    needs(way);
    Endpoint table = table("first_split");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    copy.cut(SourceHook.after(3, 0));
    if (way.mode() == Mode.CREATE && !copy.keepsParts()) {
      assertAbsent(table);
      assertThat(leftovers("first_split")).isEmpty();
    }
    copy.run();
    assertHolds(both(before, rows), "first_split", copy);
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void aCopyThatIsStoppedGoesOn(Way way) {
    needs(way);
    Endpoint table = table("stopped");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way).measuring();
    CompletableFuture<Run> running = new CompletableFuture<>();
    SourceHook hook = copy.amongRows(20, () -> running.join().cancel("stopped by the test"));
    Ran stopped =
        copy.hooked(hook).failing(Fault.Cancelled.class, "stopped by the test", running::complete);
    assertThat(stopped.kept()).isEqualTo(copy.keepsParts());
    if (!copy.keepsParts()) {
      assertThat(leftovers("stopped")).as("left behind by a copy that was stopped").isEmpty();
    }
    Ran run = copy.run();
    assertThat(run.meter().rowsBefore() > 0).isEqualTo(copy.keepsParts());
    assertHolds(both(before, rows), "stopped", copy);
  }

  /// The source is a table of the same system, and nothing was ever cut off. One row is added,
  /// wherever in the table the system puts it.
  @Test
  default void aCompleteCopyWithinTheSystemWhoseSourceHasChangedIsRefused() {
    needs(Behaviour.APPEND);
    write(schema(), rows(0, ROWS), table("source"));
    for (int more = 0; more < 4; more++) {
      Endpoint target = table("target_" + more);
      ResumableCopy copy =
          ResumableCopy.of(
              Copying.of(connector(), table("source"), connector(), target)
                  .mode(Mode.CREATE)
                  .select(schema().names()),
              BATCH_ROWS);
      copy.run();
      into(schema(), rows(9_000 + more, 1), table("source")).mode(Mode.APPEND).run();
      assertRefused(copy, "complete since");
      assertThat(held(target)).hasSize(ROWS + more);
    }
  }

  /// The source is a table of the same system, which changes once all is copied.
  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 2, 3})
  default void aCopyWithinTheSystemGoesOnByWhateverNameItsSourceIsReached(int spelling) {
    List<Row> rows = rows(0, 8_000);
    Endpoint source = table("source");
    write(schema(), rows, source);
    needs(spelling < sourceSpellings("source").size(), "more spellings of a source");
    Copying whole =
        Copying.of(connector(), source, connector(), table("target"))
            .mode(Mode.CREATE)
            .select(schema().names())
            .lanes(2, 40_000);
    ResumableCopy copy = ResumableCopy.of(whole, 200);
    if (copy.keepsParts()) {
      copy.cutBehindReceipt(15);
    } else {
      copy.cut(15);
    }
    Endpoint spelled = spelling < 0 ? source : sourceSpellings("source").get(spelling);
    ResumableCopy again =
        ResumableCopy.of(
            Copying.of(connector(), spelled, connector(), table("target"))
                .mode(Mode.CREATE)
                .select(schema().names())
                .lanes(2, 40_000),
            200);
    again.run();
    assertHolds(rows, table("target"));
    if (can(Behaviour.APPEND)) {
      into(schema(), rows(9_000, 10), source).mode(Mode.APPEND).run();
      assertRefused(again, "complete since");
      assertHolds(rows, table("target"));
    }
  }
}
