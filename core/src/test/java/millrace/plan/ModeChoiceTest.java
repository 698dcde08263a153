package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModeChoiceTest {

  private static final RunRecord RUN = new RunRecord("id", "job", "", List.of(), 1, 1, "then");

  /// Nobody looks for rows if the user says what happens to them.
  private static DescribedTarget described(
      TargetDescription target, @Nullable Mode requested, boolean holdsRows) {
    return new DescribedTarget() {
      @Override
      public TargetDescription description() {
        return target;
      }

      @Override
      public boolean holdsRows() {
        assertThat(requested).isNull();
        return holdsRows;
      }

      @Override
      public PlannedTarget plan(WriteRequest request) {
        throw new AssertionError("nothing is planned");
      }
    };
  }

  private static String settled(
      TargetDescription target,
      boolean holdsRows,
      @Nullable Mode requested,
      @Nullable JournaledRun resumed) {
    WriteOptions options = new WriteOptions(requested, false, List.of(), false);
    try {
      return ModeChoice.settle(described(target, requested, holdsRows), options, resumed)
          .name()
          .toLowerCase(Locale.ROOT);
    } catch (Fault.User refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({
    ", ABSENT, create",
    ", EMPTY, append",
    ", THERE, t holds rows already.",
    ", STREAM, append",
    ", VIEW, 't is a view, and can''t be loaded.'",
    "CREATE, ABSENT, create",
    "CREATE, EMPTY, t exists already.",
    "CREATE, THERE, t exists already.",
    "CREATE, STREAM, create",
    "APPEND, ABSENT, append",
    "APPEND, THERE, append",
    "APPEND, VIEW, 't is a view, and can''t be loaded.'",
    "TRUNCATE, THERE, truncate",
    "REPLACE, THERE, replace",
    "MERGE, THERE, merge"
  })
  void whatIsThereAndWhatTheUserSaysSettleTheMode(
      @Nullable Mode requested, String there, String settled) {
    boolean isEmpty = there.equals("EMPTY");
    State state = isEmpty ? State.THERE : State.valueOf(there);
    assertThat(settled(TargetDescription.of("t", state), !isEmpty, requested, null))
        .isEqualTo(settled);
  }

  @ParameterizedTest
  @CsvSource({"REPLACE, t: no.", "APPEND, append", ", t holds rows already."})
  void aModeThatTheTargetDoesNotHaveIsRefusedWithItsReason(
      @Nullable Mode requested, String settled) {
    TargetDescription target =
        TargetDescription.of("t", State.THERE).refusing(Mode.REPLACE, "no", "Do not.");
    assertThat(settled(target, true, requested, null)).isEqualTo(settled);
  }

  @Test
  void theAdviceNamesOnlyModesThatTheTargetHas() {
    TargetDescription target =
        TargetDescription.of("t", State.THERE)
            .refusing(Mode.MERGE, "no", "")
            .refusing(Mode.APPEND, "no", "");
    try {
      ModeChoice.settle(described(target, null, true), WriteOptions.DEFAULT, null);
    } catch (Fault.User refused) {
      assertThat(refused.advice())
          .isEqualTo(
              "Say what to do with them: --mode truncate empties it first, replace puts a new one"
                  + " in its place.");
      return;
    }
    throw new AssertionError("it was not refused");
  }

  @ParameterizedTest
  @CsvSource({
    // A copy that is complete is not refused for the rows that it has brought.
    ", THERE, true, append",
    "CREATE, THERE, true, append",
    "CREATE, ABSENT, true, create",
    "REPLACE, THERE, true, replace",
    // One that was cut off goes on as it was begun.
    ", THERE, false, create",
    "CREATE, THERE, false, create"
  })
  void aCopyThatGoesOnIsPlannedAsItWasThen(
      @Nullable Mode requested, State state, boolean complete, String settled) {
    Begun begun = Begun.of(RUN, Mode.CREATE);
    JournaledRun cut =
        new JournaledRun(begun, List.of(), null, JournaledRun.State.CUT_OFF, null, true);
    JournaledRun run = complete ? cut.completed(new Completion("2026-03-14T09:26:53Z", "")) : cut;
    assertThat(settled(TargetDescription.of("t", state), true, requested, run)).isEqualTo(settled);
  }
}
