package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.MergeCounts;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which rows a merge takes for one: those whose keys the target's table takes for one, whatever
/// their spelling, and the last of them wins.
public interface MergeKeySuite extends Suite {

  String BY_KEY = "CREATE TABLE %%s (n bigint, k %s NOT NULL, v varchar(20), PRIMARY KEY (k))";
  String BY_TWO =
      "CREATE TABLE %%s (n bigint NOT NULL, k %s NOT NULL, v varchar(20), PRIMARY KEY (n, k))";
  String BY_NAME = "CREATE TABLE %%s (n bigint, k %s NOT NULL, v varchar(20))";

  Schema KEYED =
      Schema.of(
          List.of(Column.of("n", new Type.Int(64)), Column.of("k", TEXT), Column.of("v", TEXT)));

  /// Two keys that differ in spelling, and a third that is another key.
  private void checkOneKey(String table, String ddl, String declared, List<String> spellings) {
    boolean byName = ddl.equals(BY_NAME);
    if (byName) {
      needs(Behaviour.MERGE_BY_ANY_COLUMNS);
    }
    String[] key = byName ? new String[] {"k"} : new String[0];
    sql(table, ddl.formatted(declared));
    sql(table, "INSERT INTO %s VALUES (1, '" + spellings.get(0) + "', 'old')");
    sql(table, "INSERT INTO %s VALUES (1, 'Other', 'stays')");
    List<Row> rows =
        List.of(
            Row.of(1, "bob", "one"),
            Row.of(1, spellings.get(1), "first"),
            Row.of(1, spellings.get(2), "new"));
    checkCounts(merging(KEYED, rows, table(table), key).run(), 1, 1, 0, 1);
    List<Row> expected =
        List.of(
            Row.of(1, spellings.get(0), "new"),
            Row.of(1, "Other", "stays"),
            Row.of(1, "bob", "one"));
    checkStripped(expected, table);
    List<Row> same = List.of(Row.of(1, spellings.get(1), "new"), Row.of(1, "bob", "one"));
    checkCounts(merging(KEYED, same, table(table), key).run(), 0, 0, 2, 0);
    checkStripped(expected, table);
  }

  /// Some systems fill texts up with blanks.
  private void checkStripped(List<Row> expected, String table) {
    List<Row> found =
        read(KEYED, table(table)).stream()
            .map(row -> Row.of(row.value(0), String.valueOf(row.value(1)).strip(), row.value(2)))
            .toList();
    RowCheck.sameRows(
        KEYED,
        expected.stream()
            .map(row -> Row.of(row.value(0), String.valueOf(row.value(1)).strip(), row.value(2)))
            .toList(),
        found);
  }

  @ParameterizedTest
  @ValueSource(strings = {BY_KEY, BY_TWO, BY_NAME})
  default void keysAreOneIfTheTableTakesThemForOneInAnyCase(String ddl) {
    needs(Behaviour.MERGE);
    checkOneKey("any_case", ddl, anyCase(), List.of("Ann", "ANN", "ann"));
  }

  @ParameterizedTest
  @ValueSource(strings = {BY_KEY, BY_TWO, BY_NAME})
  default void keysAreOneIfTheTableTakesThemForOneWithAnyBlanksBehind(String ddl) {
    needs(Behaviour.MERGE);
    checkOneKey("any_blanks", ddl, anyBlanks(), List.of("Ann", "Ann ", "Ann  "));
  }

  @Test
  default void otherTextsAreOtherKeys() {
    Schema schema = keyed(TEXT);
    Endpoint table = table("other_texts");
    needs(Behaviour.MERGE);
    needs(Behaviour.BLANKS_IN_KEYS);
    List<Row> rows = List.of(Row.of("a", "1"), Row.of("A", "2"), Row.of("a ", "3"));
    write(schema, rows, table);
    List<Row> other = List.of(Row.of("A", "new"), Row.of("á", "4"), Row.of(" a", "5"));
    checkCounts(merging(schema, other, table).run(), 2, 1, 0, 0);
    List<Row> expected = new ArrayList<>(other);
    expected.addAll(List.of(rows.get(0), rows.get(2)));
    RowCheck.sameRows(schema, expected, read(schema, table));
  }

  /// A type, and spellings of one value of it.
  record Spelled(Type type, List<String> texts) {}

  static Stream<Spelled> spellings() {
    String uuid = "c0de1234-0000-4000-8000-00000000abcd";
    return Stream.of(
        new Spelled(new Type.Bool(), List.of("true", "t", "TRUE")),
        new Spelled(new Type.Int(16), List.of("42", "+42", "042")),
        new Spelled(new Type.Int(64), List.of("42", "+42", "042")),
        new Spelled(new Type.Float(64), List.of("1.5", "1.50", "15e-1")),
        new Spelled(new Type.Decimal(9, 2), List.of("1.50", "1.5", "+1.500")),
        new Spelled(new Type.Decimal(38, 10), List.of("1.50", "1.5", "01.500")),
        new Spelled(Type.Decimal.UNLIMITED, List.of("1.5", "01.5", "15e-1")),
        new Spelled(new Type.Date(), List.of("2024-02-29", "2024-02-29 00:00:00")),
        new Spelled(new Type.Time(), List.of("12:00:00", "12:00", "12:00:00.000000")),
        new Spelled(
            new Type.Timestamp(false),
            List.of("2024-02-29 12:00:00", "2024-02-29T12:00:00.000000", "2024-02-29 12:00")),
        new Spelled(
            new Type.Timestamp(true),
            List.of("2024-02-29 12:00:00+00", "2024-02-29T13:00:00+01:00", "2024-02-29 12:00:00Z")),
        new Spelled(
            new Type.Uuid(), List.of(uuid, uuid.toUpperCase(Locale.ROOT), uuid.replace("-", ""))));
  }

