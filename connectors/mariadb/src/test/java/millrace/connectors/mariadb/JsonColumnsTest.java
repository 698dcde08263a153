package millrace.connectors.mariadb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Documents in columns of `json`: MariaDB keeps their text, MySQL what they say, or they are bad
/// records.
class JsonColumnsTest {

  /// A document, and how MySQL spells it.
  private static final String[][] KEPT = {
    {"9223372036854775807", "9223372036854775807"},
    {"[-9223372036854775808]", "[-9223372036854775808]"},
    {"{\"u\":18446744073709551615}", "{\"u\": 18446744073709551615}"},
    {"9007199254740993", "9007199254740993"},
    {"9007199254740992.0", "9.007199254740992e15"},
    {"[0, -0, 0.0, -0.0, -0e5, 0E-300]", "[0, -0.0, 0.0, -0.0, -0.0, 0.0]"},
    {"[1.10, 100.000, 1.5000000000000000000000000]", "[1.1, 100.0, 1.5]"},
    {"[0.10000000000000000000000000000000000000]", "[0.1]"},
    {"[1E+2, 1e20, 100000000000000000000, 1e-7]", "[100.0, 1e20, 1e20, 0.0000001]"},
    {"[1.7976931348623157e308, -2.5e-290]", "[1.7976931348623157e308, -2.5e-290]"},
    {"[9088544342.689999, 0.9568643288225989]", "[9088544342.689999, 0.9568643288225989]"},
    {
      "{\"b\":\"1e400\",\"a\":{\"1e400\":[\"-0\"]}}",
      "{\"a\": {\"1e400\": [\"-0\"]}, \"b\": \"1e400\"}"
    },
    {"\"\\\\\\\" 1e400 \\u0041\\/\"", "\"\\\\\\\" 1e400 A/\""},
    {" [ true , false , null , { } ] ", "[true, false, null, {}]"},
    {
      "{\"a\":{\"x\":1},\"b\":{\"x\":1},\"A\":1}",
      "{\"A\": 1, \"a\": {\"x\": 1}, \"b\": {\"x\": 1}}"
    },
    {"{\"\":0.5,\"\\u0000\":\"\\u0000\"}", "{\"\": 0.5, \"\\u0000\": \"\\u0000\"}"},
  };

  /// A document, and what MySQL's column would make something else of.
  private static final String[][] REFUSED = {
    {"-9007199254740993.0", "the number -9007199254740993.0"},
    {"12345678901234567890.5", "the number 12345678901234567890.5"},
    {"1e400", "the number 1e400"},
    {"[{\"deep\":[[1e-400]]}]", "the number 1e-400"},
    {"{\"a\":\"1\",\"b\":18446744073709551616}", "the number 18446744073709551616"},
    {"[-9223372036854775809]", "the number -9223372036854775809"},
    {"0.1234567890123456789", "the number 0.1234567890123456789"},
    {"[1,2,3.14159265358979323846]", "the number 3.14159265358979323846"},
    {"9088544342.689998", "the number 9088544342.689998"},
    {"1e99999999999999999999", "the number 1e99999999999999999999"},
    {"-1E-99999999999999999999", "the number -1E-99999999999999999999"},
    {"{\"a\":1,\"b\":2,\"a\":3}", "two members of one name"},
    {"[{\"x\":{\"a\":1,\"\\u0061\":1}}]", "two members of one name"},
  };

