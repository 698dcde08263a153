package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.journal.JobLock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingReadSession;
import millrace.testkit.forwarding.ForwardingReader;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.suite.ResumableCopy.Kill;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What copies with --resume do with faults: those of the network and of others at work are tried
/// again or end the run, bad data is set aside or leaves nothing; and no row comes twice.
public interface ResumeFaultSuite extends JournaledSuite {

  /// Of bad data there is nothing to resume: the same would come again.
  @Test
  default void badDataLeavesNothingOfACopyThatMakesATable() {
    Endpoint table = table("bad_data");
    ResumableCopy copy = copy(rows(0, ROWS), table, Mode.CREATE);
    FaultyConnector from =
        new FaultyConnector(memory(), FaultPlan.at(FaultPlan.Site.READ, 1, 1, FaultPlan.Kind.DATA));
    ResumableCopy bad = ResumableCopy.of(copy.copying().from(from), BATCH_ROWS);
    assertThatThrownBy(bad.unrequested()::run).isInstanceOf(Fault.Data.class);
    assertAbsent(table);
    assertThat(leftovers("bad_data")).isEmpty();
    copy.unrequested().run();
    assertHolds(rows(0, ROWS), "bad_data", copy);
  }

  /// What can't take back what a lane has written ends, and the same command goes on.
  @ParameterizedTest
  @EnumSource(
      value = FaultPlan.Site.class,
      names = {"READ", "WRITE", "FINISH", "COMMITTED"})
  default void faultsThatPassAreTriedAgainAndNoRowComesTwice(FaultPlan.Site where, TestInfo test) {
    for (Way way : Ways.of(test, where.name().length()).filter(this::offers).toList()) {
      String name = "passes_" + way.mode().name().toLowerCase(Locale.ROOT);
      name += way.atomic() ? "_atomic" : "";
      Endpoint table = table(name);
      List<Row> before = before(table, way);
      List<Row> rows = rows(1_000, ROWS);
      ResumableCopy copy = copy(rows, table, way);
      FaultPlan random = FaultPlan.random(name.length(), 0.2, List.of(FaultPlan.Kind.TRANSIENT));
      FaultPlan plan =
          (site, split, call) ->
              site == where && call < 3
                  ? split == 1 && call == 0
                      ? FaultPlan.Kind.TRANSIENT
                      : random.decide(site, split, call)
                  : null;
      FaultyConnector from = new FaultyConnector(memory(), plan);
      FaultyConnector to = new FaultyConnector(connector(), plan);
      try {
        Ran run =
            ResumableCopy.of(copy.copying().from(from).to(to), BATCH_ROWS).patience(SOON).run();
        assertThat(run.meter().retries()).isNotEmpty();
        assertThat(run.meter().rows()).isEqualTo(ROWS);
        assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
      } catch (Fault.Transient fault) {
        assertThat(where != FaultPlan.Site.READ || !copy.keepsParts())
            .as("nothing stood in the way of another try: " + fault)
            .isTrue();
        copy.run();
      }
      assertHolds(both(before, rows), name, copy);
      assertNothingToDo(copy);
    }
  }

  /// Small parts of a source, such as thousands of small files, may share a commit: a fault among
  /// them, at that commit or behind it loses no row of theirs and brings none twice.
  @ParameterizedTest
  @EnumSource(
      value = FaultPlan.Site.class,
      names = {"READ", "WRITE", "FINISH", "COMMITTED"})
  default void smallPartsThatMayShareACommitComeOnce(FaultPlan.Site where) {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    Endpoint table = table("small_parts");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    Copying copying = ofSmallParts(rows, table);
    boolean isCommit = where == FaultPlan.Site.FINISH || where == FaultPlan.Site.COMMITTED;
    FaultPlan plan =
        (site, split, call) ->
            site == where && call == 0 && (isCommit || split % 7 == 6)
                ? FaultPlan.Kind.TRANSIENT
                : null;
    ResumableCopy failing =
        new ResumableCopy(
            copying
                .from(new FaultyConnector(memory(), plan))
                .to(new FaultyConnector(connector(), plan)),
            ResumeChoice.RESUME);
    ResumableCopy copy = new ResumableCopy(copying, ResumeChoice.RESUME);
    try {
      Ran run = failing.patience(SOON).run();
      assertThat(run.meter().retries()).isNotEmpty();
      assertThat(run.meter().rows()).isEqualTo(ROWS);
      assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    } catch (Fault.Transient fault) {
      assertThat(where != FaultPlan.Site.READ || !copy.keepsParts()).as(fault.toString()).isTrue();
      copy.run();
    }
    assertHolds(both(before, rows), "small_parts", copy);
    assertNothingToDo(copy);
  }

