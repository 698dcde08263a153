package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.data.Schema;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.network.FaultyProxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What copies with --resume do if connections end, answers are lost or a server goes silent: their
/// rows are there once.
public interface ConnectionFaultSuite extends JournaledSuite {

  RetryPolicy SHORT = RetryPolicy.of(Duration.ZERO, Duration.ofSeconds(1));

  /// From the first answer to the last.
  int SILENT_MOMENTS = 10;

  /// More than any copy of these tests gets.
  int ANSWERS_MAX = 1_000_000;

  /// So many of an end's statements come behind the first that is tried: the last of them make rows
  /// appear.
  long AWAY_AFTER = 6;

  /// A table that is made is always among them: nothing of it can be told from somebody else's.
  static Stream<Way> waysOfEnds(TestInfo test) {
    return Stream.concat(Stream.of(new Way(Mode.CREATE, false)), JournaledSuite.someWays(test))
        .distinct();
  }

  /// After each statement of the end, whether it makes a table, changes a name, or is the last
  /// commit.
  @ParameterizedTest
  @MethodSource("waysOfEnds")
  default void rowsAreThereOnceWhicheverStatementOfTheEndIsTheLast(Way way) {
    needs(way);
    Set<Seen> seen = EnumSet.noneOf(Seen.class);
    try (Deaths deaths = deaths()) {
      long statements = statements(deaths, way);
      for (long last = 1; last <= statements; last++) {
        String name = "ends_" + last;
        List<Row> before = before(table(name), way);
        ResumableCopy copy = copy(rows(1_000, ROWS), deaths.through(table(name)), way).measuring();
        dieAfter(deaths, copy, last);
        seen.add(copy.run().completeSince().isEmpty() ? Seen.UNFINISHED : Seen.COMPLETE);
        assertHolds(both(before, rows(1_000, ROWS)), name, copy);
        assertNothingToDo(copy);
      }
    }
    assertThat(seen).contains(Seen.COMPLETE);
  }

  /// After one of the last statements the server is away for a moment: the copy asks until it is
  /// back, and finds out how far it had come.
  @ParameterizedTest
  @MethodSource("waysOfEnds")
  default void rowsAreThereOnceIfTheServerIsAwayForAMomentAtTheEnd(Way way) {
    needs(way);
    needs(Behaviour.SERVER);
    try (ProxyDeaths deaths = new ProxyDeaths(this)) {
      long statements = statements(deaths, way);
      for (long last = Math.max(1, statements - AWAY_AFTER); last <= statements; last++) {
        String name = "away_" + last;
        List<Row> before = before(table(name), way);
        long first = last;
        AtomicBoolean isArmed = new AtomicBoolean();
        ResumableCopy copy =
            copy(rows(1_000, ROWS), deaths.through(table(name)), way)
                .measuring()
                .patience(SOON)
                .beforeTheEnd(() -> {
                  if (isArmed.compareAndSet(false, true)) {
                    deaths.awayAfter(first);
                  }
                });
        try {
          copy.run();
        } catch (Fault.Transient e) {
          // Not each end can be asked for again: the same command goes on.
          deaths.revive();
          copy.run();
        }
        deaths.revive();
        assertHolds(both(before, rows(1_000, ROWS)), name, copy);
      }
    }
  }

  /// The rows are there, and nobody was told: of the first commits, of one among them, and of the
  /// one that ends the copy. Behind that one, nothing that the copy has made is left either.
  @ParameterizedTest
  @MethodSource("ways")
  default void rowsAreThereOnceIfTheAnswerToTheirCommitIsLost(Way way) {
    needs(way);
    needs(Behaviour.SERVER);
    needs(Behaviour.LOST_ANSWERS);
    try (FaultyProxy proxy = proxy()) {
      before(table("peace"), way);
      ResumableCopy peace = copy(rows(1_000, ROWS), through(proxy, table("peace")), way);
      loseAnswers(proxy, ANSWERS_MAX, 1);
      peace.run();
      int all = ANSWERS_MAX - proxy.answersBeforeLoss();
      assertThat(all).as("answers to commits").isPositive();
      losing(proxy, "first", way, copy -> losingFrom(copy, proxy, 0, Math.min(4, all)));
      losing(proxy, "middle", way, copy -> losingFrom(copy, proxy, all / 2, 1));
      AtomicBoolean isArmed = new AtomicBoolean();
      Runnable once =
          () -> {
            if (isArmed.compareAndSet(false, true)) {
              loseAnswerAtTheEnd(proxy);
            }
          };
      losing(proxy, "last", way, copy -> copy.beforeTheEnd(once));
    }
  }

  private ResumableCopy losingFrom(ResumableCopy copy, FaultyProxy proxy, int answers, int times) {
    loseAnswers(proxy, answers, times);
    return copy;
  }

