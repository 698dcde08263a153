package millrace.cli.show;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import millrace.report.DisplayWidth;
import millrace.report.Report;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RunsTextTest {

  private static final String FROM = "postgresql://db.example.com:5432/shop public.customer_orders";
  private static final String TO = "/data/exports/2026/customer-orders-of-all-years.csv.gz";
  private static final String WHY =
      "The table public.customer_orders_of_the_year_before_last holds rows already.";

  @ParameterizedTest
  @ValueSource(ints = {0, 60, 80, 120, 400})
  void namesAreWholeAndLinesFitTheTerminal(int width) {
    Instant now = Instant.parse("2026-03-14T15:09:26Z");
    List<Report> runs =
        List.of(
            Report.refused(
                new Report.Header("20260314-150926-abcde", "copy", now, WHY),
                Report.JobSummary.of(FROM, TO)),
            Report.refused(
                new Report.Header("20260314-150927-abcde", "copy", now, "ok"),
                Report.JobSummary.of(TO, "null:")));
    List<String> lines = RunsText.lines(runs, width);
    for (String name : (FROM + " " + TO + " 20260314-150926-abcde null:").split(" ", -1)) {
      assertThat(lines).anyMatch(line -> (line + " ").contains(name + " "));
    }
    if (width > 0) {
      assertThat(lines).allMatch(line -> DisplayWidth.of(line) <= width);
    }
  }
}
