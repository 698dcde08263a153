package millrace.connectors.couchdb;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.connectors.file.FileConnector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.suite.ResumableCopy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// A database of documents, and copies from and into such.
abstract class DocumentsInCouch {

  private static final ConnectorRegistry ENDS =
      new ConnectorRegistry(List.of(new CouchConnector(), new FileConnector()));

  static final int DOCUMENTS = 600;
  static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long SPLIT_BYTES = 16 << 10;

  @TempDir Path folder;

  final KeepingServer server = new KeepingServer();

  @BeforeEach
  void someDocuments() {
    server.put(
        "from", IntStream.range(0, DOCUMENTS).mapToObj(i -> document(i, 1)).toArray(String[]::new));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  static String document(int number, int generation) {
    return "{\"_id\":\"é%04d\",\"_rev\":\"%d-a\",\"n\":%d.0,\"text\":\"%s\"}"
        .formatted(number, generation, number, "x".repeat(number % 200));
  }

  final Endpoint from(String... options) {
    return server.database("from", options(options));
  }

  static Map<String, String> options(String... options) {
    return options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
  }

  final Endpoint to() {
    return server.database("to", Map.of());
  }

  final Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  /// A copy without --resume on one lane.
  static ResumableCopy copy(Endpoint from, Endpoint to) {
    return copy(from, to, null, 1);
  }

  /// @param lanes how many, if the source allows that many
  static ResumableCopy copy(Endpoint from, Endpoint to, @Nullable Mode mode, int lanes) {
    Copying copying =
        Copying.of(ENDS.of(from), from, ENDS.of(to), to).mode(mode).lanes(lanes, SPLIT_BYTES);
    return ResumableCopy.of(copying, 20).writeRows(15).commitRows(40).unrequested();
  }

  final List<Integer> numbers() throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (String document : server.documents("to").values()) {
      numbers.add(JSON.readTree(document).path("n").asInt());
    }
    return numbers;
  }
}