  private void losing(
      FaultyProxy proxy, String name, Way way, UnaryOperator<ResumableCopy> arming) {
    List<Row> before = before(table(name), way);
    ResumableCopy copy = copy(rows(1_000, ROWS), through(proxy, table(name)), way);
    Ran run = arming.apply(copy).patience(SOON).run();
    assertThat(proxy.hasLostAnswers()).as("answers were lost: " + name).isTrue();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertHolds(both(before, rows(1_000, ROWS)), name, copy);
  }

  /// What is seen once the connections have ended.
  enum Seen {
    UNFINISHED,
    COMPLETE
  }

  /// Whatever it waits for then, opened, planned, begun, at work or at its end, the run ends, and
  /// the same command goes on.
  @Test
  default void aCopyIntoAServerThatGoesSilentEnds() {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    List<Row> before = before(table("peace"), way);
    Function<Silenced, ResumableCopy> copying =
        silenced -> copy(rows(1_000, ROWS), through(silenced.proxy(), table(silenced.name())), way);
    for (Silenced silenced : silenced(name -> before(table(name), way), copying)) {
      silenced.proxy().recover();
      copying.apply(silenced).run();
      assertHolds(both(before, rows(1_000, ROWS)), silenced.name(), copying.apply(silenced));
      silenced.proxy().close();
    }
  }

  @Test
  default void aCopyFromAServerThatGoesSilentEnds() {
    Consumer<String> filling =
        name -> {
          write(schema(), rows(0, ROWS), table(name));
          memory().put(name, Schema.of(schema().columns()), List.of());
        };
    filling.accept("peace");
    silenced(
            filling,
            silenced ->
                ResumableCopy.of(
                        Copying.of(
                                connector(),
                                through(silenced.proxy(), table(silenced.name())),
                                memory(),
                                memory().endpoint(silenced.name()))
                            .mode(Mode.APPEND)
                            .select(schema().names())
                            .lanes(LANES, SPLIT_BYTES),
                        BATCH_ROWS)
                    .unrequested())
        .forEach(silenced -> silenced.proxy().close());
  }

  /// A copy whose server goes silent at some moment.
  record Silenced(String name, FaultyProxy proxy) {}

  /// Lets some copies run until they end, each with a server that goes silent at another moment.
  ///
  /// @param filling makes the table of each ready; "peace" is
  private List<Silenced> silenced(
      Consumer<String> filling, Function<Silenced, ResumableCopy> copying) {
    needs(Behaviour.SILENT_SERVER);
    long answers;
    try (FaultyProxy proxy = proxy()) {
      copying.apply(new Silenced("peace", proxy)).measuring().run();
      answers = proxy.answers();
    }
    Map<Silenced, ResumableCopy> all = new LinkedHashMap<>();
    for (int i = 0; i < SILENT_MOMENTS; i++) {
      Silenced silenced = new Silenced("silent_" + i, proxy());
      filling.accept(silenced.name());
      all.put(silenced, copying.apply(silenced).measuring().patience(SHORT));
      silenced.proxy().afterAnswers(1 + answers * i / SILENT_MOMENTS, silenced.proxy()::silence);
    }
    List<CompletableFuture<Void>> runs = new ArrayList<>();
    all.forEach((silenced, copy) ->
        runs.add(
            CompletableFuture.runAsync(
                () -> untilItEnds(copy),
                run -> Thread.ofPlatform().name(silenced.name()).start(run))));
    runs.forEach(CompletableFuture::join);
    return List.copyOf(all.keySet());
  }

  private static void untilItEnds(ResumableCopy copy) {
    try {
      copy.run();
    } catch (Fault e) {
      // Nobody can tell what became of it: the next run sees to it.
      assertThat(e.getMessage()).isNotEmpty();
    }
  }

  /// How many statements an end has.
  private long statements(Deaths deaths, Way way) {
    before(table("peace"), way);
    AtomicLong before = new AtomicLong();
    copy(rows(1_000, ROWS), deaths.through(table("peace")), way)
        .measuring()
        .beforeTheEnd(() -> before.set(deaths.statements()))
        .run();
    return deaths.statements() - before.get();
  }

  /// Has all connections end after so many statements of the end, as those of a killed process do.
  private static void dieAfter(Deaths deaths, ResumableCopy copy, long statements) {
    try {
      copy.beforeTheEnd(() -> deaths.dieAfter(statements)).run();
    } catch (Fault e) {
      // It is told of the connection, and of nothing else: what was done nobody can tell.
      assertThat(e.getMessage()).containsPattern("(?i)I/O error|connection|refused|reset|closed");
    }
    deaths.revive();
  }
}
