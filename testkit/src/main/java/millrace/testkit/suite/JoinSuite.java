package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.OpenContext;
import millrace.spi.journal.Ledger.Attempts;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.suite.JournaledSuite.Way;
import millrace.testkit.suite.SharedCopy.Party;
import millrace.testkit.suite.SharedCopy.Pen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a system with a journal promises of a run that several processes write to: its rows are
/// there once, however often a split is tried and whoever wakes late, who loses his rows or writes
/// the same. Or it refuses all but the process that has begun the run.
public interface JoinSuite extends JoinEndSuite {

  @Test
  default void aRunOfOneProcessIsRefusedToOthers() {
    if (attempts() != Attempts.ONE_PROCESS) {
      return;
    }
    try (Target target =
        connector().target(table("joined"), WriteOptions.DEFAULT, new OpenContext())) {
      Journal journal = Objects.requireNonNull(Journal.of(target));
      RunRecord run = new RunRecord("r", "j", "", List.of(), 0, 1, "2026-01-01T00:00:00Z");
      assertThatThrownBy(() -> journal.join(run))
          .isInstanceOfSatisfying(
              Fault.User.class, fault -> assertThat(fault.advice()).contains("one machine"))
          .hasMessageContaining("from one process alone");
    }
  }

  @ParameterizedTest
  @MethodSource("joinedWays")
  default void severalProcessesWriteSplitsOfOneRun(Way way) {
    try (SharedCopy copy = shared(way);
        Party main = copy.begin();
        Party one = copy.join();
        Party other = copy.join()) {
      List<Split> splits = copy.splits();
      Pen first = one.attempt(splits.get(0));
      Pen second = other.attempt(splits.get(1));
      assertThat(first.write()).isTrue();
      assertThat(second.write()).isTrue();
      if (can(Behaviour.PARTS_OF_JOINED_SPLITS)) {
        second.commit();
      }
      main.told(first.finishAttempt());
      main.told(second.finishAttempt());
      main.told(one.attempt(splits.get(2)).finishAttempt());
      // The process that has begun the run may write some itself.
      main.write(splits.get(3));
      one.die();
      main.complete();
    }
    holdsAll(way);
  }

