package millrace.connectors.kudu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.Endpoint;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.memory.MemoryConnector;
import millrace.testkit.suite.ResumableCopy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A copy that writes rows for the second time, within a run or with --resume, takes those for its
/// own that are there as it would write them. If somebody else has written anything else under a
/// key, it is his row: the copy leaves it, and does not count its own as written.
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class KuduOtherWriterTest {

  private static final AtomicInteger TESTS = new AtomicInteger();
  private static final int ROWS = 40;
  private static final int BATCH_ROWS = 10;

  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("name", Type.Text.UNLIMITED),
              Column.of("count", new Type.Int(32)),
              Column.of("price", new Type.Decimal(9, 2)),
              Column.of("share", new Type.Float(64)),
              Column.of("raw", new Type.Bytes()),
              Column.of("seen", new Type.Timestamp(true)),
              Column.of("day", new Type.Date()),
              Column.of("flag", new Type.Bool())),
          List.of("id"));

  /// What somebody else may have written in the place of each value, but for the key.
  private static final List<Object> OTHERS = List.of("", 1L, 101L, -0.0, "00", 1L, 1L, 1L);

  private static final RetryPolicy SOON =
      new RetryPolicy(
          Duration.ofMinutes(1), Duration.ZERO, Duration.ofNanos(1_000), Duration.ofMillis(2));

  private final MemoryConnector memory = new MemoryConnector();
  private final String name = "others.t" + TESTS.incrementAndGet();

  @TempDir private Path folder;

  private static Row row(int id) {
    boolean isMissing = id % 10 == 9;
    List<@Nullable Object> values = new ArrayList<>(List.of((long) id));
    List<Object> all = List.of("name", 0L, 100L, 0.0, "", 0L, 0L, 0L);
    all.forEach(value -> values.add(isMissing ? null : value));
    return Row.of(values.toArray());
  }

  private static List<Row> rows() {
    return IntStream.range(0, ROWS).mapToObj(KuduOtherWriterTest::row).toList();
  }

  /// The row of that number as somebody else writes it: one column is another.
  private static Row other(int id, int column) {
    List<@Nullable Object> values = new ArrayList<>(row(id).values());
    values.set(column, OTHERS.get(column - 1));
    return Row.of(values.toArray());
  }

  /// Each has another column, of rows that were written before and of others; some have a value in
  /// the place of none, or none.
  private static List<Row> others() {
    List<Row> others = new ArrayList<>();
    for (int column = 1; column < SCHEMA.width(); column++) {
      others.add(other(column, column));
      others.add(other(20 + column, column));
    }
    others.add(other(9, 1));
    others.add(other(39, 8));
    List<@Nullable Object> without = new ArrayList<>(row(30).values());
    without.set(2, null);
    others.add(Row.of(without.toArray()));
    return others;
  }

  private Endpoint table(String write) {
    return KuduServers.shared().table(name, Map.of("write", write));
  }

  private Copying into(String source, List<Row> rows, Endpoint table) {
    memory.put(source, SCHEMA, rows);
    return Copying.of(memory, memory.endpoint(source), new KuduConnector(), table)
        .mode(Mode.APPEND);
  }

  /// What somebody else does when the copy has written its first rows: changes some of them, and
  /// writes others that it has not come to. One is just as the copy would write it.
  private void intervene() {
    List<Row> written = new ArrayList<>(others());
    written.add(row(20));
    into("others", written, table("upsert")).run();
  }

  private ResumableCopy copy(String write, FaultPlan.@Nullable Kind fault) {
    FaultPlan plan =
        (site, _, call) -> {
          if (fault == null || site != FaultPlan.Site.WRITE || call != 1) {
            return null;
          }
          intervene();
          return fault;
        };
    Copying copying =
        into("rows", rows(), table(write))
            .to(new FaultyConnector(new KuduConnector(), plan))
            .rejects(new Job.RejectPolicy(ROWS, folder.resolve("bad.csv")));
    return ResumableCopy.of(copying, BATCH_ROWS).commitRows(0).patience(SOON);
  }

  /// Writes the first rows; when somebody else has written his, all are written again.
  private Ran run(boolean resumes, String write) {
    into("none", List.of(), table(write)).mode(Mode.CREATE).run();
    if (!resumes) {
      return copy(write, FaultPlan.Kind.TRANSIENT).run();
    }
    assertThat(copy(write, FaultPlan.Kind.EXTERNAL).failing(Fault.External.class, "").kept())
        .isTrue();
    return copy(write, null).run();
  }

  private List<Row> expected() {
    List<Row> expected = new ArrayList<>(rows());
    others().forEach(other -> expected.set(Math.toIntExact((long) key(other)), other));
    return expected;
  }

  private static Object key(Row row) {
    return Objects.requireNonNull(row.value(0));
  }

  private List<Row> read() {
    memory.put("back", SCHEMA, List.of());
    Copying.of(new KuduConnector(), table("insert"), memory, memory.endpoint("back"))
        .mode(Mode.APPEND)
        .run();
    return memory.rows("back");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRowOfSomebodyElseUnderAKeyOfOursIsABadRecord(boolean resumes) throws IOException {
    Ran run = run(resumes, "insert");
    RowCheck.sameRows(SCHEMA, expected(), read());
    assertThat(Files.readAllLines(Job.RejectPolicy.reasons(folder.resolve("bad.csv"))))
        .hasSameSizeAs(others())
        .allMatch(line -> line.contains("The key is there already: id = "));
    assertThat(run.meter().rejects()).isEqualTo(others().size());
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS - others().size());
  }

  /// The first time there is no doubt whose it is.
  @Test
  void aRowThatWasThereBeforeTheCopyIsABadRecordThoughItIsTheSame() {
    into("before", List.of(row(3), row(33)), table("insert")).mode(Mode.CREATE).run();
    Ran run = copy("insert", null).run();
    assertThat(run.meter().rejects()).isEqualTo(2);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS - 2);
    RowCheck.sameRows(SCHEMA, rows(), read());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRowOfSomebodyElseUnderAKeyOfOursIsIgnoredIfTheUserSaysSo(boolean resumes) {
    Ran run = run(resumes, "insert-ignore");
    RowCheck.sameRows(SCHEMA, expected(), read());
    assertThat(run.notes())
        .contains(others().size() + " rows were ignored because their keys were there.");
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS - others().size());
  }
}
