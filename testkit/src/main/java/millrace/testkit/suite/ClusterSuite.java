package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.meter.Meter;
import millrace.fault.Fault;
import millrace.io.FileIdentity;
import millrace.plan.Job;
import millrace.resume.Journal;
import millrace.spi.OpenContext;
import millrace.spi.journal.Ledger.Attempts;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.SourceDescription;
import millrace.spi.read.SourceIdentity;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WriteSession;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.forwarding.ForwardingConnector;
import millrace.testkit.forwarding.ForwardingDescribedSource;
import millrace.testkit.forwarding.ForwardingSource;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.forwarding.ForwardingWriteSession;
import millrace.testkit.suite.ThreadCluster.Luck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a system with a journal promises of a copy whose splits other processes work off: its rows
/// are there once, and it can be resumed here. Or it refuses it before anything is touched.
public interface ClusterSuite extends JournaledSuite {

  /// In which rows wait, and in which they don't.
  static Stream<Way> waysOnClusters() {
    return Stream.of(
        new Way(Mode.CREATE, false),
        new Way(Mode.APPEND, false),
        new Way(Mode.APPEND, true),
        new Way(Mode.TRUNCATE, false),
        new Way(Mode.REPLACE, false),
        new Way(Mode.MERGE, false));
  }

  private Attempts attempts() {
    try (Target target =
        connector().target(table("clustered"), WriteOptions.DEFAULT, new OpenContext())) {
      return Objects.requireNonNull(Journal.of(target)).guarantees().attempts();
    }
  }

  private boolean hasTypes() {
    try (Target target =
        connector().target(table("clustered"), WriteOptions.DEFAULT, new OpenContext())) {
      return !target.describe().description().columns().isEmpty();
    }
  }

  private boolean isShared() {
    return attempts() != Attempts.ONE_PROCESS;
  }

  private void needsCluster(Way way) {
    Attempts attempts = attempts();
    needs(attempts != Attempts.ONE_PROCESS, "runs that several processes write to");
    // The same rows are written in any order, and of a merge the last row of a key wins.
    needs(attempts == Attempts.FENCED || way.mode() != Mode.MERGE, "merges of several processes");
    needs(way);
  }

  private ResumableCopy onCluster(Way way, IntFunction<Luck> luck) {
    return onCluster(schema(), rows(1_000, ROWS), way, luck);
  }

  private ResumableCopy onCluster(Schema schema, List<Row> rows, Way way, IntFunction<Luck> luck) {
    return onCluster(copy("rows", schema, rows, table("clustered"), way), null, luck);
  }

  /// @param file that rows are known by; null if by themselves
  private ResumableCopy onCluster(ResumableCopy here, @Nullable Path file, IntFunction<Luck> luck) {
    return new ResumableCopy(here.copying().from(shared(file)), here.choice())
        .commitRows(0)
        .on(ends -> new ThreadCluster(ends, luck));
  }

  /// Memory, whose rows other processes would read just so.
  private ForwardingConnector shared(@Nullable Path file) {
    return new ForwardingConnector(
        memory(),
        open ->
            new ForwardingSource(open) {
              @Override
              protected DescribedSource described(DescribedSource source) {
                return new ForwardingDescribedSource(source) {
                  @Override
                  public SourceDescription description() {
                    return super.description().withOneProcess("");
                  }

                  @Override
                  public SourceIdentity identity() {
                    return file == null
                        ? super.identity()
                        : SourceIdentity.of("file", identityOf(file), List.of());
                  }
                };
              }
            },
        target -> target);
  }

