package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.data.spelling.Spelling;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.mapping.Mapping;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteRequest;
import millrace.spi.write.WriteSession;
import millrace.spi.write.WriteStart;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.TypeSamples;
import millrace.testkit.Values;
import millrace.verify.Verify;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What every connector that can be read and written does with values of all types and with tables
/// of all sizes and shapes; the middle part of a connector's suite.
public interface TablesSuite extends Suite {

  Type ZONED = new Type.Timestamp(true);

  static Stream<Type> types() {
    return TypeSamples.types().stream();
  }

  /// Values at the edges of a type, as far as the connector keeps them.
  private List<Object> edges(Type type) {
    List<Object> edges = new ArrayList<>(TypeSamples.edges(type));
    edges.removeIf(value -> !value.equals(keptValue(type, value)));
    return edges;
  }

  /// The row with values in the place of those that the connector does not keep.
  private Row keptRow(Schema schema, Row row) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < schema.width(); i++) {
      Object value = row.value(i);
      values.add(value == null ? null : keptValue(schema.column(i).type(), value));
    }
    return new Row(values);
  }

  /// What of a value the connector can keep.
  private @Nullable Object keptValue(Type type, Object value) {
    if (!can(Behaviour.SIGN_OF_ZERO) && value.equals(-0.0)) {
      return 0.0;
    }
    if (!can(Behaviour.EMPTY_TEXT) && value.equals("")) {
      return null;
    }
    if (!can(Behaviour.JSON_TEXT) && type instanceof Type.Json && value instanceof String text) {
      return JsonByValue.lastMembers(text);
    }
    boolean isTimed = type instanceof Type.Time || type instanceof Type.Timestamp;
    if (isTimed && value instanceof Long micros) {
      return micros - Math.floorMod(micros, timeUnit());
    }
    boolean hasZeros = type.equals(Type.Decimal.UNLIMITED) && !can(Behaviour.DECIMAL_ZEROS);
    return hasZeros && value instanceof String text
        ? new BigDecimal(text).stripTrailingZeros().toPlainString()
        : value;
  }

  @Test
  default void emptyTextIsKeptOrCountedAsMissing() {
    List<Row> rows = List.of(Row.of(1, "", 1), Row.of(2, "x", null), Row.of(3, "", null));
    Ran run = into(ITEMS, rows, table("empty_text")).run();
    boolean keeps = can(Behaviour.EMPTY_TEXT);
    List<Row> kept = keeps ? rows : List.of(Row.of(1, null, 1), rows.get(1), Row.of(3, null, null));
    RowCheck.sameRows(ITEMS, kept, read(ITEMS, table("empty_text")));
    assertThat(run.notes().stream().anyMatch(note -> note.contains("2 empty values")))
        .isEqualTo(!keeps);
  }

  @Test
  default void theSignOfAZeroIsKeptOrRefusedByItsColumn() {
    needs(new Type.Float(64));
    Schema schema = oneColumn(new Type.Float(64));
    List<Row> rows = List.of(Row.of(0, -0.0));
    Endpoint table = table("sign_of_zero");
    if (can(Behaviour.SIGN_OF_ZERO)) {
      writtenComesBack(schema, rows, "sign_of_zero");
    } else {
      assertThatThrownBy(() -> write(schema, rows, table))
          .isInstanceOf(Fault.Data.class)
          .message()
          .containsIgnoringCase("tried");
      assertAbsent(table);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  default void everyValueOfATypeComesBackOrTheColumnIsRefusedByName(Type type) {
    if (type.equals(ZONED)) {
      needs(Behaviour.ALL_INSTANTS);
    }
    Schema schema = oneColumn(type);
    List<Row> rows = new ArrayList<>();
    rows.add(Row.of(0, null));
    edges(type).forEach(value -> rows.add(Row.of(rows.size(), value)));
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      rows.add(keptRow(schema, Row.of(rows.size(), TypeSamples.random(type, random))));
    }
    Endpoint table = table("type_of_values");
    if (refuses(type).isEmpty()) {
      writtenComesBack(schema, rows, "type_of_values");
    } else {
      assertThatThrownBy(() -> write(schema, rows, table))
          .isInstanceOf(Fault.User.class)
          .message()
          .containsIgnoringCase("tried");
      assertAbsent(table);
    }
  }

  @ParameterizedTest
  @MethodSource("types")
  default void aValueThatNotEverySystemHasComesBackOrIsRefusedByItsColumn(Type type) {
    Schema schema = oneColumn(type);
    int number = 0;
    for (Object value : TypeSamples.specials(type)) {
      Endpoint table = table("special_" + "abcdefgh".charAt(number++));
      List<Row> rows = List.of(Row.of(0, value));
      try {
        write(schema, rows, table);
      } catch (Fault fault) {
        assertThat(fault)
            .as(RowCheck.table(schema, rows))
            .isNotInstanceOf(Fault.Bug.class)
            .message()
            .containsIgnoringCase("tried");
        continue;
      }
      RowCheck.sameRows(schema, rows, read(schema, table));
    }
  }

  private static Schema oneColumn(Type type) {
    return Schema.of(
        List.of(new Column("id", new Type.Int(64), false, null), Column.of("tried", type)));
  }

  /// What a type of microseconds has no room for is a bad record, unless it is asked to be cut.
  @Test
  default void nanosecondsAreNeverCutInSilence() {
    Type type = new Type.Timestamp(false);
    needs(Behaviour.EXISTING_COLUMNS);
    needs(Behaviour.MICROSECONDS);
    needs(type);
    Schema times = oneColumn(type);
    Schema texts = oneColumn(Type.Text.UNLIMITED);
    Endpoint table = table("nanoseconds");
    write(times, List.of(Row.of(0, 0)), table);
    into(texts, List.of(Row.of(1, "2000-01-01 00:00:01.500000000")), table).mode(Mode.APPEND).run();
    Copying cut =
        into(texts, List.of(Row.of(2, "2000-01-01 00:00:02.000001999")), table).mode(Mode.APPEND);
    assertThatThrownBy(cut::run)
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("\"tried\": \"2000-01-01 00:00:02.000001999\"");
    assertThat(cut.rejects(Job.RejectPolicy.NONE.cuttingNanoseconds(true)).run().notes())
        .contains("Nanoseconds were cut off in 1 value.");
    RowCheck.sameRows(
        times,
        List.of(Row.of(0, 0), Row.of(1, 1_500_000), Row.of(2, 2_000_001)),
        read(times, table));
  }

  /// Text on the other side is compared as what the values are here, JSON by value.
  @ParameterizedTest
  @MethodSource("types")
  default void verifyTakesTextForWhatItSpells(Type type) {
    needs(type);
    if (type.equals(ZONED)) {
      needs(Behaviour.ALL_INSTANTS);
    }
    if (type.equals(new Type.Float(32))) {
      needs(Behaviour.FLOAT32);
    }
    Schema schema = oneColumn(type);
    List<Row> rows = new ArrayList<>();
    edges(type).forEach(value -> rows.add(Row.of(rows.size(), value)));
    Endpoint table = table("verified");
    write(schema, rows, table);
    Columns values = Values.columns(schema, rows);
    List<Row> spelled = new ArrayList<>();
    boolean byValue;
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      Schema here =
          source
              .describe(new ColumnRequest.Untyped())
              .description()
              .passed(new ColumnRequest.Untyped());
      byValue = here.column(1).type() instanceof Type.Json;
    }
    for (int row = 0; row < rows.size(); row++) {
      String text = Spelling.text(values, 1, row);
      spelled.add(Row.of(row, byValue ? " " + text + " " : text));
    }
    Column text = new Column("tried", Type.Text.UNLIMITED, true, new Native("text", "text"));
    memory().put("texts", Schema.of(List.of(schema.column(0), text)), spelled);
    Endpoint texts = memory().endpoint("texts");
    Verify verify =
        new Verify(side(connector(), table), side(memory(), texts), List.of(), RetryPolicy.NONE);
    assertThat(verify.execute().differing().rows()).isEmpty();
  }

  @Test
  default void missingValuesOfEveryTypeComeBackAsMissing() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", new Type.Int(64), can(Behaviour.KEYLESS), null));
    for (Type type : TypeSamples.types()) {
      boolean holds = can(Behaviour.ALL_INSTANTS) || !type.equals(ZONED);
      if (refuses(type).isEmpty() && holds) {
        columns.add(Column.of("c" + columns.size(), type));
      }
    }
    Schema schema = Schema.of(columns);
    Random random = new Random(3);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(keptRow(schema, TypeSamples.row(schema, random)));
    }
    if (can(Behaviour.KEYLESS)) {
      rows.add(Row.of(new @Nullable Object[columns.size()]));
    }
    writtenComesBack(schema, rows, "missing_values");
  }

  @Test
  default void aTableWithoutRowsKeepsItsColumns() {
    writtenComesBack(ITEMS, List.of(), "no_rows");
    try (Source source = connector().source(table("no_rows"), Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().names())
          .containsExactly(kept("id"), kept("name"), kept("amount"));
    }
  }

  @Test
  default void oneRowComesBack() {
    writtenComesBack(ITEMS, items(5, 1), "one_row");
  }

  @Test
  default void manyRowsOverSplitsAndLanesComeBackEachOnce() {
    Endpoint table = table("many_rows");
    List<Row> rows = items(0, 30_000);
    Ran run = into(ITEMS, rows, table).lanes(3, 40_000).run();
    assertThat(run.meter().rows()).isEqualTo(30_000);
    comesBack(ITEMS, rows, "many_rows");
  }

  @Test
  default void aThousandColumnsComeBack() {
    needs(Behaviour.THOUSAND_COLUMNS);
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", new Type.Int(64), false, null));
    for (int i = 1; i < 1_000; i++) {
      columns.add(Column.of("c" + i, i % 2 == 0 ? Type.Text.UNLIMITED : new Type.Int(32)));
    }
    Schema schema = Schema.of(columns);
    Random random = new Random(1);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      rows.add(keptRow(schema, TypeSamples.row(shortTexts(schema), random)));
    }
    writtenComesBack(schema, rows, "a_thousand_columns");
  }

  /// The same columns with texts short enough that a row is no larger than systems allow.
  private static Schema shortTexts(Schema schema) {
    return Schema.of(
        schema.columns().stream()
            .map(
                column -> column.type() instanceof Type.Text ? column.as(new Type.Text(3)) : column)
            .toList());
  }

  @Test
  default void aValueOfSomeMegabytesComesBack() {
    List<Row> rows =
        List.of(
            Row.of(1, "x".repeat(3_000_000), null),
            Row.of(2, "short", 5),
            Row.of(3, "長い\n\"".repeat(500_000), 7));
    writtenComesBack(ITEMS, rows, "long_values");
  }

  @Test
  default void theKeyAndWhatMayNotBeEmptyAreKept() {
    Endpoint table = table("with_key");
    write(ITEMS, items(0, 10), table);
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      Schema schema = source.describe(new ColumnRequest.Typed()).description().schema();
      if (can(Behaviour.KEYS)) {
        assertThat(schema.key()).containsExactly(kept("id"));
        assertThat(schema.columns())
            .extracting(Column::nullable)
            .containsExactly(false, true, true);
      } else {
        assertThat(schema.key()).isEmpty();
      }
    }
  }

  /// Of two columns in an order of its own. What is left of it if one is dropped tells no rows
  /// apart.
  @ParameterizedTest
  @ValueSource(strings = {"", "v", "a", "b"})
  default void aKeyOfTwoColumnsIsKeptWholeOrNotAtAll(String dropped) {
    Type number = new Type.Int(64);
    List<Column> columns =
        List.of(
            new Column("a", number, false, null),
            Column.of("v", number),
            new Column("b", number, false, null));
    List<Row> rows = List.of(Row.of(1, 7, 1), Row.of(1, 8, 2), Row.of(2, 9, 1));
    Endpoint table = table("with_two");
    List<Integer> left =
        IntStream.range(0, 3).filter(i -> !columns.get(i).name().equals(dropped)).boxed().toList();
    Copying copying = into(new Schema(columns, List.of("b", "a")), rows, table);
    Copying some =
        dropped.isEmpty() ? copying : copying.mapping(Mapping.NONE.dropping(List.of(dropped)));
    boolean isKept = left.contains(0) && left.contains(2);
    some.run();
    Schema expected = Schema.of(left.stream().map(columns::get).toList());
    RowCheck.sameRows(
        expected, rows.stream().map(row -> row.pick(left)).toList(), read(expected, table));
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      assertThat(source.describe(new ColumnRequest.Typed()).description().schema().key())
          .isEqualTo(isKept && can(Behaviour.KEYS) ? List.of(kept("b"), kept("a")) : List.of());
    }
  }

  @Test
  default void lookingAtATargetChangesNothing() {
    Endpoint table = table("only_looked_at");
    try (Target target = connector().target(table, WriteOptions.DEFAULT, new OpenContext())) {
      DescribedTarget described = target.describe();
      assertThat(described.plan(WriteRequest.of(described, ITEMS, Mode.CREATE)).plan().mode())
          .isEqualTo(Mode.CREATE);
    }
    assertAbsent(table);
  }

  @Test
  default void closingATargetTwiceIsHarmless() {
    Target target =
        connector().target(table("closed_twice"), WriteOptions.DEFAULT, new OpenContext());
    DescribedTarget described = target.describe();
    WriteSession session =
        described.plan(WriteRequest.of(described, ITEMS, Mode.CREATE)).open(WriteStart.of(1));
    session.abort(false);
    session.close();
    session.close();
    target.close();
    target.close();
  }
}
