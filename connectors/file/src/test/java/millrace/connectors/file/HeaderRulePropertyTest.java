package millrace.connectors.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.SourceDescription;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// A header is found whenever one column tells, in tables of every kind, and never if none does.
class HeaderRulePropertyTest {

  /// What a column holds.
  ///
  /// @param value makes a value
  /// @param isOne a regular expression of what could be a value too, beside what is made
  private record Kind(Function<Random, String> value, String isOne) {}

  private static final String NUMBER = "\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\s*";
  private static final String TIME = "\\d{4}-\\d\\d-\\d\\d.*|\\d\\d:.*";

  private static final List<Kind> KINDS =
      List.of(
          new Kind(random -> Integer.toString(random.nextInt(-3000, 3000)), NUMBER),
          new Kind(random -> random.nextInt(100) + "." + random.nextInt(10, 100), NUMBER),
          new Kind(random -> random.nextInt(1, 10) + "e" + random.nextInt(9), NUMBER),
          new Kind(random -> "2024-02-" + random.nextInt(10, 30), TIME),
          new Kind(random -> "2024-02-29 10:" + random.nextInt(10, 60) + ":00", TIME),
          new Kind(random -> "2024-02-29 10:00:" + random.nextInt(10, 60) + "+01", TIME),
          new Kind(random -> "10:" + random.nextInt(10, 60) + ":00", TIME),
          new Kind(random -> random.nextBoolean() ? "true" : "false", "(?i)true|false|t|f"),
          new Kind(random -> new UUID(random.nextLong(), random.nextLong()).toString(), "(?!)"),
          new Kind(random -> "[" + random.nextInt(9) + "]", "\\[.*"),
          new Kind(random -> random.nextBoolean() ? "Ann" : "Rome " + random.nextInt(9), ".*"));

  private static final List<String> NAMES =
      List.of(
          "id",
          "total",
          "2001",
          "2019",
          "1",
          "5",
          "1.5",
          "name of it",
          "é",
          "",
          "q\"q",
          "a,b",
          " x ",
          "x\ny",
          "t",
          "2024-01-01",
          "Q1/24",
          "\\N",
          "null",
          "NA",
          "n/a",
          "-");

  /// What tells nothing over values.
  private static final Set<String> MISSING = Set.of("", "\\N", "null", "NA", "n/a", "-");

  private record Table(List<Kind> kinds, List<List<String>> rows) {

    static Table of(Random random) {
      List<Kind> kinds = new ArrayList<>();
      for (int i = random.nextInt(2, 6); i > 0; i--) {
        kinds.add(KINDS.get(random.nextInt(KINDS.size())));
      }
      List<List<String>> rows = new ArrayList<>();
      for (int i = random.nextInt(1, 8); i > 0; i--) {
        rows.add(row(kinds, random, 0.2));
      }
      return new Table(kinds, rows);
    }

    static List<String> row(List<Kind> kinds, Random random, double missing) {
      return kinds.stream()
          .map(kind -> random.nextDouble() < missing ? "" : kind.value.apply(random))
          .collect(Collectors.toCollection(ArrayList::new));
    }

    private boolean hasValues(int column) {
      return !kinds.get(column).isOne.equals(".*")
          && rows.stream().anyMatch(row -> !row.get(column).isEmpty());
    }

    /// Whether a name in the first line is a value of its column, too.
    boolean fits(int column, String name) {
      return hasValues(column)
          && !name.isBlank()
          && name.strip().matches("(?s)" + kinds.get(column).isOne);
    }

    /// Whether a name in the first line tells that it is a header.
    boolean tells(int column, String name) {
      return hasValues(column) && !MISSING.contains(name.strip()) && !fits(column, name);
    }
  }

  private static String line(List<String> fields, Random random) {
    return fields.stream()
            .map(field ->
                field.matches("(?s).*[\",\\n].*") || (!field.isEmpty() && random.nextInt(3) == 0)
                    ? "\"" + field.replace("\"", "\"\"") + "\""
                    : field)
            .collect(Collectors.joining(","))
        + "\n";
  }

