package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import millrace.copy.CopyListener;
import millrace.copy.CopySpec;
import millrace.engine.retry.RetryPolicy;
import millrace.job.JobContext;
import millrace.job.JobListener;
import millrace.job.JobPlan;
import millrace.job.JobRun;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.OpenContext;
import millrace.spi.catalog.CopiedDefinition;
import millrace.spi.catalog.TableCatalog;
import millrace.spi.catalog.TableDefinitions;
import millrace.spi.catalog.TableDefinitions.Found;
import millrace.spi.catalog.TableDefinitions.Placed;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.RowCheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a job of many copies does between them.
public interface ManyTablesSuite extends Suite {

  List<String> NAMES = List.of("many_a", "many_b", "many_c", "many_d", "many_e", "many_f");

  long SPLIT_BYTES = 8 << 10;

  /// More than the limit below which a copy of a job is not measured.
  long LARGE_BYTES = 1L << 30;

  /// Threads that look at a run from time to time, and keep no row waiting.
  Set<String> WATCHERS = Set.of("server-waits", "host-watch", "host-look", "stall-watch");

  /// What is shorter lets rows come together that are on their way.
  long SHORT_NANOS = 2_000_000;

  /// How long a wait was to last at most, in nanoseconds, by the kind of its event.
  Map<String, Function<RecordedEvent, Long>> LONGEST =
      Map.of(
          "jdk.ThreadPark", event -> event.getLong("timeout"),
          "jdk.ThreadSleep", event -> event.getLong("time"),
          "jdk.JavaMonitorWait", event -> Duration.ofMillis(event.getLong("timeout")).toNanos());

  /// Each copy is measured as a large one is, and one follows the other: what a copy waits for in
  /// vain, each of a thousand does.
  @Test
  default void noCopyOfAJobWaitsForTimeToPass(@TempDir Path folder) throws IOException {
    needs(
        !connector().name().equals(memory().name()),
        "another end than memory, which a job would mistake");
    NAMES.forEach(name -> memory().put(name, ITEMS, items(0, 100)));
    List<Job> there =
        NAMES.stream()
            .map(name -> Copying.of(memory(), memory().endpoint(name), connector(), table(name)))
            .map(copying -> copying.lanes(2, SPLIT_BYTES).job())
            .toList();
    assertThat(waits(folder.resolve("there.jfr"), () -> run(folder, there))).isEmpty();
    NAMES.forEach(name -> memory().put(name, ITEMS, List.of()));
    List<Job> back =
        NAMES.stream()
            .map(name -> Copying.of(connector(), table(name), memory(), memory().endpoint(name)))
            .map(copying -> copying.mode(Mode.APPEND).lanes(2, SPLIT_BYTES).job())
            .toList();
    assertThat(waits(folder.resolve("back.jfr"), () -> run(folder, back))).isEmpty();
    NAMES.forEach(name -> RowCheck.sameRows(ITEMS, items(0, 100), memory().rows(name)));
  }

  /// Whether statements make tables like others of the same system under any name.
  default boolean makesTablesAlike() {
    return connector().capability(TableDefinitions.class) != null;
  }

