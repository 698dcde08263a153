package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// H2 takes empty text for a missing value if its mode is Oracle's.
class EmptyTextTest {

  private static final String NOTE =
      "2 empty values became missing ones, since this database knows no empty text.";

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Column.of("K", new Type.Int(32)),
              Column.of("V", Type.Text.UNLIMITED),
              Column.of("B", new Type.Bytes())),
          List.of("K"));

  private static final String TABLE =
      "CREATE TABLE T (K INT PRIMARY KEY, V VARCHAR(20)%s, B VARBINARY(20))";

  private final MemoryConnector memory = new MemoryConnector();
  private final Engine usual = Engine.h2();
  private final Engine asOracle = new Engine(usual.url() + ";MODE=Oracle", usual.ending());

  @AfterEach
  void end() {
    asOracle.end();
  }

  private Ran copy(Engine engine, Mode mode) {
    memory.put(
        "from",
        SCHEMA,
        List.of(Row.of(1, "", ""), Row.of(2, "b", "00"), Row.of(3, null, null), Row.of(4, "", "")));
    return Copying.of(
            memory, memory.endpoint("from"), new JdbcConnector(), engine.end("table", "T"))
        .mode(mode)
        .run();
  }

  private List<Row> back(Engine engine) {
    memory.put("back", SCHEMA, List.of());
    Copying.of(new JdbcConnector(), engine.end("table", "T"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back");
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND", "MERGE", "REPLACE"})
  void whatBecomesAMissingValueIsTold(Mode mode) {
    asOracle.run(TABLE.formatted(""));
    assertThat(copy(asOracle, mode).notes()).contains(NOTE);
    assertThat(back(asOracle))
        .containsExactlyInAnyOrder(
            Row.of(1, null, ""), Row.of(2, "b", "00"), Row.of(3, null, null), Row.of(4, null, ""));
  }

  @Test
  void aColumnThatNeedsValuesRefusesIt() {
    asOracle.run(TABLE.formatted(" NOT NULL"));
    assertThatThrownBy(() -> copy(asOracle, Mode.APPEND))
        .isInstanceOf(Fault.Data.class)
        .hasMessageContaining("is empty, which this database takes for a missing value");
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND", "MERGE", "REPLACE"})
  void emptyTextStaysInOtherModes(Mode mode) {
    usual.run(TABLE.formatted(""));
    assertThat(copy(usual, mode).notes()).doesNotContain(NOTE);
    assertThat(back(usual))
        .containsExactlyInAnyOrder(
            Row.of(1, "", ""), Row.of(2, "b", "00"), Row.of(3, null, null), Row.of(4, "", ""));
  }
}
