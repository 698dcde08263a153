package millrace.connectors.generate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.spi.read.Source;
import org.junit.jupiter.api.Test;

class PostalShapeTest {

  @Test
  void documentsAreJsonWithJapaneseTextOfAbout1800Bytes() throws Exception {
    List<String> documents = documents();
    ObjectMapper json = new ObjectMapper();
    long bytes = 0;
    for (String document : documents) {
      JsonNode root = json.readTree(document);
      assertThat(root.get("postal_code").asText()).matches("[0-9]{7}");
      assertThat(root.get("prefecture").get("kanji").asText()).matches("\\p{IsHan}+");
      assertThat(root.get("prefecture").get("kana").asText()).matches("[\\p{IsKatakana}ー]+");
      assertThat(root.get("city").get("kana").asText()).matches("[\\p{IsKatakana}ー]+");
      assertThat(root.get("location").get("latitude").asDouble()).isBetween(24.0, 46.0);
      assertThat(root.get("streets").size()).isBetween(11, 18);
      bytes += document.getBytes(StandardCharsets.UTF_8).length;
    }
    assertThat(bytes / (double) documents.size()).isCloseTo(1.8 * 1024, within(30.0));
  }

  @Test
  void everyPrefectureOccurs() {
    assertThat(JapaneseNames.PREFECTURES).hasSize(47);
    String all = documents().toString();
    JapaneseNames.PREFECTURES.forEach(
        name -> assertThat(all).contains(new String(name.kanji(), StandardCharsets.UTF_8)));
  }

  private static List<String> documents() {
    List<String> documents = new ArrayList<>();
    try (Source source = Made.source("postal", Map.of("rows", "5000"))) {
      Made.read(
          source,
          Made.splits(source, 1 << 20),
          batch -> {
            for (int row = 0; row < batch.rows(); row++) {
              documents.add(batch.bytes(1).text(row));
            }
          });
    }
    return documents;
  }
}