  private static SourceDescription described(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    FileConnector files =
        new FileConnector(new ByteArrayInputStream(bytes), new ByteArrayOutputStream());
    Endpoint standard = new Endpoint("file", "-", Map.of("delimiter", ","), Secret.NONE);
    try (Source source = files.source(standard, Selection.ALL, new OpenContext())) {
      return source.describe(new ColumnRequest.Typed()).description();
    } catch (Fault.User e) {
      throw new AssertionError(text, e);
    }
  }

  private static boolean hasHeader(SourceDescription described) {
    return described.reading().as().contains("the first line is a header");
  }

  @Property(tries = 4000)
  void aHeaderIsFoundIfOneColumnTells(@ForAll long seed) {
    Random random = new Random(seed);
    Table table = Table.of(random);
    List<String> names = new ArrayList<>();
    while (names.size() < table.kinds.size()) {
      names.add(NAMES.get(random.nextInt(NAMES.size())));
    }
    boolean tells = false;
    List<String> fitting = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      tells |= table.tells(i, names.get(i));
      if (table.fits(i, names.get(i))) {
        fitting.add(names.get(i));
      }
    }
    boolean sure =
        fitting.stream().allMatch(name -> name.matches("20\\d\\d"))
            || fitting.equals(List.of("0", "1", "2"));
    String text =
        line(names, random)
            + table.rows.stream().map(row -> line(row, random)).collect(Collectors.joining());
    if (tells) {
      SourceDescription described = described(text);
      assertThat(hasHeader(described)).as(text).isTrue();
      assertThat(described.reading().as())
          .as(text)
          .containsPattern(
              sure
                  ? "\\('[^']*' is no .* like the values below it\\)"
                  : "\\(a guess: '[^']*' is no .* like the values below it, but '[^']*' is like"
                      + " those\\)");
      assertThat(described.reading().notes()).as(text).hasSize(sure ? 0 : 1);
    }
  }

  @Property(tries = 4000)
  void aRecordLikeTheOthersIsNoHeader(@ForAll long seed) {
    Random random = new Random(seed);
    Table table = Table.of(random);
    List<List<String>> rows = new ArrayList<>(table.rows);
    for (int i = 0; i < 3; i++) {
      rows.add(Table.row(table.kinds, random, 0));
    }
    Collections.shuffle(rows, random);
    String text = rows.stream().map(row -> line(row, random)).collect(Collectors.joining());
    boolean allText = table.kinds.stream().allMatch(kind -> kind.isOne.equals(".*"));
    boolean blank = rows.getFirst().stream().allMatch(String::isEmpty);
    boolean years = text.matches("(?s)[^\\d,]*(,\"?(19|20|21)\\d\\d\"?)+\n.*");
    if (!allText && !blank && !years) {
      SourceDescription described = described(text);
      boolean values = hasHeader(described);
      // What is text alone in the first line may be names to anybody.
      boolean sure = !described.reading().as().contains("a guess");
      assertThat(values && sure).as(text + described.reading().as()).isFalse();
      assertThat(described.reading().notes().isEmpty()).as(text).isEqualTo(sure);
    }
  }

  @Property(tries = 300)
  void yearsBehindANameAreToldAsAGuess(@ForAll @IntRange(min = 1, max = 5) int years) {
    StringBuilder names = new StringBuilder("station");
    StringBuilder values = new StringBuilder("North");
    for (int i = 0; i < years; i++) {
      names.append(",").append(2001 + i);
      values.append(",").append(i);
    }
    SourceDescription described = described(names + "\n" + values + "\n");
    assertThat(hasHeader(described)).isTrue();
    assertThat(described.reading().as()).contains("(a guess: years or counts");
    assertThat(described.reading().notes()).singleElement().asString().contains("--header false");
  }
}