  @ParameterizedTest
  @MethodSource("spellings")
  default void aValueIsOneKeyInAllItsSpellings(Spelled spelled) {
    Endpoint table = table("spelled");
    needs(Behaviour.MERGE);
    needs(spelled.type);
    try {
      write(keyed(spelled.type), List.of(), table);
    } catch (Fault.User _) {
      return; // Not every system takes any type for a key.
    }
    if (!described(table).column(0).type().equals(spelled.type)) {
      return; // It has no such type, and keeps the texts.
    }
    Schema texts = keyed(TEXT);
    merging(texts, List.of(Row.of(spelled.texts.getFirst(), "old")), table).run();
    List<Row> rows = spelled.texts.stream().map(text -> Row.of(text, "of " + text)).toList();
    checkCounts(merging(texts, rows, table).run(), 0, 1, 0, rows.size() - 1);
    assertThat(read(keyed(spelled.type), table))
        .extracting(row -> row.value(1))
        .containsExactly(rows.getLast().value(1));
  }

  /// Far enough apart to be in other batches, splits and lanes.
  @Test
  default void theLastRowOfAKeyWinsHoweverFarTheFirstIs() {
    Endpoint table = table("far_apart");
    needs(Behaviour.MERGE);
    write(CODES, List.of(Row.of(7, "old")), table);
    List<Row> rows = new ArrayList<>();
    for (int round = 0; round < 3; round++) {
      for (int id = 0; id < 3_000; id++) {
        rows.add(Row.of(id, "round " + round));
      }
    }
    checkCounts(merging(CODES, rows, table).lanes(3, 20_000).run(), 2_999, 1, 0, 6_000);
    RowCheck.sameRows(CODES, rows.subList(6_000, 9_000), read(CODES, table));
  }

  @Test
  default void aRowWithoutAKeyIsABadRecord() {
    Endpoint table = table("no_key");
    needs(Behaviour.MERGE);
    write(CODES, List.of(Row.of(1, "old")), table);
    List<Row> rows = List.of(Row.of(1, "new"), Row.of(null, "lost"), Row.of(2, "two"));
    Copying copying =
        merging(
            Schema.of(CODES.columns().stream().map(c -> Column.of(c.name(), c.type())).toList()),
            rows,
            table,
            "id");
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining(kept("id"));
    if (can(Behaviour.MERGE_WHOLE)) {
      assertThat(read(CODES, table)).containsExactly(Row.of(1, "old"));
    }
  }

  @Test
  default void aKeyIsNamedInAnyCase() {
    Endpoint table = table("named_key");
    needs(Behaviour.MERGE);
    write(CODES, List.of(Row.of(1, "old")), table);
    checkCounts(merging(CODES, List.of(Row.of(1, "new")), table, "ID").run(), 0, 1, 0, 0);
    assertThat(read(CODES, table)).containsExactly(Row.of(1, "new"));
  }

  /// Compared with a merge that is some lines long.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  default void aMergeIsWhatAFewLinesSayThatItIs(long seed) {
    needs(Behaviour.MERGE);
    Random random = new Random(seed);
    boolean anyCase = can(Behaviour.SQL) && can(Behaviour.ANY_CASE) && seed % 2 == 0;
    Endpoint table = table("random");
    Schema schema =
        new Schema(
            List.of(
                new Column("n", new Type.Int(64), false, null),
                new Column("k", TEXT, false, null),
                Column.of("v", TEXT)),
            List.of("n", "k"));
    if (anyCase) {
      sql("random", BY_TWO.formatted(anyCase()));
    } else {
      write(schema, List.of(), table);
    }
    Map<String, Row> expected = new TreeMap<>();
    for (int round = 0; round < 4; round++) {
      List<Row> rows = new ArrayList<>();
      for (int i = random.nextInt(60); i >= 0; i--) {
        String text = "" + "aAbB".charAt(random.nextInt(4)) + "xX".charAt(random.nextInt(2));
        String value = random.nextInt(4) == 0 ? null : "v" + random.nextInt(3);
        rows.add(Row.of(random.nextInt(2), text, value));
      }
      MergeCounts counts = merge(expected, rows, anyCase);
      Ran run = merging(schema, rows, table).lanes(2, 300).run();
      checkCounts(
          run, counts.inserted(), counts.updated(), counts.unchanged(), counts.superseded());
      RowCheck.sameRows(schema, List.copyOf(expected.values()), read(schema, table));
    }
  }

  private static MergeCounts merge(Map<String, Row> table, List<Row> rows, boolean anyCase) {
    Map<String, Row> last = new TreeMap<>();
    for (Row row : rows) {
      String text = String.valueOf(row.value(1));
      String key = row.value(0) + (anyCase ? text.toLowerCase(Locale.ROOT) : text);

      // A new key is spelled as the row that wins has it.
      last.put(key, row);
    }
    long inserted = 0;
    long unchanged = 0;
    for (Map.Entry<String, Row> each : last.entrySet()) {
      Row old = table.get(each.getKey());
      Row row = each.getValue();
      Row merged = old == null ? row : Row.of(old.value(0), old.value(1), row.value(2));
      inserted += old == null ? 1 : 0;
      unchanged += merged.equals(old) ? 1 : 0;
      table.put(each.getKey(), merged);
    }
    long keys = last.size();
    return new MergeCounts(inserted, keys - inserted - unchanged, unchanged, rows.size() - keys);
  }
}
