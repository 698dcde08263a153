package millrace.online.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.fault.Fault;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.OnlineJob;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Window;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Clients keep to their schedule, and lose and double nothing, whatever the target does.
@Timeout(120)
@Execution(ExecutionMode.CONCURRENT)
final class ClientsTest {

  private static final String RAW = "load_per_sec";
  private static final String SIDE = "load_per_sec_too_late";
  private static final Window ALL = new Window(Long.MIN_VALUE, Long.MAX_VALUE);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  /// A loaded machine may take so long to get on.
  private static final long SLACK = TimeUnit.SECONDS.toNanos(2);

  private final MemoryStore store = new MemoryStore();
  private final RecordedWrites told = new RecordedWrites(store);
  private @Nullable SentSums sent;

  @BeforeEach
  void makeTables() {
    store.create();
  }

  private static Schedule schedule(OnlineJob job) {
    return Schedule.starting(SECOND / 10, job.load().clock(), job.load().duration().toSeconds());
  }

  private Clients started(OnlineJob job) {
    Schedule schedule = schedule(job);
    SentSums durable = SentSums.of(job, schedule);
    sent = durable;
    Clients clients = new Clients(job, store, schedule, told, new ProcessPauses(), durable);
    clients.start();
    return clients;
  }

  private Clients run(OnlineJob job) throws InterruptedException {
    Clients clients = started(job);
    assertThat(clients.join(Duration.ofSeconds(100))).isTrue();
    return clients;
  }

  private static Fault.Transient passing(String why) {
    return new Fault.Transient(why, "", 0, null);
  }

  private void assertThatTheTablesHoldWhatWasTold() {
    Sums raw = store.sums(RAW, ALL);
    Sums aside = store.sums(SIDE, ALL);
    assertThat(raw.rows() + aside.rows()).isEqualTo(told.rows());
    assertThat(raw.watts() + aside.watts()).isEqualTo(told.watts());
    assertThat(aside.rows()).isEqualTo(told.tooLate());
    Level arrived = new Level("raw", RAW, Duration.ofSeconds(1));
    assertThat(Objects.requireNonNull(sent).differing(store, arrived, RAW + "_sent", () -> false))
        .isZero();
  }