  /// A table with a default, a unique key, an index and a foreign key, and the table to which that
  /// points, come along under other names.
  @Test
  default void aTableIsMadeAsAnotherIs() throws Exception {
    needs(makesTablesAlike(), "definitions of tables");
    TableDefinitions definitions =
        Objects.requireNonNull(connector().capability(TableDefinitions.class));
    TableCatalog catalog = Objects.requireNonNull(connector().capability(TableCatalog.class));
    sql(
        "made_a",
        "CREATE TABLE %s (id integer NOT NULL PRIMARY KEY, name varchar(20) DEFAULT 'x' NOT NULL,"
            + " UNIQUE (name))");
    sql(
        "made_a",
        "CREATE TABLE %1$s_b (id integer NOT NULL PRIMARY KEY, a integer, FOREIGN KEY (a)"
            + " REFERENCES %1$s (id))");
    sql("made_a_b", "CREATE INDEX made_a_b_a ON %s (a)");
    List<Placed> tables =
        Stream.of("made_a_b", "made_a")
            .map(name ->
                new Placed(
                    catalog.tables(table(name), new OpenContext()).getFirst(),
                    table("new_" + name)))
            .toList();
    List<String> statements = new ArrayList<>();
    Found found = definitions.definitions(tables, TableDefinitions.Scope.TABLES, new OpenContext());
    for (TableDefinitions.Step step : found.before()) {
      switch (step) {
        case TableDefinitions.Made made -> statements.addAll(made.statements());
        case TableDefinitions.Table(int table) ->
            statements.addAll(found.tables().get(table).make());
      }
    }
    found.tables().stream()
        .flatMap(each -> each.make().stream())
        .filter(each -> !statements.contains(each))
        .toList()
        .forEach(statements::add);
    found.tables().forEach(each -> statements.addAll(each.afterRows()));
    found.tables().forEach(each -> statements.addAll(each.afterAll()));
    definitions.carryOut(table("new_made_a"), statements, false, new OpenContext());

    assertThat(definitions.definitions(tables, TableDefinitions.Scope.TABLES, new OpenContext()))
        .satisfies(again -> assertThat(again.tables()).allMatch(CopiedDefinition::isEmpty));
    assertThat(String.join("\n", statements))
        .contains("REFERENCES")
        .containsIgnoringCase("made_a_b_a");
    sql("new_made_a", "INSERT INTO %s (id) VALUES (1)");
    assertThat(String.valueOf(independently("new_made_a", List.of("name")))).contains("x");
    assertThatThrownBy(() -> sql("new_made_a", "INSERT INTO %s (id) VALUES (2)"))
        .isInstanceOf(Throwable.class);
  }

  private void run(Path folder, List<Job> jobs) {
    List<TableCopy> copies =
        Stream.iterate(0, i -> i < jobs.size(), i -> i + 1)
            .map(i -> new TableCopy(NAMES.get(i), measured(jobs.get(i)), LARGE_BYTES))
            .toList();
    JobContext context =
        jobs(
            folder,
            new JobListener() {
              @Override
              public CopyListener copies(TableCopy copy) {
                return new CopyListener() {};
              }
            });
    JobPlan plan = plan(context, copies, new LaneBudget(2, true));
    assertThat(new JobRun(plan).run().tables()).extracting(TableResult::fault).containsOnlyNulls();
  }

  private static CopySpec measured(Job job) {
    return new CopySpec(job, ResumeChoice.NONE, RetryPolicy.NONE, CopySpec.Measures.NONE, null);
  }

  /// Each wait of our code that lasted as long as it may while something was done: nothing had come
  /// about that would have ended it. How long that was does not matter.
  private static List<String> waits(Path file, Runnable work) throws IOException {
    try (Recording recording = new Recording()) {
      LONGEST.keySet().forEach(kind -> recording.enable(kind).withoutThreshold().withStackTrace());
      recording.start();
      work.run();
      recording.stop();
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(ManyTablesSuite::hasRunOut)
        .flatMap(event -> ours(event).stream())
        .toList();
  }

  private static boolean hasRunOut(RecordedEvent event) {
    Function<RecordedEvent, Long> longest = LONGEST.get(event.getEventType().getName());
    long nanos = longest == null ? 0 : longest.apply(event);
    return nanos > SHORT_NANOS
        && event.getDuration().toNanos() >= nanos
        && !WATCHERS.contains(String.valueOf(event.getThread().getJavaName()));
  }

  /// Where our code waits; what a driver waits for by itself is not ours.
  private static Optional<String> ours(RecordedEvent event) {
    if (event.getStackTrace() == null) {
      return Optional.empty();
    }
    return event.getStackTrace().getFrames().stream()
        .map(RecordedFrame::getMethod)
        .filter(method -> !method.getType().getName().matches("(java|jdk)\\..*"))
        .findFirst()
        .filter(method -> method.getType().getName().startsWith("millrace."))
        .map(method -> method.getType().getName() + "." + method.getName())
        .map(method -> event.getEventType().getName() + " in " + method);
  }
}
