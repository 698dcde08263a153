package millrace.text;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import millrace.fault.Fault;
import org.jspecify.annotations.Nullable;

/// Makes JSON of records as Jackson's data binding does, which reads it again, by those of its
/// annotations that our records have. Setting up the data binding took a third of a short copy's
/// time. Any thread.
public final class RecordJson {

  /// Names stand as they are.
  public static final RecordJson PLAIN = new RecordJson(false);

  /// Names have underscores.
  public static final RecordJson SNAKE_CASE = new RecordJson(true);

  private static final JsonFactory FACTORY = new JsonFactory();

  private final boolean isSnakeCase;
  private final Map<Class<?>, List<Component>> known = new ConcurrentHashMap<>();

  private RecordJson(boolean isSnakeCase) {
    this.isSnakeCase = isSnakeCase;
  }

  /// A record that is spelled as something else.
  public interface Spelled {

    /// What is spelled in its place.
    Object spelled();
  }

  /// One component of a record.
  ///
  /// @param unwrapped its own parts stand in its place, behind a prefix; null if they do not
  private record Component(
      String name, Method accessor, @Nullable JsonUnwrapped unwrapped, JsonInclude.Include when) {

    private Object of(Object owner) {
      try {
        return accessor.invoke(owner);
      } catch (ReflectiveOperationException e) {
        throw new Fault.Bug(name + " does not become JSON", e);
      }
    }

    private boolean isLeftOut(@Nullable Object value, JsonNode node) {
      boolean isNothing = value == null || node.isNull();
      return switch (when) {
        case NON_NULL -> value == null;
        case NON_EMPTY ->
            isNothing
                || (node.isTextual() && node.textValue().isEmpty())
                || (node.isContainerNode() && node.isEmpty());
        case NON_DEFAULT -> isNothing || (node.isNumber() && node.doubleValue() == 0);
        default -> false;
      };
    }
  }

  /// The same as a tree: of a record, a list, a map by texts, or one value.
  public JsonNode tree(@Nullable Object value) {
    JsonNodeFactory nodes = JsonNodeFactory.instance;
    if (value == null) {
      return nodes.nullNode();
    } else if (value instanceof JsonNode node) {
      return node;
    } else if (value instanceof Spelled other) {
      return tree(other.spelled());
    } else if (value instanceof Record record) {
      ObjectNode node = nodes.objectNode();
      add(node, "", record);
      return node;
    } else if (value instanceof Collection<?> many) {
      ArrayNode node = nodes.arrayNode();
      many.forEach(each -> node.add(tree(each)));
      return node;
    } else if (value instanceof Map<?, ?> named) {
      ObjectNode node = nodes.objectNode();
      named.forEach((name, each) -> node.set(String.valueOf(name), tree(each)));
      return node;
    }
    return leaf(nodes, value);
  }

  private static JsonNode leaf(JsonNodeFactory nodes, Object value) {
    if (value instanceof String || value instanceof Instant) {
      return nodes.textNode(value.toString());
    } else if (value instanceof Enum<?> constant) {
      return nodes.textNode(constant.name());
    } else if (value instanceof Boolean is) {
      return nodes.booleanNode(is);
    } else if (value instanceof Integer number) {
      return nodes.numberNode(number.intValue());
    } else if (value instanceof Long number) {
      return nodes.numberNode(number.longValue());
    } else if (value instanceof Double number) {
      return nodes.numberNode(number.doubleValue());
    }
    throw new Fault.Bug("no JSON is known for " + value.getClass().getName(), null);
  }

  private void add(ObjectNode to, String prefix, Record record) {
    for (Component part : known.computeIfAbsent(record.getClass(), this::parts)) {
      Object value = part.of(record);
      if (part.unwrapped == null) {
        JsonNode node = tree(value);
        if (!part.isLeftOut(value, node)) {
          to.set(prefix + part.name, node);
        }
      } else if (value instanceof Record inner) {
        add(to, prefix + part.unwrapped.prefix(), inner);
      }
    }
  }

  private List<Component> parts(Class<?> type) {
    JsonInclude ofAll = type.getAnnotation(JsonInclude.class);
    List<Component> parts = new ArrayList<>();
    for (RecordComponent component : type.getRecordComponents()) {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      JsonProperty property = accessor.getAnnotation(JsonProperty.class);
      JsonInclude include = accessor.getAnnotation(JsonInclude.class);
      JsonInclude when = include == null ? ofAll : include;
      parts.add(
          new Component(
              property == null ? name(component.getName()) : property.value(),
              accessor,
              accessor.getAnnotation(JsonUnwrapped.class),
              when == null ? JsonInclude.Include.ALWAYS : when.value()));
    }
    return parts;
  }

  /// As Jackson's `SNAKE_CASE` spells it: capitals that follow each other are one word.
  private String name(String name) {
    if (!isSnakeCase) {
      return name;
    }
    StringBuilder snake = new StringBuilder();
    boolean wasUpper = true;
    for (int i = 0; i < name.length(); i++) {
      char letter = name.charAt(i);
      boolean isUpper = Character.isUpperCase(letter);
      snake.append(isUpper && !wasUpper ? "_" : "").append(letter);
      wasUpper = isUpper;
    }
    return snake.toString().toLowerCase(Locale.ROOT);
  }

  /// The same as text in one line.
  public String line(@Nullable Object value) {
    return text(value, false);
  }

  /// The same as text that people read too.
  public String lines(@Nullable Object value) {
    return text(value, true);
  }

  private String text(@Nullable Object value, boolean isIndented) {
    StringWriter text = new StringWriter();
    try (JsonGenerator out = FACTORY.createGenerator(text)) {
      if (isIndented) {
        out.setPrettyPrinter(new DefaultPrettyPrinter());
      }
      write(tree(value), out);
    } catch (IOException e) {
      throw new Fault.Bug("text in memory can't be written", e);
    }
    return text.toString();
  }

  /// A tree's own text would come with the set-up of the data binding.
  private static void write(JsonNode node, JsonGenerator out) throws IOException {
    if (node.isObject()) {
      out.writeStartObject();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        out.writeFieldName(field.getKey());
        write(field.getValue(), out);
      }
      out.writeEndObject();
    } else if (node.isArray()) {
      out.writeStartArray();
      for (JsonNode element : node) {
        write(element, out);
      }
      out.writeEndArray();
    } else if (node.isTextual()) {
      out.writeString(node.textValue());
    } else if (node.isBoolean()) {
      out.writeBoolean(node.booleanValue());
    } else if (node.isNull()) {
      out.writeNull();
    } else if (node.isIntegralNumber()) {
      out.writeNumber(node.bigIntegerValue());
    } else if (node.isBigDecimal()) {
      out.writeNumber(node.decimalValue());
    } else {
      out.writeNumber(node.doubleValue());
    }
  }
}
