package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Days and times that only some databases hold: with nanoseconds, before Christ, and of two
/// calendars. They are told as text.
class JdbcTimesTest {

  private final MemoryConnector memory = new MemoryConnector();

  private Copying copying(Engine engine) {
    memory.put(
        "to", new Schema(List.of(Column.of("V", Type.Text.UNLIMITED)), List.of()), List.of());
    return Copying.of(new JdbcConnector(), engine.end("table", "T"), memory, memory.endpoint("to"))
        .mode(Mode.APPEND);
  }

  private static Engine made(String system, String declared, String literal) {
    Engine engine =
        switch (system) {
          case "h2" -> Engine.h2();
          case "hsqldb" -> Engine.hsqldb();
          default -> Engine.derby();
        };
    engine.run("CREATE TABLE T (V " + declared + ")", "INSERT INTO T VALUES (" + literal + ")");
    return engine;
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "h2, TIMESTAMP(9), '2024-02-29 01:02:03.123456789', 2024-02-29 01:02:03.123456",
        "h2, TIMESTAMP(7), '1969-12-31 23:59:59.9999999', 1969-12-31 23:59:59.999999",
        "h2, TIME(9), '01:02:03.123456789', 01:02:03.123456",
        "h2, TIMESTAMP(9) WITH TIME ZONE, '1999-12-31 23:59:59.999999999-03:30',"
            + " 2000-01-01 03:29:59.999999+00",
        "hsqldb, TIMESTAMP(9), '2024-02-29 01:02:03.123456789', 2024-02-29 01:02:03.123456",
        "hsqldb, TIME(9), '01:02:03.123456789', 01:02:03.123456",
        "hsqldb, TIMESTAMP(9) WITH TIME ZONE, TIMESTAMP '1999-12-31 23:59:59.999999999-3:30',"
            + " 2000-01-01 03:29:59.999999+00",
        "derby, TIMESTAMP, '1969-12-31 23:59:59.123456789', 1969-12-31 23:59:59.123456"
      })
  void nanosecondsAreCutIfTheUserSaysSo(
      String system, String declared, String literal, String cut) {
    Engine engine = made(system, declared, literal);
    try {
      Copying copying = copying(engine);
      assertThatThrownBy(copying::run)
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining(", with nanoseconds; --truncate-nanoseconds cuts them.");
      Ran ran = copying.rejects(Job.RejectPolicy.NONE.cuttingNanoseconds(true)).run();
      assertThat(memory.rows("to").stream().map(row -> String.valueOf(row.value(0))))
          .containsExactly(cut);
      assertThat(ran.notes()).contains("Nanoseconds were cut off in 1 value.");
    } finally {
      engine.end();
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "h2, DATE, '-0005-01-01', 0006-01-01 BC",
        "h2, DATE, '0000-01-01', 0001-01-01 BC",
        "h2, DATE, '1582-10-10', 1582-10-10",
        "h2, DATE, '999999-01-01', 999999-01-01",
        "h2, TIMESTAMP, '-0005-01-01 01:02:03.5', 0006-01-01 01:02:03.5 BC",
        "h2, TIMESTAMP, '12024-01-01 01:02:03', 12024-01-01 01:02:03",
        "h2, TIMESTAMP WITH TIME ZONE, '-0005-01-01 01:02:03+00', 0006-01-01" + " 01:02:03+00 BC",
        "hsqldb, DATE, '0001-01-01', 0001-01-01",
        "hsqldb, DATE, '1582-10-04', 1582-10-04",
        "hsqldb, DATE, '12024-01-01', 12024-01-01",
        "hsqldb, TIMESTAMP, '0001-01-01 01:02:03', 0001-01-01 01:02:03",
        "hsqldb, TIMESTAMP WITH TIME ZONE, TIMESTAMP '0001-01-01 01:02:03+0:00',"
            + " 0001-01-01 01:02:03+00",
        "derby, DATE, '0001-01-01', 0001-01-01",
        "derby, TIMESTAMP, '1582-10-04 01:02:03', 1582-10-04 01:02:03"
      })
  void daysOfAllYearsAreReadAsTheyAre(
      String system, String declared, String literal, String spelled) {
    Engine engine = made(system, declared, literal);
    try {
      copying(engine).run();
      assertThat(memory.rows("to").stream().map(row -> String.valueOf(row.value(0))))
          .containsExactly(spelled);
    } finally {
      engine.end();
    }
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "hsqldb, DATE, '1500-02-29', holds 1500-02-29,",
        "hsqldb, TIMESTAMP, '1500-02-29 01:02:03', holds 1500-02-29 01:02:03",
        "h2, TIMESTAMP, '999999-01-01 00:00:00', holds 999999-01-01 00:00:00",
        "h2, DATE, '999999999-01-01', holds 999999999-01-01"
      })
  void whatHasNoPlaceHereIsShownAsItIs(
      String system, String declared, String literal, String shown) {
    Engine engine = made(system, declared, literal);
    try {
      assertThatThrownBy(() -> copying(engine).run())
          .isInstanceOf(Fault.Data.class)
          .hasMessageContaining(shown);
    } finally {
      engine.end();
    }
  }
}
