package millrace.connectors.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.jdbc.JdbcFaults;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A driver that hangs, as on the socket of a server that has gone silent, and loses every cancel.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LostCancelTest {

  private static final Schema NUMBERS = Schema.of(List.of(Column.of("n", new Type.Int(32))));

  /// What stands in the statements that read rows.
  private static final String ROWS = "\"N\"";

  private final Engine engine = Engine.h2();
  private final JdbcFaults faults = JdbcFaults.of("lost" + System.identityHashCode(this));
  private final MemoryConnector memory = new MemoryConnector();

  @BeforeEach
  void fill() {
    engine.run(
        "CREATE TABLE t (n INT PRIMARY KEY)", "INSERT INTO t SELECT X FROM SYSTEM_RANGE(1, 5000)");
  }

  @AfterEach
  void end() {
    engine.end();
  }

  private Endpoint table(String name) {
    return new Endpoint("jdbc", faults.url(engine.url()), Map.of("table", name), Secret.NONE);
  }

  private Copying reading() {
    memory.put("back", NUMBERS, List.of());
    return Copying.of(new JdbcConnector(), table("t"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .lanes(2, 4_000);
  }

  private Copying writing() {
    memory.put(
        "rows",
        NUMBERS,
        IntStream.range(10_000, 12_000).mapToObj(n -> Row.of((Object) n)).toList());
    return Copying.of(memory, memory.endpoint("rows"), new JdbcConnector(), table("t"))
        .mode(Mode.APPEND);
  }

  private void assertStops(Copying copying) {
    CompletableFuture<Run> running = new CompletableFuture<>();
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () -> copying.run(running::complete), work -> Thread.ofPlatform().daemon().start(work));
    CompletableFuture.anyOf(faults.hangs(), ended).join();
    running.join().cancel("stopped by the test");
    assertThatThrownBy(ended::join).cause().isInstanceOf(Fault.Cancelled.class);
    assertThat(faults.hangs()).isDone();
  }

  /// The first rows, and those after them.
  @ParameterizedTest
  @ValueSource(strings = {"executeQuery", "next"})
  void aReaderThatHangsIsStopped(String method) {
    faults.hangAt(method, ROWS);
    assertStops(reading());
  }

  @ParameterizedTest
  @ValueSource(strings = {"executeBatch", "commit"})
  void aWriterThatHangsIsStopped(String method) {
    faults.hangAt(method, "");
    assertStops(writing());
  }

  /// Keys at which ranges begin are looked for while lanes are at work.
  @Test
  void aLookForTheNextRangeThatHangsIsStopped() {
    faults.hangAt("executeQuery", "min(");
    assertStops(reading());
  }

  @Test
  void aCopyThatStandsStillIsEnded() {
    faults.hangAt("next", ROWS);
    RetryPolicy soon = RetryPolicy.of(Duration.ZERO, Duration.ofSeconds(1));
    assertThatThrownBy(() -> reading().patience(soon).run())
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining("No row has moved for 1 s");
  }
}
