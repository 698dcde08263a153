package millrace.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.engine.meter.Meter;
import millrace.spi.Stage;
import org.junit.jupiter.api.Test;

/// What the progress line says.
final class SampleTest {

  private static final long MB = 1 << 20;

  @Test
  void aLineSaysHowFarItIsAndWhatItWaitsFor() {
    Sample sample =
        new Sample(
            37,
            1_234_567,
            0,
            812_345,
            95.25 * MB,
            72,
            new Sample.Doing(2, Stage.SERVER_WAIT, "", "", null));
    assertThat(sample.line())
        .isEqualTo(
            "37 %  1:12 left  1,234,567 rows  812,345/s  95.3 MB/s  2 lanes wait for server");
  }

  @Test
  void whatNobodyKnowsIsLeftOut() {
    Sample sample =
        new Sample(-1, 5, 3, 1, 200.4 * MB, -1, new Sample.Doing(1, Stage.PARSE, "", "", null));
    assertThat(sample.line()).isEqualTo("5 rows, 3 failed  1/s  200 MB/s  1 lane: parse");
    assertThat(sample.json().toString())
        .isEqualTo(
            "{\"event\":\"progress\",\"rows\":5,\"failed\":3,\"rows_per_s\":1,"
                + "\"bytes_per_s\":210134630,\"lanes\":1,\"stage\":\"parse\"}");
  }

  @Test
  void aLaneThatWaitsForItsNextTrySaysForHowLongAndWhy() {
    Meter.Waiting waiting = new Meter.Waiting("the connection to db:5432 was reset", 4, 2);
    Sample sample =
        new Sample(-1, 5, 0, 0, 0, -1, new Sample.Doing(2, Stage.READ, "", "", waiting));
    assertThat(sample.line())
        .isEqualTo(
            "5 rows  0/s  0.0 MB/s  waiting 4 s, then try 2: the connection to db:5432 was reset");
    assertThat(sample.json().toString())
        .endsWith(
            ",\"waiting_s\":4,\"waiting_for\":\"the connection to db:5432 was reset\",\"try\":2}");
  }

  @Test
  void whatComesAfterTheRowsIsNamedAndNotTheLanes() {
    Sample sample =
        new Sample(
            99, 400_000, 0, 0, 0, -1, new Sample.Doing(1, Stage.ENCODE, "make indexes", "", null));
    assertThat(sample.line()).isEqualTo("99 %  400,000 rows  0/s  0.0 MB/s  make indexes");
    assertThat(sample.json().toString()).endsWith("\"bytes_per_s\":0,\"step\":\"make indexes\"}");
  }

  @Test
  void whereNoRowMovesItSaysWhatAnEndWaitsFor() {
    Sample sample =
        new Sample(
            88,
            17_639,
            0,
            0,
            0,
            -1,
            new Sample.Doing(1, Stage.SERVER_WAIT, "", "the target waits for db:5984", null));
    assertThat(sample.line())
        .isEqualTo("88 %  17,639 rows  0/s  0.0 MB/s  the target waits for db:5984");
    assertThat(sample.json().toString())
        .endsWith(",\"stage\":\"server wait\",\"stands_still\":\"the target waits for db:5984\"}");
  }

  @Test
  void whatIsTakenBackIsNoSpeed() {
    Sample.Count before = new Sample.Count(1_000, 500, 70_000);
    assertThat(new Sample.Count(3_000, 800, 90_000).since(before))
        .isEqualTo(new Sample.Count(2_000, 300, 20_000));
    assertThat(new Sample.Count(3_000, 0, 60_000).since(before))
        .isEqualTo(new Sample.Count(2_000, 0, 0));
  }

  @Test
  void everyStageHasAWord() {
    for (Stage stage : Stage.values()) {
      assertThat(new Sample(-1, 0, 0, 0, 0, -1, new Sample.Doing(2, stage, "", "", null)).line())
          .matches(".* 2 lanes [a-z ]+");
    }
  }
}