  /// It wakes after the newer one has written what it had not committed.
  ///
  /// @param batches how many it has committed before it falls asleep
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  default void anAttemptThatWasOvertakenLosesItsRows(int batches) {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party slow = copy.join();
        Party quick = copy.join()) {
      Split split = copy.splits().getFirst();
      Pen late = slow.attempt(split);
      for (int i = 0; i < batches; i++) {
        late.write();
        late.commit();
      }
      late.write();
      Pen newest = quick.attempt(split);
      List<Receipt> receipts = newest.finishAttempt();
      assertThat(rows(receipts)).as("all receipts of the split").isEqualTo(SHARED_SPLIT_ROWS);
      assertThat(receipts).hasSize(batches == 0 ? 1 : 2);
      assertThatThrownBy(late::finish)
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("Another attempt has taken up split 0");
      late.close();
      main.told(receipts);
      writeFrom(1, copy, quick, main);
      main.complete();
    }
    holdsAll();
  }

  /// It wakes when the newer one has written all, or the whole run is complete. What it has told of
  /// by then is not written again; what it tells of later makes nothing worse.
  @ParameterizedTest
  @CsvSource({"0,false", "1,false", "2,false", "0,true", "1,true"})
  default void aLateAttemptWritesTheSameRows(int batches, boolean isComplete) {
    needs(Attempts.SAME_ROWS);
    boolean inParts = can(Behaviour.PARTS_OF_JOINED_SPLITS);
    if (batches > 0) {
      needs(Behaviour.PARTS_OF_JOINED_SPLITS);
    }
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party slow = copy.join();
        Party quick = copy.join()) {
      Split split = copy.splits().getFirst();
      Pen late = slow.attempt(split);
      for (int i = 0; i < batches; i++) {
        late.write();
        main.told(List.of(late.commit()));
      }
      late.write();
      JoinedSession.Attempt attempt = quick.takeUp(split);
      assertThat(rows(attempt.taken())).isEqualTo((long) batches * SharedCopy.BATCH_ROWS);
      List<Receipt> receipts = quick.attempt(split).finishAttempt();
      assertThat(rows(receipts)).as("all receipts of the split").isEqualTo(SHARED_SPLIT_ROWS);
      main.told(receipts);
      if (!isComplete) {
        late.write();
        if (inParts) {
          main.told(List.of(late.commit()));
        }
        assertThat(late.finish().rows()).isEqualTo(SHARED_SPLIT_ROWS);
      }
      writeFrom(1, copy, quick, main);
      main.complete();
      if (isComplete) {
        assertThat(late.finish().rows()).isEqualTo(SHARED_SPLIT_ROWS);
      }
      main.die();
      assertThat(copy.journaledRows()).isEqualTo(SharedCopy.ROWS);
    }
    holdsAll();
  }

  /// Nobody has told the process that has begun the run that they are there.
  @Test
  default void theSameRowsAreWrittenByTheProcessThatHasBegunTheRun() {
    needs(Attempts.SAME_ROWS);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party one = copy.join()) {
      one.attempt(copy.splits().getFirst()).finish();
      writeFrom(1, copy, one, main);
      assertThat(main.write(copy.splits().getFirst()).rows()).isEqualTo(SHARED_SPLIT_ROWS);
      main.complete();
    }
    holdsAll();
  }

  /// Both are of one process: the older one has the same session.
  @Test
  default void theNewestOfThreeAttemptsWins() {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party one = copy.join();
        Party other = copy.join()) {
      Split split = copy.splits().getFirst();
      Pen first = one.attempt(split);
      first.write();
      first.commit();
      Pen second = other.attempt(split);
      second.write();
      second.commit();
      second.close();
      Pen third = other.attempt(split);
      third.write();
      assertThatThrownBy(first::finish).hasMessageContaining("Another attempt has taken up");
      first.close();
      List<Receipt> receipts = third.finishAttempt();
      assertThat(receipts).extracting(Receipt::rows).containsExactly(20L, 20L, 40L);
      main.told(receipts);
      writeFrom(1, copy, other, main);
      main.complete();
    }
    holdsAll();
  }

  /// If the journal tells of rows only once somebody has reported them, they are written again.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void anAttemptThatWasKilledIsDoneAgain(boolean afterTheCommit) {
    boolean isTaken = afterTheCommit && attempts() == Attempts.FENCED;
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party killed = copy.join();
        Party next = copy.join()) {
      Split split = copy.splits().getFirst();
      Pen pen = killed.attempt(split);
      pen.write();
      if (afterTheCommit) {
        pen.finish();
      }
      killed.die();
      takeOver(copy, next, main, isTaken);
    }
    holdsAll();
  }

  /// The same by a real process.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void aProcessThatWasKilledIsReplaced(boolean afterTheCommit)
      throws IOException, InterruptedException {
    needs(Behaviour.OTHER_PROCESS);
    boolean isTaken = afterTheCommit && attempts() == Attempts.FENCED;
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party next = copy.join()) {
      String run = copy.run().id();
      ChildJoin.killed(connector(), table("joined"), shares(), run, afterTheCommit);
      takeOver(copy, next, main, isTaken);
    }
    holdsAll();
  }

  /// Writes all that is left, from the first split on.
  private void takeOver(SharedCopy copy, Party next, Party main, boolean isTaken) {
    Split split = copy.splits().getFirst();
    JoinedSession.Attempt attempt = next.takeUp(split);
    assertThat(rows(attempt.taken())).isEqualTo(isTaken ? SHARED_SPLIT_ROWS : 0);
    assertThat(attempt.rest() == null).isEqualTo(isTaken);
    main.told(isTaken ? attempt.taken() : next.attempt(split).finishAttempt());
    writeFrom(1, copy, next, main);
    main.complete();
  }
}
