package millrace.connectors.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import millrace.connectors.generate.GenerateConnector;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.Secret;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;

/// Copies that wait for locks of others say so, and name who holds them.
class PostgresLocksTest {

  private static final int ROWS = 60_000;

  private static final Endpoint MADE =
      new Endpoint("generate", "unload", Map.of("rows", Integer.toString(ROWS)), Secret.NONE);

  private static final String HASH =
      "SELECT md5(string_agg(r::text, '' ORDER BY r::text)) FROM rows r";

  private static final RetryPolicy IMPATIENT =
      new RetryPolicy(Duration.ofHours(1), Duration.ofMillis(500), Duration.ZERO, Duration.ZERO);

  private final TestDatabase database = TestDatabase.make();
  private final Endpoint rows = database.table("rows");

  @BeforeEach
  void fill() {
    made(Mode.CREATE).run();
  }

  private Copying made(Mode mode) {
    return Copying.of(new GenerateConnector(), MADE, new PostgresConnector(), rows).mode(mode);
  }

  /// Others are named, so that somebody can be asked to let go.
  @ParameterizedTest
  @CsvSource({"TRUNCATE, prepared", "REPLACE, completed"})
  void aTargetThatWaitsForALockOfOthersEndsTheRun(Mode mode, String being) throws SQLException {
    String before = database.value(HASH);
    try (Connection other = database.server.connect(database.name);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN ACCESS SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      assertThatThrownBy(() -> made(mode).patience(IMPATIENT).run())
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ")
          .hasMessageContaining("the target is being " + being + " and waits for a lock of")
          .hasMessageContaining("process " + holder + " (user " + database.server.user())
          .hasMessageContaining("idle in transaction");
    }
    assertThat(database.value(HASH)).isEqualTo(before);
  }

  @Test
  void lanesThatWaitForALockOfOthersNameThemAsTheyEndTheRun() throws SQLException {
    String before = database.value(HASH);
    try (Connection other = database.server.connect(database.name);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      assertThatThrownBy(() -> made(Mode.APPEND).patience(IMPATIENT).run())
          .isInstanceOf(Fault.Transient.class)
          .hasMessageContaining(": the target waits for a lock of the server's process " + holder);
    }
    assertThat(database.value(HASH)).isEqualTo(before);
  }

  /// Who wants a table for himself waits for the snapshot of the copy, and its lanes wait for him.
  @Test
  void lanesThatReadBehindAWaiterNameHimAsTheyEndTheRun() {
    MemoryConnector memory = new MemoryConnector();
    Copying copying =
        Copying.of(new PostgresConnector(), rows, memory, memory.endpoint("read"))
            .patience(IMPATIENT);
    List<CompletableFuture<Void>> waiter = new ArrayList<>();
    assertThatThrownBy(() -> copying.run(_ -> waiter.add(beginToWait())))
        .isInstanceOf(Fault.Transient.class)
        .hasMessageContaining(": the source waits for a lock of the server's process ")
        .hasMessageContaining("(user " + database.server.user());
    waiter.getFirst().join();
  }

  /// Returns when somebody waits for the table.
  private CompletableFuture<Void> beginToWait() {
    CompletableFuture<Void> waiter =
        CompletableFuture.runAsync(
            () -> database.server.execute(database.name, "ALTER TABLE rows ADD more int"));
    database.awaitTrue(
        "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'rows'::regclass AND NOT granted)");
    return waiter;
  }

  /// While it waits, so that nobody takes it for slow.
  @ParameterizedTest
  @CsvSource({"TRUNCATE, prepare target", "REPLACE, put in place"})
  void aStepThatWaitsForALockOfOthersSaysSo(Mode mode, String step) throws SQLException {
    try (Connection other = database.server.connect(database.name);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE rows IN ACCESS SHARE MODE");
      int holder = other.unwrap(PGConnection.class).getBackendPID();
      Copying copying = made(mode).patience(Duration.ZERO, Duration.ofMinutes(10));
      CompletableFuture<Run> running = new CompletableFuture<>();
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(() -> copying.run(running::complete));
      Run run = running.join();
      String waits = step + " and waits for a lock of the server's process " + holder + " (";
      while (!ended.isDone() && !run.currentStep().startsWith(waits)) {
        Thread.onSpinWait();
      }
      assertThat(ended).isNotDone();
      other.rollback();
      ended.join();
      assertThat(run.currentStep()).isEmpty();
    }
  }
}
