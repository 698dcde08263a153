package millrace.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import millrace.fault.Fault;
import millrace.spi.journal.Entry.Begun;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.State;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModeChoiceTest {

  private static final RunRecord RUN = new RunRecord("id", "job", "", List.of(), 1, 1, "then");

  private static String settled(
      TargetDescription target, @Nullable Mode asked, @Nullable JournaledRun goesOn) {
    WriteOptions options = new WriteOptions(asked, false, List.of(), false);
    try {
      return ModeChoice.settle(target, options, goesOn).name().toLowerCase(Locale.ROOT);
    } catch (Fault.User refused) {
      return String.valueOf(refused.getMessage());
    }
  }

  @ParameterizedTest
  @CsvSource({
    ", ABSENT, create",
    ", EMPTY, append",
    ", ROWS, t holds rows already.",
    ", STREAM, append",
    ", VIEW, 't is a view, and can''t be loaded.'",
    "CREATE, ABSENT, create",
    "CREATE, EMPTY, t exists already.",
    "CREATE, ROWS, t exists already.",
    "CREATE, STREAM, create",
    "APPEND, ABSENT, append",
    "APPEND, ROWS, append",
    "APPEND, VIEW, 't is a view, and can''t be loaded.'",
    "TRUNCATE, ROWS, truncate",
    "REPLACE, ROWS, replace",
    "MERGE, ROWS, merge"
  })
  void whatIsThereAndWhatTheUserSaysSettleTheMode(
      @Nullable Mode asked, State state, String settled) {
    assertThat(settled(TargetDescription.of("t", state), asked, null)).isEqualTo(settled);
  }

  @ParameterizedTest
  @CsvSource({"REPLACE, t: no.", "APPEND, append", ", t holds rows already."})
  void aModeThatTheTargetDoesNotHaveIsRefusedWithItsReason(@Nullable Mode asked, String settled) {
    TargetDescription target =
        TargetDescription.of("t", State.ROWS).refusing(Mode.REPLACE, "no", "Do not.");
    assertThat(settled(target, asked, null)).isEqualTo(settled);
  }

  @Test
  void theAdviceNamesOnlyModesThatTheTargetHas() {
    TargetDescription target =
        TargetDescription.of("t", State.ROWS)
            .refusing(Mode.MERGE, "no", "")
            .refusing(Mode.APPEND, "no", "");
    try {
      ModeChoice.settle(target, WriteOptions.DEFAULT, null);
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
    ", ROWS, true, append",
    "CREATE, ROWS, true, append",
    "CREATE, ABSENT, true, create",
    "REPLACE, ROWS, true, replace",
    // One that was cut off goes on as it was begun.
    ", ROWS, false, create",
    "CREATE, ROWS, false, create"
  })
  void aCopyThatGoesOnIsPlannedAsItWasThen(
      @Nullable Mode asked, State state, boolean complete, String settled) {
    Begun begun = Begun.of(RUN, Mode.CREATE);
    JournaledRun cut =
        new JournaledRun(begun, List.of(), null, JournaledRun.State.CUT_OFF, null, true);
    JournaledRun run = complete ? cut.completed(new Completion("2026-03-14T09:26:53Z", "")) : cut;
    assertThat(settled(TargetDescription.of("t", state), asked, run)).isEqualTo(settled);
  }
}
