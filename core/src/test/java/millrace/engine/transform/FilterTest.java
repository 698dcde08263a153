package millrace.engine.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import millrace.data.Columns;
import millrace.data.Type;
import millrace.engine.Rows;
import millrace.fault.Fault;
import millrace.spi.read.Selection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which rows a user gets with `--where` from a source that can't filter by itself.
class FilterTest {

  private static final List<String> NAMES =
      List.of("id", "Amount", "big", "ratio", "name", "active", "day", "at", "seen", "uid", "doc");

  private static final List<Type> TYPES =
      List.of(
          new Type.Int(64),
          new Type.Decimal(12, 2),
          Type.Decimal.UNLIMITED,
          new Type.Float(64),
          Type.Text.UNLIMITED,
          new Type.Bool(),
          new Type.Date(),
          new Type.Timestamp(false),
          new Type.Timestamp(true),
          new Type.Uuid(),
          new Type.Json());

  private static Columns rows() {
    return Rows.of(
        NAMES,
        TYPES,
        List.of(
            "1|10.00|1|0.1|apple|true|2024-02-29|2024-02-29 12:00:00|2024-02-29 12:00:00Z|"
                + "c0de0000-1111-2222-3333-444455556666|{}",
            "2|-0.50|123456789012345678901.5|NaN|äpfel|false|1999-12-31|2024-02-29 00:00:00|"
                + "2024-02-29 12:00:00+09|00000000-0000-0000-0000-000000000000|[1]",
            "3|NaN|NaN|-0|100%|true|infinity|-infinity|infinity|"
                + "ffffffff-ffff-ffff-ffff-ffffffffffff|null",
            "4|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL",
            "-9223372036854775808|9999999999.99|-Infinity|Infinity|Apple|f|0001-01-01|"
                + "2024-03-01 00:00:00|0001-01-01 00:00:00Z|"
                + "c0de0000-1111-2222-3333-444455556667|1"));
  }

  /// A day is before, at or behind a moment, on both sides of 1970 and of year 1.
  @ParameterizedTest
  @CsvSource({
    "1969-12-31",
    "1970-01-01",
    "1970-01-02",
    "1899-12-31",
    "0001-01-02",
    "2024-02-29",
    "9999-12-30"
  })
  void aDayIsComparedWithMomentsAsItsFirstOne(LocalDate day) {
    List<String> days =
        List.of(day.minusDays(1).toString(), day.toString(), day.plusDays(1).toString());
    LocalDateTime noon = day.atTime(12, 0);
    for (LocalDateTime at : List.of(day.atStartOfDay(), noon, noon.minusDays(1))) {
      for (String operator : List.of("<", "<=", "=", "<>", ">=", ">")) {
        String where = "day " + operator + " '" + at.toString().replace('T', ' ') + "'";
        Columns batch = Rows.of(List.of("day"), List.of(new Type.Date()), days);
        List<String> kept = Rows.texts(Filter.of(where, batch.schema()).apply(batch));
        List<String> held =
            days.stream()
                .filter(text -> holds(LocalDate.parse(text).atStartOfDay().compareTo(at), operator))
                .toList();
        assertThat(kept).as(where).isEqualTo(held);
      }
    }
  }

  private static boolean holds(int order, String operator) {
    return switch (operator) {
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case "=" -> order == 0;
      case "<>" -> order != 0;
      case ">=" -> order >= 0;
      default -> order > 0;
    };
  }

