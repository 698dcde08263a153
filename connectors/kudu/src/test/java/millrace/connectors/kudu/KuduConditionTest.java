package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.connectors.kudu.read.KuduSource;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.transform.Filter;
import millrace.fault.Location;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.Values;
import millrace.testkit.memory.MemoryConnector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// A condition gives the rows that it is true of, whatever of it the tablet servers look at: each
/// operator, with the literal on either side, at the values of each type, beside them and at the
/// type's bounds. What is true of a row the engine's own filter says.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduConditionTest {

  private static final String TABLE = "conditions.t";
  private static final int ROWS = 30;
  private static final long DAY = 86_400_000_000L;

  /// The last that a column of Kudu holds.
  private static final long TIME_MAX = Long.MAX_VALUE - 10_957 * DAY;

  /// What separates the literals of a column below.
  private static final String NEXT = "; ";

  /// A column, the values that its rows have in turn, and what they are compared with.
  ///
  /// @param literals some that are values of the column
  /// @param others those that are none: the engine alone compares with them
  record Compared(Column column, List<Object> values, String literals, String others) {

    List<String> pushed() {
      return List.of(literals.split(NEXT));
    }

    List<String> unpushed() {
      return others.isEmpty() ? List.of() : List.of(others.split(NEXT));
    }

    @Override
    public String toString() {
      return column.name();
    }
  }

  private static final List<Compared> COMPARED =
      List.of(
          new Compared(
              new Column("tiny", new Type.Int(16), true, new Native("kudu", "int8")),
              List.of(-128L, -127L, -1L, 0L, 5L, 126L, 127L),
              "-128; -127; -1; 0; 4; 5; 6; 126; +127",
              "-129; 128; 4.5; 300; '5'"),
          compared(
              "small",
              new Type.Int(16),
              List.of(-32_768L, -32_767L, -5L, 0L, 32_766L, 32_767L),
              "-32768; -6; -5; -4; 0; 32766; 32767",
              "-32769; 32768; -4.5"),
          compared(
              "whole",
              new Type.Int(32),
              List.of((long) Integer.MIN_VALUE, -7L, 0L, 7L, (long) Integer.MAX_VALUE),
              "-2147483648; -2147483647; -7; 6; 7; 8; 2147483646; 2147483647",
              "-2147483649; 2147483648; 6.999"),
          compared(
              "big",
              new Type.Int(64),
              List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, -1L, 0L, 9L, Long.MAX_VALUE),
              "-9223372036854775808; -9223372036854775807; -1; 8; 9; 10; 9223372036854775807",
              "-9223372036854775809; 9223372036854775808; 8.5"),
          compared(
              "born",
              new Type.Date(),
              List.of(-730_119L, -10_958L, -10_957L, 0L, 59L, 2_921_939L),
              "'0001-01-01'; '0001-01-02'; '1969-12-31'; '1970-01-01'; '1999-12-31'; '2000-01-01';"
                  + " '2000-02-28'; '2000-02-29'; '9999-12-30'; '9999-12-31'",
              "'0001-12-31 BC'; '10000-01-01'; 'infinity'; '-infinity'; '2000-02-29 12:00:00'"),
          compared(
              "met",
              new Type.Timestamp(false),
              List.of(-40_000 * DAY, -10_957 * DAY - 1, -10_957 * DAY, -1L, 0L, 1L, TIME_MAX),
              "'1969-12-31 23:59:59.999999'; '1970-01-01 00:00:00'; '1970-01-01 00:00:00.000001';"
                  + " '1999-12-31 23:59:59.999999'; '2000-01-01 00:00:00'; '2000-01-01';"
                  + " '294247-01-10 04:00:54.775806'; '294247-01-10 04:00:54.775807'",
              "'infinity'; '-infinity'; '294247-01-10 04:00:54.775808'"),
          compared(
              "seen",
              new Type.Timestamp(true),
              List.of(-40_000 * DAY, -10_957 * DAY - 1, -10_957 * DAY, -1L, 0L, 1L, 9_000 * DAY),
              "'1970-01-01 00:00:00+00'; '1969-12-31 19:00:00-05'; '2000-01-01 00:59:59.999999+01';"
                  + " '2000-01-01 01:00:00+01'",
              "'infinity'; '-infinity'"),
          compared(
              "price",
              new Type.Decimal(9, 2),
              List.of(-999_999_999L, -1L, 0L, 100L, 150L, 999_999_999L),
              "-9999999.99; -0.02; -0.01; 0; 1; 1.0; 1.49; 1.5; 1.500; 1.51; 9999999.98;"
                  + " 9999999.99",
              "-10000000; 10000000; 1.499; 1.501; '1.5'"),
          compared(
              "wide",
              new Type.Decimal(38, 4),
              List.of(
                  "-9999999999999999999999999999999999.9999",
                  "-1.0000",
                  "0.0000",
                  "0.0001",
                  "12345678901234567890.5000",
                  "9999999999999999999999999999999999.9999"),
              "-9999999999999999999999999999999999.9999; -1; 0; 0.0001; 0.0002;"
                  + " 12345678901234567890.5; 9999999999999999999999999999999999.9999",
              "-10000000000000000000000000000000000; 10000000000000000000000000000000000;"
                  + " 0.00005"),
          compared(
              "name",
              Type.Text.UNLIMITED,
              List.of("", " ", "a", "a'b", "B", "ab", "ﬁ", "😀", "\u0000"),
              "''; ' '; 'a'; 'a''b'; 'a('; 'aa'; 'b'; 'ﬁ'; 'ﬂ'; '😀'; '😀x'",
              ""));

  /// These the tablet servers compare with nothing, but may know whether they are missing.
  private static final List<Column> UNCOMPARED =
      List.of(
          Column.of("flag", new Type.Bool()),
          Column.of("share", new Type.Float(64)),
          new Column("code", new Type.Text(5), true, new Native("kudu", "varchar(5)")));

  private static final MemoryConnector MEMORY = new MemoryConnector();

  private static KuduCluster cluster;
  private static Schema schema = Schema.of(List.of());
  private static List<Row> all;

  private static Compared compared(
      String name, Type type, List<Object> values, String literals, String others) {
    return new Compared(Column.of(name, type), values, literals, others);
  }

  /// The values of a column come in turn, a missing one between two rounds; each column has its own
  /// number of them, so that they meet differently.
  @BeforeAll
  static void make() {
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("id", new Type.Int(32), false, null));
    COMPARED.forEach(each -> columns.add(each.column));
    columns.addAll(UNCOMPARED);
    List<Row> rows = IntStream.range(0, ROWS).mapToObj(KuduConditionTest::row).toList();
    MEMORY.put("rows", new Schema(columns, List.of("id")), rows);
    Copying.of(MEMORY, MEMORY.endpoint("rows"), new KuduConnector(), table())
        .mode(Mode.CREATE)
        .run();
    cluster = KuduCluster.open(KuduAddress.of(table()), table(), new OpenContext(), null);
    all = read(null);
    assertThat(all).hasSize(ROWS);
  }

  @AfterAll
  static void end() {
    cluster.close();
  }

  private static Endpoint table() {
    return KuduServers.shared().table(TABLE, Map.of("read", "latest"));
  }

  private static Row row(int number) {
    List<@Nullable Object> values = new ArrayList<>(List.of((long) number));
    for (Compared each : COMPARED) {
      int turn = number % (each.values.size() + 1);
      values.add(turn == each.values.size() ? null : each.values.get(turn));
    }
    values.add(number % 3 == 0 ? null : (Object) (number % 3 - 1L));
    values.add(number % 5 == 0 ? null : (Object) (number / 2.0));
    values.add(number % 7 == 0 ? null : "c" + number);
    return Row.of(values.toArray());
  }

  /// What the source gives for a condition, before the engine looks at it.
  private static List<Row> read(@Nullable String where) {
    Selection selection = new Selection(List.of(), where, Long.MAX_VALUE);
    // It is not closed: that would close the cluster.
    KuduSource source = new KuduSource(cluster, table(), selection);
    DescribedSource described = source.describe(new ColumnRequest.Typed());
    schema = described.description().schema();
    try (ReadSession session = Reading.open(described, Long.MAX_VALUE)) {
      return Reading.rows(session, Reading.splits(session), null);
    }
  }

  private static List<Row> filtered(String where, List<Row> rows) {
    Columns batch = Values.columns(schema, rows);
    batch.filled(rows.size(), 0, new Location(TABLE, 0, 1, 1, -1), null);
    return Values.rows(Filter.of(where, schema).apply(batch));
  }

  /// Checks conditions, and shows all that went wrong.
  ///
  /// @param exact whether the servers leave no row to the engine that it leaves out
  private static void check(Stream<String> conditions, boolean exact) {
    List<String> wrong = new ArrayList<>();
    conditions.forEach(where -> {
      List<Row> right = filtered(where, all);
      List<Row> given;
      try {
        given = read(where);
      } catch (RuntimeException e) {
        wrong.add(where + " fails: " + e);
        return;
      }
      if (!ids(filtered(where, given)).equals(ids(right))) {
        wrong.add(where + " gives " + ids(given) + " and not " + ids(right));
      } else if (exact && given.size() != right.size()) {
        wrong.add(where + " is left to the engine");
      }
    });
    assertThat(wrong).isEmpty();
  }

  private static List<Object> ids(List<Row> rows) {
    return rows.stream().map(row -> Objects.requireNonNull(row.value(0))).sorted().toList();
  }

  static List<Compared> columns() {
    return COMPARED;
  }

  /// Each operator with each literal, which stands on the one side and on the other in turn.
  private static Stream<String> comparisons(Compared each, List<String> literals) {
    List<String> operators = List.of("=", "<", "<=", ">", ">=");
    List<String> conditions = new ArrayList<>();
    for (String literal : literals) {
      for (String operator : operators) {
        boolean isLeft = conditions.size() % 2 == 0;
        conditions.add(
            isLeft ? literal + " " + operator + " " + each : each + " " + operator + " " + literal);
      }
    }
    return conditions.stream();
  }

  @ParameterizedTest
  @MethodSource("columns")
  void theServersCompareWithALiteralOnEitherSide(Compared each) {
    check(comparisons(each, each.pushed()), true);
  }

  @ParameterizedTest
  @MethodSource("columns")
  void aLiteralThatIsNoValueOfTheColumnIsComparedAllTheSame(Compared each) {
    check(comparisons(each, each.unpushed()), false);
    String in = each.pushed().get(1);
    check(
        each.unpushed().stream()
            .flatMap(literal ->
                Stream.of(
                    literal + " <> " + each,
                    each + " IN (" + literal + ", " + in + ")",
                    each + " BETWEEN " + literal + " AND " + in,
                    each + " BETWEEN " + in + " AND " + literal)),
        false);
  }

  /// Spans and lists of neighbouring literals.
  @ParameterizedTest
  @MethodSource("columns")
  void theServersKnowSpansAndLists(Compared each) {
    List<String> some = each.pushed();
    List<String> conditions = new ArrayList<>(List.of(each + " IS NULL", each + " IS NOT NULL"));
    for (int i = 1; i < some.size(); i += 2) {
      String one = some.get(i - 1);
      String other = some.get(i);
      conditions.add(each + " BETWEEN " + one + " AND " + other);
      conditions.add(each + " IN (" + one + ", " + other + ", " + one + ")");
      conditions.add(other + " > " + each + " AND (" + one + " <= " + each + ")");
    }
    check(conditions.stream(), true);
  }

  /// All that may not become what the servers look at, though parts of it are.
  @ParameterizedTest
  @MethodSource("columns")
  void whatIsNegatedOrOneOfSeveralIsNotTakenForWhatItIsMadeOf(Compared each) {
    List<String> some = each.pushed();
    String low = some.get(1);
    String high = some.get(some.size() / 2 + 1);
    check(
        Stream.of(
            each + " <> " + low,
            high + " <> " + each,
            "NOT " + each + " = " + high,
            "NOT (" + each + " < " + high + ")",
            "NOT (" + each + " IS NULL)",
            each + " NOT IN (" + low + ", " + high + ")",
            each + " NOT BETWEEN " + low + " AND " + high,
            each + " IN (" + low + ", NULL)",
            each + " = NULL",
            each + " < " + low + " OR " + each + " > " + high,
            each + " = " + low + " OR " + each + " IS NULL",
            "(" + each + " = " + low + " OR " + high + " = " + each + ") AND id > 3",
            "id > 3 AND NOT (" + each + " > " + low + " AND " + each + " < " + high + ")",
            "id > 25 OR id < 20 AND " + each + " <= " + high),
        false);
  }

  @Test
  void theServersKnowWhatIsMissingInColumnsThatTheyDoNotCompare() {
    check(
        UNCOMPARED.stream()
            .map(Column::name)
            .flatMap(column -> Stream.of(column + " IS NULL", column + " IS NOT NULL")),
        true);
    check(
        Stream.of(
            "flag",
            "NOT flag",
            "flag = TRUE",
            "share = 0.5",
            "0.5 >= share",
            "share IN (1, 2.5)",
            "code = 'c1'",
            "code > 'c2' AND 'c25' > code",
            "code BETWEEN 'c10' AND 'c19'"),
        false);
  }
}
