package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.suite.ResumableCopy.Kill;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What becomes of a copy if somebody has taken away what it had written or what was known of it:
/// it is never said to be complete, and brings no row twice.
public interface ResumeLossSuite extends JournaledSuite {

  /// Of a copy that may lose a race for a lock.
  RetryPolicy RETRYING = RetryPolicy.of(Duration.ofSeconds(10), Duration.ZERO);

  /// Of a copy that may have to wait for another.
  RetryPolicy WAITING = RetryPolicy.of(Duration.ZERO, Duration.ofSeconds(10));

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
  default void aCompleteCopyWhoseRowsAreGoneIsNotSaidToBeComplete(Loss loss) {
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
  default void aCompleteCopyInWhosePlaceSomebodyPutAnotherTableIsNotSaidToBeComplete(Way way) {
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
  default void aCopyThatWasCutOffAndWhoseTableIsGoneBringsAllRows(Way way, Loss loss) {
    needs(way);
    Endpoint table = table("emptied");
    before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, Kill.AMONG_ROWS);
    boolean hadRowsThere = copy.inJournal(ResumeLossSuite::hasRowsInTheTarget);
    lose(loss, "emptied");
    // Some journals go with the table.
    if (hadRowsThere && copy.inJournal(journal -> !journal.list().isEmpty())) {
      assertThatThrownBy(copy::run)
          .as("its rows may have been used")
          .isInstanceOf(Fault.User.class)
          .hasMessageMatching(".* is (empty, though|not there any more|another table by now).*");
      copy.fresh().run();
    } else {
      runOrFresh(copy);
    }
    assertHolds(rows, "emptied", copy);
    assertNothingToDo(copy);
  }

  private static boolean hasRowsInTheTarget(Journal journal) {
    return journal.list().stream()
        .anyMatch(run -> !run.complete() && !run.begun().isStaged() && run.rows() > 0);
  }

  /// A table that is made has not appeared yet.
  static Stream<Arguments> lossesOfWays(TestInfo test) {
    return JournaledSuite.someWays(test)
        .filter(way -> way.mode() != Mode.CREATE)
        .flatMap(way -> Stream.of(Loss.TABLE, Loss.ROWS).map(loss -> Arguments.of(way, loss)));
  }

  static Stream<Arguments> lossesOfStaged(TestInfo test) {
    return JournaledSuite.someWays(test)
        .flatMap(
            way -> Stream.of(Loss.STAGED, Loss.STAGED_LAST).map(loss -> Arguments.of(way, loss)));
  }

  @ParameterizedTest
  @MethodSource("lossesOfStaged")
  default void aCopyWhoseStagedRowsAreLostBringsAllOfThem(Way way, Loss loss) {
    needs(way);
    Endpoint table = table("staged");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    kill(copy, Kill.BEFORE_THE_END);
    lose(loss, "staged");
    runOrFresh(copy);
    assertHolds(both(before, rows), "staged", copy);
    assertNothingToDo(copy);
  }

  /// Of rows that were committed beside others nobody knows any more; all else begins anew.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "REPLACE", "TRUNCATE"})
  default void aCopyWhoseJournalIsLostBeginsFromTheStart(Mode mode) {
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
    assertThat(copy.decide()).contains("no such copy to resume");
    assertThat(copy.run().meter().rows()).isEqualTo(ROWS);
    assertHolds(rows, table);
    assertNothingToDo(copy);
  }

  /// What somebody does to a table in the midst of a copy into it.
  enum Meddling {
    /// Empties it and fills it with other rows, by another copy.
    ANOTHER_COPY,
    /// Takes its rows away once all of the copy's are there.
    ROWS_BEFORE_THE_END,
    /// Takes away what is known of copies.
    JOURNAL
  }

  static Stream<Arguments> meddlings(TestInfo test) {
    return JournaledSuite.someWays(test)
        .filter(way -> way.mode() != Mode.CREATE)
        .flatMap(way -> Stream.of(Meddling.values()).map(each -> Arguments.of(way, each)));
  }

  /// The copy ends with a fault that tells of it, or its rows are right.
  @ParameterizedTest
  @MethodSource("meddlings")
  default void whatOthersDoMeanwhileNeverLosesRowsUntold(Way way, Meddling meddling) {
    needs(way);
    needs(Mode.TRUNCATE, false);
    if (meddling == Meddling.ROWS_BEFORE_THE_END) {
      needs(Behaviour.LOSS_OF_ROWS);
    }
    Endpoint table = table("meddled");
    before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    List<Row> others = rows(50_000, 100);
    ResumableCopy copy = copy(rows, table, way).patience(RETRYING);
    ResumableCopy other = copy("others", schema(), others, table, new Way(Mode.TRUNCATE, false));
    Meanwhile meanwhile =
        new Meanwhile(
            switch (meddling) {
              case ANOTHER_COPY -> other.patience(WAITING)::run;
              case ROWS_BEFORE_THE_END -> () -> lose(Loss.ROWS, "meddled");
              case JOURNAL -> () -> lose(Loss.JOURNAL, "meddled");
            });
    Ran run =
        (meddling == Meddling.ROWS_BEFORE_THE_END
                ? copy.beforeTheEnd(meanwhile)
                : copy.hooked(SourceHook.behindFirstSplit(12, meanwhile)))
            .attempt();
    boolean isDone = meanwhile.join();
    List<Row> held = heldIfAny(table);
    assertThat(held).doesNotHaveDuplicates();
    long ours = held.stream().filter(rows::contains).count();
    long theirs = held.stream().filter(others::contains).count();
    Throwable fault = run.result().fault();
    if (fault != null) {
      assertThat(fault)
          .hasMessageMatching("(?is).*(another copy|emptied|gone|journal|not there|empty).*");
      if (meddling == Meddling.ANOTHER_COPY) {
        assertThat(run.kept()).as("whether it is said that --resume goes on").isFalse();
        assertThat(leftovers("meddled")).as("left behind").isEmpty();
      }
    } else if (meddling == Meddling.ROWS_BEFORE_THE_END && ours == 0) {
      // A reader may take rows away as they come; whoever wants them is told by the same command.
      runOrFresh(copy);
      assertHolds(rows, "meddled", copy);
    } else if (meanwhile.isInTheMidst() || !isDone) {
      assertThat(ours).as("rows that were said to be there").isEqualTo(ROWS);
    } else {
      // It may have waited for the end.
      assertThat(ours).isIn(0L, (long) ROWS);
    }
    boolean areTheirsThere = fault != null || way.adds() || !meanwhile.isInTheMidst();
    if (meddling == Meddling.ANOTHER_COPY && isDone && areTheirsThere) {
      assertThat(theirs).as("rows of the other copy").isEqualTo(others.size());
    }
  }

  /// A file without anything in it can't be read.
  private List<Row> heldIfAny(Endpoint table) {
    try {
      return held(table);
    } catch (Fault.User fault) {
      assertThat(fault).hasMessageContaining("is empty");
      return List.of();
    }
  }

  /// Does something once, on a thread of its own. Whoever calls it waits until it is done, but not
  /// for long: it may wait for a lock of the caller's.
  final class Meanwhile implements Runnable {
    private final Runnable deed;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();
    private volatile boolean isInTheMidst;

    Meanwhile(Runnable deed) {
      this.deed = deed;
    }

    @Override
    public void run() {
      if (!begun.compareAndSet(false, true)) {
        return;
      }
      Thread.ofPlatform().daemon().start(this::doIt);
      try {
        done.get(1, TimeUnit.SECONDS);
        isInTheMidst = true;
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } catch (ExecutionException | TimeoutException _) {
        isInTheMidst = false;
      }
    }

    private void doIt() {
      try {
        deed.run();
        done.complete(null);
      } catch (Fault | AssertionError e) {
        // Somebody else's lock.
        done.completeExceptionally(e);
      }
    }

    /// Whether it was done before its caller went on.
    boolean isInTheMidst() {
      return isInTheMidst;
    }

    /// Waits for it.
    ///
    /// @return whether it was done at all
    boolean join() {
      assertThat(begun).isTrue();
      return done.handle((_, failure) -> failure == null).join();
    }
  }
}
