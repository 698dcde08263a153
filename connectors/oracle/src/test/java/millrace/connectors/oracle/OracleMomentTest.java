package millrace.connectors.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot.Held;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.oracle.OracleServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables that are read as of a moment soon after a DDL, which the server refuses (ORA-01466).
class OracleMomentTest {

  private static final OracleServer SERVER = OracleServer.start();

  private static final int ROWS = 3_000;

  private static final Schema ITEMS =
      Schema.of(List.of(new Column("ID", new Type.Int(32), true, null)));

  private final TestTables tables = new TestTables(SERVER);
  private final MemoryConnector memory = new MemoryConnector();
  private final OracleConnector oracle = new OracleConnector(_ -> null);

  @AfterAll
  static void stop() {
    SERVER.close();
  }

  /// As on a server.
  @BeforeEach
  void begin() {
    SERVER.setScnGrain(Duration.ofSeconds(3));
    SERVER.log().clear();
  }

  private void fill(String table) {
    memory.put("rows", ITEMS, IntStream.range(0, ROWS).mapToObj(i -> Row.of(i)).toList());
    Copying.of(memory, memory.endpoint("rows"), oracle, tables.endpoint("table", table))
        .mode(Mode.CREATE)
        .run();
  }

  /// All rows once each.
  private Ran read(Endpoint from) {
    memory.put("back", ITEMS, List.of());
    Ran ran =
        Copying.of(oracle, from, memory, memory.endpoint("back"))
            .mode(Mode.APPEND)
            .lanes(3, 64 << 10)
            .run();
    assertThat(memory.rows("back"))
        .extracting(row -> ((Number) Objects.requireNonNull(row.value(0))).intValue())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, ROWS).boxed().toList());
    return ran;
  }

  private static List<String> reads() {
    return SERVER.log().statements().stream()
        .filter(sql -> sql.startsWith("SELECT \"ID\"") && !sql.contains("FETCH FIRST"))
        .toList();
  }

  @Test
  void aTableThatWasJustFilledIsReadByManyLanes() {
    fill("items");
    read(tables.endpoint("table", "items"));
    assertThat(reads()).hasSizeGreaterThan(1).allMatch(sql -> sql.contains("AS OF SCN"));
  }

  @Test
  void aTableThatIsChangedAgainAndAgainIsReadByOneLane() {
    fill("items");
    SERVER.setScnGrain(Duration.ofHours(1));
    Ran ran = read(tables.endpoint("table", "items"));
    assertThat(reads()).hasSize(1).noneMatch(sql -> sql.contains("AS OF SCN"));
    assertThat(ran.plan().toString()).contains("ORA-01466", "a GRANT");
  }

  /// A GRANT behind the state is told as such, and nothing waits for a number that is given.
  @ParameterizedTest
  @ValueSource(strings = {"GRANT SELECT ON items TO PUBLIC", "TRUNCATE TABLE items"})
  void aStateBeforeADdlIsToldAsThat(String ddl) {
    SERVER.setScnGrain(Duration.ZERO);
    fill("items");
    String scn = tables.bare("SELECT current_scn FROM v$database").getFirst();
    Endpoint then = tables.endpoint("table", "items", "scn", scn);
    read(then);
    tables.run(ddl);
    long before = System.nanoTime();
    assertThatThrownBy(() -> read(then))
        .isInstanceOfSatisfying(
            Fault.Transient.class,
            fault -> {
              assertThat(fault).hasMessageContaining("ORA-01466");
              assertThat(fault.advice()).contains("a GRANT", "TRUNCATE", "a later one");
              assertThat(fault.endsRun()).isTrue();
            });
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(8));
  }

  @Test
  void severalTablesThatWereJustMadeAreReadAsOfOneMoment() {
    tables.run("CREATE TABLE a (id NUMBER(9))");
    List<Endpoint> ends = List.of(tables.endpoint("table", "a"), tables.endpoint("table", "items"));
    fill("items");
    try (Held held = oracle.hold(ends, 2, new OpenContext())) {
      assertThat(held.whyNot()).isEmpty();
      List<String> states =
          held.ends().stream()
              .map(end -> Objects.requireNonNull(end).text("scn").orElse(""))
              .toList();
      assertThat(states).hasSize(2).doesNotContain("");
      assertThat(states.getFirst()).isEqualTo(states.getLast());
      read(Objects.requireNonNull(held.ends().getLast()));
    }
  }

  @Test
  void oneOfSeveralThatIsChangedAgainAndAgainIsNamed() {
    fill("items");
    SERVER.setScnGrain(Duration.ofHours(1));
    List<Endpoint> ends = List.of(tables.endpoint("table", "items"));
    try (Held held = oracle.hold(ends, 2, new OpenContext())) {
      assertThat(held.whyNot()).contains("ITEMS", "ORA-01466");
      assertThat(held.ends()).containsExactly((Endpoint) null);
    }
  }
}
