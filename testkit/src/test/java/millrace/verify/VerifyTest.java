package millrace.verify;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import millrace.data.spelling.SpellingStyle;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.testkit.Row;
import millrace.testkit.Values;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Verify says whether two sides hold the same rows, and names those that differ.
class VerifyTest {

  private static final Column ID = new Column("id", new Type.Int(64), false, null);
  private static final Column NAME = Column.of("name", Type.Text.UNLIMITED);
  private static final Column AMOUNT = Column.of("amount", new Type.Decimal(9, 2));
  private static final Schema KEYED = new Schema(List.of(ID, NAME, AMOUNT), List.of("id"));
  private static final Schema KEYLESS = Schema.of(List.of(ID, NAME, AMOUNT));

  private final MemoryConnector memory = new MemoryConnector();

  @Test
  void theOrderOfRowsDoesNotMatter() {
    List<Row> shuffled = rows(5_000);
    Collections.shuffle(shuffled, new Random(1));
    Differences differences = verify(KEYED, rows(5_000), KEYED, shuffled);
    assertThat(differences.same()).isTrue();
    assertThat(differences.fromRows()).isEqualTo(5_000);
    assertThat(differences.toRows()).isEqualTo(5_000);
  }

  @Test
  void aChangedValueIsNamedByKeyAndColumn() {
    List<Row> changed = rows(5_000);
    changed.set(1_234, Row.of(1_234, "name 1234", 99));
    Differences differences = verify(KEYED, rows(5_000), KEYED, changed);
    assertThat(differences.same()).isFalse();
    assertThat(differences.columns()).containsExactly("amount");
    assertThat(differences.differing().rows())
        .containsExactly(
            new Differences.RowDifference(
                "1234", Differences.Kind.CHANGED, List.of("amount: 12.34 -> 0.99")));
    assertThat(differences.differing().keyRanges())
        .containsExactly(new Differences.KeyRange("1234", "1234", 1));
    assertThat(differences.differing().complete()).isTrue();
  }

  @Test
  void oneSwappedPairOfValuesShows() {
    List<Row> swapped = rows(5_000);
    swapped.set(7, Row.of(7, "name 8", 7));
    swapped.set(8, Row.of(8, "name 7", 8));
    Differences differences = verify(KEYED, rows(5_000), KEYED, swapped);
    assertThat(differences.same()).isFalse();
    assertThat(differences.columns()).as("each column holds the same values").isEmpty();
    assertThat(differences.differing().rows())
        .extracting(Differences.RowDifference::values)
        .containsExactly(List.of("name: name 7 -> name 8"), List.of("name: name 8 -> name 7"));
  }

