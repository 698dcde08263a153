package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import millrace.fault.Fault;
import millrace.spi.journal.Ledger.Attempts;
import millrace.spi.journal.Receipt;
import millrace.spi.read.Split;
import millrace.testkit.suite.JournaledSuite.Way;
import millrace.testkit.suite.SharedCopy.Party;
import millrace.testkit.suite.SharedCopy.Pen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run that others have joined promises of its end: it is not complete if rows are missing,
/// or more are there than the journal tells of.
public interface JoinEndSuite extends JoinedSuite {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void tooFewRowsAreRefused(boolean untold) {
    if (untold) {
      needs(Attempts.FENCED);
    }
    needs(Behaviour.PARTS_OF_JOINED_SPLITS);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party one = copy.join()) {
      writeFrom(1, copy, one, main);
      Pen half = one.attempt(copy.splits().getFirst());
      half.write();
      Receipt receipt = half.commit();
      if (!untold) {
        main.told(List.of(receipt));
      }
      assertThatThrownBy(main::complete)
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("tells of 20 rows of split 0")
          .hasMessageContaining("too few");
    }
  }

  /// The process that has begun the run checks no owner: so did all before there were any.
  @Test
  default void rowsThatAreThereTwiceAreRefused() {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party one = copy.join()) {
      writeFrom(0, copy, one, main);
      main.write(copy.splits().getFirst());
      assertThatThrownBy(main::complete)
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("holds 400 rows, and receipts tell of 320")
          .hasMessageContaining("too many: some were written twice");
    }
  }

  @Test
  default void rowsThatNobodyHasReportedAreRefused() {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party one = copy.join()) {
      writeFrom(1, copy, one, main);
      Pen pen = one.attempt(copy.splits().getFirst());
      pen.write();
      main.told(List.of(pen.commit()));
      pen.finish();
      assertThatThrownBy(main::complete)
          .isInstanceOf(Fault.External.class)
          .hasMessageContaining("80 rows of split 0")
          .hasMessageContaining("have reported 20")
          .hasMessageContaining("too many");
    }
  }

  /// An attempt that is still at work then loses its rows.
  @ParameterizedTest
  @MethodSource("joinedWays")
  default void aRunThatIsCompleteIsNotJoined(Way way) {
    try (SharedCopy copy = shared(way);
        Party main = copy.begin();
        Party one = copy.join();
        Party late = copy.join()) {
      writeFrom(0, copy, one, main);
      Split split = copy.splits().getFirst();
      main.complete();
      assertThatThrownBy(() -> late.takeUp(split))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is complete");
      assertThatThrownBy(copy::join)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is complete");
    }
    holdsAll(way);
  }

  @Test
  default void aRunThatIsForgottenIsNotJoined() {
    try (SharedCopy copy = shared();
        Party main = copy.begin();
        Party late = copy.join()) {
      main.abort();
      assertThatThrownBy(copy::join)
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("is not known there any more");
      assertThatThrownBy(() -> late.takeUp(copy.splits().getFirst())).isInstanceOf(Fault.class);
    }
    assertAbsent(table("joined"));
  }

  /// The process that has begun it is killed, and another goes on with it, and is joined.
  @Test
  default void aSharedRunIsResumed() {
    try (SharedCopy copy = shared();
        Party killed = copy.begin();
        Party one = copy.join()) {
      List<Split> splits = copy.splits();
      List<Receipt> told = new ArrayList<>(one.attempt(splits.getFirst()).finishAttempt());
      killed.told(told);
      Pen half = one.attempt(splits.get(1));
      half.write();
      if (can(Behaviour.PARTS_OF_JOINED_SPLITS)) {
        half.commit();
      }
      one.die();
      killed.die();
      try (Party main = copy.resume();
          Party other = copy.join()) {
        assertThat(other.takeUp(splits.getFirst()).rest()).isNull();
        writeFrom(1, copy, other, main);
        main.complete();
      }
    }
    holdsAll();
  }

  /// An executor outlives the process that has begun the run, for a moment.
  @Test
  default void whatOthersCommitWhileARunIsTakenUpIsNotOverlooked() {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party killed = copy.begin();
        Party one = copy.join()) {
      List<Split> splits = copy.splits();
      killed.told(one.attempt(splits.getFirst()).finishAttempt());
      Pen slow = one.attempt(splits.get(1));
      slow.write();
      killed.die();
      // Some systems see that it is there, others find out what it has committed meanwhile.
      String why = String.valueOf(catchThrowable(() -> copy.resume(slow::commit)).getMessage());
      assertThat(why).containsAnyOf("under way already", "still at work");
      if (why.contains("still at work")) {
        slow.write();
        assertThatThrownBy(slow::commit).hasMessageContaining("Another attempt has taken up");
      }
      one.die();
      try (Party main = copy.resume();
          Party other = copy.join()) {
        writeFrom(1, copy, other, main);
        main.complete();
      }
    }
    holdsAll();
  }

  /// What others have committed of it and could not tell is known all the same.
  @Test
  default void aSharedRunThatIsGivenUpIsResumed() {
    needs(Attempts.FENCED);
    try (SharedCopy copy = shared();
        Party failing = copy.begin();
        Party one = copy.join()) {
      Pen half = one.attempt(copy.splits().getFirst());
      half.write();
      half.commit();
      assertThat(rows(failing.giveUp())).isEqualTo(SharedCopy.BATCH_ROWS);
      half.write();
      assertThatThrownBy(half::commit).isInstanceOf(Fault.class);
      one.die();
      failing.die();
      try (Party main = copy.resume();
          Party other = copy.join()) {
        writeFrom(0, copy, other, main);
        main.complete();
      }
    }
    holdsAll();
  }
}
