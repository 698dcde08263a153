package millrace.connectors.stores;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import millrace.connectors.file.FileConnector;
import millrace.endpoint.Endpoints;
import millrace.report.Report;
import millrace.spi.Endpoint;
import millrace.testkit.Copying;
import millrace.testkit.NotOffered;
import millrace.testkit.network.RefusingProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a report says of any store that limits how many requests it serves.
public abstract class StoreLimitsSuite {

  private static final FileConnector FILES = new FileConnector();
  private static final int ROWS = 700_000;

  @TempDir private Path folder = Path.of("");

  /// Puts an object into the store.
  protected abstract void put(String key, byte[] content) throws IOException;

  /// Where the store answers.
  protected abstract int port();

  /// How a user names an object that is reached at another port.
  protected abstract String location(String key, int port);

  /// Whether files are written there.
  protected boolean writes() {
    return true;
  }

  /// Two that follow each other are served now and then: some of what is asked for takes two.
  private static boolean isOneOfMany(int number) {
    return number % 4 == 1 || number % 4 == 2;
  }

  private static byte[] rows(int count) {
    StringBuilder rows = new StringBuilder("id,note\n");
    for (int id = 0; id < count; id++) {
      rows.append(id).append(",a row that is some eighty bytes long so that few are many bytes\n");
    }
    return rows.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static Endpoint end(String text) {
    return new Endpoints(List.of(FILES), Map.of()).parse(text);
  }

  private Report copied(String from, String to, int rows) {
    Report report =
        Copying.of(FILES, end(from), FILES, end(to)).measuring().run().result().report();
    assertThat(report.totals().rows()).isEqualTo(rows);
    return report;
  }

  private Report read(RefusingProxy proxy) throws IOException {
    put("rows.csv", rows(ROWS));
    Path out = folder.resolve("out.csv");
    Report report = copied(location("rows.csv", proxy.port()), out.toString(), ROWS);
    assertThat(out).hasBinaryContent(rows(ROWS));
    return report;
  }

  private RefusingProxy refusing(IntPredicate which) {
    return new RefusingProxy(port(), which);
  }

  private static long counted(Report report, String name) {
    return report.statistics().counters().stream()
        .filter(each -> (each.group() + "." + each.name()).equals(name))
        .mapToLong(each -> each.change())
        .sum();
  }

  @Test
  void aStoreThatTurnsManyRequestsAwayIsTheBottleneck() throws IOException {
    try (RefusingProxy proxy = refusing(StoreLimitsSuite::isOneOfMany)) {
      Report report = read(proxy);
      assertThat(report.time().bottleneck())
          .containsPattern(
              "^The store limits this copy to [0-9.]+ requests/s, and that is the bottleneck: it"
                  + " turned [0-9]+ away \\([0-9]+ % of all\\), and the lanes' readers waited for"
                  + " [0-9]+ % of their time")
          .contains("a higher limit", "Fewer and larger files")
          .doesNotContain("turned away, or lost");
      assertThat(counted(report, "store.again")).isEqualTo(proxy.refused());
    }
  }

  @Test
  void aStoreThatTurnsManyWritesAwayIsTheBottleneck() throws IOException {
    if (!writes()) {
      throw new NotOffered("http", "files to be written");
    }
    Path rows = Files.write(folder.resolve("rows.csv"), rows(2 * ROWS));
    try (RefusingProxy proxy = refusing(StoreLimitsSuite::isOneOfMany)) {
      String to = location("written.csv", proxy.port()) + "&part-size=5MB";
      Report report = copied(rows.toString(), to, 2 * ROWS);
      assertThat(report.time().bottleneck())
          .contains(
              "The store limits this copy to ",
              "the lanes' writers waited for ",
              "until they could ask again");
      // What removes the journal comes behind the report.
      assertThat(counted(report, "store.again")).isBetween(10L, (long) proxy.refused());
    }
    Path back = folder.resolve("back.csv");
    copied(location("written.csv", port()), back.toString(), 2 * ROWS);
    assertThat(back).hasSameBinaryContentAs(rows);
  }

  @Test
  void aFewThatAreTurnedAwayAreNotTheBottleneck() throws IOException {
    try (RefusingProxy proxy = refusing(number -> number >= 10 && number < 14)) {
      Report report = read(proxy);
      assertThat(report.time().bottleneck()).doesNotContain("limits");
      assertThat(counted(report, "wire.turned_away")).isEqualTo(4).isEqualTo(proxy.refused());
    }
  }
}