  @Test
  void whatWaitedBeginsAtOnceAndItsDelayCounts() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        _ -> {
          if (calls.getAndIncrement() == 0) {
            store.pause(3_000);
          }
        };
    run(Jobs.of("rows: 10\nclients: 1\nduration: 6s", ""));
    List<WriteListener.Write> writes =
        told.writes.stream().filter(WriteListener.Write::isScheduled).toList();
    assertThat(writes).extracting(WriteListener.Write::second).startsWith(0L, 1L, 2L, 3L);
    assertThat(writes.get(1).times().startDelay()).isGreaterThanOrEqualTo(2 * SECOND);
    assertThat(writes.get(2).times().startDelay()).isGreaterThanOrEqualTo(SECOND);
    for (int i = 1; i < writes.size(); i++) {
      WriteListener.Times before = writes.get(i - 1).times();
      long least = Math.max(0, before.response() - SECOND);
      assertThat(writes.get(i).times().startDelay()).isBetween(least, least + SLACK);
    }
    assertThat(writes.getLast().times().startDelay())
        .as("it catches up")
        .isLessThan(writes.get(1).times().startDelay());
    assertThatTheTablesHoldWhatWasTold();
  }

  /// A window that nobody is told of is not added up again: seconds that begin where the write
  /// before ended, late rows, and rows that are written once more.
  @Test
  void everyWriteTellsOfTheWindowsThatItsRowsLieIn() throws InterruptedException {
    long windowMicros = TimeUnit.SECONDS.toMicros(2);
    AtomicInteger calls = new AtomicInteger();
    Set<Long> untold = new HashSet<>();
    Set<MemoryStore.Key> seen = new HashSet<>();
    store.afterWrite =
        _ -> {
          for (MemoryStore.Key key : store.rows(RAW).keySet()) {
            long window = Math.floorDiv(key.time(), windowMicros) * windowMicros;
            if (seen.add(key) && !told.begun().contains(window)) {
              untold.add(window);
            }
          }
          if (calls.incrementAndGet() % 3 == 0) {
            throw passing("after");
          }
        };
    run(Jobs.of("rows: 40\nclients: 1\nduration: 5s", "share: 30 %\ndelay: 2s\nallowed: 9s"));
    assertThat(seen).isNotEmpty();
    assertThat(untold).isEmpty();
    assertThatTheTablesHoldWhatWasTold();
  }

  @ParameterizedTest
  @CsvSource({"true, false", "false, true", "true, true"})
  void failuresNeitherLoseNorDoubleRows(boolean before, boolean after) throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    if (before) {
      store.beforeWrite =
          _ -> {
            if (calls.incrementAndGet() % 4 == 0) {
              throw passing("before");
            }
          };
    }
    if (after) {
      store.afterWrite =
          _ -> {
            if (calls.incrementAndGet() % 3 == 0) {
              throw passing("after");
            }
          };
    }
    OnlineJob job =
        Jobs.of("rows: 101\nclients: 3\nduration: 3s", "share: 50 %\ndelay: 2s\nallowed: 1s");
    told.aggregated.add(Jobs.START);
    Clients clients = run(job);
    assertThat(clients.fault()).isNull();
    assertThat(told.failures).isNotEmpty();
    assertThat(told.deaths).isEmpty();
    assertThat(told.unmarked).as("marks are durable before the write is acknowledged").isEmpty();
    assertThatTheTablesHoldWhatWasTold();
    assertThat(told.lateRows()).isPositive();
    Set<MemoryStore.Key> rows = new HashSet<>(store.rows(RAW).keySet());
    assertThat(store.rows(SIDE).keySet()).doesNotContainAnyElementsOf(rows);
    long seconds =
        told.writes.stream()
            .filter(WriteListener.Write::isScheduled)
            .map(WriteListener.Write::client)
            .filter(client -> client == 0)
            .count();
    assertThat(seconds).isPositive();
  }

  @Test
  void everyDeviceHasARowOfEachSecond() throws InterruptedException {
    run(Jobs.of("rows: 1_050\nclients: 4\nduration: 2s\nsorted: no", "share: 30 %\ndelay: 1s"));
    long scheduled = told.writes.stream().filter(WriteListener.Write::isScheduled).count();
    assertThatTheTablesHoldWhatWasTold();
    if (scheduled == 8) {
      assertThat(store.rows(RAW)).hasSize(2 * 1_050);
    }
  }

  @Test
  void whatIsDurableOfAWriteThatFailsForGoodIsTold() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    store.beforeWrite =
        table -> {
          if (table.equals(RAW) && calls.incrementAndGet() > 2) {
            throw new Fault.Bug("it is broken", null);
          }
        };
    OnlineJob job =
        Jobs.of("rows: 100\nclients: 1\nduration: 20s", "share: 70 %\ndelay: 1s\nallowed: 1s");
    Clients clients = run(job);
    assertThat(clients.fault()).hasMessage("it is broken");
    assertThat(told.deaths).containsExactly("it is broken");
    assertThat(told.inDoubt()).isPositive();
    assertThatTheTablesHoldWhatWasTold();
  }

  @Test
  void whatIsRefusedIsTriedAFewTimesOnly() throws InterruptedException {
    store.beforeWrite =
        _ -> {
          throw new Fault.User("There is no partition.", "");
        };
    Clients clients = run(Jobs.of("rows: 10\nclients: 1\nduration: 30s", ""));
    assertThat(clients.fault()).isInstanceOf(Fault.User.class);
    assertThat(told.failures).hasSize(4).contains("There is no partition");
    assertThat(told.deaths).hasSize(1);
    assertThat(told.rows()).isZero();
  }

  @Test
  void clientsThatWaitForTheTargetEndIfItIsCancelled() throws InterruptedException {
    store.beforeWrite = _ -> store.pause(600_000);
    Clients clients = started(Jobs.of("rows: 10\nclients: 2\nduration: 60s", ""));
    clients.stop();
    store.cancel();
    assertThat(clients.join(Duration.ofSeconds(60))).isTrue();
    assertThat(clients.fault()).isNull();
    assertThat(told.deaths).isEmpty();
  }

  @Test
  void devicesAreSharedOutWithoutGaps() {
    for (int clients = 1; clients <= 17; clients++) {
      List<Window> shares = Client.shares(17, clients);
      assertThat(shares).hasSize(clients);
      long next = 0;
      for (Window share : shares) {
        assertThat(share.start()).isEqualTo(next);
        assertThat(share.end()).isGreaterThan(share.start());
        next = share.end();
      }
      assertThat(next).isEqualTo(17);
    }
  }
}
