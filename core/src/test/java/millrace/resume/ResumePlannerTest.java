package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import millrace.fault.Fault;
import millrace.resume.ResumeState.Choice;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every case of what becomes of an earlier run: what the journal says of it, the user's choice,
/// and whether the source is what it was.
class ResumePlannerTest {

  private static final RunRecord RUN =
      new RunRecord("r", "job", "source", List.of(), 1, 1, "2026-03-14T09:00:00Z");

  private static @Nullable JournaledRun kept(String what) {
    List<Receipt> rows = List.of(new Receipt(new Split(0, "f", 0, 9, 0, 0), null, 5, 9, 7, true));
    Completion complete = new Completion("2026-03-14T09:26:53Z", "");
    return switch (what) {
      case "nothing" -> null;
      case "cut off, rows stay" -> new JournaledRun(RUN, null, true, rows);
      case "cut off, rows staged" -> new JournaledRun(RUN, null, false, rows);
      case "cut off, no rows" -> new JournaledRun(RUN, null, true, List.of());
      case "complete" -> new JournaledRun(RUN, complete, true, rows);
      case "complete, target changed" ->
          new JournaledRun(RUN, new Completion(complete.at(), "t is empty"), true, rows);
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static String told(Fault.User refused) {
    return "refused: " + refused.getMessage() + " " + refused.advice();
  }

  private static String decided(String kept, Choice choice, String change) {
    JournaledRun before = kept(kept);
    Fault.User refusal = before == null ? null : ResumePlanner.refusal(before, choice, true);
    if (refusal != null) {
      return told(refusal);
    }
    return switch (ResumePlanner.decide(before, choice, () -> change)) {
      case ResumeDecision.Begin() -> "begins";
      case ResumeDecision.GoOn(JournaledRun from) -> "goes on behind " + from.rows();
      case ResumeDecision.NothingToDo(JournaledRun complete) ->
          "nothing to do" + (complete.complete() ? "" : "?");
      case ResumeDecision.Refuse(Fault.User why) -> told(why);
    };
  }

  @ParameterizedTest(name = "{0}, {1}, source changed: {2}")
  @CsvSource({
    "nothing, NONE, '', begins",
    "nothing, RESUME, '', begins",
    "nothing, FRESH, '', begins",
    "'cut off, rows stay', NONE, '', refused",
    "'cut off, rows stay', RESUME, '', goes on behind 5",
    "'cut off, rows stay', RESUME, 'f has changed', refused",
    "'cut off, rows stay', FRESH, 'f has changed', begins",
    "'cut off, rows staged', NONE, '', begins",
    "'cut off, rows staged', RESUME, '', goes on behind 5",
    "'cut off, rows staged', RESUME, 'f has changed', refused",
    "'cut off, rows staged', FRESH, '', begins",
    "'cut off, no rows', NONE, '', begins",
    "'cut off, no rows', RESUME, '', goes on behind 0",
    "'cut off, no rows', RESUME, 'f has changed', begins",
    "complete, NONE, '', begins",
    "complete, RESUME, '', nothing to do",
    "complete, RESUME, 'f has changed', refused",
    "complete, FRESH, '', begins",
    "'complete, target changed', NONE, '', begins",
    "'complete, target changed', RESUME, '', refused",
    "'complete, target changed', RESUME, 'f has changed', refused",
    "'complete, target changed', FRESH, '', begins",
  })
  void whatBecomesOfAnEarlierRun(String kept, Choice choice, String change, String expected) {
    String decided = decided(kept, choice, change);
    assertThat(decided).startsWith(expected);
    if (expected.equals("refused")) {
      assertThat(decided).contains("--fresh");
      assertThat(decided.contains("complete since")).isEqualTo(kept.startsWith("complete"));
    }
  }
}
