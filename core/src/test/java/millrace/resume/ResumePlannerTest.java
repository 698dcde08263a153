package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import millrace.fault.Fault;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.JournaledRun.Completion;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static String decided(String kept, ResumeChoice choice, String change) {
    JournaledRun before = kept(kept);
    Fault.User refusal = before == null ? null : ResumePlanner.refusal(before, choice, true);
    if (refusal != null) {
      return told(refusal);
    }
    return switch (ResumePlanner.decide(before, choice, () -> change)) {
      case ResumeDecision.Begin() -> "begins";
      case ResumeDecision.Resume(JournaledRun from) -> "goes on behind " + from.rows();
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
  void whatBecomesOfAnEarlierRun(String kept, ResumeChoice choice, String change, String expected) {
    String decided = decided(kept, choice, change);
    assertThat(decided).startsWith(expected);
    if (expected.equals("refused")) {
      assertThat(decided).contains("--fresh");
      assertThat(decided.contains("complete since")).isEqualTo(kept.startsWith("complete"));
    }
  }

  /// A command that is advised has to work.
  @Test
  void resumeIsAdvisedOnlyIfTheSourceCanBeToldToBeTheSame() {
    assertThat(adviceWhenCutOff("source")).startsWith("Say --resume to continue it.");
    assertThat(adviceWhenCutOff("")).startsWith("It can't be resumed").doesNotContain("--resume");
  }

  private static String adviceWhenCutOff(String source) {
    RunRecord run = new RunRecord("r", "job", source, List.of(), 1, 1, "2026-03-14T09:00:00Z");
    List<Receipt> rows = List.of(new Receipt(new Split(0, "f", 0, 9, 0, 0), null, 5, 9, 7, true));
    JournaledRun cutOff = new JournaledRun(run, null, true, rows);
    return Objects.requireNonNull(ResumePlanner.refusal(cutOff, ResumeChoice.NONE, true)).advice();
  }

  /// What a journal may say: whether the run was complete, whether the target changed since,
  /// whether its rows stay in the table, how many it knows of, and whether it knows of all.
  record Known(boolean complete, String change, boolean stays, int rows, boolean all) {

    private JournaledRun run() {
      List<Receipt> receipts =
          rows == 0
              ? List.of()
              : List.of(new Receipt(new Split(0, "f", 0, 9, 0, 0), null, rows, 9, 7, true));
      Completion completion = complete ? new Completion("2026-03-14T09:26:53Z", change) : null;
      return new JournaledRun(RUN, completion, stays, receipts);
    }
  }

  /// Written down once more by what the user is promised, without a look at the order in which it
  /// is decided.
  private static String promised(Known known, ResumeChoice choice, boolean sourceChanged) {
    boolean mayHaveLeftRows = known.stays && (known.rows > 0 || !known.all);
    boolean changed = sourceChanged || !known.change.isEmpty();
    return switch (choice) {
      case FRESH -> "begins";
      case NONE -> !known.complete && mayHaveLeftRows ? "refused" : "begins";
      case RESUME ->
          known.complete
              ? changed ? "refused" : "nothing to do"
              : !sourceChanged ? "goes on" : known.rows > 0 ? "refused" : "begins";
    };
  }

  static Stream<Arguments> everything() {
    List<Arguments> all = new ArrayList<>();
    for (ResumeChoice choice : ResumeChoice.values()) {
      for (int bits = 0; bits < 64; bits++) {
        boolean complete = (bits & 1) != 0;
        boolean targetChanged = complete && (bits & 2) != 0;
        Known known =
            new Known(
                complete,
                targetChanged ? "t is empty" : "",
                (bits & 4) != 0,
                (bits & 8) != 0 ? 5 : 0,
                (bits & 16) != 0);
        all.add(Arguments.of(known, choice, (bits & 32) != 0));
      }
    }
    return all.stream();
  }

  @ParameterizedTest(name = "{0}, {1}, source changed: {2}")
  @MethodSource("everything")
  void everyCaseIsDecidedAsPromised(Known known, ResumeChoice choice, boolean sourceChanged) {
    JournaledRun before = known.run();
    AtomicInteger requested = new AtomicInteger();
    Supplier<String> change =
        () -> {
          requested.incrementAndGet();
          return sourceChanged ? "f has changed" : "";
        };
    Fault.User refusal = ResumePlanner.refusal(before, choice, known.all);
    ResumeDecision decision =
        refusal == null
            ? ResumePlanner.decide(before, choice, change)
            : new ResumeDecision.Refuse(refusal);
    String decided =
        switch (decision) {
          case ResumeDecision.Begin() -> "begins";
          case ResumeDecision.Resume(JournaledRun from) -> from.equals(before) ? "goes on" : "?";
          case ResumeDecision.NothingToDo(JournaledRun done) ->
              done.equals(before) ? "nothing to do" : "?";
          case ResumeDecision.Refuse _ -> "refused";
        };
    assertThat(decided).isEqualTo(promised(known, choice, sourceChanged));
    assertThat(requested.get()).as("a source that may be read again for it").isLessThanOrEqualTo(1);
    if (choice != ResumeChoice.RESUME) {
      assertThat(requested).hasValue(0);
    }
    if (decision instanceof ResumeDecision.Refuse(Fault.User why)) {
      String reason =
          !known.complete
              ? sourceChanged && choice == ResumeChoice.RESUME
                  ? "can't be resumed: f has changed"
                  : "cut off"
              : known.change.isEmpty() ? "f has changed" : known.change;
      assertThat(why).hasMessageContaining(reason);
      assertThat(String.valueOf(why.getMessage()).contains("others may have been"))
          .isEqualTo(choice == ResumeChoice.NONE && !known.all);
    }
  }
}
