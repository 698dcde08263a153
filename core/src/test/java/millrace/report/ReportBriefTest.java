package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import millrace.spi.write.MergeCounts;
import org.junit.jupiter.api.Test;

final class ReportBriefTest {

  private static final String REST = "millrace runs last (id)";
  private static final String SLOW =
      "The target is the bottleneck: its writers spent 70.5 % of their time on send. More lanes may"
          + " help.";

  private static Report report(
      long elapsedNanos, long rejects, String bottleneck, List<String> notes) throws IOException {
    String json =
        """
        {'id': 'id', 'verb': 'copy', 'started_at': '2026-03-14T15:09:26Z', 'outcome': 'ok',
         'from': 'a', 'to': 'b', 'plan': [], 'notes': [%s], 'elapsed_nanos': %d, 'rows': 1000000,
         'rejects': %d, 'source_bytes': 10485760, 'lanes': 2, 'lanes_why': '', 'steps': [],
         'stages': [], 'bottleneck': '%s', 'retries': [
           {'why': 'the connection was reset', 'count': 2, 'nanos': 1500000000}],
         'goal': {'text': '9s', 'kind': 'SECONDS', 'value': 9, 'percent': 360}}
        """
            .formatted(
                String.join(", ", notes.stream().map(note -> "'" + note + "'").toList()),
                elapsedNanos,
                rejects,
                bottleneck);
    return ReportJson.MAPPER.readValue(json.replace("'", "\""), Report.class);
  }

  private static List<String> notes(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(i -> "note " + i).toList();
  }

  @Test
  void eightLinesSayWhatMatters() throws IOException {
    assertThat(ReportBrief.lines(report(2_500_000_000L, 3, SLOW, notes(5)), 1, REST))
        .containsExactly(
            "copy done: 1,000,000 rows and 3 rejects (10.0 MB) in 2.50 s, 400,000 rows/s, 4.0 MB/s",
            "  goal       9s: 360 % of it, reached",
            "  note  note 1",
            "  note  note 2",
            "  note  note 3",
            "  The target is the bottleneck: its writers spent 70.5 % of their time on send.",
            "  3 more notes and all figures: " + REST);
  }

  @Test
  void whatAMergeMadeOfTheRowsIsTold() throws IOException {
    ObjectNode json = ReportJson.MAPPER.valueToTree(report(2_500_000_000L, 3, SLOW, notes(5)));
    json.putPOJO("merged", new MergeCounts(1_200, 30, 4, 0));
    Report report = ReportJson.MAPPER.readValue(json.toString(), Report.class);
    assertThat(ReportBrief.lines(report, 1, REST))
        .hasSize(8)
        .element(1)
        .isEqualTo("  merge 1,200 rows inserted, 30 updated, 4 unchanged");
  }

  @Test
  void whatBecameOfTheDataIsNeverLeftOut() throws IOException {
    Report report = report(2_500_000_000L, 0, SLOW, notes(6));
    assertThat(ReportBrief.lines(report, 5, REST))
        .hasSizeLessThanOrEqualTo(8)
        .contains("  note  note 3; note 4; note 5", "  2 more notes and all figures: " + REST);
    assertThat(ReportBrief.lines(report, 0, ""))
        .as("nothing else can show the rest")
        .contains(
            "  note  note 3; note 4; note 5; note 6; tried again 2 times, 1.50 s of all lanes' time"
                + " lost: the connection was reset")
        .noneMatch(line -> line.contains("more"));
  }

  @Test
  void ofARunUnderASecondNeitherBottleneckNorGoalIsTold() throws IOException {
    Report report = report(900_000_000L, 1, SLOW, notes(1));
    assertThat(ReportBrief.lines(report, 1, REST))
        .containsExactly(
            "copy done: 1,000,000 rows and 1 reject (10.0 MB) in 0.90 s, 1,111,111 rows/s, 11.1"
                + " MB/s",
            "  note  note 1",
            "  note  tried again 2 times, 1.50 s of all lanes' time lost: the connection was reset",
            "  All figures: " + REST);
    assertThat(String.join("\n", ReportText.lines(report))).doesNotContain("bottleneck", "goal");
  }

  @Test
  void aBottleneckThatCouldNotBeNamedIsNotTold() throws IOException {
    String none = "No bottleneck can be named: rows moved for 0.20 s, too short to tell. The rest.";
    assertThat(ReportBrief.bottleneck(report(2_500_000_000L, 0, none, List.of()))).isEmpty();
    assertThat(ReportBrief.bottleneck(report(2_500_000_000L, 0, "", List.of()))).isEmpty();
    String step = "The step \\\"make indexes\\\" is the bottleneck: it took 1m00s. " + none;
    assertThat(ReportBrief.bottleneck(report(2_500_000_000L, 0, step, List.of())))
        .isEqualTo("The step \"make indexes\" is the bottleneck: it took 1m00s.");
  }
}
