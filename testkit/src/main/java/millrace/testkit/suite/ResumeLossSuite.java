package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Row;
import millrace.testkit.suite.ResumableCopy.Kill;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a copy if somebody has taken away what it had written or what was known of it:
/// it is never said to be complete, and brings no row twice.
public abstract class ResumeLossSuite extends ResumeChoiceSuite {

  /// Goes on, or begins with --fresh if that is refused and the user is told of it.
  ///
  /// @return whether it was refused
  private static boolean runOrFresh(ResumableCopy copy) {
    try {
      copy.run();
      return false;
    } catch (Fault.User fault) {
      assertThat(fault.advice()).as(fault.getMessage()).contains("--fresh");
      copy.fresh().run();
      return true;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Loss.class,
      names = {"TABLE", "ROWS"})
  void aCompleteCopyWhoseRowsAreGoneIsNotSaidToBeComplete(Loss loss) {
    ResumableCopy copy = copy(rows(0, ROWS), table("gone"), Mode.APPEND);
    if (!can(Behaviour.APPEND)) {
      copy = copy(rows(0, ROWS), table("gone"), Mode.REPLACE);
    }
    copy.run();
    lose(loss, "gone");
    runOrFresh(copy);
    assertHolds(rows(0, ROWS), "gone", copy);
    assertNothingToDo(copy);
  }

  /// It has as many rows of the same columns.
  @ParameterizedTest
  @MethodSource("someWays")
  void aCompleteCopyInWhosePlaceSomebodyPutAnotherTableIsNotSaidToBeComplete(Way way) {
    needs(way);
    before(table("place"), way);
    ResumableCopy copy = copy("copied", schema(), rows(1_000, ROWS), table("place"), way);
    copy.run();
    List<Row> others = rows(50_000, held(table("place")).size());
    write(schema(), others, table("other"));
    putInPlace("other", "place");
    try {
      assertThat(copy.decide()).doesNotContain("nothing to do");
    } catch (Fault.User fault) {
      assertThat(fault.advice()).contains("--");
    }
  }

  @ParameterizedTest
  @MethodSource("lossesOfWays")
  void aCopyThatWasCutOffAndWhoseTableIsGoneBringsAllRows(Way way, Loss loss) {
    needs(way);
    Endpoint table = table("emptied");
    before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, Kill.AMONG_ROWS);
    lose(loss, "emptied");
    runOrFresh(copy);
    assertHolds(rows, "emptied", copy);
    assertNothingToDo(copy);
  }

  /// A table that is made has not appeared yet.
  static Stream<Arguments> lossesOfWays(TestInfo test) {
    return someWays(test)
        .filter(way -> way.mode() != Mode.CREATE)
        .flatMap(way -> Stream.of(Loss.TABLE, Loss.ROWS).map(loss -> Arguments.of(way, loss)));
  }

  static Stream<Arguments> lossesOfStaged(TestInfo test) {
    return someWays(test)
        .flatMap(
            way -> Stream.of(Loss.STAGED, Loss.STAGED_LAST).map(loss -> Arguments.of(way, loss)));
  }

  @ParameterizedTest
  @MethodSource("lossesOfStaged")
  void aCopyWhoseStagedRowsAreLostBringsAllOfThem(Way way, Loss loss) {
    needs(way);
    Endpoint table = table("staged");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, Kill.BEFORE_THE_END);
    lose(loss, "staged");
    runOrFresh(copy);
    assertHolds(all(before, rows), "staged", copy);
    assertNothingToDo(copy);
  }

  /// Of rows that were committed beside others nobody knows any more; all else begins anew.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "REPLACE", "TRUNCATE"})
  void aCopyWhoseJournalIsLostBeginsFromTheStart(Mode mode) {
    needs(mode, false);
    if (mode == Mode.CREATE) {
      needs(Behaviour.APPEARS_WHOLE);
    }
    Endpoint table = table("unknown");
    before(table, new Way(mode, false));
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, mode);
    kill(copy, Kill.AMONG_ROWS);
    lose(Loss.JOURNAL, "unknown");
    assertThat(copy.decide()).contains("no such copy to go on with");
    assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
    assertHolds(rows, table);
    assertNothingToDo(copy);
  }
}
