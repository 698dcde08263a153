package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Members of documents become columns, elements of their arrays become rows, and columns become
/// members again.
class DocumentRowsTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final FileConnector FILES = new FileConnector();
  private static final int ELEMENTS = 60_000;

  @TempDir Path folder;

  private final MemoryConnector memory = new MemoryConnector();

  private Endpoint file(String name, Map<String, String> parameters) {
    return new Endpoint("file", folder.resolve(name).toString(), parameters, Secret.NONE);
  }

  private Copying reading(String text, Map<String, String> parameters) {
    Trial.file(folder, "in.jsonl", text);
    return Copying.of(FILES, file("in.jsonl", parameters), memory, memory.endpoint("t"))
        .mode(Mode.REPLACE);
  }

  private List<Row> rows(String text, Map<String, String> parameters) {
    reading(text, parameters).run();
    return memory.rows("t");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':{'x':'q','y':1}}      | a.x      | q",
        "{'a':{'x':null}}           | a.x      | NULL",
        "{'a':null}                 | a.x      | NULL",
        "{'a':5}                    | a.x      | NULL",
        "{'a':[{'x':1}]}            | a.x      | NULL",
        "{'b':1}                    | a.x      | NULL",
        "{'a':{'b':{'c':'deep'}}}   | a.b.c    | deep",
        "{'a':{'x':[1,2]}}          | a.x      | [1,2]",
        "{'a':{'x':true}}           | a.x      | true",
        "{'a':{'x':1.50}}           | a.x      | 1.50",
        "{'a.x':'flat'}             | a.x      | NULL",
        " { 'a' : { 'x' : 'sp' } }  | a.x      | sp",
      })
  void aPathLeadsToAMember(String document, String path, String value) {
    List<Row> rows = rows(document.replace('\'', '"') + "\n", Map.of("fields", path + ":text"));
    assertThat(rows)
        .extracting(row -> String.valueOf(row.value(0)))
        .containsExactly(value.equals("NULL") ? "null" : value);
  }

  @Test
  void whatHasNoColumnOfItsOwnStaysInTheDocument() {
    assertThat(rows("{\"a\":1,\"b\":{\"c\":2},\"d\":[3]}\n", Map.of("fields", "a,b.c")))
        .containsExactly(Row.of(1, 2, "{\"b\":{\"c\":2},\"d\":[3]}"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"id\":1}\n", "{\"id\":1,\"i\":null}\n", "{\"i\":[]}\n", "\n \n"})
  void aDocumentWithoutElementsHasNoRows(String text) {
    assertThat(rows(text, Map.of("each", "i", "fields", "id:int64,i.#,i.n:int64"))).isEmpty();
  }

  @Test
  void eachElementIsARowWithWhatItsDocumentHas() {
    String text =
        """
        {"id":1,"o":{"i":[{"n":1,"t":"a,\\"b"},{"n":2},null]},"z":"p"}
        {"id":2,"o":{"i":[ ]}}
        {"id":3,"o":{"i":[{"t":"c"}]}}
        """;
    assertThat(rows(text, Map.of("each", "o.i", "fields", "id,z,o.i.#,o.i.n,o.i.t")))
        .containsExactly(
            Row.of(1, "p", 1, 1, "a,\"b"),
            Row.of(1, "p", 2, 2, null),
            Row.of(1, "p", 3, null, null),
            Row.of(3, null, 1, null, "c"));
    assertThat(rows("{\"i\":[1,\"b\",[2],{\"c\":3}]}\n", Map.of("each", "i")))
        .containsExactly(Row.of("1"), Row.of("\"b\""), Row.of("[2]"), Row.of("{\"c\":3}"));
    assertThat(rows("{\"i\":[1,null,3]}\n", Map.of("each", "i", "fields", "i,i.#")))
        .containsExactly(Row.of(1, 1), Row.of(null, 2), Row.of(3, 3));
  }

  @Test
  void oneDocumentMayHaveMoreElementsThanABatchHasRows() {
    String elements =
        String.join(",", IntStream.rangeClosed(1, ELEMENTS).mapToObj(String::valueOf).toList());
    List<Row> rows =
        rows(
            "{\"id\":\"k\",\"i\":[" + elements + "]}\n{\"id\":\"l\",\"i\":[7]}\n",
            Map.of("each", "i", "fields", "id,i,i.#"));
    assertThat(rows)
        .containsExactlyElementsOf(
            Stream.concat(
                    IntStream.rangeClosed(1, ELEMENTS).mapToObj(n -> Row.of("k", n, n)),
                    Stream.of(Row.of("l", 7, 1)))
                .toList());
  }

  @Test
  void whatIsNoArrayAndWhatIsNoObjectIsABadRecord() {
    String text =
        """
        {"id":1,"i":[{"n":1}]}
        {"id":2,"i":{"n":1}}
        {"id":3,"i":[{"n":"x"},{"n":4}]}
        {"id":"y","i":[{"n":5},{"n":6}]}
        {"id":6,"i":[7,{"n":8}]}
        """;
    Map<String, String> requested = Map.of("each", "i", "fields", "id:int64,i.n:int64");
    reading(text, requested).rejects(new Job.RejectPolicy(9, folder.resolve("bad"))).run();
    assertThat(memory.rows("t")).containsExactly(Row.of(1, 1), Row.of(3, 4), Row.of(6, 8));
    assertThat(folder.resolve("bad")).content().contains("3,x").contains("y,").contains("6,");
    assertThatThrownBy(reading(text, requested)::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("is no array");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void rowsAreWhatAnotherParserFinds(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    List<Row> expected = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      JsonNode document = document(random, i);
      text.append(document).append(random.nextInt(5) == 0 ? " \n\n" : "\n");
      ArrayNode elements = document.path("o").path("i") instanceof ArrayNode array ? array : null;
      for (int n = 0; elements != null && n < elements.size(); n++) {
        JsonNode element = elements.get(n);
        expected.add(
            Row.of(
                number(document.path("id")),
                text(document.path("o").path("t é")),
                n + 1,
                number(element.path("n")),
                text(element.path("w").path("t"))));
      }
    }
    Map<String, String> requested =
        Map.of("each", "o.i", "fields", "id:int64,o.t é:text,o.i.#,o.i.n:int64,o.i.w.t:text");
    reading(text.toString(), requested).lanes(2, 2_000).run();
    assertThat(memory.rows("t")).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static JsonNode document(Random random, int id) {
    ObjectNode document = JSON.createObjectNode();
    document.put("id", id);
    ObjectNode outer = document.putObject("o");
    if (random.nextBoolean()) {
      outer.put("t é", word(random));
    }
    switch (random.nextInt(4)) {
      case 0 -> outer.putNull("i");
      case 1 -> document.put("late", 1);
      default -> {
        ArrayNode elements = outer.putArray("i");
        for (int n = random.nextInt(5); n > 0; n--) {
          elements.add(element(random));
        }
      }
    }
    return document;
  }

  private static JsonNode element(Random random) {
    ObjectNode element = JSON.createObjectNode();
    if (random.nextBoolean()) {
      element.put("n", random.nextLong());
    }
    if (random.nextBoolean()) {
      element.putObject("w").put("t", word(random)).putArray("i").add("[{").add(word(random));
    }
    return random.nextInt(9) == 0 ? JSON.nullNode() : element;
  }

  private static String word(Random random) {
    List<String> parts = List.of("a", "\"", "\\", "]", "}", ",", "é水", "\n", "\uD83D\uDE00", " ");
    StringBuilder word = new StringBuilder();
    for (int n = random.nextInt(6); n > 0; n--) {
      word.append(parts.get(random.nextInt(parts.size())));
    }
    return word.toString();
  }

  private static @Nullable Object number(JsonNode node) {
    return node.isNumber() ? node.longValue() : null;
  }

  private static @Nullable Object text(JsonNode node) {
    return node.isTextual() ? node.textValue() : null;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void columnsBecomeMembersAndComeBack(boolean nested) throws IOException {
    Schema schema =
        Schema.of(
            List.of(
                Column.of("id", new Type.Int(64)),
                Column.of("a.x", Type.Text.UNLIMITED),
                Column.of("when", new Type.Date()),
                Column.of("a.b.y", new Type.Decimal(40, 20)),
                Column.of("a.j", new Type.Json()),
                Column.of("é \"q\"", new Type.Bool())));
    Random random = new Random(48);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      rows.add(
          Row.of(
              i,
              random.nextInt(3) == 0 ? null : word(random),
              random.nextInt(3) == 0 ? null : random.nextInt(20_000),
              random.nextInt(3) == 0 ? null : "12345678901234567890.12345678901234567890",
              random.nextInt(3) == 0 ? null : "[1, {\"k\": " + i + "}]",
              random.nextInt(3) == 0 ? null : random.nextInt(2)));
    }
    memory.put("rows", schema, rows);
    Map<String, String> how = nested ? Map.of("nest", "true") : Map.of();
    Copying.of(memory, memory.endpoint("rows"), FILES, file("in.jsonl", how)).run();
    JsonNode first = JSON.readTree(Files.readAllLines(folder.resolve("in.jsonl")).getFirst());
    assertThat(first.has("a.x") || first.path("a").has("x"))
        .isEqualTo(rows.getFirst().value(1) != null);
    assertThat(first.has("a")).isEqualTo(nested);
    if (nested) {
      String fields =
          "id:int64,a.x:text,when:date,a.b.y:\"decimal(40,20)\",a.j:json,\"é \"\"q\"\"\":boolean"
              .replace("\"decimal(40,20)\"", "decimal(40,20)");
      Copying.of(FILES, file("in.jsonl", Map.of("fields", fields)), memory, memory.endpoint("t"))
          .select(schema.names())
          .run();
      assertThat(memory.rows("t")).containsExactlyElementsOf(rows);
    }
  }

  @Test
  void aValueThatJsonDoesNotHaveIsABadRecord() {
    memory.put(
        "rows",
        Schema.of(List.of(Column.of("id", new Type.Int(64)), Column.of("f", new Type.Float(64)))),
        List.of(Row.of(1, Double.NaN)));
    assertThatThrownBy(() ->
            Copying.of(memory, memory.endpoint("rows"), FILES, file("o.jsonl", Map.of())).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"f\"")
        .hasMessageContaining("JSON has no such value");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a|a.x", "a.x|a", "a.b|a.b.c", "a.b.c|a"})
  void aMemberOfAnotherColumnsValueIsRefused(String one, String other) {
    memory.put(
        "rows",
        Schema.of(List.of(Column.of(one, new Type.Int(64)), Column.of(other, new Type.Int(64)))),
        List.of(Row.of(1, 2)));
    Endpoint file = file("o.jsonl", Map.of("nest", "true"));
    assertThatThrownBy(Copying.of(memory, memory.endpoint("rows"), FILES, file)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("would be a member of it");
  }

  @ParameterizedTest
  @CsvSource({"fields,a", "each,a", "nest,true"})
  void optionsOfDocumentsAreRefusedForOtherFiles(String option, String value) {
    Trial.file(folder, "in.csv", "a,b\n1,2\n");
    boolean reads = !option.equals("nest");
    Map<String, String> said = Map.of(option, value);
    Endpoint from = file("in.csv", reads ? said : Map.of());
    Endpoint to = file("out.csv", reads ? Map.of() : said);
    assertThatThrownBy(Copying.of(FILES, from, FILES, to)::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("no file of JSON Lines");
  }
}
