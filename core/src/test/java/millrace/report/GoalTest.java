package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How near a run came to what the user wanted and to what was possible.
final class GoalTest {

  @ParameterizedTest
  @CsvSource({
    "9m, 540",
    "1h30m, 5400",
    "45s, 45",
    "1.5h, 5400",
    "100MB/s, 104857600",
    "2 gb/s, 2147483648",
    "500000rows/s, 500000",
    "500_000 rows/s, 500000",
  })
  void aGoalIsATimeOrARate(String text, double value) {
    assertThat(Goal.parse(text).value()).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "9", "0s", "fast", "10rows", "1.2.3s", "-5m", "MB/s", "9x"})
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> Goal.parse(text))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--goal '" + text + "'");
  }

  @Test
  void theReportSaysHowMuchOfItWasReached() {
    assertThat(Goal.parse("9m").reached(1, 1, 720).line())
        .isEqualTo("goal       9m: 75 % of it, missed");
    assertThat(Goal.parse("9m").reached(1, 1, 432).line())
        .isEqualTo("goal       9m: 125 % of it, reached");
    assertThat(Goal.parse("10MB/s").reached(1, 30L << 20, 2).line())
        .isEqualTo("goal       10MB/s: 150 % of it, reached");
    assertThat(Goal.parse("1000rows/s").reached(1000, 1, 2).percent()).isCloseTo(50, within(1e-9));
  }

  @Test
  void ceilingsAreComparedByRowsOrByTheSidesBytes() {
    Ceilings ceilings =
        new Ceilings(
                List.of(
                    new Ceilings.Ceiling("source alone", "so", 1000, 1 << 20, "source", -1),
                    new Ceilings.Ceiling("target's disk", "so", -1, 4 << 20, "target", -1)),
                List.of("the source's disk: stdin"))
            .against(1600, 9, 4 << 20, 2);
    assertThat(ceilings.measured())
        .extracting(Ceilings.Ceiling::percent)
        .containsExactly(80.0, 50.0);
    assertThat(String.join("\n", ceilings.lines()))
        .isEqualTo(
            """
            ceiling        rows/s  MB/s  this run  measured by
            -------------  ------  ----  --------  -----------
            source alone    1,000   1.0      80 %  so
            target's disk           4.0      50 %  so
            not measured: the source's disk: stdin\
            """);
  }
}
