package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import millrace.fault.Fault;
import millrace.spi.Counters;
import millrace.spi.Endpoint;
import millrace.spi.HasCounters;
import millrace.spi.OpenContext;
import millrace.spi.online.OnlineLayout;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.apache.kudu.client.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What is special about Kudu's tables of online runs.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduOnlineTest {

  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  /// 2019-04-01 23:00 in UTC.
  private static final long START = 1_554_159_600L * SECOND;

  private static final Level RAW = new Level("raw", "raw", Duration.ofSeconds(1));
  private static final Level MINUTES = new Level("minute", "minute", Duration.ofMinutes(1));
  private static final Level HOURS = new Level("hour", "hour", Duration.ofHours(1));

  private static OnlineStore open(Endpoint endpoint, Duration partition) {
    OnlineLayout layout = new OnlineLayout(List.of(RAW, MINUTES, HOURS), false, partition, 4);
    return new KuduConnector().online(endpoint, layout, new OpenContext());
  }

  private static Readings second(int firstDevice, int devices, long time) {
    Readings rows = new Readings(devices);
    for (int i = firstDevice; i < firstDevice + devices; i++) {
      rows.add(i, time, 1_000L + i);
    }
    return rows;
  }

  private static Window minute(int number) {
    return new Window(START + number * MINUTE, START + (number + 1) * MINUTE);
  }

  @Test
  void aRowThatNoRangeCoversIsToldByItsTime() {
    Endpoint endpoint = KuduServers.shared().table("ahead.raw", Map.of());
    try (OnlineStore store = open(endpoint, Duration.ofHours(1));
        OnlineStore another = open(endpoint, Duration.ofHours(1));
        RowWriter writer = store.writer()) {
      store.create();
      assertThat(store.addPartitions(new Window(START, START + HOUR))).containsExactly(START);
      writer.write("raw", second(0, 10, START + HOUR - 1), List.of());
      Readings outside = second(0, 10, START + HOUR + 1);
      assertThatThrownBy(() -> writer.write("raw", outside, List.of()))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("ahead.raw: no range partition covers")
          .hasMessageContaining("time_stamp = 2019-04-02 00:00:00.000001");
      // The client believes for minutes that the range is missing, unless it looks again.
      Window both = new Window(START, START + HOUR + 1);
      assertThat(another.addPartitions(both)).containsExactly(START + HOUR);
      assertThat(store.addPartitions(both)).isEmpty();
      writer.write("raw", outside, List.of());
      assertThat(store.sums("raw", both).rows()).isEqualTo(10);
      assertThat(store.sums("raw", new Window(START, START + 2 * HOUR)).rows()).isEqualTo(20);
    }
  }

  /// Each begins a whole number of hours before or after 1970.
  @Test
  void partitionsBefore1970AreMadeOfWholeWidths() {
    Endpoint endpoint = KuduServers.shared().table("before.raw", Map.of());
    try (OnlineStore store = open(endpoint, Duration.ofHours(1));
        RowWriter writer = store.writer()) {
      store.create();
      assertThat(store.addPartitions(new Window(-HOUR - 1, 1)))
          .containsExactly(-2 * HOUR, -HOUR, 0L);
      Readings outside = second(0, 1, -2 * HOUR - 1);
      assertThatThrownBy(() -> writer.write("raw", outside, List.of()))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("time_stamp = 1969-12-31 21:59:59.999999");
      for (long time : List.of(-2 * HOUR, -HOUR - 1, -HOUR, -1L, 0L, HOUR - 1)) {
        writer.write("raw", second(0, 1, time), List.of());
      }
      assertThat(store.sums("raw", new Window(-2 * HOUR, HOUR)).rows()).isEqualTo(6);
      assertThat(store.addPartitions(new Window(-3 * HOUR, HOUR))).containsExactly(-3 * HOUR);
    }
  }

  @Test
  void windowsAreAggregatedAtOnceEachWithItsOwnRows() {
    int devices = 25_000;
    Endpoint endpoint = KuduServers.shared().table("parallel.raw", Map.of());
    try (OnlineStore store = open(endpoint, Duration.ofMinutes(2));
        RowWriter writer = store.writer()) {
      store.create();
      store.addPartitions(new Window(START, START + 4 * MINUTE));
      for (int i = 0; i < 4; i++) {
        writer.write("raw", second(0, devices, START + i * MINUTE + i * SECOND), List.of());
        writer.write("raw", second(0, devices, START + i * MINUTE + 30 * SECOND), List.of());
      }
      List<CompletableFuture<Long>> aggregates =
          IntStream.range(0, 4)
              .mapToObj(i ->
                  CompletableFuture.supplyAsync(() -> store.aggregate(RAW, MINUTES, minute(i))))
              .toList();
      assertThat(aggregates).allSatisfy(each -> assertThat(each.join()).isEqualTo(devices));
      long watts = 2 * watts(devices);
      for (int i = 0; i < 4; i++) {
        assertThat(store.sums("minute", minute(i))).isEqualTo(new Sums(devices, watts));
      }
      Window hour = new Window(START, START + HOUR);
      assertThat(store.aggregate(MINUTES, HOURS, hour)).isEqualTo(devices);
      assertThat(store.sums("hour", hour)).isEqualTo(new Sums(devices, 4 * watts));
    }
  }

  /// Of one row for each device.
  private static long watts(long devices) {
    return 1_000 * devices + devices * (devices - 1) / 2;
  }

  /// Repeats what fails because a server is away.
  private static <T> T patiently(Supplier<T> call) {
    for (int i = 0; i < 40; i++) {
      try {
        return call.get();
      } catch (Fault.Transient e) {
        assertThat(e).hasMessageContaining("kudu://");
        pause(500);
      }
    }
    throw new AssertionError("it fails again and again");
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static CompletableFuture<Void> client(OnlineStore store, int client, int devices) {
    return CompletableFuture.runAsync(
        () -> {
          try (RowWriter writer = store.writer()) {
            for (int i = 0; i < 180; i++) {
              Readings rows = second(client * devices, devices, START + i * SECOND);
              patiently(() -> {
                writer.write("raw", rows, List.of());
                return null;
              });
              pause(20);
            }
          }
        },
        task -> new Thread(task).start());
  }

  @Test
  void sumsAreExactAlthoughATabletServerIsKilled() {
    int clients = 3;
    int devices = 500;
    try (KuduServers servers = KuduServers.start(3);
        OnlineStore store =
            open(servers.table("kills.raw", Map.of("timeout", "5s")), Duration.ofMinutes(1))) {
      store.create();
      store.addPartitions(new Window(START, START + 3 * MINUTE));
      List<CompletableFuture<Void>> writing = new ArrayList<>();
      for (int i = 0; i < clients; i++) {
        writing.add(client(store, i, devices));
      }
      CompletableFuture<Void> all =
          CompletableFuture.allOf(writing.toArray(CompletableFuture[]::new));
      CompletableFuture<Void> aggregating =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; !all.isDone(); i++) {
              Window window = minute(i % 3);
              patiently(() -> store.aggregate(RAW, MINUTES, window));
            }
          });
      pause(1_000);
      servers.kill(2);
      pause(3_000);
      servers.startAgain(2);
      all.join();
      aggregating.join();
      Window hour = new Window(START, START + HOUR);
      long total = (long) clients * devices;
      for (int i = 0; i < 3; i++) {
        Window window = minute(i);
        assertThat(patiently(() -> store.aggregate(RAW, MINUTES, window))).isEqualTo(total);
      }
      assertThat(patiently(() -> store.aggregate(MINUTES, HOURS, hour))).isEqualTo(total);
      long watts = 180 * watts(total);
      assertThat(store.sums("raw", hour)).isEqualTo(new Sums(180 * total, watts));
      assertThat(store.sums("minute", hour)).isEqualTo(new Sums(3 * total, watts));
      assertThat(store.sums("hour", hour)).isEqualTo(new Sums(total, watts));
    }
  }

  /// A window that is aggregated between a late row's mark and the row itself must not be clean
  /// after that.
  @Test
  void noLateRowIsMissingOnceItsWindowIsClean() {
    int windows = 30;
    int devices = 12_000;
    Endpoint endpoint = KuduServers.shared().table("late.raw", Map.of());
    try (OnlineStore store = open(endpoint, Duration.ZERO)) {
      store.create();
      CompletableFuture<Void> writing =
          CompletableFuture.runAsync(
              () -> {
                try (RowWriter writer = store.writer()) {
                  for (int i = 0; i < windows; i++) {
                    long time = minute(i).start();
                    List<Dirty> mark = List.of(new Dirty("minute", time));
                    writer.write("raw", second(0, devices, time), mark);
                  }
                }
              },
              task -> new Thread(task).start());
      boolean last = false;
      while (!last) {
        last = writing.isDone();
        for (Dirty each : store.dirty()) {
          Window window = new Window(each.start(), each.start() + MINUTE);
          store.aggregate(RAW, MINUTES, window);
          store.clean(each);
        }
      }
      writing.join();
      assertThat(store.dirty()).isEmpty();
      Sums all = new Sums((long) windows * devices, windows * watts(devices));
      assertThat(store.sums("minute", new Window(START, START + HOUR))).isEqualTo(all);
    }
  }

  /// A write to a server that is down for a moment only takes longer.
  @Test
  void callsThatTheClientMakesAgainAreCounted() throws Exception {
    try (KuduServers servers = KuduServers.start(1);
        OnlineStore store = open(servers.table("again.raw", Map.of()), Duration.ZERO);
        Counters counters = ((HasCounters) store).counters()) {
      store.create();
      try (RowWriter writer = store.writer()) {
        writer.write("raw", second(0, 10, START), List.of());
        long before = counters.read().counts().getFirst().value();
        servers.kill(1);
        CompletableFuture<?> writing =
            CompletableFuture.runAsync(
                () -> writer.write("raw", second(0, 10, START + SECOND), List.of()));
        pause(2_000);
        servers.startAgain(1);
        writing.get(60, TimeUnit.SECONDS);
        assertThat(counters.read().counts().getFirst().value()).isGreaterThan(before);
      }
      assertThat(store.sums("raw", minute(0)).rows()).isEqualTo(20);
    }
  }

  /// Without replicas, a server that is started again has forgotten the scans that it was asked
  /// for: the aggregate fails, and may be made again.
  @Test
  void anAggregateWhoseOnlyServerIsKilledMayBeMadeAgain() {
    int devices = 20_000;
    try (KuduServers servers = KuduServers.start(1);
        OnlineStore store =
            open(servers.table("one.raw", Map.of("timeout", "5s")), Duration.ZERO)) {
      store.create();
      try (RowWriter writer = store.writer()) {
        for (int i = 0; i < 20; i++) {
          writer.write("raw", second(0, devices, START + i * SECOND), List.of());
        }
      }
      CompletableFuture<Void> aggregating =
          CompletableFuture.runAsync(() -> {
            for (int i = 0; i < 30; i++) {
              assertThat(patiently(() -> store.aggregate(RAW, MINUTES, minute(0))))
                  .isEqualTo(devices);
            }
          });
      for (int i = 0; i < 2; i++) {
        pause(700);
        servers.kill(1);
        servers.startAgain(1);
      }
      aggregating.join();
      Window minute = minute(0);
      assertThat(store.sums("minute", minute)).isEqualTo(new Sums(devices, 20 * watts(devices)));
    }
  }

  @Test
  void aScanThatAServerHasForgottenMayBeMadeAgain() {
    Status forgotten = Status.NotFound("Scanner 5f0a not found (it may have expired)");
    assertThat(KuduFaults.of(forgotten, "t", null)).isInstanceOf(Fault.Transient.class);
    Status gone = Status.NotFound("the table does not exist");
    assertThat(KuduFaults.of(gone, "t", null)).isInstanceOf(Fault.User.class);
  }

  @Test
  void whatCanNotBeHadIsRefusedBeforeAnythingIsMade() {
    Endpoint plain = KuduServers.shared().table("refused.raw", Map.of());
    assertThatThrownBy(() -> open(plain, Duration.ofMillis(1_500))).isInstanceOf(Fault.User.class);
    Endpoint cut = KuduServers.shared().table("refused.raw", Map.of("primary-key", "device_id"));
    assertThatThrownBy(() -> open(cut, Duration.ZERO))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("primary-key");
  }

  @Test
  void tablesThatWereNeverMadeAreAFault() {
    Endpoint endpoint = KuduServers.shared().table("never.raw", Map.of());
    try (OnlineStore store = open(endpoint, Duration.ZERO);
        RowWriter writer = store.writer()) {
      assertThatThrownBy(() -> writer.write("raw", second(0, 1, START), List.of()))
          .isInstanceOf(Fault.User.class)
          .hasMessageContaining("never.raw: there is no such table");
    }
  }
}
