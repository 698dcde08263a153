package millrace.online.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.online.Jobs;
import millrace.online.MemoryStore;
import millrace.online.job.OnlineJob;
import millrace.online.load.Schedule;
import millrace.online.load.SentSums;
import millrace.online.load.WriteListener.Times;
import millrace.online.load.WriteListener.Write;
import millrace.online.report.OnlineReport.Sum;
import millrace.spi.online.OnlineLayout.Level;
import millrace.spi.online.OnlineStore.RowWriter;
import millrace.spi.online.OnlineStore.Sums;
import millrace.spi.online.Readings;
import millrace.spi.online.Window;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Sums agree exactly if every table holds what was sent: one row more or less is told, and where.
final class ReconciliationTest {

  private static final String RAW = "load_per_sec";
  private static final String SIDE = "load_per_sec_too_late";
  private static final String SMALL = "load_per_sec_small";
  private static final String MIDDLE = "load_per_sec_middle";
  private static final String LARGE = "load_per_sec_large";
  private static final long SECOND = 1_000_000;
  private static final int DEVICES = 6;
  private static final int SECONDS = 7;

  /// Two rows of device 0 came too late.
  private static final int ASIDE = 2;

  private static final long WATTS = 100;

  /// What the level in the middle held before.
  private static final long GIVEN = 5_000;

  private final MemoryStore store = new MemoryStore();
  private final RunMeter meter = new RunMeter(1, _ -> 0);
  private final SentSums sent;
  private final OnlineJob job = Jobs.of("rows: 10\nclients: 1\nduration: 7s", "");

  /// Fills all tables as a run would that loses nothing.
  ReconciliationTest() {
    store.create();
    sent = SentSums.of(job, Schedule.starting(0, job.load().clock(), SECONDS));
    for (int second = 0; second < SECONDS; second++) {
      for (int device = 0; device < DEVICES; device++) {
        boolean isLate = device == 0 && second < ASIDE;
        add(isLate ? SIDE : RAW, device, second, WATTS);
        if (!isLate) {
          sent.add(row(device, second, WATTS));
        }
      }
    }
    meter.wrote(
        new Write(
            0, 0, DEVICES * SECONDS, ASIDE, ASIDE, DEVICES * SECONDS * WATTS, new Times(0, 1)));
    add(MIDDLE, 1, -4, GIVEN);
    aggregate();
  }

  private void aggregate() {
    List<Level> levels = job.layout().levels();
    for (int i = 1; i < levels.size(); i++) {
      long width = levels.get(i).window().toNanos() / 1_000;
      for (long at = Jobs.START - 8 * SECOND; at < Jobs.START + 8 * SECOND; at += width) {
        store.aggregate(levels.get(i - 1), levels.get(i), new Window(at, at + width));
      }
    }
  }

  private static Readings row(long device, long second, long watts) {
    Readings row = new Readings(1);
    row.add(device, Jobs.START + second * SECOND, watts);
    return row;
  }

  private void add(String table, long device, long second, long watts) {
    try (RowWriter writer = store.writer()) {
      writer.write(table, row(device, second, watts), List.of());
    }
  }

  private List<Sum> sums() {
    Sums none = new Sums(0, 0);
    return new Reconciliation(
            job, store, List.of(none, none, new Sums(1, GIVEN), none), sent, () -> false)
        .sums(meter);
  }

  private static List<String> differing(List<Sum> sums) {
    return sums.stream().filter(sum -> !sum.agrees()).map(Sum::place).toList();
  }

  @Test
  void allAgreesIfEveryRowIsThereOnce() {
    long sent = DEVICES * SECONDS * WATTS;
    long raw = sent - ASIDE * WATTS;
    assertThat(sums())
        .containsExactly(
            new Sum("sent", DEVICES * SECONDS, sent, true),
            new Sum("raw", DEVICES * SECONDS - ASIDE, raw, true),
            new Sum("too late", ASIDE, ASIDE * WATTS, true),
            new Sum("small", 5 * 4 + 3, raw, true),
            new Sum("middle", 6 * 2 + 1, raw + GIVEN, GIVEN, 0, true),
            new Sum("large", 6 + 1, raw + GIVEN, true));
  }

