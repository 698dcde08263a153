package millrace.report.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /// Runs the page's script with a chart that says what it was given.
  @ParameterizedTest
  @CsvSource({"100, category 100", "'100,200', linear 100", "'100,2000', logarithmic 100"})
  void thePlaceOfADotIsOnItsAxisAlsoWhereThatHasOneValueOnly(String values, String drawn)
      throws IOException, InterruptedException {
    Axis axis = Axis.parse("write-unit=" + values);
    Sweep.Point[] points =
        axis.values().stream().map(value -> Made.point(value, 10)).toArray(Sweep.Point[]::new);
    String page = SweepPage.of(Made.sweep(List.of(axis), points));
    String script =
        """
        const page = require("fs").readFileSync(0, "utf8");
        const scripts = [...page.matchAll(/<script[^>]*>(.*?)<\\/script>/gs)].map((match) => match[1]);
        const any = new Proxy(function () {}, { get: () => any, set: () => true, apply: () => any });
        const data = { textContent: scripts.find((text) => text.startsWith("{")) };
        globalThis.document = { ...any, getElementById: (id) => (id === "data" ? data : any), createElement: () => any };
        globalThis.window = { matchMedia: () => any };
        globalThis.getComputedStyle = () => ({ getPropertyValue: () => "0,0,0" });
        globalThis.Chart = function (_, config) {
          console.log(config.options.scales.x.type + " " + config.data.datasets[0].data[0].x);
        };
        eval(scripts.at(-1));
        """;
    Process node = new ProcessBuilder("node", "-e", script).redirectErrorStream(true).start();
    try (OutputStream in = node.getOutputStream()) {
      in.write(page.getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(node.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(node.waitFor()).as(said).isZero();
    assertThat(said.strip()).isEqualTo(drawn);
  }
}
