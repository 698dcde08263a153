package millrace.data.spelling.nested;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import millrace.data.Type;
import millrace.data.Type.Opaque;
import millrace.data.Type.Opaque.ListOf;
import millrace.data.Type.Opaque.Marks;
import millrace.data.Type.Opaque.Member;
import millrace.data.Type.Opaque.Nested;
import millrace.data.Type.Opaque.StructOf;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/// A list or a struct of any shape is the same value in every spelling. What it is, trees of
/// Jackson say; its texts come from the few lines at the end, which put quotes around everything.
class NestedRespellingPropertyTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final List<String> PIECES =
      List.of(
          "a",
          "\"",
          "'",
          "\\",
          "{",
          "}",
          "[",
          "]",
          "(",
          ")",
          ",",
          ":",
          " ",
          "NULL",
          "null",
          "\n",
          "é水",
          "\uD83D\uDE00",
          "=",
          "%s",
          "\u0001",
          "\\x");

  private static String word(Random random) {
    StringBuilder word = new StringBuilder();
    for (int n = random.nextInt(4); n > 0; n--) {
      word.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return word.toString();
  }

  private static Type type(Random random, int depth) {
    return switch (random.nextInt(depth > 3 ? 3 : 6)) {
      case 0 -> Type.Text.UNLIMITED;
      case 1 -> new Type.Int(32);
      case 2 -> new Type.Bool();
      case 3 -> struct(random, depth);
      default -> Opaque.listOf(type(random, depth + 1), Marks.BRACES);
    };
  }

  private static Type struct(Random random, int depth) {
    List<Member> members = new ArrayList<>();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      members.add(new Member(n + word(random), type(random, depth + 1)));
    }
    return Opaque.structOf(members, Marks.BRACES);
  }

  private static JsonNode value(Type type, Random random) {
    return switch (type) {
      case Type.Int _ -> NODES.numberNode(random.nextInt());
      case Type.Bool _ -> NODES.booleanNode(random.nextBoolean());
      case Opaque(ListOf(Type element, Marks _)) -> {
        ArrayNode list = NODES.arrayNode();
        for (int n = random.nextInt(4); n > 0; n--) {
          list.add(orNull(element, random));
        }
        yield list;
      }
      case Opaque(StructOf(List<Member> members, Marks _)) -> {
        ObjectNode struct = NODES.objectNode();
        members.forEach(each -> struct.set(each.name(), orNull(each.type(), random)));
        yield struct;
      }
      case Type _ -> NODES.textNode(word(random));
    };
  }

  private static JsonNode orNull(Type type, Random random) {
    return random.nextInt(6) == 0 ? NODES.nullNode() : value(type, random);
  }

  /// Whether each list in a list is there, not empty, and as long as its sisters, down to the
  /// innermost.
  private static @Nullable List<Integer> grid(JsonNode list, Type element) {
    List<Integer> all = null;
    for (JsonNode each : list) {
      if (element.nested() instanceof ListOf inner) {
        List<Integer> one = each.isNull() || each.isEmpty() ? null : grid(each, inner.element());
        if (one == null || (all != null && !all.equals(one))) {
          return null;
        }
        all = one;
      }
    }
    List<Integer> extent = new ArrayList<>();
    extent.add(list.size());
    extent.addAll(all == null ? List.of() : all);
    return extent;
  }

  private static boolean isArray(JsonNode value, Type type) {
    return value.isNull()
        || switch (type.nested()) {
          case null -> true;
          case ListOf(Type element, Marks _) ->
              grid(value, element) != null && each(value, element);
          case StructOf(List<Member> members, Marks _) ->
              members.stream().allMatch(member -> isArray(value.get(member.name()), member.type()));
        };
  }

  private static boolean each(JsonNode list, Type element) {
    for (JsonNode one : list) {
      if (!isArray(one, element)) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable String respelled(Nested type, Marks from, Marks to, String text) {
    byte[] bytes = ("#" + text + "#").getBytes(UTF_8);
    NestedRespelling one = new NestedRespelling(type.spelled(from), type.spelled(to));
    return one.respell(bytes, 1, bytes.length - 1)
        ? new String(one.bytes(), one.start(), one.end() - one.start(), UTF_8)
        : null;
  }

  @Property(tries = 2000)
  void everySpellingIsTheSameValue(@ForAll long seed) throws JsonProcessingException {
    Random random = new Random(seed);
    Type type = struct(random, 0);
    Nested nested = type.nested();
    assertThat(nested).isNotNull();
    JsonNode value = value(type, random);
    String brackets = brackets(value);
    assertThat(tree(respelled(nested, Marks.BRACKETS, Marks.JSON, brackets))).isEqualTo(value);
    String fromJson = respelled(nested, Marks.JSON, Marks.BRACKETS, value.toPrettyString());
    assertThat(tree(respelled(nested, Marks.BRACKETS, Marks.JSON, String.valueOf(fromJson))))
        .isEqualTo(value);
    String braces = respelled(nested, Marks.BRACKETS, Marks.BRACES, brackets);
    assertThat(braces != null).isEqualTo(isArray(value, type));
    if (braces != null) {
      assertThat(tree(respelled(nested, Marks.BRACES, Marks.JSON, braces))).isEqualTo(value);
      String quoted = braces(value, type);
      assertThat(tree(respelled(nested, Marks.BRACES, Marks.JSON, quoted))).isEqualTo(value);
      String back = respelled(nested, Marks.BRACES, Marks.BRACKETS, quoted);
      assertThat(tree(respelled(nested, Marks.BRACKETS, Marks.JSON, String.valueOf(back))))
          .isEqualTo(value);
    }
  }

  /// What is no value, or a part of one, is refused, and nothing is read beyond the end.
  @Property(tries = 2000)
  void anyTextIsReadOrRefused(@ForAll long seed) throws JsonProcessingException {
    Random random = new Random(seed);
    Type type = struct(random, 0);
    Nested nested = type.nested();
    assertThat(nested).isNotNull();
    JsonNode value = value(type, random);
    for (Marks marks : List.of(Marks.BRACES, Marks.BRACKETS)) {
      String whole = marks == Marks.BRACES ? braces(value, type) : brackets(value);
      int at = random.nextInt(whole.length());
      String bad = whole.substring(0, at) + word(random) + whole.substring(at + random.nextInt(2));
      String read = respelled(nested, marks, Marks.JSON, bad);
      if (read != null) {
        tree(read);
      }
      assertThat(respelled(nested, marks, Marks.JSON, whole.substring(0, at))).isNull();
    }
  }

  private static @Nullable JsonNode tree(@Nullable String json) throws JsonProcessingException {
    return json == null ? null : JSON.readTree(json);
  }

  private static String brackets(JsonNode value) {
    if (value.isArray()) {
      List<String> all = new ArrayList<>();
      value.forEach(each -> all.add(brackets(each)));
      return "[" + String.join(", ", all) + "]";
    }
    if (value.isObject()) {
      return value.properties().stream()
          .map(each -> quotedInBrackets(each.getKey()) + ": " + brackets(each.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return value.isNull() ? "NULL" : quotedInBrackets(value.asText());
  }

  private static String quotedInBrackets(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }

  private static String braces(JsonNode value, Type type) {
    return switch (type.nested()) {
      case ListOf(Type element, Marks _) -> {
        boolean isRaw = element.nested() instanceof ListOf;
        List<String> all = new ArrayList<>();
        for (JsonNode each : value) {
          String text = each.isNull() ? "NULL" : braces(each, element);
          all.add(
              each.isNull() || isRaw
                  ? text
                  : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
        }
        yield "{" + String.join(",", all) + "}";
      }
      case StructOf(List<Member> members, Marks _) ->
          members.stream()
              .map(member -> {
                JsonNode each = value.get(member.name());
                return each.isNull()
                    ? ""
                    : "\""
                        + braces(each, member.type()).replace("\\", "\\\\").replace("\"", "\"\"")
                        + "\"";
              })
              .collect(Collectors.joining(",", "(", ")"));
      case null -> value.asText();
    };
  }
}