  private static final Schema DOCUMENTS =
      Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("c", new Type.Json())));

  private static final Schema TEXTS =
      Schema.of(List.of(Column.of("id", new Type.Int(32)), Column.of("c", Type.Text.UNLIMITED)));

  private static TestTables tables(String scheme) {
    TestTables tables = new TestTables(scheme);
    tables.run("CREATE TABLE w (id int PRIMARY KEY, c json)");
    return tables;
  }

  private static Copying into(TestTables tables, Schema schema, List<String> documents) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      rows.add(Row.of(i, documents.get(i)));
    }
    tables.memory.put("rows", schema, rows);
    return Copying.of(
            tables.memory,
            tables.memory.endpoint("rows"),
            new MariaDbConnector(_ -> null),
            tables.endpoint("table", "w"))
        .mode(Mode.APPEND);
  }

  private static List<String> found(TestTables tables) {
    return tables.bare("SELECT CAST(c AS CHAR) FROM w ORDER BY id");
  }

  @ParameterizedTest
  @CsvSource({"mariadb,true", "mysql,true", "mariadb,false", "mysql,false"})
  void documentsSayTheSameAfterwards(String scheme, boolean loads) {
    TestTables tables = tables(scheme);
    List<String> documents = Stream.of(KEPT).map(each -> each[0]).toList();
    tables.server.run("SET GLOBAL local_infile = " + (loads ? 1 : 0));
    try {
      into(tables, DOCUMENTS, documents).run();
    } finally {
      tables.server.run("SET GLOBAL local_infile = 1");
    }
    List<String> spelled = Stream.of(KEPT).map(each -> each[1]).toList();
    assertThat(found(tables)).isEqualTo(scheme.equals("mysql") ? spelled : documents);
  }

  static Stream<Arguments> refused() {
    return Stream.of(REFUSED).map(each -> Arguments.of(each[0], each[1]));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void whatMySqlWouldChangeIsABadRecord(String document, String reason) {
    for (Schema schema : List.of(DOCUMENTS, TEXTS)) {
      TestTables tables = tables("mysql");
      Copying copying = into(tables, schema, List.of("1", document, "2"));
      assertThatThrownBy(copying::run)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining("row 2")
          .hasMessageContaining(reason)
          .hasMessageContaining("MySQL's json");
      copying.rejects(new Job.RejectPolicy(1, null)).run();
      assertThat(found(tables)).containsExactly("1", "2");
    }
  }

  @ParameterizedTest
  @MethodSource("refused")
  void mariaDbKeepsItsText(String document) {
    TestTables tables = tables("mariadb");
    into(tables, DOCUMENTS, List.of(document)).run();
    assertThat(found(tables)).containsExactly(document);
  }

  /// What a server's own rules are against is a bad record too.
  @ParameterizedTest
  @CsvSource({"mysql,101,0", "mysql,1,65536", "mysql,0,0", "mariadb,33,0"})
  void whatTheServerRefusesIsABadRecord(String scheme, int depth, int nameLength) {
    TestTables tables = tables(scheme);
    String inner = nameLength == 0 ? "\"\\ud800\"" : "{\"" + "n".repeat(nameLength) + "\":1}";
    String document = "[".repeat(depth) + (depth > 1 ? "1" : inner) + "]".repeat(depth);
    Copying copying = into(tables, DOCUMENTS, List.of("1", document, "2"));
    assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class).hasMessageContaining("row 2");
    copying.rejects(new Job.RejectPolicy(1, null)).run();
    assertThat(found(tables)).containsExactly("1", "2");
  }

  /// MySQL's own parser is wrong in the last place for about every third of them.
  @ParameterizedTest
  @ValueSource(strings = {"mariadb", "mysql"})
  void numbersOfAllDigitsAreKeptOrToldButNeverChanged(String scheme) {
    TestTables tables = tables(scheme);
    Random random = new Random(45);
    List<BigDecimal> numbers = new ArrayList<>();
    while (numbers.size() < 20_000) {
      double value =
          switch (numbers.size() % 4) {
            case 0 -> random.nextGaussian() * 1e6;
            case 1 -> random.nextDouble();
            case 2 -> random.nextDouble() * Math.pow(10, random.nextInt(40) - 20);
            default -> Double.longBitsToDouble(random.nextLong());
          };
      if (Double.isFinite(value)) {
        numbers.add(new BigDecimal(Double.toString(value)));
      }
    }
    List<String> documents = numbers.stream().map(number -> "[" + number + "]").toList();
    Ran run = into(tables, DOCUMENTS, documents).rejects(new Job.RejectPolicy(20_000, null)).run();
    List<String> found = tables.bare("SELECT concat(id, ' ', CAST(c AS CHAR)) FROM w ORDER BY id");
    for (String row : found) {
      String[] parts = row.split("[ \\[\\]]+", -1);
      assertThat(new BigDecimal(parts[1]))
          .isEqualByComparingTo(numbers.get(Integer.parseInt(parts[0])));
    }
    assertThat(found.size() + run.meter().rejects()).isEqualTo(20_000);
    // Those next to zero, which are 1 of 20 here, and some of one in a thousand others.
    assertThat(run.meter().rejects()).isLessThanOrEqualTo(scheme.equals("mysql") ? 400 : 0);
  }
}
