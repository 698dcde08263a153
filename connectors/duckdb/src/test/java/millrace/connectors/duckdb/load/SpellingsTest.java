package millrace.connectors.duckdb.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import millrace.connectors.duckdb.Duck;
import millrace.connectors.duckdb.DuckDbConnector;
import millrace.connectors.duckdb.TextIntoColumn;
import millrace.connectors.file.FileConnector;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// DuckDB casts a day to the time 00:00, an empty text to the bit 0, and drops digits and time
/// zones that a type has no place for: none of that gets into a table.
class SpellingsTest {

  @TempDir Path folder;

  private Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "TIMETZ       | 10:00:00.5+09:30    | 10:00:00.5+09:30         | 2024-02-29",
        "TIMETZ       | 10:00:00+00         | 10:00:00+00              | 10:00:00",
        "TIMETZ       | 10:00:00-09:30      | 10:00:00-09:30           | 2024-02-29 10:00:00+00",
        "TIMETZ       | 24:00:00-15:59:59   | 24:00:00-15:59:59        | epoch",
        "TIMETZ       | 10:00:00.123456000+00 | 10:00:00.123456+00     | 23:59:59.999999999",
        "TIME_NS      | 10:00:00.123456789  | 10:00:00.123456789       | 2024-02-29",
        "TIME_NS      | 24:00:00            | 24:00:00                 | 10:00:00.1234567891",
        "TIME_NS      | 1:02                | 01:02:00                 | 10:00:00+09",
        "TIMESTAMP_NS | 2024-02-29T10:00:00.123456789 | 2024-02-29 10:00:00.123456789"
            + " | 2024-02-29 10:00:00+09",
        "TIMESTAMP_NS | 2024-02-29          | 2024-02-29 00:00:00      | 2024-02-29"
            + " 10:00:00.1234567891",
        "TIMESTAMPTZ_NS | 2024-02-29 10:00:00.123456789+09 | 2024-02-29 01:00:00.123456789+00"
            + " | 2024-02-29 10:00:00",
        "BIGNUM       | -12345678901234567890123.0 | -12345678901234567890123 | 1.5",
        "INTERVAL     | 1.5 days 00:00:01.5 | 1 day 12:00:01.5         | 00:00:00.1234567",
        "INTERVAL     | -1 days 02:03:00.100000000 | -1 day 02:03:00.1 | 0.0000001 seconds",
        "BIT          | 0101                | 0101                     | ''"
      })
  void aTextThatATypeWouldNotKeepWholeIsABadRecord(
      String type, String good, String kept, String bad) throws IOException, SQLException {
    TextIntoColumn.assertKept(folder, type, good, kept, bad).hasMessageContaining(bad);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "DATE '2024-02-29'                  | TIMETZ       | the date would be lost",
        "TIMESTAMP '2024-02-29 10:00:00'    | TIMETZ       | the date would be lost",
        "TIMESTAMP_NS '2024-02-29 10:00:00' | TIMETZ       | TIMESTAMP_NS in the source",
        "TIME '10:00:00.5'                  | TIMETZ       | it would need a time zone",
        "TIME_NS '10:00:00.123456'          | TIMETZ       | it would need a time zone",
        "TIMESTAMP '2024-02-29 10:00:00'    | TIMESTAMPTZ_NS | it would need a time zone",
        "TIMESTAMPTZ '2024-02-29 10:00:00Z' | TIME_NS      | the date would be lost",
        "TIMESTAMP_NS '2024-02-29 10:00:00' | TIME_NS      | the date would be lost",
        "5                                  | TIME_NS      | is not one of TIME_NS",
        "5                                  | INTERVAL     | is not one of INTERVAL",
        "5.5::DECIMAL(5,2)                  | INTERVAL     | is not one of INTERVAL",
        "5.5::DOUBLE                        | INTERVAL     | is not one of INTERVAL",
        "DATE '2024-02-29'                  | INTERVAL     | is not one of INTERVAL",
        "101                                | BIT          | is not one of BIT"
      })
  void aTypeWhoseValuesWouldBeOthersIsRefused(String value, String type, String why)
      throws SQLException {
    Duck duck = Duck.in(folder);
    Duck from = new Duck(folder.resolve("from.db"));
    from.run("CREATE TABLE t AS SELECT " + value + " AS v");
    duck.run("CREATE TABLE t (v " + type + ")");
    Copying copying =
        Copying.of(new DuckDbConnector(), from.table("t"), new DuckDbConnector(), duck.table("t"))
            .mode(Mode.APPEND);
    assertThatThrownBy(copying::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("column \"v\" is ")
        .hasMessageContaining(why);
  }

  @Test
  void anInstantWithoutItsZoneIsABadRecord() throws IOException, SQLException {
    Duck duck = Duck.in(folder);
    duck.run("CREATE TABLE t (id INT, v TIMESTAMPTZ)");
    Files.writeString(folder.resolve("in.csv"), "id,v\n1,2024-02-29 10:00:00\n");
    Copying copying =
        Copying.of(new FileConnector(), file("in.csv"), new DuckDbConnector(), duck.table("t"));
    assertThatThrownBy(copying.mode(Mode.APPEND)::run).isInstanceOf(Fault.Data.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "TIME '10:00:00.5'            | INTERVAL | 10:00:00.5",
        "TIMETZ '10:00:00.5+09:30'    | TIMETZ   | 10:00:00.5+09:30",
        "TIME_NS '10:00:00.123456789' | TIME_NS  | 10:00:00.123456789",
        "'1 year -2 days 00:00:01.123456'::INTERVAL | INTERVAL | 1 year -2 days 00:00:01.123456",
        "'-infinity'::TIMESTAMP_NS    | TIMESTAMP_NS | -infinity",
        "TIMESTAMPTZ '2024-02-29 10:00+09' | TIMESTAMPTZ_NS | 2024-02-29 01:00:00+00",
        "DATE '2024-02-29'            | TIMESTAMP_NS | 2024-02-29 00:00:00"
      })
  void whatFitsArrives(String value, String type, String kept) throws SQLException {
    Duck duck = Duck.in(folder);
    Duck from = new Duck(folder.resolve("from.db"));
    from.run("CREATE TABLE t AS SELECT " + value + " AS v");
    duck.run("CREATE TABLE t (v " + type + ")");
    Copying.of(new DuckDbConnector(), from.table("t"), new DuckDbConnector(), duck.table("t"))
        .mode(Mode.APPEND)
        .run();
    assertThat(duck.rows("SELECT v::VARCHAR FROM t")).isEqualTo(List.of(kept));
  }
}
