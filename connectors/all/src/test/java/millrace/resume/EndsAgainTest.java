package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import millrace.connectors.Connectors;
import millrace.engine.Run;
import millrace.engine.meter.Meter;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.Secret;
import millrace.spi.write.Completed;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteSession;
import millrace.testkit.Copying;
import millrace.testkit.PostgresServer;
import millrace.testkit.Ran;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A connection that is lost when all rows have arrived is no reason to begin again.
class EndsAgainTest {

  private static final int ROWS = 1000;

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofMinutes(5), Duration.ZERO, Duration.ofMillis(1), Duration.ofMillis(2));

  @TempDir private Path folder;
  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  /// Something happens to a target that is about to complete.
  private static final class Struck extends ForwardingTarget {
    private final IntConsumer blow;
    private final AtomicInteger tries = new AtomicInteger();

    Struck(Target inner, IntConsumer blow) {
      super(inner);
      this.blow = blow;
    }

    @Override
    protected WriteSession opened(WriteSession session) {
      return new ForwardingWriteSession(session) {
        @Override
        public Completed complete(PhaseTimer steps) {
          blow.accept(tries.incrementAndGet());
          return super.complete(steps);
        }
      };
    }
  }

  private void loseConnections() {
    server.execute(
        database,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            + " WHERE application_name = 'millrace' AND datname = current_database()");
  }

  /// @param blow what happens before the end, by the number of its tries
  private Ran copy(Mode mode, ResumeChoice choice, BiConsumer<Integer, Run> blow)
      throws IOException {
    Path csv = folder.resolve("orders.csv");
    if (!Files.exists(csv)) {
      StringBuilder text = new StringBuilder("id,name\n");
      for (int i = 1; i <= ROWS; i++) {
        text.append(i).append(",name\n");
      }
      Files.writeString(csv, text);
    }
    Endpoint from = new Endpoint("file", csv.toString(), Map.of(), Secret.NONE);
    Endpoint to =
        new Endpoint(
            "postgresql", server.location(database), Map.of("table", "orders"), Secret.NONE);
    AtomicReference<@Nullable Run> running = new AtomicReference<>();
    return Copying.of(Connectors.ALL.of(from), from, Connectors.ALL.of(to), to)
        .mode(mode)
        .patience(SOON)
        .between(
            UnaryOperator.identity(),
            target ->
                new Struck(
                    target, tries -> blow.accept(tries, Objects.requireNonNull(running.get()))))
        .run(choice, running::set, () -> {});
  }

  private void makeTable() {
    server.execute(
        database,
        "CREATE TABLE orders (id int PRIMARY KEY, name text)",
        "CREATE INDEX by_name ON orders (name)");
  }

  private String value(String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  private void assertAllThereOnce() {
    assertThat(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM orders"))
        .isEqualTo(ROWS + " " + ROWS);
    assertThat(
            value(
                "SELECT count(*) FROM pg_class WHERE relname LIKE '%millrace%'"
                    + " AND relname NOT LIKE 'millrace_journal%'"))
        .isEqualTo("0");
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "TRUNCATE", "REPLACE", "MERGE"})
  void aRunEndsOnAnotherConnectionWhereItsOwnIsLost(Mode mode) throws IOException {
    makeTable();
    Ran run =
        copy(
            mode,
            ResumeChoice.NONE,
            (tries, _) -> {
              if (tries == 1) {
                loseConnections();
              }
            });
    assertAllThereOnce();
    assertThat(run.meter().retries()).extracting(Meter.Retry::count).containsExactly(1L);
    assertThat(run.meter().waiting()).isNull();
  }

  @Test
  void aStopReachesWhatTheServerIsMadeToWaitForAtTheEnd() throws IOException {
    makeTable();
    server.execute(database, "INSERT INTO orders VALUES (-1, 'old')");
    AtomicReference<String> step = new AtomicReference<>("");
    try (Connection reading = server.connect(database);
        Statement statement = reading.createStatement()) {
      reading.setAutoCommit(false);
      assertThatThrownBy(() ->
              copy(
                  Mode.REPLACE,
                  ResumeChoice.NONE,
                  (_, run) -> {
                    execute(statement, "LOCK TABLE orders IN ACCESS SHARE MODE");
                    Thread.ofPlatform().start(() -> stopOnceItWaits(run, step));
                  }))
          .isInstanceOf(Fault.Cancelled.class)
          .hasMessage("Stopped.");
      reading.rollback();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
    assertThat(value("SELECT string_agg(name, ' ') FROM orders")).isEqualTo("old");
    assertThat(step).as("what progress says").hasValue("put in place");
  }

  private static void execute(Statement statement, String sql) {
    try {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private void stopOnceItWaits(Run run, AtomicReference<String> step) {
    String waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            + " AND application_name = 'millrace' AND wait_event_type = 'Lock'";
    while (value(waiting).equals("0")) {
      Thread.onSpinWait();
    }
    step.set(run.currentStep());
    run.cancel("Stopped.");
  }

  /// Keys and indexes are made before the transaction that swaps.
  @Test
  void whoGoesOnMakesTheKeysThatWereMadeAlready() throws IOException {
    makeTable();
    assertThatThrownBy(() ->
            copy(
                Mode.REPLACE,
                ResumeChoice.NONE,
                (_, _) -> {
                  String staging =
                      value("SELECT relname FROM pg_class WHERE relname LIKE 'orders_millrace_%'");
                  server.execute(
                      database,
                      "ALTER TABLE " + staging + " ADD PRIMARY KEY (id)",
                      "CREATE INDEX ON " + staging + " (name)");
                  throw new Fault.External("the source was cut off", "", null);
                }))
        .hasMessage("the source was cut off");
    copy(Mode.REPLACE, ResumeChoice.RESUME, (_, _) -> {});
    assertAllThereOnce();
    assertThat(
            value(
                "SELECT string_agg(indexname, ' ' ORDER BY indexname) FROM pg_indexes"
                    + " WHERE tablename = 'orders'"))
        .isEqualTo("by_name orders_pkey");
  }
}
