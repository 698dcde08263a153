package millrace.report;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;

/// How reports are written as JSON: names with underscores, times as text; what an earlier or later
/// version adds is passed over.
public final class ReportJson {

  /// Any thread may use it.
  public static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private ReportJson() {}

  /// A line of what a command tells as it goes: `event`, its name, and under that name what it is
  /// about.
  public static ObjectNode event(String name, Object about) {
    ObjectNode line = MAPPER.createObjectNode();
    line.put("event", name);
    line.set(name, MAPPER.valueToTree(about));
    return line;
  }
}
