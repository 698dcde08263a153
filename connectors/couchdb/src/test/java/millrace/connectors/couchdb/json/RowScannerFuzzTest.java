package millrace.connectors.couchdb.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import millrace.data.spelling.JsonCheck;
import org.jspecify.annotations.Nullable;

/// Whatever a server sends, its rows are those that Jackson finds in it, or it is refused.
class RowScannerFuzzTest {

  private static final JsonMapper DOUBLES =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .build();

  private static final JsonMapper EXACT =
      DOUBLES.rebuild().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  @FuzzTest
  void rowsAreThoseThatJacksonFinds(byte[] response) throws IOException {
    List<String> rows;
    try {
      rows = RowScannerTest.rows(response, 1 + response.length / 3);
    } catch (RowScanner.CutOff _) {
      rows = null;
    }
    JsonMapper json = mapper(response);
    JsonNode tree = tree(response, json);
    if (tree == null || !tree.path("rows").isArray()) {
      return;
    }
    assertThat(rows).isNotNull();
    List<JsonNode> found = new ArrayList<>();
    for (String row : rows) {
      found.add(json.readTree(row));
    }
    assertThat(found).containsExactlyElementsOf(tree.path("rows"));
  }

  /// JSON has no bound for exponents, and a `BigDecimal` has.
  private static JsonMapper mapper(byte[] response) {
    try {
      EXACT.readTree(new String(response, StandardCharsets.UTF_8));
      return EXACT;
    } catch (NumberFormatException _) {
      return DOUBLES;
    } catch (JsonProcessingException _) {
      return EXACT;
    }
  }

  /// The response if it is one JSON document whose names need no escapes.
  private static @Nullable JsonNode tree(byte[] response, JsonMapper json) throws IOException {
    String text = new String(response, StandardCharsets.UTF_8);
    if (text.contains("\\") || !JsonCheck.isValid(response, 0, response.length)) {
      return null;
    }
    try {
      return json.readTree(response);
    } catch (JsonProcessingException _) {
      return null;
    }
  }
}
