package millrace.connectors.stores.s3;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import millrace.connectors.file.FileConnector;
import millrace.endpoint.Endpoints;
import millrace.report.Report;
import millrace.spi.Endpoint;
import millrace.spi.store.ObjectStore;
import millrace.testkit.Copying;
import millrace.testkit.network.RefusingProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a report says of a store that limits how many requests it serves.
class S3LimitsTest {

  private static final FileConnector FILES = new FileConnector();
  private static final String ROW =
      ",a row that is about a hundred bytes long so that few are many bytes";
  private static final int ROWS = 700_000;

  private static S3Places places;

  @TempDir private Path folder = Path.of("");

  @BeforeAll
  static void start() throws IOException {
    places = new S3Places();
    StringBuilder rows = new StringBuilder("id,note\n");
    for (int id = 0; id < ROWS; id++) {
      rows.append(id).append(ROW).append('\n');
    }
    try (ObjectStore store = places.open()) {
      store.put("rows.csv", rows.toString().getBytes(StandardCharsets.UTF_8), null);
    }
  }

  @AfterAll
  static void stop() {
    places.close();
  }

  private static Endpoint end(String text) {
    return new Endpoints(List.of(FILES), Map.of()).parse(text);
  }

  private Report copied(RefusingProxy proxy) {
    String from = "s3://%s/rows.csv?aws-profile=tests&endpoint=http://127.0.0.1:%d";
    Report report =
        Copying.of(
                FILES,
                end(from.formatted(S3Places.BUCKET, proxy.port())),
                FILES,
                end(folder.resolve("out.csv").toString()))
            .measuring()
            .run()
            .result()
            .report();
    assertThat(report.totals().rows()).isEqualTo(ROWS);
    return report;
  }

  private RefusingProxy refusing(IntPredicate which) {
    return new RefusingProxy(places.server.port(), which);
  }

  private static long counted(Report report, String name) {
    return report.statistics().counters().stream()
        .filter(each -> (each.group() + "." + each.name()).equals(name))
        .mapToLong(each -> each.change())
        .sum();
  }

  @Test
  void aStoreThatTurnsManyRequestsAwayIsTheBottleneck() {
    try (RefusingProxy proxy = refusing(number -> number % 2 != 0)) {
      Report report = copied(proxy);
      assertThat(report.time().bottleneck())
          .containsPattern(
              "^The store limits this copy to [0-9.]+ requests/s, and that is the bottleneck")
          .containsPattern("it turned [0-9]+ away \\([0-9]+ % of all\\)")
          .contains("a higher limit", "Fewer and larger files")
          .doesNotContain("lost");
      assertThat(counted(report, "store.again")).isEqualTo(proxy.refused());
    }
  }

  @Test
  void aFewThatAreTurnedAwayAreNotTheBottleneck() {
    try (RefusingProxy proxy = refusing(number -> number >= 10 && number < 14)) {
      Report report = copied(proxy);
      assertThat(report.time().bottleneck()).doesNotContain("limits");
      assertThat(counted(report, "wire.turned_away")).isEqualTo(4).isEqualTo(proxy.refused());
    }
  }
}
