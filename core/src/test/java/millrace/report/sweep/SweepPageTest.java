package millrace.report.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SweepPageTest {

  @Test
  void thePageHoldsAllThatItNeedsAndFetchesNothing() {
    Axis axis = new Axis("null-string", List.of("</script><script>alert(1)", "x"));
    Sweep.Point first =
        new Sweep.Point(List.of(axis.values().getFirst()), List.of(Made.report(10)), null);
    String page = SweepPage.of(Made.sweep(List.of(axis), first, Made.point("x", 20)));
    assertThat(page)
        .contains("Chart.js v4", "\"rows_per_s\":", "default-src 'none'")
        .doesNotContain("alert(1)\"</", "</script><script>alert(1)", "/*DATA*/", "/*SCRIPT*/")
        .doesNotContain("<link", "src=", "@import");
    assertThat(page.split("<script", -1)).hasSize(4);
  }
}