  private static String identityOf(Path file) {
    try {
      return FileIdentity.of(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// By its columns, or by the file that they come from. Nothing is tried again.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void aSourceThatIsAnotherElsewhereIsRefused(boolean isFile) throws IOException {
    Way way = new Way(Mode.APPEND, false);
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    Path file = Files.writeString(Files.createTempFile("millrace", ".csv"), "a");
    AtomicInteger attempts = new AtomicInteger();
    IntFunction<Luck> luck =
        _ -> {
          attempts.incrementAndGet();
          if (isFile) {
            replace(file, "b");
          } else {
            memory()
                .put(
                    "rows", Schema.of(List.of(Column.of("other", Type.Text.UNLIMITED))), List.of());
          }
          return Luck.WELL;
        };
    ResumableCopy here = copy("rows", schema(), rows(1_000, ROWS), table("clustered"), way);
    assertThatThrownBy(() -> onCluster(here, isFile ? file : null, luck).patience(SOON).run())
        .isInstanceOfSatisfying(
            Fault.User.class, fault -> assertThat(fault.advice()).contains("NFS", "one machine"))
        .hasMessageStartingWith("A thread: ")
        .hasMessageContaining(isFile ? file + " has another content there" : "other columns there");
    assertThat(attempts).hasValueLessThanOrEqualTo(LANES);
    assertHolds(before, table("clustered"));
  }

  /// At once: others look at it.
  private static void replace(Path file, String text) {
    try {
      Path other = Files.writeString(Files.createTempFile("millrace", ".csv"), text);
      Files.move(other, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  default void aCopyOfOneProcessIsRefusedOnClusters() {
    if (isShared()) {
      return;
    }
    ResumableCopy copy = onCluster(new Way(Mode.CREATE, false), _ -> Luck.WELL);
    for (Runnable each : List.<Runnable>of(copy::decide, copy::run)) {
      assertThatThrownBy(each::run)
          .isInstanceOfSatisfying(
              Fault.User.class, fault -> assertThat(fault.advice()).contains("one machine"));
    }
    assertAbsent(table("clustered"));
  }

  /// A target may say only when it has begun that others can't write to it.
  @Test
  default void processesAreLetGoOfIfTheyCanNotWrite() {
    Way way = new Way(Mode.APPEND, false);
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    List<ThreadCluster> clusters = new ArrayList<>();
    ResumableCopy copy =
        onCluster(way, _ -> Luck.WELL)
            .between(UnaryOperator.identity(), ClusterSuite::ofOneProcess)
            .on(ends -> {
              clusters.add(new ThreadCluster(ends, _ -> Luck.WELL));
              return clusters.getFirst();
            });
    assertThatThrownBy(copy::run)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("from one process alone");
    assertThat(clusters.getFirst().open()).isZero();
    assertHolds(before, table("clustered"));
  }

  private static Target ofOneProcess(Target target) {
    return new ForwardingTarget(target) {
      @Override
      protected WriteSession opened(WriteSession session) {
        return new ForwardingWriteSession(session) {
          @Override
          public <C> @Nullable C capability(Class<C> type) {
            return type == JoinedSession.Main.class ? null : super.capability(type);
          }
        };
      }
    };
  }

  /// As of the small tables of a job.
  @Test
  default void fewRowsAreNotGivenToOthers() {
    needs(isShared(), "runs that several processes write to");
    ResumableCopy copy = onCluster(new Way(Mode.CREATE, false), _ -> Luck.FAILED).mode(null);
    Ran run = copy.copying().single().run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertHolds(rows(1_000, ROWS), table("clustered"));
  }

  /// Every third attempt is lost when it has committed all, another fails and passes.
  @ParameterizedTest
  @MethodSource("waysOnClusters")
  default void otherProcessesWorkACopyOff(Way way) {
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    IntFunction<Luck> luck =
        attempt ->
            switch (attempt % 3) {
              case 1 -> Luck.LOST;
              case 2 -> Luck.PASSING;
              default -> Luck.WELL;
            };
    ResumableCopy copy = onCluster(way, luck).patience(SOON);
    Ran run = copy.run();
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertThat(run.meter().sourceBytes()).isPositive();
    List<Row> all = way.adds() ? both(before, rows(1_000, ROWS)) : rows(1_000, ROWS);
    assertHolds(all, "clustered", copy);
    assertNothingToDo(copy);
  }

  /// No split ends before, and no row is counted twice when it does, nor if its process is lost.
  @Test
  default void rowsAreSeenWhileTheirSplitIsWorkedOff() {
    Way way = new Way(Mode.APPEND, false);
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    CompletableFuture<Meter> meter = new CompletableFuture<>();
    SourceHook hook = SourceHook.after(2, 0, () -> awaitRows(meter.join()));
    ResumableCopy copy =
        onCluster(way, attempt -> attempt % 3 == 0 ? Luck.LOST : Luck.WELL).hooked(hook);
    Ran run = copy.copying().run(copy.choice(), begun -> meter.complete(begun.meter()), () -> {});
    assertThat(run.meter().rows()).isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertHolds(both(before, rows(1_000, ROWS)), "clustered", copy);
  }

  private static void awaitRows(Meter meter) {
    while (meter.rows() == 0 || meter.sourceBytes() == 0) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /// The same command goes on without the cluster, or with it.
  @ParameterizedTest
  @MethodSource("waysOnClusters")
  default void aCopyThatWasCutOffOnAClusterGoesOn(Way way) {
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    ResumableCopy cutOff = onCluster(way, attempt -> attempt < 4 ? Luck.WELL : Luck.FAILED);
    assertThatThrownBy(cutOff::run).hasMessageContaining("the cluster is gone");
    ResumableCopy next = onCluster(way, attempt -> attempt < 2 ? Luck.LOST : Luck.FAILED);
    assertThatThrownBy(next::run).hasMessageContaining("the cluster is gone");
    ResumableCopy here = next.on(null);
    Ran run = here.run();
    assertThat(run.meter().rowsBefore()).isPositive();
    List<Row> all = way.adds() ? both(before, rows(1_000, ROWS)) : rows(1_000, ROWS);
    assertHolds(all, "clustered", here);
  }

  /// Some of its rows are committed, and the rest is taken up by others, in another run.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void aSplitThatWasCutOffOnAClusterGoesOn(boolean onCluster) {
    Way way = new Way(Mode.APPEND, false);
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    ResumableCopy copy = onCluster(way, _ -> Luck.WELL).commitRows(BATCH_ROWS);
    copy.cut(SourceHook.after(6, 0));
    if (attempts() == Attempts.FENCED) {
      assertThat(copy.rowsKept()).isPositive();
    }
    (onCluster ? copy : copy.on(null)).run();
    assertHolds(both(before, rows(1_000, ROWS)), "clustered", copy);
  }

  /// The same the other way round: other processes go on with what this one has begun.
  @Test
  default void aSplitThatWasCutOffHereGoesOnOnACluster() {
    Way way = new Way(Mode.APPEND, false);
    needsCluster(way);
    List<Row> before = before(table("clustered"), way);
    IntFunction<Luck> luck = attempt -> attempt % 2 == 0 ? Luck.LOST : Luck.WELL;
    ResumableCopy copy = onCluster(way, luck).commitRows(BATCH_ROWS);
    int receipts = attempts() == Attempts.FENCED ? 1 : 0;
    copy.on(null).cut(SourceHook.after(6, receipts));
    if (receipts > 0) {
      assertThat(copy.rowsKept()).isPositive();
    }
    copy.run();
    assertHolds(both(before, rows(1_000, ROWS)), "clustered", copy);
  }

  /// What can't be converted, and what the target refuses, is in the file once, whoever was lost
  /// meanwhile, and all else in the target.
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  default void badRecordsOfOtherProcessesAreSetAsideOnce(boolean isCutOff) throws IOException {
    needsCluster(new Way(Mode.APPEND, false));
    List<Row> before = before(table("clustered"), new Way(Mode.APPEND, false));
    needs(hasTypes(), "columns with types");
    List<Row> good = rows(1_000, ROWS);
    List<Row> read = new ArrayList<>();
    List<String> bad = new ArrayList<>();
    for (Row each : good) {
      Object cents = each.value(2);
      read.add(text(each, cents == null ? null : BigDecimal.valueOf((long) cents, 2).toString()));
      int number = read.size();
      if (number % 50 == 0) {
        Row worse = text(each, "much");
        read.add(worse);
        bad.add(String.valueOf(worse.value(0)));
      }
    }
    if (attempts() == Attempts.FENCED) {
      read.add(100, text(before.getFirst(), "1.50"));
      bad.add("0");
    }
    Path file = Files.createTempDirectory("millrace-rejects").resolve("bad.jsonl");
    List<Column> texts =
        schema().names().stream().map(name -> Column.of(name, Type.Text.UNLIMITED)).toList();
    IntFunction<Luck> luck = attempt -> attempt % 4 == 1 ? Luck.LOST : Luck.WELL;
    ResumableCopy copy =
        onCluster(Schema.of(texts), read, new Way(Mode.APPEND, false), luck)
            .rejects(new Job.RejectPolicy(bad.size(), file));
    if (isCutOff) {
      IntFunction<Luck> dies = attempt -> attempt < 7 ? luck.apply(attempt) : Luck.FAILED;
      assertThatThrownBy(() -> copy.on(ends -> new ThreadCluster(ends, dies)).run())
          .hasMessageContaining("the cluster is gone");
    }
    copy.run();
    assertHolds(both(before, good), "clustered", copy);
    assertThat(
            Files.readAllLines(file).stream()
                .map(line -> line.replaceFirst(".*?:\"(\\d+).*", "$1")))
        .containsExactlyInAnyOrderElementsOf(bad);
  }

  private static Row text(Row item, @Nullable String amount) {
    return Row.of(text(item.value(0)), text(item.value(1)), amount);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }
}
