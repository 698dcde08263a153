package millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.spi.Stage;
import org.junit.jupiter.api.Test;

/// What the progress line says.
final class SampleTest {

  private static final long MB = 1 << 20;

  @Test
  void aLineSaysHowFarItIsAndWhatItWaitsFor() {
    Sample sample = new Sample(37, 1_234_567, 0, 812_345, 95.25 * MB, 2, Stage.SERVER_WAIT, 72);
    assertThat(sample.line())
        .isEqualTo(
            "37 %  1:12 left  1,234,567 rows  812,345/s  95.3 MB/s  2 lanes wait for server");
  }

  @Test
  void whatNobodyKnowsIsLeftOut() {
    Sample sample = new Sample(-1, 5, 3, 1, 200.4 * MB, 1, Stage.PARSE, -1);
    assertThat(sample.line()).isEqualTo("5 rows, 3 failed  1/s  200 MB/s  1 lane: parse");
    assertThat(sample.json().toString())
        .isEqualTo(
            "{\"event\":\"progress\",\"rows\":5,\"failed\":3,\"rows_per_s\":1,"
                + "\"bytes_per_s\":210134630,\"lanes\":1,\"stage\":\"parse\"}");
  }

  @Test
  void everyStageHasAWord() {
    for (Stage stage : Stage.values()) {
      assertThat(new Sample(-1, 0, 0, 0, 0, 2, stage, -1).line()).matches(".* 2 lanes [a-z ]+");
    }
  }
}
