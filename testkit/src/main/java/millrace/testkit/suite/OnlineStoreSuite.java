package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.TimeZone;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.spi.online.Online;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore;
import millrace.spi.online.OnlineStore.Dirty;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import millrace.testkit.Row;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What every connector promises whose tables can be written on a schedule while windows of them
/// are aggregated.
///
/// A subclass names the connector and its tables, and says what it can't do. The suite uses nothing
/// but the contract, and the connector's own source to look at the rows.
public abstract class OnlineStoreSuite extends OnlineFixture {

  private static final String SIDE = RAW.table() + "_too_late";
  private static final int CLIENTS = 3;
  private static final int DEVICES = 20;
  private static final Duration HOURLY = Duration.ofHours(1);

  /// Within which a call ends that was under way when all were stopped.
  private static final int STOPS_SECONDS_MAX = 20;

  private Callable<Void> client(OnlineStore store, int client, long from, long to) {
    return () -> {
      try (RowWriter writer = store.writer()) {
        for (long time = from; time < to; time += SECOND) {
          write(writer, RAW.table(), readings(client * DEVICES, DEVICES, time));
        }
      }
      return null;
    };
  }

  private void writeByClients(OnlineStore store, long from, long to) throws Exception {
    List<Callable<Void>> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(client(store, i, from, to));
    }
    atOnce(clients);
  }

  private void aggregateUpwards(OnlineStore store, long from, long to) {
    aggregateAll(store, MINUTES, from, to);
    aggregateAll(store, HOURS, from, to);
    aggregateAll(store, DAYS, from, to);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void minutesHoursAndDaysAddUpExactlyWhatClientsWrote(boolean timeFirst) throws Exception {
    OnlineStore store = open(timeFirst, Duration.ZERO);
    store.create();
    long end = START + 3 * MINUTE;
    writeByClients(store, START, end);
    aggregateUpwards(store, START, end);
    for (Level level : LEVELS) {
      check(level.table());
      checkSums(store, level.table(), 0, START + DAY);
    }
  }

  @Test
  void aTableThatNoSuchRunHasMadeIsNotDropped() {
    Schema schema =
        new Schema(List.of(new Column("id", new Type.Int(32), false, null)), List.of("id"));
    copyInto(MINUTES.table(), schema, List.of(Row.of(1)));
    OnlineStore store = open(false, Duration.ZERO);
    assertThatThrownBy(store::create)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(MINUTES.table() + " that no online run has made");
    assertThat(read(MINUTES.table(), schema)).containsExactly(Row.of(1));
  }

  @Test
  void aRunThatWouldDropTheTablesOfAnotherIsRefusedUntilThatOneEnds() {
    needs(Behaviour.SHARED_STORE);
    OnlineStore first = open(false, Duration.ZERO);
    first.claim();
    first.create();
    write(first, RAW.table(), readings(0, DEVICES, START));
    OnlineStore second = open(false, Duration.ZERO);
    assertThatThrownBy(second::claim)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("another online run works with")
        .hasMessageContaining(" since ");
    check(RAW.table());
    first.close();
    second.claim();
    second.create();
    assertThat(second.sums(RAW.table(), new Window(0, START + DAY))).isEqualTo(new Sums(0, 0));
  }

  /// The runs of a search share what was filled in before the first: the next one sees nothing that
  /// one before it has left, and no device that it does not have.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theNextRunOfASearchFindsThePastOfItsDevicesAndNothingElse(boolean timeFirst)
      throws Exception {
    int kept = 1_050;
    long minute = START - MINUTE;
    long hour = window(HOURS, START).start() - HOUR;
    OnlineStore first = open(timeFirst, can(Behaviour.RANGE_PARTITIONS) ? HOURLY : Duration.ZERO);
    first.create();
    first.addPartitions(new Window(START, START + HOUR));
    write(first, MINUTES.table(), readings(0, kept, minute));
    write(first, HOURS.table(), readings(0, kept, hour));
    try (RowWriter writer = first.writer()) {
      writer.write(MINUTES.table(), readings(kept, 1_200, minute), List.of());
      writer.write(HOURS.table(), readings(kept, 1_200, hour), List.of());
      Dirty mark = new Dirty("minute", START);
      writer.write(RAW.table(), readings(0, DEVICES, START + SECOND), List.of(mark));
      writer.write(SIDE, readings(0, DEVICES, START - DAY), List.of());
    }
    for (Level level : LEVELS.subList(1, LEVELS.size())) {
      first.aggregate(below(level), level, window(level, START));
    }
    first.close();
    OnlineStore next = open(timeFirst, can(Behaviour.RANGE_PARTITIONS) ? HOURLY : Duration.ZERO);
    next.restore(START, kept);
    for (Level level : LEVELS) {
      check(level.table());
    }
    check(SIDE);
    assertThat(next.dirty()).isEmpty();
    if (can(Behaviour.RANGE_PARTITIONS)) {
      assertThat(next.addPartitions(new Window(START, START + HOUR))).hasSize(2);
    }
    writeByClients(next, START, START + 5 * SECOND);
    aggregateUpwards(next, START, START + 5 * SECOND);
    for (Level level : LEVELS) {
      check(level.table());
    }
  }

  @Test
  void theTableThatAnEndpointNamesIsKnown() {
    Online online = Objects.requireNonNull(connector().capability(Online.class));
    assertThat(online.tableName(table(RAW.table()))).isEqualTo(RAW.table());
  }

  @Test
  void aWindowWithoutRowsGivesNone() {
    OnlineStore store = made();
    aggregate(store, MINUTES, START);
    assertThat(store.sums(MINUTES.table(), new Window(0, START + DAY))).isEqualTo(new Sums(0, 0));
  }

  @Test
  void rowsThatAreOnlyEncodedAreNotKept() {
    OnlineStore store = made();
    try (RowWriter encoder = store.encoder()) {
      encoder.write(RAW.table(), readings(0, DEVICES, START), List.of());
      encoder.write(RAW.table(), readings(0, DEVICES, START + SECOND), List.of());
      write(store, RAW.table(), readings(0, DEVICES, START));
      encoder.write(RAW.table(), readings(0, 0, START), List.of());
    }
    assertThat(store.sums(RAW.table(), new Window(0, START + DAY)).rows()).isEqualTo(DEVICES);
    check(RAW.table());
  }

  @Test
  void aWriteThatIsMadeAgainDoesNotDouble() {
    needs(Behaviour.IGNORED_REPEATS);
    OnlineStore store = made();
    Readings rows = readings(0, DEVICES, START);
    write(store, RAW.table(), rows);
    write(store, RAW.table(), rows);
    write(store, RAW.table(), reading(3, START, 5));
    write(store, SIDE, rows);
    write(store, SIDE, rows);
    check(RAW.table());
    check(SIDE);
  }

  @Test
  void readingsOfOneLengthAndOfAnotherAreAllWritten() {
    OnlineStore store = made();
    Readings rows = new Readings(5001);
    try (RowWriter writer = store.writer()) {
      for (int count : new int[] {0, 5000, 1, 4999, 5001}) {
        rows.clear();
        for (int i = 0; i < count; i++) {
          rows.add(i, START + count * SECOND + i % 2, 10_000L * count - i);
        }
        write(writer, RAW.table(), rows);
      }
    }
    check(RAW.table());
  }

  /// Totals would agree: what one device has too much, another has too little.
  @Test
  void wattsThatMovedFromOneDeviceToAnotherAreFound() {
    OnlineStore store = made();
    write(store, RAW.table(), readings(0, DEVICES, START));
    write(store, RAW.table(), readings(0, DEVICES, START + SECOND));
    Window minute = window(MINUTES, START);
    assertThat(store.differing(RAW, MINUTES, minute)).as("none is there yet").isEqualTo(DEVICES);
    aggregate(store, MINUTES, START);
    assertThat(store.differing(RAW, MINUTES, minute)).isZero();
    assertThat(store.differing(RAW, MINUTES, window(MINUTES, START + MINUTE))).isZero();

    write(store, RAW.table(), reading(0, START + MINUTE, 100));
    write(store, RAW.table(), reading(1, START + MINUTE, 100));
    write(store, RAW.table(), reading(2, START + MINUTE, 7));
    write(store, MINUTES.table(), reading(0, START + MINUTE, 105));
    write(store, MINUTES.table(), reading(1, START + MINUTE, 95));
    Window next = window(MINUTES, START + MINUTE);
    assertThat(store.differing(RAW, MINUTES, next)).as("two moved, one missing").isEqualTo(3);
    write(store, MINUTES.table(), reading(3, START + MINUTE, 7));
    assertThat(store.differing(RAW, MINUTES, next)).as("and one too many").isEqualTo(4);
    aggregate(store, MINUTES, START + MINUTE);
    assertThat(store.differing(RAW, MINUTES, next)).as("one is still too many").isEqualTo(1);
    assertThat(store.differing(RAW, MINUTES, minute)).isZero();
  }

  @Test
  void aWindowThatIsAggregatedAgainIsReplaced() {
    OnlineStore store = made();
    write(store, RAW.table(), readings(0, DEVICES, START));
    aggregate(store, MINUTES, START);
    aggregate(store, MINUTES, START);
    write(store, RAW.table(), readings(5, DEVICES, START + 7 * SECOND));
    aggregate(store, MINUTES, START);
    aggregate(store, HOURS, START);
    check(MINUTES.table());
    check(HOURS.table());
  }

  @Test
  void aSumThatDoesNotFitIsAFaultAndNotRounded() {
    OnlineStore store = made();
    write(store, RAW.table(), reading(1, START, Long.MAX_VALUE - 5));
    write(store, RAW.table(), reading(1, START + SECOND, 5));
    aggregate(store, MINUTES, START);
    check(MINUTES.table());
    write(store, RAW.table(), reading(1, START + 2 * SECOND, 1));
    Window window = window(MINUTES, START);
    List<ThrowingCallable> calls =
        List.of(() -> store.aggregate(RAW, MINUTES, window), () -> store.sums(RAW.table(), window));
    for (ThrowingCallable call : calls) {
      assertThatThrownBy(call)
          .isInstanceOf(Fault.class)
          .isNotInstanceOf(Fault.Bug.class)
          .satisfies(e ->
              assertThat(Throwables.getStackTrace(e))
                  .containsPattern("(?i)out of range|overflow|beyond what"));
    }
    check(MINUTES.table());
  }

  @Test
  void marksAreThereWithTheirRowsAndCanBeTakenAway() {
    OnlineStore store = made();
    assertThat(store.dirty()).isEmpty();
    Dirty minute = new Dirty("minute", START);
    Dirty hour = new Dirty("hour", window(HOURS, START).start());
    Dirty later = new Dirty("minute", START + MINUTE);
    write(store, RAW.table(), readings(0, DEVICES, START), minute, hour);
    write(store, RAW.table(), readings(0, DEVICES, START + SECOND), hour, minute, minute);
    write(store, RAW.table(), readings(0, DEVICES, START + MINUTE), later);
    OnlineStore another = open(false, Duration.ZERO);
    assertThat(another.dirty()).containsExactlyInAnyOrder(minute, hour, later);
    store.clean(minute);
    store.clean(minute);
    assertThat(another.dirty()).containsExactlyInAnyOrder(hour, later);
    another.clean(hour);
    another.clean(later);
    assertThat(store.dirty()).isEmpty();
    write(store, RAW.table(), readings(0, DEVICES, START + 2 * SECOND), minute);
    assertThat(store.dirty()).containsExactly(minute);
    check(RAW.table());
  }

  @Test
  void aMarkThatIsMadeAfterItsWindowWasAggregatedIsKept() {
    OnlineStore store = made();
    Dirty minute = new Dirty("minute", START);
    write(store, RAW.table(), readings(0, DEVICES, START), minute);
    assertThat(store.dirty()).containsExactly(minute);
    aggregate(store, MINUTES, START);
    write(store, RAW.table(), readings(0, DEVICES, START + SECOND), minute);
    store.clean(minute);
    assertThat(store.dirty()).containsExactly(minute);
    aggregate(store, MINUTES, START);
    store.clean(minute);
    assertThat(store.dirty()).isEmpty();
    check(MINUTES.table());
  }

  @Test
  void rowsThatAreTooLateHaveATableOfTheirOwn() {
    OnlineStore store = made();
    write(store, RAW.table(), readings(0, DEVICES, START));
    write(store, SIDE, readings(0, 2, START - DAY));
    aggregate(store, DAYS, START);
    check(RAW.table());
    check(SIDE);
    checkSums(store, SIDE, START - DAY, START);
  }

  @Test
  void aSpanHasItsFirstMicrosecondAndNotTheNextSpans() {
    OnlineStore store = made();
    for (long time : new long[] {START - 1, START, START + MINUTE - 1, START + MINUTE}) {
      write(store, RAW.table(), reading(1, time, LARGE + time % 1000));
    }
    checkSums(store, RAW.table(), START, START + MINUTE);
    checkSums(store, RAW.table(), START - 1, START);
    checkSums(store, RAW.table(), START + MINUTE, START + 2 * MINUTE);
    aggregate(store, MINUTES, START - 1);
    aggregate(store, MINUTES, START);
    aggregate(store, MINUTES, START + MINUTE);
    check(MINUTES.table());
  }

  @Test
  void partitionsAreMadeOnceAndReportedOnce() {
    if (!can(Behaviour.RANGE_PARTITIONS)) {
      assertThatThrownBy(() -> open(false, HOURLY)).isInstanceOf(Fault.User.class);
      return;
    }
    OnlineStore store = open(false, HOURLY);
    store.create();
    long hour = window(HOURS, START).start();
    Window span = new Window(START, START + HOUR);
    assertThat(store.addPartitions(span)).containsExactlyInAnyOrder(hour, hour + HOUR);
    assertThat(store.addPartitions(span)).isEmpty();
    assertThat(store.addPartitions(new Window(hour, hour + HOUR))).isEmpty();
    OnlineStore another = open(false, HOURLY);
    assertThat(another.addPartitions(new Window(hour, hour + 2 * HOUR + 1)))
        .containsExactly(hour + 2 * HOUR);
    for (long time : new long[] {hour, hour + HOUR - 1, hour + HOUR, hour + 3 * HOUR - 1}) {
      write(store, RAW.table(), readings(0, DEVICES, time));
      aggregate(store, MINUTES, time);
    }
    check(RAW.table());
    check(MINUTES.table());
  }

  @Test
  void partitionsAreMadeWhileRowsAreWrittenAndByTwoAtOnce() throws Exception {
    needs(Behaviour.RANGE_PARTITIONS);
    OnlineStore store = open(true, HOURLY);
    store.create();
    store.addPartitions(new Window(START, START + 1));
    List<Long> made = Collections.synchronizedList(new ArrayList<>());
    Callable<Void> adds =
        () -> {
          made.addAll(store.addPartitions(new Window(START, START + 3 * HOUR)));
          return null;
        };
    atOnce(List.of(client(store, 0, START, START + MINUTE), adds, adds));
    assertThat(made).hasSize(3).doesNotHaveDuplicates();
    check(RAW.table());
  }

  @Test
  void partitionsOfATableThatWasMadeAgainAreNew() {
    needs(Behaviour.RANGE_PARTITIONS);
    OnlineStore store = open(false, HOURLY);
    store.create();
    store.addPartitions(new Window(START, START + 1));
    store.create();
    assertThat(store.addPartitions(new Window(START, START + 1))).hasSize(1);
    write(store, RAW.table(), readings(0, DEVICES, START));
    check(RAW.table());
  }

  @Test
  void probesCountTheRowsOfADeviceAndOfAnInstant() {
    OnlineStore store = made();
    int devices = Readings.DEVICES_PER_FLOOR * Readings.FLOORS_PER_BUILDING + 150;
    for (int second = 0; second < 3; second++) {
      write(store, RAW.table(), readings(0, devices, START + second * SECOND));
    }
    Window day = window(DAYS, START);
    for (long device : new long[] {0, 99, 100, 999, 1000, devices - 1}) {
      assertThat(store.probe(RAW, device, day)).isEqualTo(3);
    }
    assertThat(store.probe(RAW, devices, day)).isZero();
    assertThat(store.probe(RAW, 5, new Window(START, START + 1))).isEqualTo(1);
    assertThat(store.probe(RAW, -1, new Window(START, START + 1))).isEqualTo(devices);
    assertThat(store.probe(RAW, -1, new Window(START + 1, START + SECOND))).isZero();
    aggregate(store, MINUTES, START);
    assertThat(store.probe(MINUTES, 1000, day)).isEqualTo(1);
    assertThat(store.probe(MINUTES, -1, window(MINUTES, START))).isEqualTo(devices);
  }

  @Test
  void tablesThatAreMadeAgainAreEmpty() {
    OnlineStore store = made();
    write(store, RAW.table(), readings(0, DEVICES, START), new Dirty("minute", START));
    write(store, SIDE, readings(0, DEVICES, START));
    aggregateUpwards(store, START, START + 1);
    made();
    for (String table : List.of(RAW.table(), MINUTES.table(), HOURS.table(), DAYS.table(), SIDE)) {
      assertThat(store.sums(table, new Window(0, START + DAY))).isEqualTo(new Sums(0, 0));
    }
    assertThat(store.dirty()).isEmpty();
    write(store, RAW.table(), readings(0, DEVICES, START));
    assertThat(store.sums(RAW.table(), new Window(0, START + DAY)).rows()).isEqualTo(DEVICES);
  }

  @Test
  void windowsAreAggregatedWhileRowsArriveAndMarksAreMade() throws Exception {
    OnlineStore store = made();
    writeByClients(store, START, START + MINUTE);
    List<Callable<Void>> all = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      all.add(client(store, i, START + MINUTE, START + 2 * MINUTE));
    }
    for (Level level : List.of(MINUTES, HOURS)) {
      all.add(() -> {
        for (int i = 0; i < 20; i++) {
          store.aggregate(below(level), level, window(level, START));
        }
        return null;
      });
    }
    all.add(() -> {
      try (RowWriter writer = store.writer()) {
        for (int i = 0; i < 20; i++) {
          writer.write(SIDE, reading(i, START, i), List.of(new Dirty("minute", START)));
          store.dirty().forEach(store::clean);
        }
      }
      return null;
    });
    atOnce(all);
    aggregateUpwards(store, START, START + 2 * MINUTE);
    for (Level level : LEVELS) {
      check(level.table());
    }
  }

  @Test
  void aCancelEndsWhatIsUnderWayAndRefusesWhatFollows() throws Exception {
    OnlineStore store = made();
    Readings rows = new Readings(20_000);
    for (int second = 0; second < 10; second++) {
      rows.clear();
      for (int i = 0; i < rows.capacity(); i++) {
        rows.add(i, START + second * SECOND, i);
      }
      write(store, RAW.table(), rows);
    }
    RowWriter open = store.writer();
    write(open, RAW.table(), reading(1, START + MINUTE, 1));
    CountDownLatch resumes = new CountDownLatch(2);
    try (ExecutorService thread = Executors.newSingleThreadExecutor()) {
      Future<?> aggregates =
          thread.submit(() -> {
            while (true) {
              store.aggregate(RAW, MINUTES, window(MINUTES, START));
              resumes.countDown();
            }
          });
      assertThat(resumes.await(STOPS_SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
      store.cancel();
      Throwable thrown = catchThrowable(() -> aggregates.get(STOPS_SECONDS_MAX, TimeUnit.SECONDS));
      assertThat(thrown).hasCauseInstanceOf(Fault.Cancelled.class);
    }
    Window span = new Window(START, START + 1);
    assertThatThrownBy(() -> store.sums(RAW.table(), span)).isInstanceOf(Fault.Cancelled.class);
    Readings one = reading(1, START + MINUTE, 1);
    for (RowWriter writer : List.of(open, store.writer())) {
      assertThatThrownBy(() -> writer.write(RAW.table(), one, List.of()))
          .isInstanceOf(Fault.Cancelled.class);
      writer.close();
    }
  }

  /// Half past two on that day is an hour that Berlin did not have, and two on another that New
  /// York did not.
  @ParameterizedTest
  @ValueSource(strings = {"Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"})
  void timesAreTheSameWhateverTheZoneOfTheProcess(String zone) {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      OnlineStore store = made();
      for (String time :
          List.of("2019-03-31T02:30:00.000001", "2019-03-10T02:59:59.999999", "1969-12-31T23:59")) {
        long at = micros(time);
        write(store, RAW.table(), readings(0, 2, at), new Dirty("day", window(DAYS, at).start()));
        aggregateUpwards(store, at, at + 1);
        checkSums(store, RAW.table(), at, at + 1);
        assertThat(store.dirty()).contains(new Dirty("day", window(DAYS, at).start()));
      }
      for (Level level : LEVELS) {
        check(level.table());
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }
}
