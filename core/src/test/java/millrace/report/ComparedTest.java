package millrace.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ComparedTest {

  private static Report report(String json) {
    try {
      return ReportJson.MAPPER.readValue(json.replace('\'', '"'), Report.class);
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private static final Report A =
      report(
          """
          {'id': 'a', 'verb': 'copy', 'outcome': 'ok', 'from': 'x.csv', 'to': 't',
           'started_at': '2026-03-14T15:09:26Z', 'lanes_why': '',
           'plan': ['lanes    1', 'form     csv'], 'elapsed_nanos': 4000000000, 'rows': 1000,
           'rejects': 0, 'cpu_nanos': -1, 'target_bytes': 2048, 'bottleneck': 'Reading.',
           'steps': [{'name': 'copy rows', 'nanos': 3000000000, 'rows': 1000, 'bytes': 0}],
           'stages': [{'side': 'writer', 'stage': 'send', 'nanos': 5, 'share_percent': 40}]}
          """);
  private static final Report B =
      report(
          """
          {'id': 'b', 'verb': 'copy', 'outcome': 'ok', 'from': 'x.csv', 'to': 't',
           'started_at': '2026-03-14T15:09:26Z', 'lanes_why': '',
           'plan': ['lanes    2', 'form     csv'], 'elapsed_nanos': 1000000000, 'rows': 1000,
           'rejects': 3, 'cpu_nanos': 7000, 'target_bytes': 3072, 'bottleneck': '',
           'steps': [{'name': 'copy rows', 'nanos': 600000000, 'rows': 1000, 'bytes': 0}],
           'stages': [{'side': 'writer', 'stage': 'send', 'nanos': 10, 'share_percent': 10}]}
          """);

  @Test
  void everyFigureStandsBesideTheOtherWithItsRatio() {
    List<String> lines =
        new Compared(A, B).lines().stream().map(line -> line.replaceAll(" {2,}", "  ")).toList();
    assertThat(lines)
        .contains(
            "The plans differ:",
            "  A  lanes  1",
            "  B  lanes  2",
            "rows/s  250  1,000  4.00",
            "elapsed  4.00 s  1.00 s  0.25",
            "target bytes  2.0 kB  3.0 kB  1.50",
            "  copy rows  3.00 s  600.0 ms  0.20",
            "  writer send, share  40.0 %  10.0 %  0.25",
            "A  Reading.")
        .noneMatch(line -> line.contains("form  csv"));
  }

  @Test
  void whatOneDoesNotKnowHasNoRatioAndNothingIsDividedByZero() {
    Compared.Pair cpu = pair("cpu");
    assertThat(cpu.a()).isNull();
    assertThat(cpu.ratio()).isNull();
    assertThat(pair("rejects").ratio()).isNull();
    assertThat(pair("rows").ratio()).isEqualTo(1);
  }

  @Test
  void whatWasNotSoughtIsNotSaidToBeFound() {
    Report sought =
        report(
            """
            {'id': 'c', 'verb': 'copy', 'outcome': 'ok', 'from': 'x.csv', 'to': 't', 'plan': [],
             'started_at': '2026-03-14T15:09:26Z', 'lanes_why': '', 'bottleneck': '',
             'steps': [], 'stages': [], 'found': {'lanes': 3}}
            """);
    assertThat(new Compared(A, B).pairs()).noneMatch(pair -> pair.section().equals("found"));
    assertThat(new Compared(A, sought).pairs())
        .filteredOn(pair -> pair.section().equals("found"))
        .singleElement()
        .satisfies(pair -> assertThat(pair.a()).isNull())
        .satisfies(pair -> assertThat(pair.b()).extracting(Figure::value).isEqualTo(3.0));
  }

  private static Compared.Pair pair(String name) {
    return new Compared(A, B)
        .pairs().stream()
            .filter(pair -> pair.section().isEmpty() && pair.name().equals(name))
            .findFirst()
            .orElseThrow();
  }
}
