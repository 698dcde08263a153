package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import millrace.engine.Run;
import millrace.fault.Fault;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What is left of a run that fails or is stopped in the middle: what its mode promises.
public interface InterruptedRunSuite extends Suite {

  int LANES = 2;

  /// Some 80 rows, so that a copy of some hundred has several splits.
  long SPLIT_BYTES = 2_400;

  long SEEDS = 6;

  /// How a run ends early.
  enum Ending {
    READ,
    WRITE,
    FINISH,
    COMPLETE,
    STOPPED
  }

  /// Each mode ends at each place. Append and truncate land otherwise with --atomic, so that they
  /// do so with it and without; the others have it every other time.
  static Stream<Arguments> endings() {
    return Stream.of(Mode.values())
        .flatMap(mode ->
            Stream.of(Ending.values())
                .flatMap(ending ->
                    Stream.of(false, true)
                        .filter(atomic -> landsOtherwise(mode) || atomic == isOdd(mode, ending))
                        .map(atomic -> Arguments.of(mode, ending, atomic))));
  }

  private static boolean landsOtherwise(Mode mode) {
    return mode == Mode.APPEND || mode == Mode.TRUNCATE;
  }

  private static boolean isOdd(Mode mode, Ending ending) {
    return (mode.name().length() + ending.name().length()) % 2 == 1;
  }

  /// The promise of a mode when a run fails or is stopped in the middle.
  @ParameterizedTest(name = "{0} that ends early at {1}, atomic {2}")
  @MethodSource("endings")
  default void aRunThatEndsEarlyLeavesWhatTheModePromises(
      Mode mode, Ending ending, boolean requested) {
    boolean atomic = requested && (landsOtherwise(mode) || can(Behaviour.ATOMIC));
    needs(mode, atomic);
    Endpoint table = table("ends_early");
    List<Row> before = mode == Mode.CREATE ? List.of() : items(0, 10);
    if (mode != Mode.CREATE) {
      write(ITEMS, before, table);
    }
    List<Row> rows = items(1_000, 1_000);
    Copying copying = copying(rows, table, mode).atomic(atomic);
    if (ending == Ending.STOPPED) {
      stopInTheMiddle(copying);
    } else {
      failInTheMiddle(copying, ending);
    }
    if (mode == Mode.CREATE) {
      assertAbsent(table);
    } else {
      checkPromise(mode, atomic, before, rows, read(ITEMS, table));
    }
    into(ITEMS, rows, table).mode(Mode.REPLACE).run();
    RowCheck.sameRows(ITEMS, rows, read(ITEMS, table));
  }

  static Stream<Arguments> seeds() {
    return Stream.of(Mode.values())
        .flatMap(mode -> LongStream.range(0, SEEDS).mapToObj(seed -> Arguments.of(mode, seed)));
  }

  /// Whatever goes wrong wherever: the rows are all there, or as the mode promises.
  @ParameterizedTest(name = "{0} with faults from seed {1}")
  @MethodSource("seeds")
  default void aRunWithFaultsMovesAllRowsOrKeepsThePromise(Mode mode, long seed) {
    boolean atomic = seed % 2 == 1;
    needs(mode, atomic);
    Endpoint table = table("faults");
    List<Row> before = mode == Mode.CREATE ? List.of() : items(0, 10);
    if (mode != Mode.CREATE) {
      write(ITEMS, before, table);
    }
    List<Row> rows = items(1_000, 1_000);
    Copying copying = copying(rows, table, mode).atomic(atomic).measuring();
    FaultPlan plan = FaultPlan.random(seed, 0.02, List.of(FaultPlan.Kind.values()).subList(0, 4));
    FaultyConnector from = new FaultyConnector(copying.source(), plan);
    FaultyConnector to = new FaultyConnector(copying.target(), plan);
    boolean failed = false;
    try {
      copying.from(from).to(to).run();
    } catch (Fault fault) {
      assertThat(fault).hasMessageStartingWith("injected into ");
      failed = true;
    }
    assertThat(failed).isEqualTo(anyFault(from) || anyFault(to));
    if (!failed) {
      boolean adds = mode == Mode.APPEND || mode == Mode.MERGE;
      RowCheck.sameRows(ITEMS, adds ? both(before, rows) : rows, read(ITEMS, table));
    } else if (mode == Mode.CREATE) {
      assertAbsent(table);
    } else {
      checkPromise(mode, atomic, before, rows, read(ITEMS, table));
    }
  }

