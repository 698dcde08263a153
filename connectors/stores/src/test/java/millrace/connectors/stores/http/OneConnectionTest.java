package millrace.connectors.stores.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import millrace.connectors.file.FileConnector;
import millrace.endpoint.Endpoints;
import millrace.testkit.Copying;
import millrace.testkit.network.ConnectionFault;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.server.WebServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a report says of a file that comes over one slow connection.
class OneConnectionTest {

  private static final FileConnector FILES = new FileConnector();

  /// Each piece of 64 kB takes so long: about 6 MB/s on each connection at most.
  private static final ConnectionFault SLOW = new ConnectionFault.Delay(0, 10);

  @TempDir private Path served = Path.of("");
  @TempDir private Path folder = Path.of("");

  /// Of text that hardly gets shorter if it is compressed.
  private static byte[] rows(int bytes) {
    Random random = new Random(bytes);
    StringBuilder rows = new StringBuilder("id,note\n");
    while (rows.length() < bytes) {
      rows.append(random.nextLong()).append(',').append(random.nextLong()).append('\n');
    }
    return rows.toString().getBytes(StandardCharsets.UTF_8);
  }

  private String bottleneck(String name, boolean ranges, int lanes) throws IOException {
    try (WebServer server = new WebServer(served, ranges);
        FaultyProxy slow =
            new FaultyProxy("127.0.0.1", URI.create(server.url("")).getPort(), _ -> SLOW)) {
      Endpoints ends = new Endpoints(List.of(FILES), Map.of());
      return Copying.of(
              FILES,
              ends.parse("http://127.0.0.1:" + slow.port() + "/" + name),
              FILES,
              ends.parse(folder.resolve(name + ranges + ".csv").toString()))
          .lanes(lanes, 1 << 20)
          .measuring()
          .run()
          .result()
          .report()
          .time()
          .bottleneck();
    }
  }

  @Test
  void aFileThatComesOverOneConnectionIsNamed() throws IOException {
    Files.write(served.resolve("slow.csv"), rows(16 << 20));
    assertThat(bottleneck("slow.csv", false, 3))
        .containsPattern(
            "^One connection to the store is the bottleneck: it brought [1-6]\\.[0-9] MB/s, and the"
                + " lanes' readers waited for its bytes for [0-9]+ % of their time\\.")
        .contains("the server gives a file only from its beginning", "Several files would help");
  }

  /// A compressed file is read by one lane, but its parts come side by side.
  @Test
  void aFileThatComesOverSeveralConnectionsIsNotSaidToComeOverOne() throws IOException {
    byte[] rows = rows(24 << 20);
    Files.write(served.resolve("split.csv"), rows);
    try (GZIPOutputStream out =
        new GZIPOutputStream(Files.newOutputStream(served.resolve("packed.csv.gz")))) {
      out.write(rows);
    }
    for (String name : List.of("split.csv", "packed.csv.gz")) {
      assertThat(bottleneck(name, true, 1)).doesNotContain("One connection");
    }
  }
}