  /// A copy of 64 parts of ten rows.
  private Copying ofSmallParts(List<Row> rows, Endpoint table) {
    memory().put("small", schema(), rows);
    return Copying.of(
            memory(),
            memory().endpoint("small", Map.of("split-rows", "10", "batch-rows", "4")),
            connector(),
            table)
        .mode(Mode.APPEND)
        .lanes(LANES, 16 << 20);
  }

  @Test
  default void smallPartsShareACommit() {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    needs(Behaviour.SHARED_COMMITS);
    Endpoint table = table("shared");
    before(table, way);
    Copying copying = ofSmallParts(rows(1_000, ROWS), table);
    Ran run = new ResumableCopy(copying, ResumeChoice.RESUME).run();
    assertThat(run.meter().splits()).isEqualTo(ROWS / 10);
    assertThat(run.meter().commits()).isBetween(1L, (long) LANES);
  }

  /// Rows of few keys, some beside each other and some far apart.
  private static List<Row> rowsOfFewKeys() {
    Random random = new Random(3);
    return IntStream.range(0, ROWS).mapToObj(i -> Row.of(random.nextInt(60), "v" + i, i)).toList();
  }

  /// In one split or several, whether its rows are numbered or not; killed, and tried again.
  @ParameterizedTest
  @CsvSource({"true, 640", "true, 80", "false, 640", "false, 80"})
  default void theLastRowOfAKeyWinsThoughAMergeIsKilledAndTriedAgain(
      boolean numbered, int splitRows) {
    Way way = new Way(Mode.MERGE, false);
    needs(way);
    Endpoint table = table("few_keys");
    List<Row> before = before(table, way);
    Copying whole =
        copy(rowsOfFewKeys(), table, way)
            .copying()
            .lanes(splitRows < ROWS ? 2 : 1, splitRows * 30L);
    ResumableCopy copy = ResumableCopy.of(whole, BATCH_ROWS);
    if (!numbered) {
      copy = copy.between(ResumeFaultSuite::unnumbered, UnaryOperator.identity());
    }
    if (numbered && copy.keepsParts()) {
      kill(copy, Kill.AMONG_ROWS);
    } else {
      copy.killAfter(28);
    }
    FaultPlan plan =
        (site, _, call) ->
            site == FaultPlan.Site.READ && call == 5 ? FaultPlan.Kind.TRANSIENT : null;
    ResumableCopy failing =
        new ResumableCopy(
            copy.copying().from(new FaultyConnector(copy.copying().source(), plan)), copy.choice());
    try {
      failing.patience(SOON).run();
    } catch (Fault.Transient _) {
      copy.run();
    }
    Map<Object, Row> expected = new LinkedHashMap<>();
    both(before, rowsOfFewKeys())
        .forEach(row -> expected.put(Objects.requireNonNull(row.value(0)), row));
    assertHolds(List.copyOf(expected.values()), "few_keys", copy);
  }

  /// A source that does not know the numbers of its rows.
  private static Source unnumbered(Source source) {
    return new ForwardingSource(source) {
      @Override
      protected ReadSession opened(ReadSession session) {
        return new ForwardingReadSession(session) {
          @Override
          public Splits splits() {
            Splits splits = super.splits();
            return () -> unnumbered(splits.next());
          }

          @Override
          public Reader reader(ReadContext context) {
            return new ForwardingReader(super.reader(context)) {
              @Override
              public @Nullable Split rest() {
                return unnumbered(super.rest());
              }
            };
          }
        };
      }
    };
  }