  private static boolean anyFault(FaultyConnector connector) {
    return connector.injected().stream().anyMatch(one -> one.kind() != FaultPlan.Kind.DELAY);
  }

  private void checkPromise(
      Mode mode, boolean atomic, List<Row> before, List<Row> rows, List<Row> found) {
    boolean whole = mode == Mode.MERGE && can(Behaviour.MERGE_WHOLE);
    boolean asItWas = atomic || mode == Mode.REPLACE || whole;
    if (asItWas || found.equals(before)) {
      RowCheck.sameRows(ITEMS, before, found);
    } else if (mode == Mode.APPEND || mode == Mode.MERGE) {
      assertThat(found).containsAll(before);
      RowCheck.onlyRowsOf(ITEMS, both(before, rows), found);
    } else {
      RowCheck.onlyRowsOf(ITEMS, rows, found);
    }
  }

  private void failInTheMiddle(Copying copying, Ending ending) {
    FaultPlan.Site site = FaultPlan.Site.valueOf(ending.name());
    FaultPlan plan =
        FaultPlan.at(site, site == FaultPlan.Site.COMPLETE ? -1 : 4, 0, FaultPlan.Kind.EXTERNAL);
    FaultyConnector from = new FaultyConnector(copying.source(), plan);
    FaultyConnector to = new FaultyConnector(copying.target(), plan);
    assertThatThrownBy(() -> copying.from(from).to(to).run())
        .isInstanceOf(Fault.External.class)
        .hasMessageStartingWith("injected into " + site);
    assertThat(from.injected().size() + to.injected().size()).isEqualTo(1);
  }

  /// Cancels the run while one of its readers hangs.
  private void stopInTheMiddle(Copying copying) {
    FaultyConnector from =
        new FaultyConnector(
            copying.source(), FaultPlan.at(FaultPlan.Site.READ, 4, 1, FaultPlan.Kind.HANG));
    CompletableFuture<Run> running = new CompletableFuture<>();
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () -> copying.from(from).run(running::complete), Thread::startVirtualThread);
    waitForHang(from, ended);
    running.join().cancel("stopped by the test");
    assertThatThrownBy(ended::join)
        .isInstanceOf(CompletionException.class)
        .cause()
        .isInstanceOf(Fault.Cancelled.class)
        .hasMessage("stopped by the test");
  }

  @Test
  default void aRunWhoseTargetHangsCanBeStopped() {
    Endpoint table = tenRows("read_while_stopped");
    FaultyConnector to =
        new FaultyConnector(
            memory(), FaultPlan.at(FaultPlan.Site.WRITE, 0, 0, FaultPlan.Kind.HANG));
    Copying copying =
        Copying.of(connector(), table, to, memory().endpoint("never")).lanes(LANES, SPLIT_BYTES);
    CompletableFuture<Run> running = new CompletableFuture<>();
    CompletableFuture<Void> ended =
        CompletableFuture.runAsync(
            () -> copying.run(running::complete), Thread::startVirtualThread);
    waitForHang(to, ended);
    running.join().cancel("stopped by the test");
    assertThatThrownBy(ended::join).cause().isInstanceOf(Fault.Cancelled.class);
    assertThat(memory().table("never")).isEmpty();
  }

  /// Waits until the connector hangs; a run that ends before says why.
  private static void waitForHang(FaultyConnector connector, CompletableFuture<Void> run) {
    CompletableFuture.anyOf(connector.hangs(), run).join();
    assertThat(connector.hangs()).as("the run ended without hanging").isDone();
  }
}
