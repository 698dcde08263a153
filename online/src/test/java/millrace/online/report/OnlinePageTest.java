package millrace.online.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.online.report.OnlineReport.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OnlinePageTest {

  @TempDir private Path folder;

  @Test
  void thePageHoldsAllThatItNeedsAndFetchesNothing() {
    String page = OnlinePage.of(hostile());
    assertThat(page)
        .contains("Chart.js v4", "\"write_max_ms\":", "default-src 'none'", "connect-src 'none'")
        .contains("data-live=\"false\"")
        .doesNotContain("</script><img", "/*DATA*/", "/*LIVE*/", "/*CONNECT*/", "/*LIBRARY*/")
        .doesNotContain("<link", "src=\"http", "@import");
    assertThat(page.split("<script", -1)).hasSize(4);
  }

  /// Text from everywhere that would be a script if it were not escaped.
  private static OnlineReport hostile() {
    String text = "</script><img src=x onerror=\"document.title='broken'\"><!--<script>/*SCRIPT*/";
    OnlineReport made = Made.failed();
    List<Series.WindowRun> windows = new ArrayList<>(made.series().windows());
    windows.add(new Series.WindowRun(text, text, 9, 9, 9, false, false, text));
    return new OnlineReport(
        text,
        Map.of(text, text),
        0,
        1200,
        made.outcome(),
        new Series(made.series().seconds(), windows, List.of(new Series.PartitionSwitch(9, text))),
        List.of(new OnlineReport.Sum(text, 1, 1, true)),
        List.of(text));
  }

  private String open(OnlineReport report) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve("report.html"), OnlinePage.of(report));
    return new Chromium(folder).dump(file.toUri(), 1000);
  }

  private static String points(String html, String chart) {
    return Chromium.attribute(html, "canvas id=\"" + chart + "\"", "data-points");
  }

  @Test
  void aBrowserDrawsTheChartsAndTheTables() throws IOException, InterruptedException {
    String html = open(Made.failed());
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(points(html, "write")).isEqualTo("2400");
    assertThat(points(html, "aggregate")).isEqualTo("23");
    assertThat(points(html, "delay")).isEqualTo("1200");
    assertThat(html)
        .contains("<span class=\"badge failed\" id=\"state\">FAILED</span>")
        .contains("By: aggregates end in time; no aggregate fails.")
        .contains("✗ broken", "✓ holds", "✗ differs", "6,003,480,811", "Memory limit exceeded")
        .contains("<td>14.6</td>", "<dt>clients</dt>", "<b>12.00 M</b>");
  }

  @Test
  void whatWasNotTestedIsSaidSo() throws IOException, InterruptedException {
    String html = open(Made.untested());
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(html)
        .contains("<span class=\"badge untested\" id=\"state\">NOT PASSED</span>")
        .contains("Nothing is broken, but not tested: aggregates end in time.")
        .contains("<span class=\"mark untested\">not tested</span>");
  }

  @Test
  void aRunThatPassesAndGrowsIsSaidSo() throws IOException, InterruptedException {
    String html = open(Made.growing());
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(html)
        .contains("<span class=\"badge cautious\" id=\"state\">PASSED, BUT NOT FOR LONG</span>")
        .contains("All 4 criteria hold, but the write time grows: the limit of 1 s is met after");
  }

  /// Whichever was begun first, and if another was not begun at all.
  @Test
  void aLevelKeepsItsPlaceAndItsColour() throws IOException, InterruptedException {
    Map<String, String> colours = Map.of("minute", "one", "hour", "two", "day", "three");
    for (List<String> begun : List.of(List.of("day", "minute", "hour"), List.of("day", "hour"))) {
      List<Series.WindowRun> windows = new ArrayList<>();
      for (String level : begun) {
        windows.add(new Series.WindowRun(level, "w", windows.size(), 1, 10, false, false, ""));
      }
      Series series =
          new Series(
              Made.series(60, 10).seconds(),
              windows,
              List.of(),
              List.of(),
              List.of("minute", "hour", "day"));
      String html = open(Made.report(State.PASSED, series, 60));
      String keys = html.substring(html.indexOf("id=\"aggregate-keys\""));
      List<String> shown = Stream.of("minute", "hour", "day").filter(begun::contains).toList();
      assertThat(keys)
          .containsPattern(
              shown.stream()
                  .map(level -> "--colour: ?var\\(--" + colours.get(level) + "\\);?\"></i>" + level)
                  .collect(Collectors.joining("</span><span><i class=\"dot\" style=\"")));
    }
  }

  @Test
  void textFromServersStaysText() throws IOException, InterruptedException {
    String html = open(hostile());
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(points(html, "aggregate")).isEqualTo("24");
    assertThat(html)
        .contains("<h1 id=\"title\">&lt;/script&gt;&lt;img")
        .contains("<dt>&lt;/script&gt;&lt;img")
        .doesNotContain("<img", "<title>broken");
  }

  @Test
  void aRunThatHasNotBegunIsDrawnToo() throws IOException, InterruptedException {
    String html = open(OnlineTextTest.empty());
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(points(html, "write")).isEqualTo("0");
  }

  @Test
  void eightHoursAreDrawnWithFewerPoints() throws IOException, InterruptedException {
    String html = open(Made.report(State.PASSED, Made.series(28_800, 640), 28_800));
    assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
    assertThat(points(html, "delay")).isEqualTo("1440");
    assertThat(html).contains("Each point is the largest value of 20 seconds.");
  }

  /// The page in a frame, because a browser's own window can't be as narrow as a phone. The frame's
  /// parent looks at the width, points at a chart, chooses another scale, and looks whether the
  /// charts have many colours.
  @ParameterizedTest
  @ValueSource(ints = {390, 1280})
  void thePageFitsItsWindow(int width) throws IOException, InterruptedException {
    String frame =
        """
        <!DOCTYPE html><iframe src="/page" style="border:0;width:%dpx;height:900px"></iframe>
        <script>
        const frame = document.querySelector("iframe");
        frame.addEventListener("load", () => setTimeout(() => {
          const inner = frame.contentDocument;
          const root = inner.documentElement;
          document.body.dataset.width = root.clientWidth;
          document.body.dataset.scroll = Math.max(root.scrollWidth, inner.body.scrollWidth);
          const box = inner.getElementById("write").getBoundingClientRect();
          const at = { clientX: box.left + box.width / 2, clientY: box.top + 100, bubbles: true };
          inner.getElementById("write").dispatchEvent(new MouseEvent("mousemove", at));
          const automatic = inner.getElementById("write").dataset.scale;
          inner.querySelectorAll("#scale button")[1].click();
          document.body.dataset.scales = automatic + " " + inner.getElementById("write").dataset.scale;
          document.body.dataset.error = root.dataset.error || "";
          document.body.dataset.coloured = [...inner.querySelectorAll("canvas")].filter((canvas) => {
            const image = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
            return new Set(new Uint32Array(image.data.buffer)).size > 20;
          }).length;
        }, 500));
        </script>
        """
            .formatted(width);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    serve(server, "/frame", frame);
    serve(server, "/page", OnlinePage.of(Made.failed()));
    server.start();
    try {
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/frame");
      String html = new Chromium(folder).dump(uri, 3000);
      assertThat(Chromium.attribute(html, "body", "data-error")).isEmpty();
      assertThat(Chromium.attribute(html, "body", "data-coloured")).isEqualTo("3");
      assertThat(Chromium.attribute(html, "body", "data-scales")).isEqualTo("logarithmic linear");
      int inner = Integer.parseInt(Chromium.attribute(html, "body", "data-width"));
      assertThat(inner).isBetween(width - 20, width);
      assertThat(Integer.parseInt(Chromium.attribute(html, "body", "data-scroll")))
          .isLessThanOrEqualTo(inner);
    } finally {
      server.stop(0);
    }
  }

  private static void serve(HttpServer server, String path, String html) {
    server.createContext(
        path,
        exchange -> {
          byte[] bytes = html.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  @Test
  void aLivePageFollowsTheRunToItsEnd() throws IOException, InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    try (LivePage live =
        LivePage.serve(
            0,
            () -> {
              int count = asked.getAndIncrement();
              return count < 4 ? Made.running(100 * (count + 1)) : Made.passed();
            })) {
      String html = new Chromium(folder).dump(live.uri(), 15_000);
      assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
      // The page itself is the first that asks; then it asks until the run has ended.
      assertThat(Chromium.attribute(html, "html", "data-fetches")).isEqualTo("4");
      assertThat(points(html, "delay")).isEqualTo("1200");
      assertThat(html).contains(">PASSED</span>", "the run has ended", "6,003,481,220");
    }
  }

  @Test
  void aLivePageSaysThatItsServerIsGone() throws IOException, InterruptedException {
    AtomicBoolean first = new AtomicBoolean(true);
    try (LivePage live =
        LivePage.serve(
            0,
            () -> {
              if (first.getAndSet(false)) {
                return Made.running(100);
              }
              throw new IllegalStateException("gone");
            })) {
      String html = new Chromium(folder).dump(live.uri(), 4000);
      assertThat(Chromium.attribute(html, "html", "data-error")).isEmpty();
      assertThat(Chromium.attribute(html, "html", "data-lost")).isEqualTo("true");
      assertThat(html).contains("No answer since ", ">RUNNING</span>");
      assertThat(points(html, "delay")).isEqualTo("100");
    }
  }
}