  @Test
  void missingRowsAndRowsThatAreThereTwiceShow() {
    List<Row> other = rows(100);
    other.remove(50);
    other.add(Row.of(3, "name 3", 3));
    Differences differences = verify(KEYED, rows(100), KEYED, other);
    assertThat(differences.differing().rows())
        .extracting(Differences.RowDifference::key, Differences.RowDifference::kind)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("3", Differences.Kind.ONLY_TO),
            org.assertj.core.groups.Tuple.tuple("50", Differences.Kind.ONLY_FROM));
  }

  @Test
  void withoutAKeyWholeRowsAreNamed() {
    List<Row> other = rows(100);
    other.set(5, Row.of(5, null, null));
    Differences differences = verify(KEYLESS, rows(100), KEYLESS, other);
    assertThat(differences.differing().keyRanges()).isEmpty();
    assertThat(differences.differing().rows())
        .extracting(Differences.RowDifference::values)
        .containsExactlyInAnyOrder(List.of("5", "name 5", "0.05"), List.of("5", "null", "null"));
  }

  @Test
  void numbersAreComparedWithTheTextOfThem() {
    Schema asText =
        new Schema(List.of(ID, NAME, Column.of("amount", new Type.Text(20))), List.of());
    List<Row> spelled = List.of(Row.of(1, "a", "12.50"), Row.of(2, "b", "-0.01"));
    List<Row> numbers = List.of(Row.of(1, "a", 1250), Row.of(2, "b", -1));
    assertThat(verify(KEYED, numbers, asText, spelled).same()).isTrue();
  }

  /// What one side holds as text is compared as the other's type.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "timestamp       | 2024-02-29T10:00:00.5      | 2024-02-29 10:00:00.500",
        "timestamp       | 2024-02-29                 | 2024-02-29 00:00:00",
        "timestamptz     | 2024-02-29 10:00:00+02     | 2024-02-29T08:00:00Z",
        "date            | 2024-02-29                 | 2024-02-29",
        "time            | 10:00                      | 10:00:00.000",
        "int32           | 0042                       | 42",
        "decimal(9,2)    | 12.500                     | 12.5",
        "boolean         | t                          | true",
        "uuid | 00112233-4455-6677-8899-AABBCCDDEEFF | 00112233-4455-6677-8899-aabbccddeeff",
        "json            | {\"a\": 1, \"b\": 2}         | {\"b\":2.0,\"a\":1}"
      })
  void textIsComparedAsTheOtherSidesType(String name, String one, String other) {
    Type type =
        Stream.of(
                new Type.Timestamp(false),
                new Type.Timestamp(true),
                new Type.Date(),
                new Type.Time(),
                new Type.Int(32),
                new Type.Decimal(9, 2),
                new Type.Bool(),
                new Type.Uuid(),
                new Type.Json())
            .filter(each -> each.label().equals(name))
            .findFirst()
            .orElseThrow();
    Schema typed = Schema.of(List.of(ID, Column.of("v", type)));
    Column text = new Column("v", Type.Text.UNLIMITED, true, new Native("some", "varchar"));
    Schema texts = Schema.of(List.of(ID, text));
    Columns value = Columns.standalone(Schema.of(List.of(Column.of("v", type))), 1);
    byte[] bytes = one.getBytes(UTF_8);
    Spelling.parser(type, SpellingStyle.ISO).parse(bytes, 0, bytes.length, value.vector(0), 0);
    Object spelled = Values.get(value, 0, 0);
    assertThat(verify(typed, List.of(Row.of(1, spelled)), texts, List.of(Row.of(1, other))).same())
        .isTrue();
    assertThat(
            verify(typed, List.of(Row.of(1, spelled)), texts, List.of(Row.of(1, "?")))
                .differing()
                .rows())
        .as("what spells no value is shown")
        .extracting(row -> row.values().getLast())
        .contains("?");
  }

  @Test
  void columnsMayStandInAnotherOrderAndCase() {
    Schema turned =
        Schema.of(
            List.of(AMOUNT, Column.of("ID", new Type.Int(32)), Column.of("Name", NAME.type())));
    List<Row> rows = List.of(Row.of(1250, 1, "a"));
    assertThat(verify(KEYED, List.of(Row.of(1, "a", 1250)), turned, rows).same()).isTrue();
  }

  @Test
  void columnsThatOneSideLacksAreNamed() {
    Schema fewer = Schema.of(List.of(ID, NAME));
    assertThatThrownBy(() -> verify(KEYED, rows(1), fewer, List.of(Row.of(0, "name 0"))))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("amount");
  }

  @Test
  void manyDifferencesAreSampledAndSaidToBe() {
    List<Row> other = new ArrayList<>();
    for (Row row : rows(100_000)) {
      other.add(Row.of(row.value(0), "other", row.value(2)));
    }
    Differences differences = verify(KEYED, rows(100_000), KEYED, other);
    assertThat(differences.differing().complete()).isFalse();
    assertThat(differences.differing().rowsSeen()).isGreaterThan(10_000);
    assertThat(differences.columns()).containsExactly("name");
  }

  /// A row that was added up when its lane failed must not be added up again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void lanesThatFailMakeNoDifference(long seed) {
    memory.put("from", KEYED, rows(1_000));
    memory.put("to", KEYED, rows(1_000));
    Endpoint from = memory.endpoint("from", Map.of("batch-rows", "10", "split-rows", "50"));
    FaultPlan faults = FaultPlan.random(seed, 0.02, List.of(FaultPlan.Kind.TRANSIENT));
    FaultyConnector faulty = new FaultyConnector(memory, faults);
    Verify.Side failing =
        new Verify.Side(
            side("from").job(), () -> faulty.source(from, Selection.ALL, new OpenContext()));
    RetryPolicy retryPolicy =
        new RetryPolicy(
            Duration.ofHours(1), Duration.ZERO, Duration.ofNanos(1000), Duration.ofMillis(2));
    Verify verify = new Verify(failing, side("to"), List.of(), retryPolicy);
    try {
      assertThat(verify.execute().same()).isTrue();
    } catch (Fault.Transient e) {
      assertThat(e.advice()).contains("can't be taken back");
    }
    assertThat(faulty.injected()).isNotEmpty();
  }

  private Differences verify(Schema from, List<Row> fromRows, Schema to, List<Row> toRows) {
    memory.put("from", from, fromRows);
    memory.put("to", to, toRows);
    return new Verify(side("from"), side("to"), List.of(), RetryPolicy.NONE).execute();
  }

  private Verify.Side side(String table) {
    return MemorySides.of(memory, memory.endpoint(table));
  }

  private static List<Row> rows(int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(Row.of(i, "name " + i, i));
    }
    return rows;
  }
}
