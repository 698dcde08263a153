package millrace.connectors.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DuckDB rounds, cuts and moves values in the text of lists, structs and maps as it does with text
/// that stands alone: none of that gets into a table.
class NestedTextTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "TINYINT[]      | [-128, 7.0, NULL]             | [-128, 7, NULL]     | [300]",
        "INTEGER[]      | [ +7 ]                        | [7]                 | [7, 1.5]",
        "INTEGER[]      | []                            | []                  | [15e-1]",
        "INTEGER[2]     | [1, 2]                        | [1, 2]              | [1, 2.5]",
        "UHUGEINT[]     | [340282366920938463463374607431768211455]"
            + " | [340282366920938463463374607431768211455] | [0.5]",
        "BIGNUM[]       | [12]                          | [12]                | [1.5]",
        "DECIMAL(4,2)[] | [1.2300, -.5]                 | [1.23, -0.50]       | [1.239]",
        "FLOAT[]        | [0.1, -Infinity, 0e9]         | [0.1, -inf, 0.0]    | [1e39]",
        "FLOAT[]        | [16777216, 123456790] | [16777216.0, 123456790.0] | [16777217.0]",
        "DOUBLE[]       | [9007199254740992, -9007199254740994.0]"
            + " | [9007199254740992.0, -9007199254740994.0] | [9007199254740993]",
        "DOUBLE[]       | [123456789012345680000] | [1.2345678901234568e+20]"
            + " | [-9007199254740993.]",
        "DOUBLE[]       | [1e308, nan]                  | [1e+308, nan]       | [1e-400]",
        "DATE[]         | [2024-02-29, infinity]        | [2024-02-29, infinity] | [2024-02-30]",
        "DATE[]         | [0044-03-15 (BC)]             | ['0044-03-15 (BC)'] | [2024-02-29 10:00]",
        "TIME[]         | [10:00:00.1234560]            | ['10:00:00.123456'] | [10:00:00.1234567]",
        "TIME[]         | [10:00]                       | ['10:00:00']        | [10:00+09]",
        "TIMESTAMP[]    | [2024-02-29T10:00]            | ['2024-02-29 10:00:00']"
            + " | [2024-02-29 10:00+09]",
        "TIMESTAMP_S[]  | [2024-02-29]                  | ['2024-02-29 00:00:00']"
            + " | [2024-02-29 10:00:00.5]",
        "TIMESTAMPTZ[]  | [2024-02-29 10:00+09]         | ['2024-02-29 01:00:00+00']"
            + " | [2024-02-29 10:00]",
        "TIMETZ[]       | [10:00:00+09]                 | ['10:00:00+09']     | [10:00:00]",
        "INTERVAL[]     | [1 day]                       | [1 day]             | [0.0000001"
            + " seconds]",
        "BIT[]          | [01]                          | [01]                | ['']",
        "INTEGER[][]    | [[1], NULL, [2, 3]]           | [[1], NULL, [2, 3]] | [[1], [2, 2.5]]",
        "STRUCT(a VARCHAR, \"b, (%s\" INTEGER[]) | {'a': 1.5, 'b, (%s': [2]}"
            + " | {'a': 1.5, 'b, (%s': [2]} | {'a': 1.5, 'b, (%s': [2.5]}",
        "TUPLE(INTEGER, VARCHAR) | (1, 1.5)             | (1, 1.5)            | (1.5, 1)",
        "MAP(VARCHAR, INTEGER)   | {1.5=2}              | {1.5=2}             | {1=2.5}",
        "MAP(INTEGER, DATE[])    | {1=[2024-02-29]}     | {1=[2024-02-29]}    | {1.5=[2024-02-29]}",
        "INTEGER[2][]            | [[1, 2], NULL]       | [[1, 2], NULL]      | [[1, 2, 3]]",
        "STRUCT(a UUID)[]        | [NULL]               | [NULL]              | [{'a': x}]",
        "STRUCT(a INTEGER)[]     | [{'a': 1}]           | [{'a': 1}]          | [{'b': 1}]",
        "INTEGER[][]             | [NULL, [NULL, 1]]    | [NULL, [NULL, 1]]    | [NULL, [NULL, x]]",
        "MAP(INTEGER, VARCHAR)   | {1=NULL}             | {1=NULL}             | {1=a, 01=b}",
        "STRUCT(a INTEGER, b VARCHAR) | {b: 'x: 1, a: 2', 'a': 1} | {'a': 1, 'b': 'x: 1, a: 2'}"
            + " | {'a': 1, 'a': 2}",
        "STRUCT(a INTEGER, b VARCHAR) | (1, NULL)       | {'a': 1, 'b': NULL}  | (NULL, NULL,"
            + " NULL)",
        "STRUCT(a VARCHAR, b VARCHAR) | {}              | {'a': NULL, 'b': NULL} | {a: x, \"a\": x,"
            + " b: y}",
        "STRUCT(\"a:b\" INTEGER, \"a\" INTEGER) | {'a:b': 1, 'a': NULL} | {'a:b': 1, 'a': NULL}"
            + " | {'a:b': 1, 'a:b': NULL}",
        "STRUCT(a INTEGER, b INTEGER)[] | [{'b': 2}, NULL] | [{'a': NULL, 'b': 2}, NULL]"
            + " | [{'a': 1, 'b': 2}, { 'b' : 1, 'b': 2}]",
        "STRUCT(s STRUCT(a INTEGER), m MAP(VARCHAR, STRUCT(a INTEGER)))"
            + " | {'s': {'a': 1}, 'm': {k={'a': 1}}} | {'s': {'a': 1}, 'm': {k={'a': 1}}}"
            + " | {'s': {'a': 1}, 'm': {k={'a': 1, 'a': 2}}}",
        "VARCHAR[]               | [1.5, a b]           | [1.5, a b]          | [a"
      })
  void whatAListWouldNotKeepWholeIsABadRecord(String type, String good, String kept, String bad)
      throws IOException, SQLException {
    TextIntoColumn.assertKept(folder, type, good, kept, bad);
  }

  @Test
  void aListOfAnotherTypeComesWholeOrNotAtAll() throws SQLException {
    Duck duck = Duck.in(folder);
    duck.run(
        "CREATE TABLE a AS SELECT [1.0::DOUBLE, 2.0] AS v",
        "CREATE TABLE b (v INTEGER[])",
        "CREATE TABLE c AS SELECT [1.0::DOUBLE, 2.5] AS v");
    DuckDbConnector both = new DuckDbConnector();
    Copying.of(both, duck.table("a"), both, duck.table("b")).mode(Mode.APPEND).run();
    assertThatThrownBy(
            () -> Copying.of(both, duck.table("c"), both, duck.table("b")).mode(Mode.APPEND).run())
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("2.5");
    assertThat(duck.rows("SELECT v FROM b")).containsExactly("[1, 2]");
  }
}
