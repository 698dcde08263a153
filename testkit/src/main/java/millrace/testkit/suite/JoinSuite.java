package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.journal.Ledger.Attempts;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.suite.JournaledSuite.Way;
import millrace.testkit.suite.SharedCopy.Party;
import millrace.testkit.suite.SharedCopy.Pen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a system with a journal promises of a run that several processes write to: its rows are
/// there once, however often a split is tried and whoever wakes late. Or it refuses all but the
/// process that has begun the run.
public interface JoinSuite extends JournaledSuite {

  /// Without a key: rows that are written twice are there twice.
  Schema KEYLESS_ITEMS = Schema.of(ITEMS.columns());

  /// Four splits of four batches.
  int SHARED_ROWS = 320;

  int SHARED_SPLIT_ROWS = 80;

  /// Two in which rows wait, and two in which they don't.
  static Stream<Way> joinedWays() {
    return Stream.of(
        new Way(Mode.CREATE, false),
        new Way(Mode.APPEND, false),
        new Way(Mode.APPEND, true),
        new Way(Mode.TRUNCATE, false));
  }

  private Attempts attempts() {
    try (Target target =
        connector().target(table("joined"), WriteOptions.DEFAULT, new OpenContext())) {
      return Objects.requireNonNull(Journal.of(target)).guarantees().attempts();
    }
  }

  private void needsJoining() {
    Attempts attempts = attempts();
    needs(attempts != Attempts.ONE_PROCESS, "runs that several processes write to");
  }

  private SharedCopy shared(Way way) {
    needsJoining();
    Endpoint table = table("joined");
    if (way.mode() != Mode.CREATE) {
      write(KEYLESS_ITEMS, items(0, 10), table);
    }
    return new SharedCopy(this, table, KEYLESS_ITEMS, items(1_000, SHARED_ROWS), way);
  }

  private SharedCopy shared() {
    return shared(new Way(Mode.CREATE, false));
  }

  private void holdsAll(Way way) {
    boolean adds = way.mode() == Mode.APPEND;
    List<Row> all = both(adds ? items(0, 10) : List.of(), items(1_000, SHARED_ROWS));
    RowCheck.sameRows(KEYLESS_ITEMS, all, read(KEYLESS_ITEMS, table("joined")));
  }

  private void holdsAll() {
    holdsAll(new Way(Mode.CREATE, false));
  }

  private static long rows(List<Receipt> receipts) {
    return receipts.stream().mapToLong(Receipt::rows).sum();
  }

  /// Writes the splits from a number on, and tells of them.
  private static void writeFrom(int first, SharedCopy copy, Party by, Party main) {
    for (Split split : copy.splits().subList(first, copy.splits().size())) {
      main.told(by.attempt(split).finishAttempt());
    }
  }

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
      second.commit();
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

  /// Both are of one process: the older one has the same session.
  @Test
  default void theNewestOfThreeAttemptsWins() {
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void anAttemptThatWasKilledIsDoneAgain(boolean afterTheCommit) {
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
      JoinedSession.Attempt attempt = next.takeUp(split);
      assertThat(rows(attempt.taken())).isEqualTo(afterTheCommit ? SHARED_SPLIT_ROWS : 0);
      assertThat(attempt.rest() == null).isEqualTo(afterTheCommit);
      main.told(afterTheCommit ? attempt.taken() : next.attempt(split).finishAttempt());
      writeFrom(1, copy, next, main);
      main.complete();
    }
    holdsAll();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void tooFewRowsAreRefused(boolean untold) {
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
      half.commit();
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
}
