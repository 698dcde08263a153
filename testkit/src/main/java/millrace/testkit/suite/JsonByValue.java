package millrace.testkit.suite;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.JsonValue;
import millrace.testkit.Row;
import org.jspecify.annotations.Nullable;

/// Spells JSON documents in one way, whatever spaces, orders of members and zeros they have, for
/// systems that keep only what they say.
final class JsonByValue {

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonByValue() {}

  static List<Row> rows(Schema schema, List<Row> rows) {
    return rows.stream().map(row -> Row.of(row(schema, row.values()).toArray())).toList();
  }

  static List<List<@Nullable Object>> values(Schema schema, List<List<@Nullable Object>> rows) {
    return rows.stream().map(row -> row(schema, row)).toList();
  }

  /// The document with the last of members of one name; the same text if it has no such members.
  static String lastMembers(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    JsonValue value = new JsonValue((hash, member) -> hash ^ member);
    try {
      return value.read(bytes, 0, bytes.length) && value.repeatsMembers()
          ? MAPPER.readTree(text).toString()
          : text;
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + text, e);
    }
  }

  /// Whether both are documents that say the same.
  static boolean isSame(Object sent, @Nullable Object arrived) {
    if (!(sent instanceof String before && arrived instanceof String after)) {
      return false;
    }
    try {
      return spelled(MAPPER.readTree(before)).equals(spelled(MAPPER.readTree(after)));
    } catch (JsonProcessingException _) {
      return false;
    }
  }

  private static List<@Nullable Object> row(Schema schema, List<@Nullable Object> values) {
    List<@Nullable Object> spelled = new ArrayList<>(values);
    for (int i = 0; i < spelled.size(); i++) {
      Object value = spelled.get(i);
      if (value != null && schema.column(i).type() instanceof Type.Json) {
        spelled.set(
            i,
            spelled(value instanceof byte[] bytes ? new String(bytes, UTF_8) : value.toString()));
      }
    }
    return spelled;
  }

  private static String spelled(String text) {
    try {
      return spelled(MAPPER.readTree(text));
    } catch (JsonProcessingException e) {
      throw new AssertionError("no JSON: " + text, e);
    }
  }

  private static String spelled(JsonNode node) {
    if (node.isNumber()) {
      BigDecimal bare = node.decimalValue().stripTrailingZeros();
      return bare.toPlainString();
    }
    if (node.isArray()) {
      return StreamSupport.stream(node.spliterator(), false)
          .map(JsonByValue::spelled)
          .toList()
          .toString();
    }
    if (node.isObject()) {
      Map<String, String> members = new TreeMap<>();
      node.properties().forEach(member -> members.put(member.getKey(), spelled(member.getValue())));
      return members.toString();
    }
    return node.toString();
  }
}
