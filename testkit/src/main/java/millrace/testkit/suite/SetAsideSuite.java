package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.reject.ExcludedRecords;
import millrace.engine.retry.RetryPolicy;
import millrace.plan.Job;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.text.Amount;
import millrace.verify.Verify;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Bad records of every source can be mended and loaded again: the steps of docs/rejects.md.
public interface SetAsideSuite extends Suite {

  int BAD_MAX = 5_000;
  int LANES = 2;
  long SPLIT_BYTES = 8 << 10;

  /// Rows of a batch in which bad ones stand: so few that they are first, last, all or none of it.
  Amount FEW = new Amount(5, false);

  @Test
  default void badRowsAreMendedAndLoadedAgain() throws IOException {
    SourceDescription source = described();
    List<String> names = source.schema().names();
    List<Row> all = load(texts(names, -1, 0), Job.RejectPolicy.NONE).rows();
    int narrow = narrow(all, source.schema());
    int most = longest(all, narrow) - 1;
    Schema schema = texts(names, narrow, most);
    List<Row> bad = all.stream().filter(row -> length(row, narrow) > most).toList();

    Path file = aside().resolve("bad.csv");
    Loaded loaded = load(schema, new Job.RejectPolicy(BAD_MAX, file));
    assertThat(loaded.run().meter().rejects()).isEqualTo(bad.size());
    List<Row> rows = rows(file, source);
    RowCheck.sameRows(texts(names, -1, 0), bad, rows);
    reasonsNameTheirRows(file, rows, source);
    assertThat(verify(file)).isEmpty();

    List<Row> mended = rows.stream().map(row -> cut(row, narrow, most)).toList();
    memory().put("mended", texts(names, -1, 0), mended);
    Copying.of(memory(), memory().endpoint("mended"), memory(), memory().endpoint("narrow"))
        .mode(Mode.APPEND)
        .run();
    RowCheck.sameRows(
        schema, all.stream().map(row -> cut(row, narrow, most)).toList(), memory().rows("narrow"));
  }

  private SourceDescription described() {
    try (Source source = connector().source(filled(), Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description();
    }
  }

  /// Columns of text, one of which has a limit.
  private static Schema texts(List<String> names, int limited, int lengthMax) {
    return Schema.of(
        IntStream.range(0, names.size())
            .mapToObj(i ->
                Column.of(
                    names.get(i), i == limited ? new Type.Text(lengthMax) : Type.Text.UNLIMITED))
            .toList());
  }

  record Loaded(Ran run, List<Row> rows) {}

  private Loaded load(Schema schema, Job.RejectPolicy rejects) {
    memory().put("narrow", schema, List.of());
    Ran run =
        Copying.of(connector(), filled(), memory(), memory().endpoint("narrow"))
            .mode(Mode.APPEND)
            .lanes(LANES, SPLIT_BYTES)
            .units(rejects.allowsAny() ? FEW : null, null, null)
            .rejects(rejects)
            .run();
    return new Loaded(run, memory().rows("narrow"));
  }

  private static int length(Row row, int column) {
    String text = (String) row.value(column);
    return text == null ? 0 : text.codePointCount(0, text.length());
  }

  private static int longest(List<Row> rows, int column) {
    return rows.stream().mapToInt(row -> length(row, column)).max().orElse(0);
  }

  /// A column beside the key of which not all values are the longest.
  private static int narrow(List<Row> rows, Schema schema) {
    return IntStream.range(0, schema.width())
        .filter(column -> !schema.key().contains(schema.column(column).name()))
        .filter(column -> {
          int longest = longest(rows, column);
          return rows.stream().filter(row -> length(row, column) == longest).count() <= BAD_MAX;
        })
        .findFirst()
        .orElseThrow(() -> new AssertionError("all values are as long as the longest"));
  }

  private static Row cut(Row row, int column, int most) {
    List<@Nullable Object> values = new ArrayList<>(row.values());
    if (length(row, column) > most) {
      String text = (String) Objects.requireNonNull(row.value(column));
      values.set(column, text.substring(0, text.offsetByCodePoints(0, most)));
    }
    return new Row(values);
  }

  /// The rows of the file, which has a document a line, or is CSV with a header if anything.
  private static List<Row> rows(Path file, SourceDescription source) throws IOException {
    String text = Files.readString(file);
    if (text.startsWith("{")) {
      return text.lines().map(Row::of).toList();
    }
    List<Row> records = records(text);
    Row header = new Row(new ArrayList<>(source.schema().names()));
    if (source.reading().records().ofRows()) {
      assertThat(records.getFirst()).isEqualTo(header);
    }
    return records.getFirst().equals(header) ? records.subList(1, records.size()) : records;
  }

  private static List<Row> records(String text) {
    List<Row> rows = new ArrayList<>();
    List<@Nullable Object> row = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      StringBuilder value = new StringBuilder();
      boolean quoted = text.charAt(at) == '"';
      int from = at;
      while (quoted ? isInside(text, from, at) : ",\n".indexOf(text.charAt(at)) < 0) {
        value.append(text.charAt(at++));
      }
      String plain = value.toString();
      row.add(
          quoted
              ? plain.substring(1, plain.length() - 1).replace("\"\"", "\"")
              : plain.isEmpty() ? null : plain);
      if (text.charAt(at++) == '\n') {
        rows.add(new Row(row));
        row = new ArrayList<>();
      }
    }
    return rows;
  }

  /// Whether a quoted value goes on here: the quotes before it are odd in number, or one comes.
  private static boolean isInside(String text, int from, int at) {
    long quotes = text.substring(from, at).chars().filter(each -> each == '"').count();
    return at == from || quotes % 2 == 1 || text.charAt(at) == '"';
  }

  private static void reasonsNameTheirRows(Path file, List<Row> rows, SourceDescription source)
      throws IOException {
    List<String> lines = Files.readAllLines(Job.RejectPolicy.reasons(file));
    assertThat(lines).hasSameSizeAs(rows);
    Schema schema = source.schema();
    if (!source.reading().records().ofRows()) {
      return;
    }
    for (int i = 0; i < lines.size(); i++) {
      JsonNode line = new ObjectMapper().readTree(lines.get(i));
      assertThat(line.path("resource").asText()).isNotEmpty();
      assertThat(line.path("reason").asText()).contains("characters");
      Map<String, String> key = new HashMap<>();
      line.path("key").properties().forEach(e -> key.put(e.getKey(), e.getValue().asText()));
      assertThat(key.keySet()).containsExactlyInAnyOrderElementsOf(schema.key());
      for (String name : schema.key()) {
        assertThat(key.get(name)).isEqualTo(rows.get(i).value(schema.indexOf(name)));
      }
    }
  }

  private List<String> verify(Path file) {
    Verify verify =
        new Verify(
            side(connector(), filled()),
            side(memory(), memory().endpoint("narrow")),
            List.of(),
            RetryPolicy.NONE);
    return verify.leavingOut(ExcludedRecords.read(file)).execute().differing().rows().stream()
        .map(Object::toString)
        .toList();
  }
}
