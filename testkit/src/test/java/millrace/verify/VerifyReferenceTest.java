package millrace.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.spi.Endpoint;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.verify.Differences.Kind;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/// Verify says what a comparison of the rows as two bags says, which knows nothing of hashes.
class VerifyReferenceTest {

  private static final int KEYS = 6;

  /// A key that is not unique: rows of one key exchange values without a trace in sums of columns.
  private static final Schema ROWS =
      Schema.of(
          List.of(
              Column.of("k", new Type.Int(32)),
              Column.of("a", Type.Text.UNLIMITED),
              Column.of("n", new Type.Int(64))));

  private final MemoryConnector memory = new MemoryConnector();

  /// What is done to one side.
  enum Change {
    NOTHING,
    EXCHANGE_WITHIN_KEY,
    EXCHANGE,
    DOUBLE,
    REMOVE,
    REPLACE_BY_DOUBLE,
    EMPTY,
    ORDER
  }

  @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
  void verifySaysWhatBagsOfRowsSay(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 60) int count,
      @ForAll List<Change> changes,
      @ForAll boolean keyed) {
    Random random = new Random(seed);
    List<Row> from = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object text = random.nextInt(5) == 0 ? null : "t" + random.nextInt(4);
      Object number = random.nextInt(5) == 0 ? null : random.nextInt(4);
      from.add(Row.of(random.nextInt(KEYS), text, number));
    }
    List<Row> to = new ArrayList<>(from);
    changes.forEach(change -> apply(change, to, random));
    Differences differences = differences(from, to, keyed ? List.of("k") : List.of());
    assertThat(differences.same()).isEqualTo(bag(from).equals(bag(to)));
    if (differences.differing().complete()
        && differences.differing().rows().size() == differences.differing().rowsSeen()) {
      assertNamed(differences, Kind.ONLY_FROM, minus(from, to));
      assertNamed(differences, Kind.ONLY_TO, minus(to, from));
    }
  }

  /// Each row that only one side has is named once: by itself, or with the one that has its key.
  private static void assertNamed(Differences differences, Kind kind, List<Row> lacking) {
    List<List<String>> left =
        new ArrayList<>(lacking.stream().map(VerifyReferenceTest::text).toList());
    for (Differences.RowDifference row : differences.differing().rows()) {
      if (row.kind() == kind) {
        assertThat(left.remove(row.values())).as("%s is named, of %s", row, lacking).isTrue();
      }
    }
    for (Differences.RowDifference row : differences.differing().rows()) {
      if (row.kind() == Kind.CHANGED) {
        List<String> one =
            left.stream().filter(texts -> isSideOf(row, kind, texts)).findFirst().orElseThrow();
        left.remove(one);
      }
    }
    assertThat(left).as("not named").isEmpty();
  }

  /// Whether a row is the one side of a change, which names its key and the values of columns that
  /// differ as `column: from -> to`.
  private static boolean isSideOf(Differences.RowDifference change, Kind kind, List<String> texts) {
    int side = kind == Kind.ONLY_FROM ? 0 : 1;
    return change.key().equals(texts.getFirst())
        && change.values().stream()
            .allMatch(value -> {
              String column = value.substring(0, value.indexOf(':'));
              String[] sides = value.substring(column.length() + 2).split(" -> ", -1);
              return texts.get(ROWS.indexOf(column)).equals(sides[side]);
            });
  }

  private static List<String> text(Row row) {
    return row.values().stream().map(String::valueOf).toList();
  }

  private static List<Row> minus(List<Row> rows, List<Row> others) {
    List<Row> left = new ArrayList<>(rows);
    others.forEach(left::remove);
    return left;
  }

  @Example
  void valuesExchangedBetweenTwoRowsOfOneKeyDiffer() {
    List<Row> from = List.of(Row.of(1, "x", 1), Row.of(1, "y", 2));
    List<Row> to = List.of(Row.of(1, "x", 2), Row.of(1, "y", 1));
    assertThat(differences(from, to, List.of("k")).same()).isFalse();
    assertThat(differences(from, to, List.of()).same()).isFalse();
  }

  private static void apply(Change change, List<Row> rows, Random random) {
    if (rows.isEmpty()) {
      return;
    }
    int at = random.nextInt(rows.size());
    int other = random.nextInt(rows.size());
    switch (change) {
      case NOTHING -> {}
      case EXCHANGE_WITHIN_KEY -> {
        if (Objects.equals(rows.get(at).value(0), rows.get(other).value(0))) {
          exchange(rows, at, other);
        }
      }
      case EXCHANGE -> exchange(rows, at, other);
      case DOUBLE -> rows.add(rows.get(at));
      case REMOVE -> rows.remove(at);
      case REPLACE_BY_DOUBLE -> rows.set(at, rows.get(other));
      case EMPTY -> rows.set(at, Row.of(rows.get(at).value(0), null, rows.get(at).value(2)));
      case ORDER -> Collections.swap(rows, at, other);
    }
  }

  /// Of two rows, the values of the last column.
  private static void exchange(List<Row> rows, int at, int other) {
    Row one = rows.get(at);
    Row two = rows.get(other);
    rows.set(at, Row.of(one.value(0), one.value(1), two.value(2)));
    rows.set(other, Row.of(two.value(0), two.value(1), at == other ? two.value(2) : one.value(2)));
  }

  private static Map<Row, Integer> bag(List<Row> rows) {
    Map<Row, Integer> bag = new HashMap<>();
    rows.forEach(row -> bag.merge(row, 1, Integer::sum));
    return bag;
  }

  private Differences differences(List<Row> from, List<Row> to, List<String> key) {
    memory.put("from", ROWS, from);
    memory.put("to", ROWS, to);
    return new Verify(side("from"), side("to"), key, RetryPolicy.NONE).execute();
  }

  private Verify.Side side(String table) {
    Endpoint endpoint = memory.endpoint(table, Map.of("batch-rows", "7", "split-rows", "20"));
    return MemorySides.of(memory, endpoint);
  }
}