  /// One more row of one device, in each table in turn, and one whose number is wrong.
  static Stream<Arguments> surplus() {
    return Stream.of(
        Arguments.of("a row twice", RAW, 99, 1, "raw"),
        Arguments.of("a row without load", RAW, 99, 0, "raw"),
        Arguments.of("a late row twice", SIDE, 99, 1, "too late"),
        Arguments.of("a late row without load", SIDE, 99, 0, "too late"),
        Arguments.of("a window twice", SMALL, 99, 1, "small"),
        Arguments.of("a window of the middle twice", MIDDLE, 99, 1, "middle"),
        Arguments.of("a window of the top twice", LARGE, 99, 1, "large"),
        Arguments.of("a window too low", LARGE, 99, -1, "large"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("surplus")
  void whatIsThereBesideIsTold(String what, String table, long device, long watts, String where) {
    add(table, device, 0, watts);
    List<Sum> sums = sums();
    assertThat(differing(sums)).as(what).containsExactly(where);
    assertThat(sums)
        .filteredOn(sum -> !sum.agrees())
        .extracting(Sum::differing)
        .as("rows")
        .containsExactly(1L);
  }

  /// Nothing is compared device by device there, so the sums alone tell it. The levels above are
  /// what they were.
  @ParameterizedTest
  @CsvSource({
    RAW + ", -1000, 1, raw",
    RAW + ", 1000, 0, raw",
    SIDE + ", 1000, 1, too late",
    SMALL + ", -1000, 1, small",
    SMALL + ", 1000, 100, small",
    MIDDLE + ", -1000, 5000, middle",
    MIDDLE + ", 100000, -1, middle",
    LARGE + ", -1000, 1, large",
    LARGE + ", 100000, 1, large",
    LARGE + ", -100000000, -100, large"
  })
  void aSumThatIsWrongOutsideOfTheTimeOfTheRunIsTold(
      String table, long second, long watts, String where) {
    add(table, 3, second, watts);
    assertThat(differing(sums())).containsExactly(where);
  }

  /// The minutes are what they were, and were right.
  @Test
  void rowsThatAreDeletedAreMissingWhereTheyWere() {
    store.delete(RAW, 3, Jobs.START, Jobs.START + 5 * SECOND);
    List<Sum> sums = sums();
    assertThat(differing(sums)).containsExactly("raw");
    assertThat(sums.get(1).differing()).as("rows, not devices").isEqualTo(5);
  }

  @Test
  void aWindowThatIsDeletedIsMissingFromItsLevelAlone() {
    store.delete(MIDDLE, 3, Jobs.START, Jobs.START + SECOND);
    assertThat(differing(sums())).containsExactly("middle");
    store.delete(SMALL, 2, Jobs.START, Jobs.START + SECOND);
    store.delete(RAW, 1, Jobs.START, Jobs.START + SECOND);
    assertThat(differing(sums())).containsExactly("raw", "small", "middle");
  }

  /// Takes rows from what arrived, or from what was sent.
  static Stream<Arguments> other() {
    Consumer<RunMeter> more = meter -> meter.wrote(write(1, 0, WATTS));
    Consumer<RunMeter> moreAside = meter -> meter.wrote(write(1, 1, WATTS));
    Consumer<RunMeter> asideInstead = meter -> meter.wrote(write(0, 1, 0));
    Consumer<RunMeter> watts = meter -> meter.wrote(write(0, 0, 1));
    return Stream.of(
        Arguments.of("a row is missing", more, List.of("raw")),
        Arguments.of("a late row is missing", moreAside, List.of("too late")),
        Arguments.of("a late row is among the others", asideInstead, List.of("raw", "too late")),
        Arguments.of("the load of a late row is wrong", watts, List.of("too late")));
  }

  private static Write write(long rows, long tooLate, long watts) {
    return new Write(0, 1, rows, 0, tooLate, watts, new Times(0, 1));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("other")
  void whatIsMissingIsTold(String what, Consumer<RunMeter> told, List<String> where) {
    told.accept(meter);
    assertThat(differing(sums())).as(what).isEqualTo(where);
  }

  @Test
  void aRowThatWasInTimeAndWentAsideIsTold() {
    add(SIDE, 9, 0, WATTS);
    meter.wrote(write(1, 0, WATTS));
    assertThat(differing(sums())).containsExactly("raw", "too late");
  }

  /// As seen: 5 W moved between two devices of a table, and all totals agreed.
  @Test
  void wattsThatMovedBetweenTwoDevicesAreTold() {
    store.move(SMALL, Jobs.START, 2, 3, 5);
    List<Sum> sums = sums();
    assertThat(differing(sums)).containsExactly("small");
    assertThat(sums)
        .filteredOn(sum -> sum.place().equals("small"))
        .hasSize(1)
        .allMatch(
            sum -> sum.differing() == 2 && sum.sum() == DEVICES * SECONDS * WATTS - ASIDE * WATTS);
  }

  /// Before anybody added them up, so that all levels above agree.
  @Test
  void wattsThatMovedBetweenTwoDevicesOfWhatArrivedAreTold() {
    store.move(RAW, Jobs.START, 2, 3, 5);
    aggregate();
    List<Sum> sums = sums();
    assertThat(differing(sums)).containsExactly("raw");
    assertThat(sums)
        .filteredOn(sum -> sum.place().equals("raw"))
        .hasSize(1)
        .allMatch(sum -> sum.differing() == 2);
  }

  @Test
  void aLevelThatLacksAWindowIsTold() {
    add(RAW, 9, 0, WATTS);
    sent.add(row(9, 0, WATTS));
    meter.wrote(write(1, 0, WATTS));
    assertThat(differing(sums())).containsExactly("small");
  }
}
