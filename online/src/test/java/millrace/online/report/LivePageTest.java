package millrace.online.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import millrace.fault.Fault;
import org.junit.jupiter.api.Test;

final class LivePageTest {

  private final AtomicReference<OnlineReport> report = new AtomicReference<>(Made.running(100));

  private static HttpResponse<String> get(LivePage page, String path)
      throws IOException, InterruptedException {
    URI uri = page.uri().resolve(path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  @Test
  void thePageAndTheReportAreThatOfNow() throws IOException, InterruptedException {
    try (LivePage page = LivePage.serve(0, report::get)) {
      HttpResponse<String> first = get(page, "/");
      assertThat(first.statusCode()).isEqualTo(200);
      assertThat(first.headers().firstValue("Content-Type")).hasValue("text/html; charset=utf-8");
      assertThat(first.body()).contains("data-live=\"true\"", "connect-src 'self'");
      assertThat(new ObjectMapper().readTree(get(page, "/report.json").body()).at("/seconds"))
          .hasSize(100);
      report.set(Made.running(2000));
      assertThat(new ObjectMapper().readTree(get(page, "/report.json").body()).at("/seconds"))
          .hasSize(2000);
      assertThat(
              new ObjectMapper().readTree(get(page, "/report.json?for=page").body()).at("/seconds"))
          .hasSize(1000);
      assertThat(get(page, "/other").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void prometheusCanReadTheMetrics() throws IOException, InterruptedException {
    report.set(Made.failed());
    try (LivePage page = LivePage.serve(0, report::get)) {
      HttpResponse<String> metrics = get(page, "/metrics");
      assertThat(metrics.headers().firstValue("Content-Type"))
          .hasValue("text/plain; version=0.0.4; charset=utf-8");
      assertThat(metrics.body().lines())
          .allMatch(line ->
              line.matches("# (HELP|TYPE) [a-z_]+ .+")
                  || line.matches("[a-z_]+(\\{level=\"[a-z]+\"})? -?[0-9.]+(E-?[0-9]+)?"))
          .contains(
              "# TYPE millrace_online_rows_acknowledged_total counter",
              "millrace_online_rows_acknowledged_total 1.2E7",
              "millrace_online_rows_late_total 144.0",
              "millrace_online_bad_seconds_total 4.0",
              "millrace_online_write_errors_total 0.0",
              "millrace_online_running 0.0",
              "# TYPE millrace_online_backlog_writes gauge",
              "millrace_online_backlog_writes 0.0",
              "millrace_online_aggregates_total{level=\"minute\"} 21.0",
              "millrace_online_aggregates_failed_total{level=\"minute\"} 1.0",
              "millrace_online_aggregate_last_seconds{level=\"day\"} 9.8")
          .anyMatch(line -> line.startsWith("millrace_online_start_delay_max_seconds 0.00"))
          .anyMatch(line -> line.startsWith("millrace_online_write_mean_seconds 0.1"))
          .anyMatch(line -> line.startsWith("millrace_online_write_max_seconds 0.2"));
    }
  }

  @Test
  void metricsOfARunThatHasNotBegunHaveNoLastSecond() throws IOException, InterruptedException {
    report.set(OnlineTextTest.empty());
    try (LivePage page = LivePage.serve(0, report::get)) {
      assertThat(get(page, "/metrics").body())
          .contains("millrace_online_rows_acknowledged_total 0.0", "millrace_online_running 1.0")
          .doesNotContain("write_max");
    }
  }

  @Test
  void anotherSitesNameForThisMachineIsRefused() throws IOException {
    try (LivePage page = LivePage.serve(0, report::get)) {
      assertThat(status(page, "GET", "localhost:1234")).isEqualTo("HTTP/1.1 200 OK");
      assertThat(status(page, "GET", "evil.example")).isEqualTo("HTTP/1.1 403 Forbidden");
      assertThat(status(page, "POST", "localhost")).isEqualTo("HTTP/1.1 405 Method Not Allowed");
      assertThat(status(page, "HEAD", "localhost")).isEqualTo("HTTP/1.1 200 OK");
    }
  }

  private static String status(LivePage page, String method, String host) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), page.uri().getPort())) {
      String request =
          method + " /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return answer.lines().findFirst().orElse("");
    }
  }

  @Test
  void aReportThatCantBeMadeIsToldAndTheNextIsAsked() throws IOException, InterruptedException {
    AtomicBoolean first = new AtomicBoolean(true);
    try (LivePage page =
        LivePage.serve(
            0,
            () -> {
              if (first.getAndSet(false)) {
                throw new IllegalStateException("not yet");
              }
              return report.get();
            })) {
      HttpResponse<String> answer = get(page, "/report.json");
      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).isEqualTo("The report can't be made: not yet\n");
      assertThat(get(page, "/report.json").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void aPortThatIsTakenIsTheUsersFault() {
    try (LivePage page = LivePage.serve(0, report::get)) {
      int port = page.uri().getPort();
      assertThatThrownBy(() -> LivePage.serve(port, report::get))
          .isInstanceOf(Fault.User.class)
          .hasMessageStartingWith("Port " + port + " of 127.0.0.1 can't be opened: ");
    }
  }

  /// A browser that watches sees the verdict, although the run's end closes the server.
  @Test
  void closingWaitsUntilTheWatcherHasSeenTheEnd() throws Exception {
    LivePage page = LivePage.serve(0, report::get);
    get(page, "/report.json?for=page");
    report.set(Made.passed());
    Thread closing = Thread.ofVirtual().start(page::close);
    assertThat(closing.join(Duration.ofMillis(100))).isFalse();
    assertThat(get(page, "/report.json?for=page").body()).contains("\"state\":\"passed\"");
    closing.join();
    assertThatThrownBy(() -> get(page, "/")).isInstanceOf(IOException.class);
  }
}
