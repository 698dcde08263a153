package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.mapping.AddedValue;
import millrace.plan.mapping.Mapping;
import millrace.plan.mapping.NewColumns;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.suite.ResumableCopy.Kill;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a copy that was cut off or is complete if the next command is not the same, or
/// its source is not: the user is told, and chooses.
public interface ResumeChoiceSuite extends JournaledSuite {

  /// Whether a copy in that way has put rows into the table that another from the start would bring
  /// once more; asked once it was cut off.
  private static boolean leavesRows(ResumableCopy copy) {
    return copy.inJournal(Journal::list).stream()
        .anyMatch(journaledRun -> !journaledRun.complete() && journaledRun.leavesRows());
  }

  /// Whether a table that is to be made is there once a copy was cut off, so that no other makes
  /// it.
  private boolean isThereAlready(Way way) {
    return way.mode() == Mode.CREATE && !can(Behaviour.APPEARS_WHOLE);
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void aCompleteCopyWhoseSourceHasChangedIsRefusedAndFreshLoadsIt(Way way) {
    needs(way);
    Endpoint table = table("changed_source");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, 100);
    copy(rows, table, way).run();
    List<Row> others = rows(2_000, 100);
    ResumableCopy changed = copy(others, table, way);
    assertRefused(changed, "complete since");
    assertHolds(both(before, rows), "changed_source", changed);
    if (way.mode() != Mode.CREATE) {
      changed.fresh().run();
      List<Row> expected = way.adds() ? both(before, both(rows, others)) : others;
      assertHolds(expected, "changed_source", changed);
      assertNothingToDo(changed);
    }
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void aCopyThatWasCutOffDoesNotGoOnWithASourceThatHasChanged(Way way) {
    needs(way);
    Endpoint table = table("changed_source");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    kill(copy(rows, table, way), Kill.AMONG_ROWS);
    List<Row> others = rows(2_000, ROWS);
    ResumableCopy changed = copy(others, table, way);
    if (changed.keepsParts()) {
      assertRefused(changed, "can't be resumed: it is not what it was");
      ResumableCopy first = copy(rows, table, way);
      assertThat(first.run().meter().rows()).isLessThan(ROWS);
      assertHolds(both(before, rows), "changed_source", first);
    } else {
      changed.run();
      assertHolds(both(before, others), "changed_source", changed);
    }
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void freshForgetsACopyThatWasCutOffAndWhatItHadCommittedStays(Way way) {
    needs(way);
    needs(!isThereAlready(way), "a copy that begins anew beside the table that it has made");
    Endpoint table = table("fresh");
    List<Row> before = before(table, way);
    kill(copy(rows(1_000, ROWS), table, way), Kill.AMONG_ROWS);
    boolean leavesRows = way.adds() && leavesRows(copy(rows(1_000, ROWS), table, way));
    List<Row> stay = leavesRows ? held(table) : before;
    List<Row> others = rows(2_000, ROWS);
    ResumableCopy changed = copy(others, table, way);
    assertThat(changed.fresh().run().meter().rows()).isEqualTo(ROWS);
    assertHolds(both(stay, others), "fresh", changed);
    assertNothingToDo(changed);
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void freshThatIsCutOffItselfGoesOnWithNothingOfTheJournalBefore(Way way) {
    freshIsCutOffOver(Kill.BEFORE_THE_END, way);
  }

  @ParameterizedTest
  @MethodSource("someWays")
  default void freshThatIsCutOffItselfGoesOnWithNothingOfTheCompleteCopyBefore(Way way) {
    freshIsCutOffOver(Kill.AFTER_ALL, way);
  }

  /// Its journal is shorter than the one that it takes the place of.
  private void freshIsCutOffOver(Kill end, Way way) {
    needs(way);
    needs(!isThereAlready(way), "a copy that begins anew beside the table that it has made");
    Endpoint table = table("fresh_again");
    List<Row> before = before(table, way);
    ResumableCopy longer = copy(rows(1_000, 2 * ROWS), table, way);
    longer.kill(end, 0, killedWritersStayOpen());
    needs(end != Kill.AFTER_ALL || longer.keepsParts(), "parts that another copy goes on with");
    needs(end != Kill.AFTER_ALL || way.mode() != Mode.CREATE, "a table that is made twice");
    boolean leavesRows = way.adds() && (end == Kill.AFTER_ALL || leavesRows(longer));
    List<Row> stay = leavesRows ? held(table) : before;
    List<Row> others = rows(5_000, ROWS);
    ResumableCopy fresh = copy(others, table, way);
    kill(fresh.fresh(), Kill.BEFORE_THE_ROWS);
    assertThat(fresh.rowsKept()).isZero();
    kill(fresh.fresh(), Kill.AMONG_ROWS);
    long kept = fresh.rowsKept();
    assertThat(kept > 0).isEqualTo(fresh.keepsParts());
    assertThat(kept).isLessThan(ROWS);
    Ran run = fresh.run();
    assertThat(run.meter().rowsBefore()).isEqualTo(kept);
    assertThat(run.meter().rows()).isEqualTo(ROWS - kept);
    assertHolds(both(stay, others), "fresh_again", fresh);
    assertNothingToDo(fresh);
  }

  @ParameterizedTest
  @MethodSource("ways")
  default void aCopyFromTheStartBringsNoRowTwice(Way way) {
    needs(way);
    Endpoint table = table("from_the_start");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, Kill.AMONG_ROWS);
    if (leavesRows(copy)) {
      assertThatThrownBy(() -> copy.unrequested().run())
          .isInstanceOfSatisfying(
              Fault.User.class,
              fault -> {
                assertThat(fault).hasMessageContaining("cut off when");
                assertThat(fault.advice()).contains("--resume", "--fresh");
              });
      copy.run();
    } else {
      assertThat(copy.unrequested().run().meter().rows()).isEqualTo(ROWS);
    }
    assertHolds(both(before, rows), "from_the_start", copy);
  }

  @Test
  default void aCommandThatWasChangedDoesNotBringRowsTwiceInsteadOfGoingOn() {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    needsColumns();
    needs(Behaviour.KEYLESS);
    Endpoint table = table("changed_command");
    Schema noKey = Schema.of(ITEMS.columns());
    write(noKey, rows(0, 10), table);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy("rows", noKey, rows, table, way);
    kill(copy, Kill.AMONG_ROWS);
    List<Row> there = held(table);
    Selection some = new Selection(List.of(), "id < 1010", Long.MAX_VALUE);
    ResumableCopy changed = ResumableCopy.of(copy.copying().select(some), BATCH_ROWS);
    if (leavesRows(copy)) {
      assertThatThrownBy(changed::run)
          .isInstanceOfSatisfying(
              Fault.User.class,
              fault -> {
                assertThat(fault).hasMessageContaining("another one from the same source");
                assertThat(fault.advice())
                    .contains("as it was, with --resume", "leave --resume out");
              });
      assertHolds(there, table);
    }
    copy.run();
    assertHolds(both(rows(0, 10), rows), "changed_command", copy);
    changed.run();
    assertHolds(both(rows(0, 10), both(rows, rows(1_000, 10))), "changed_command", copy);
  }

  /// `now()` is when the first of the runs began.
  @Test
  default void aCopyThatGoesOnHasTheTimeOfTheOneThatItGoesOnWith() throws InterruptedException {
    needsColumns();
    needs(Behaviour.APPEARS_WHOLE);
    Endpoint table = table("one_time");
    Mapping mapping =
        new Mapping(
            Map.of(),
            Map.of("begun_at", Type.Text.UNLIMITED),
            Map.of("begun_at", new AddedValue.Now()),
            List.of(),
            NewColumns.ERROR,
            false);
    ResumableCopy plain = copy(rows(1_000, ROWS), table, Mode.CREATE);
    ResumableCopy copy = ResumableCopy.of(plain.copying().mapping(mapping), BATCH_ROWS);
    kill(copy, Kill.AMONG_ROWS);
    Thread.sleep(1_100);
    copy.run();
    memory()
        .put("times", Schema.of(List.of(Column.of("begun_at", Type.Text.UNLIMITED))), List.of());
    Copying.of(connector(), table, memory(), memory().endpoint("times"))
        .mode(Mode.APPEND)
        .select(List.of("begun_at"))
        .run();
    assertThat(memory().rows("times")).hasSize(ROWS);
    assertThat(Set.copyOf(memory().rows("times"))).hasSize(1);
  }

  @Test
  default void aCopyOfOtherColumnsIsAnotherOne() {
    needsColumns();
    needs(Behaviour.APPEARS_WHOLE);
    Endpoint table = table("other_columns");
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, Mode.CREATE);
    kill(copy, Kill.BEFORE_THE_END);
    ResumableCopy some =
        ResumableCopy.of(copy.copying().select(List.of("id", "amount")), BATCH_ROWS);
    Ran run = some.run();
    assertThat(run.notes()).anyMatch(note -> note.contains("no such copy to resume"));
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    List<Integer> picked = List.of(0, 2);
    Schema two = Schema.of(picked.stream().map(ITEMS::column).toList());
    RowCheck.sameRows(two, rows.stream().map(row -> row.pick(picked)).toList(), read(two, table));
    assertNothingToDo(some);
  }

  @Test
  default void copiesOfOtherRowsDoNotStandInEachOthersWay() {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    Endpoint table = table("two_sources");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    List<Row> others = rows(2_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    ResumableCopy other = copy("others", schema(), others, table, way);
    kill(copy, Kill.AMONG_ROWS);
    kill(other, Kill.AMONG_ROWS);
    other.run();
    copy.run();
    assertHolds(both(before, both(rows, others)), "two_sources", copy);
    assertNothingToDo(copy);
    assertNothingToDo(other);
  }

  @Test
  default void theSameRowsIntoAnotherTableAreAnotherCopy() {
    ResumableCopy copy = copy(rows(0, ROWS), table("this_table"), Mode.CREATE);
    kill(copy, Kill.AMONG_ROWS);
    ResumableCopy other = copy(rows(0, ROWS), table("that_table"), Mode.CREATE);
    Ran run = other.run();
    assertThat(run.notes()).anyMatch(note -> note.contains("no such copy to resume"));
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertHolds(rows(0, ROWS), table("that_table"));
    copy.run();
    assertHolds(rows(0, ROWS), table("this_table"));
    assertNothingToDo(copy);
    assertNothingToDo(other);
  }

  /// A limit counts rows from the start of a run: one that goes on would bring too many.
  @ParameterizedTest
  @MethodSource("someWays")
  default void aLimitedCopyNeverBringsTooMany(Way way) {
    needs(way);
    Endpoint table = table("limited");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    Copying whole = copy(rows, table, way).copying();
    ResumableCopy copy =
        ResumableCopy.of(whole.select(new Selection(List.of(), null, ROWS - 5)), BATCH_ROWS);
    kill(copy, Kill.AMONG_ROWS);
    try {
      copy.run();
      assertHolds(both(before, rows.subList(0, ROWS - 5)), "limited", copy);
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageContaining("a limit counts rows from the start of a run");
      assertThat(fault.advice()).contains("--fresh");
    }
  }

  @Test
  default void aDryRunOfACopyThatWasCutOffSaysThatItGoesOnAndChangesNothing() {
    ResumableCopy copy = copy(rows(0, ROWS), table("dry"), Mode.CREATE);
    kill(copy, Kill.AMONG_ROWS);
    String said = copy.decide();
    if (copy.keepsParts()) {
      assertThat(said).contains("resumes the copy begun at");
    } else {
      assertThat(said).contains("no such copy to resume");
    }
    assertThat(copy.decide()).isEqualTo(said);
    Ran run = copy.run();
    assertThat(run.notes()).as("what the run says").contains(said);
    assertHolds(rows(0, ROWS), "dry", copy);
  }

  @Test
  default void aDryRunOfACopyThatWasNeverBegunLeavesNothing() {
    ResumableCopy copy = copy(rows(0, ROWS), table("never_begun"), Mode.CREATE);
    assertThat(copy.decide()).contains("no such copy to resume: it begins from the start");
    assertAbsent(copy.copying().job().to());
    assertThat(leftovers("never_begun")).isEmpty();
    Ran run = copy.run();
    assertThat(run.notes()).anyMatch(note -> note.contains("no such copy to resume"));
    assertHolds(rows(0, ROWS), "never_begun", copy);
  }

  @ParameterizedTest
  @EnumSource(
      value = Kill.class,
      names = {"AMONG_ROWS", "AFTER_ALL"})
  default void aTableIsTheSameByWhateverNameItIsReached(Kill where) {
    Way way = new Way(can(Behaviour.APPEND) ? Mode.APPEND : Mode.REPLACE, false);
    List<Row> rows = rows(1_000, ROWS);
    assertThat(spellings("spelled_0")).isNotEmpty();
    for (int i = 0; i < spellings("spelled_0").size(); i++) {
      String name = "spelled_" + i;
      List<Row> before = before(table(name), way);
      ResumableCopy copy = copy(rows, table(name), way);
      kill(copy, where);
      Endpoint spelling = spellings(name).get(i);
      ResumableCopy spelled = copy(rows, spelling, way);
      Ran run = spelled.run();
      if (where == Kill.AFTER_ALL) {
        assertThat(run.completeSince()).as(spelling.toString()).isNotEmpty();
      } else if (copy.keepsParts()) {
        assertThat(run.meter().rowsBefore()).as(spelling.toString()).isPositive();
      }
      assertHolds(both(before, rows), name, copy);
      assertNothingToDo(copy);
    }
  }

  /// Their rows come beside those that are there.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "MERGE"})
  default void aCopyThatAddsLeavesTheMarkOfAnotherThatIsComplete(Mode mode) {
    needs(new Way(Mode.APPEND, false));
    needs(new Way(mode, false));
    Endpoint table = table("beside");
    List<Row> before = before(table, new Way(Mode.APPEND, false));
    ResumableCopy first = copy(rows(1_000, ROWS), table, Mode.APPEND);
    first.run();
    copy("others", schema(), rows(5_000, ROWS), table, new Way(mode, false)).run();
    assertNothingToDo(first);
    List<Row> rows = both(before, both(rows(1_000, ROWS), rows(5_000, ROWS)));
    assertHolds(rows, "beside", first);
  }

  /// Whoever gives the first command again is not told that its rows are there.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"REPLACE", "TRUNCATE"})
  default void aCopyThatPutsOtherRowsInThePlaceOfThoseThatAreThereTakesTheirMark(Mode mode) {
    needs(new Way(Mode.APPEND, false));
    needs(new Way(mode, false));
    Endpoint table = table("other_rows");
    before(table, new Way(Mode.APPEND, false));
    ResumableCopy first = copy(rows(1_000, ROWS), table, Mode.APPEND);
    first.run();
    copy("others", schema(), rows(5_000, ROWS), table, new Way(mode, false)).run();
    try {
      assertThat(first.decide()).doesNotContain("nothing to do");
    } catch (Fault.User fault) {
      assertThat(fault.advice()).contains("--");
    }
  }

  @Test
  default void theJournalListsWhatIsCompleteAndForgetsIt() {
    Mode mode = can(Behaviour.REPLACE) ? Mode.REPLACE : Mode.TRUNCATE;
    ResumableCopy copy = copy(rows(0, 100), table("listed"), mode);
    copy.run();
    copy.inJournal(journal -> {
      assertThat(journal.list()).singleElement().matches(JournaledRun::complete);
      journal.delete(journal.list().getFirst().run());
      assertThat(journal.list()).isEmpty();
      return true;
    });
  }

  @Test
  default void withoutResumeNoMarkStays() {
    ResumableCopy copy = copy(rows(0, 100), table("unmarked"), Mode.CREATE);
    copy.unrequested().run();
    assertThat(copy.inJournal(Journal::list)).isEmpty();
    assertThat(leftovers("unmarked")).isEmpty();
  }
}