  private static @Nullable Split unnumbered(@Nullable Split split) {
    return split == null
        ? null
        : new Split(split.index(), split.resource(), split.position(), 0, 0);
  }

  /// Of two commands that are the same one is refused or waits, or both do the same.
  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"CREATE", "APPEND", "TRUNCATE"})
  default void theSameCopyTwiceAtOnceBringsItsRowsOnce(Mode mode) {
    Way way = new Way(mode, false);
    needs(way);
    Endpoint table = table("twice");
    List<Row> before = before(table, way);
    List<Row> rows = rows(1_000, ROWS);
    ResumableCopy copy = copy(rows, table, way);
    CountDownLatch otherBegins = new CountDownLatch(1);
    CompletableFuture<Void> among = new CompletableFuture<>();
    SourceHook hook =
        SourceHook.after(
            20,
            1,
            () -> {
              among.complete(null);
              await(otherBegins);
            });
    CompletableFuture<Void> first =
        CompletableFuture.runAsync(() -> copy.hooked(hook).run(), Thread::startVirtualThread);
    CompletableFuture.anyOf(among, first).join();
    AtomicBoolean isLocked = new AtomicBoolean();
    UnaryOperator<Target> begins =
        target -> {
          isLocked.set(target.capability(JobLock.class) != null);
          otherBegins.countDown();
          return target;
        };
    List<Throwable> failures = new ArrayList<>();
    try {
      copy.between(UnaryOperator.identity(), begins).run();
    } catch (Fault fault) {
      failures.add(fault);
    } finally {
      otherBegins.countDown();
    }
    try {
      first.join();
    } catch (CompletionException e) {
      failures.add(e.getCause());
    }
    // If nothing is locked, each may find that the other has made its staging table anew.
    assertThat(failures).hasSizeLessThan(isLocked.get() ? 2 : 3).allMatch(Fault.class::isInstance);
    try {
      copy.run();
      assertNothingToDo(copy);
    } catch (Fault.User fault) {
      // If nothing is locked, the one that failed may have taken the mark of the other.
      assertThat(fault).hasMessageContaining("exists already");
    }
    assertHolds(both(before, rows), "twice", copy);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Rows of text, of which every hundredth has no number.
  private static List<Row> bad() {
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i <= ROWS; i++) {
      rows.add(Row.of(i % 100 == 0 ? "x" : Integer.toString(1_000 + i), "n", "1"));
    }
    return rows;
  }

  private static List<Row> good() {
    return IntStream.rangeClosed(1, ROWS)
        .filter(i -> i % 100 != 0)
        .mapToObj(i -> Row.of(1_000 + i, "n", 100))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Kill.class,
      names = {"BEFORE_THE_ROWS", "AMONG_ROWS", "BEFORE_THE_END"})
  default void badRecordsOfBothRunsAreSetAsideOnce(Kill kill) throws IOException {
    Way way = new Way(Mode.APPEND, false);
    needs(way);
    needs(Behaviour.EXISTING_COLUMNS);
    Endpoint table = table("bad");
    before(table, way);
    Schema texts =
        Schema.of(
            ITEMS.names().stream().map(name -> Column.of(name, Type.Text.UNLIMITED)).toList());
    Path file = aside().resolve("bad.csv");
    Copying copying =
        copy("texts", texts, bad(), table, way).copying().rejects(new Job.RejectPolicy(100, file));
    ResumableCopy copy = ResumableCopy.of(copying, BATCH_ROWS);
    kill(copy, kill);
    if (!copy.keepsParts()) {
      // Nobody knows any more whose they are.
      Files.deleteIfExists(file);
      Files.deleteIfExists(Job.RejectPolicy.reasons(file));
    }
    Ran run = copy.run();
    assertThat(run.meter().rowsBefore() + run.meter().rows()).isEqualTo(good().size());
    assertHolds(both(rows(0, 10), good()), "bad", copy);
    assertThat(Files.readAllLines(Job.RejectPolicy.reasons(file))).hasSize(ROWS / 100);
  }
}