  /// Rows are numbered from 1; row 4 is all null but for its id.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "id = 1; 1",
        "id <> 1; 2345",
        "id != 1; 2345",
        "1 < id; 234",
        "2 >= id; 125",
        "id > 1.5 and id < 3.5; 23",
        "id = 1.5; ''",
        "id >= -9223372036854775808; 12345",
        "id > -9223372036854775808.5; 12345",
        "id < -1e300; ''",
        "id < 1e300; 12345",
        "id > -1e-300; 1234",
        "id > 0e100; 1234",
        "id in (1, 3, 99); 13",
        "id not in (1, 3, 99); 245",
        "id in (1, null); 1",
        "id not in (1, null); ''",
        "id between 2 and 3; 23",
        "id not between 2 and 3; 145",
        "id = -(1); unsupported",
        "amount = 10; 1",
        "\"Amount\" = 10.000; 1",
        "amount < 0; 2",
        "amount > -0.505; 1235",
        "amount > 9999999999.99; 3",
        "amount <= '10'; 12",
        "big > 123456789012345678901.4; 23",
        "big < 0; 5",
        "ratio = 0.1; 1",
        "ratio = 0; 3",
        "ratio > 1e308; 25",
        "ratio = 'NaN'; 2",
        "name = 'apple'; 1",
        "name = 'it''s'; ''",
        "name > 'apple'; 2",
        "name like 'a%'; 1",
        "name like '_pfel'; 2",
        "name like '%p%l%'; 125",
        "name like '100\\%'; 3",
        "name like '100!%' escape '!'; 3",
        "name like '%'; 1235",
        "name not like '%p%'; 3",
        "name like ''; ''",
        "active; 13",
        "not active; 25",
        "active = false; 25",
        "active is null; 4",
        "active is not null; 1235",
        "active = null; ''",
        "active or id = 4; 134",
        "not (active and id < 9); 25",
        "(id = 1 or id = 2) and amount > 0; 1",
        "day = '2024-02-29'; 1",
        "day = DATE '2024-02-29'; 1",
        "day < TIMESTAMP '2024-02-29 00:00:01'; 125",
        "day >= TIMESTAMP '2024-02-29 00:00:01'; 3",
        "day > '9999-12-31'; 3",
        "at > DATE '2024-02-29'; 15",
        "at = TIMESTAMP '2024-02-29 12:00:00'; 1",
        "seen < '2024-02-29 12:00:00+00'; 25",
        "uid = 'C0DE0000-1111-2222-3333-444455556666'; 1",
        "uid >= 'c0de0000-1111-2222-3333-444455556667'; 35",
        "doc like '[%'; 2",
        "TRUE; 12345",
        "FALSE; ''",
      })
  void whatIsKept(String where, String numbers) {
    if (numbers.equals("unsupported")) {
      assertThatThrownBy(() -> kept(where)).isInstanceOf(Fault.User.class);
    } else {
      assertThat(kept(where)).isEqualTo(numbers.equals("''") ? "" : numbers);
    }
  }

  /// The parser itself splits names at dots, quoted ones too, and leaves doubled quotes as they
  /// are.
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "at.city; at.city = 1",
        "at.city; AT.city = 1",
        "at.city; \"at.city\" = 1",
        "at.city; \"at\".\"city\" = 1",
        "at.city; `at.city` between 0 and 1",
        "at.city; not \"at.city\" in (2)",
        "a.b.c; \"a.b.c\" = 1",
        "a b.; \"a b.\" = 1",
        ".a; \".a\" = 1",
        "a\"b; \"a\"\"b\" = 1",
      })
  void aNameMayHoldDotsAndQuotes(String name, String where) {
    Columns batch = Rows.of(List.of(name), List.of(new Type.Int(64)), List.of("1", "2"));
    assertThat(Rows.texts(Filter.of(where, batch.schema()).apply(batch))).containsExactly("1");
    Selection selection = new Selection(List.of("other"), where, Long.MAX_VALUE);
    assertThat(selection.columnsToRead()).hasSize(2).last().asString().isEqualToIgnoringCase(name);
  }

  @ParameterizedTest
  @CsvSource({"\"a.\" = 1", "\"A.B\" = 1", "a.b.c = 1"})
  void aNameIsMeantAsAWhole(String where) {
    Columns batch =
        Rows.of(List.of("a", "a.b"), List.of(new Type.Int(64), new Type.Int(64)), List.of("1|1"));
    assertThatThrownBy(() -> Filter.of(where, batch.schema()))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("that there is not");
  }

  @Test
  void anyNumberOfNotsIsOneOrNone() {
    assertThat(kept("NOT ".repeat(50_000) + "id = 1")).isEqualTo("1");
    assertThat(kept("NOT ".repeat(50_001) + "id = 1")).isEqualTo("2345");
    Selection selection =
        new Selection(List.of("day"), "NOT ".repeat(50_000) + "id = 1", Long.MAX_VALUE);
    assertThat(selection.columnsToRead()).containsExactly("day", "id");
  }

  @Test
  void aConditionThatIsNestedTooDeeplyIsRefused() {
    String where = "NOT (".repeat(20_000) + "id = 1" + ")".repeat(20_000);
    assertThatThrownBy(() -> kept(where))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("--where \"NOT (NOT (")
        .hasMessageContaining("is nested too deeply.");
    assertThat(new Selection(List.of("day"), where, Long.MAX_VALUE).columnsToRead())
        .containsExactly("day");
  }

  private static String kept(String where) {
    Columns batch = rows();
    Columns left = Filter.of(where, batch.schema()).apply(batch);
    StringBuilder numbers = new StringBuilder();
    List<String> all = Rows.texts(rows());
    List<String> texts = Rows.texts(left);
    for (int i = 0; i < texts.size(); i++) {
      int number = all.indexOf(texts.get(i)) + 1;
      assertThat(left.offset(i)).isEqualTo(number - 1);
      numbers.append(number);
    }
    return numbers.toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "lower(name) = 'x'; \"lower(name)\" (function) does not work here",
        "id + 1 = 2; \"id + 1\" (addition) does not work here",
        "id = id + 1; \"id + 1\" (addition) does not work here",
        "1 = 1; \"1 = 1\" compares something else than a column with a literal",
        "id in (select 1); does not work here",
        "name ilike 'a%'; does not work here",
        "id = at; compares something else than a column with a literal",
        "t.id = 1; names a column \"t.id\" that there is not",
        "exists (select 1); does not work here",
        "id = 'x'; is no int64, as column \"id\" is",
        "day = '2024-02-30'; is no date, as column \"day\" is",
        "seen = '2024-02-29 12:00:00'; it needs an offset",
        "name = 5; 5 is compared with text and stands in no quotes",
        "doc = '{}'; values of json have no order or equality here",
        "name; name is a column of text and no condition by itself",
        "id like '1%'; LIKE needs text, and column \"id\" is int64",
        "idd = 1; names a column \"idd\" that there is not",
        "\"AMOUNT\" = 1; names a column \"AMOUNT\" that there is not",
        "id = ; is no SQL condition, at line 1, column 4.",
        "id = 1 drop; is no SQL condition",
        "name = 'x; is no SQL condition",
        "name = e'a\\nb'; \"E'a\\nb'\" (string value) does not work here",
        "name in ('a', e'b'); does not work here",
        "name like e'a%'; does not work here",
      })
  void whatDoesNotWorkIsNamed(String where, String message) {
    assertThatThrownBy(() -> kept(where))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(message);
  }

  @Test
  void aConditionMayBeALongChain() {
    String many = "id = 7 or ".repeat(5_000) + "id = 3";
    assertThat(kept(many)).isEqualTo(kept("id = 3"));
    assertThat(new Selection(List.of("name"), many, 1).columnsToRead())
        .containsExactly("name", "id");
  }

  @Test
  void aMisspelledColumnGetsTheNearestName() {
    assertThatThrownBy(() -> kept("amuont = 1"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault ->
                assertThat(fault.advice())
                    .startsWith("Did you mean 'Amount'? The columns to choose from are"));
  }

  @Test
  void theRecordsOfTheRowsThatAreKeptStayWithThem() {
    Columns batch = Rows.withOrigin(rows());
    Columns left = Filter.of("id = 3 or id = 4", batch.schema()).apply(batch);
    List<String> records = new ArrayList<>();
    for (int row = 0; row < left.rows(); row++) {
      records.add(Rows.record(left, row));
    }
    assertThat(records).containsExactly("record 2\n", "record 3\n");
  }
}
