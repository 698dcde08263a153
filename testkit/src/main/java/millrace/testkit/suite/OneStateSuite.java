package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.copy.SharedMoment;
import millrace.engine.retry.RetryPolicy;
import millrace.job.JobListener;
import millrace.job.JobPlan;
import millrace.job.JobResult;
import millrace.job.JobRun;
import millrace.job.LaneBudget;
import millrace.job.TableCopy;
import millrace.job.TableResult;
import millrace.plan.Job;
import millrace.resume.ResumeChoice;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.catalog.SharedSnapshot;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.DescribedSource;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read stays as it was when reading began, whatever others write meanwhile.
public interface OneStateSuite extends Suite {

  long SPLIT_BYTES = 8 << 10;

  /// Others delete rows and commit while a table is read: it is read as it was all the same, also
  /// if each of its splits is a statement.
  @Test
  default void aTableIsReadInOneStateWhileOthersWrite() {
    needs(Behaviour.SPLITS);
    needs(Behaviour.SQL);
    Endpoint table = table("one_state");
    write(ITEMS, items(0, 3_000), table);
    String whyNot = whyNoneWritesMeanwhile();
    needs(whyNot.isEmpty(), whyNot);
    try (Source source = connector().source(table, Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(new ColumnRequest.Typed());
      List<Row> before = Reading.rows(described, Reading.splits(described, SPLIT_BYTES), null);
      assertThat(before).hasSize(3_000);
      try (ReadSession session = Reading.open(described, SPLIT_BYTES)) {
        List<Split> splits = Reading.splits(session);
        List<Row> read = new ArrayList<>(Reading.rows(session, splits.subList(0, 1), null));
        assertThat(read).isNotEmpty().hasSizeLessThan(before.size());
        sql("one_state", "DELETE FROM %s");
        read.addAll(Reading.rows(session, splits.subList(1, splits.size()), null));
        RowCheck.sameRows(described.description().schema(), before, read);
      }
    }
  }

  /// Others add rows and change what is there while two processes read a table: what both have is
  /// what it had when the moment was taken. Rows that change may come to lie elsewhere, in a split
  /// that is yet to be read.
  @Test
  default void aTableIsReadInOneStateByOtherProcesses() throws IOException, InterruptedException {
    needs(Behaviour.SHARED_MOMENT);
    List<Row> rows = items(0, 3_000);
    Endpoint table = table("for_others");
    write(ITEMS, rows, table);
    ReadPlan plan = ReadPlan.of(new ColumnRequest.Typed(), SPLIT_BYTES, 2);
    try (SharedMoment moment = endOpener().moment(table);
        Source source = connector().source(moment.end(), Selection.ALL, new OpenContext())) {
      DescribedSource described = source.describe(plan.columnRequest());
      moment.check(described.description());
      try (ReadSession session = described.open(plan)) {
        List<Split> splits = Reading.splits(session);
        List<Row> before = Reading.rows(session, splits, null);
        assertThat(before).hasSize(rows.size());
        changedByOthers(table);
        int half = splits.size() / 2;
        List<String> read =
            new ArrayList<>(
                ChildRead.rows(connector(), moment.end(), plan, splits.subList(0, half)));
        read.addAll(
            ChildRead.rows(connector(), moment.end(), plan, splits.subList(half, splits.size())));
        assertThat(read)
            .containsExactlyInAnyOrderElementsOf(before.stream().map(ChildRead::spelled).toList());
      }
    }
  }

  /// Adds rows, and changes some, as far as the system can.
  private void changedByOthers(Endpoint table) {
    List<Row> before = read(ITEMS, table);
    if (can(Behaviour.MERGE)) {
      List<Row> changed =
          items(0, 1_000).stream().map(row -> Row.of(row.value(0), "changed", null)).toList();
      merging(ITEMS, changed, table).run();
    }
    if (can(Behaviour.SQL)) {
      sql("for_others", "DELETE FROM %s WHERE id >= 2500");
    }
    if (can(Behaviour.APPEND)) {
      copying(items(5_000, 500), table, Mode.APPEND).run();
      assertThat(read(ITEMS, table)).isNotEqualTo(before).contains(items(5_000, 1).getFirst());
    }
  }

  /// Between the first copy of a job and the second, rows move from the table that has been read to
  /// the other one, and back: each is seen in the table in which it was when the job began.
  @Test
  default void whatMovesBetweenTheTablesOfAJobIsSeenWhereItWas(@TempDir Path folder) {
    needs(connector().capability(SharedSnapshot.class) != null, "one state of several tables");
    Map<String, List<Row>> before =
        Map.of("moved_a", items(0, 50), "moved_b", items(50, 50), "moved_c", items(100, 50));
    before.forEach((name, rows) -> write(ITEMS, rows, table(name)));
    String whyNot = whyNoneWritesMeanwhile();
    needs(whyNot.isEmpty(), whyNot);
    List<TableCopy> copies =
        before.keySet().stream().map(name -> new TableCopy(name, toMemory(name), 1)).toList();
    OneByOne moving = new OneByOne(this::move);
    JobPlan plan = plan(jobs(folder, moving), copies, new LaneBudget(1, false));
    JobResult result = new JobRun(plan).run();
    assertThat(result.tables()).extracting(TableResult::fault).containsOnlyNulls();
    assertThat(result.state()).isEqualTo("all tables as they were at one moment");
    before.forEach((name, rows) -> RowCheck.sameRows(ITEMS, rows, memory().rows(name)));
    String last = moving.names.getLast();
    RowCheck.sameRows(ITEMS, items(900, 9), read(ITEMS, table(last)));
  }

  private CopySpec toMemory(String name) {
    memory().put(name, ITEMS, List.of());
    Job job =
        Copying.of(connector(), table(name), memory(), memory().endpoint(name))
            .mode(Mode.APPEND)
            .job();
    return new CopySpec(job, ResumeChoice.NONE, RetryPolicy.NONE, CopySpec.Measures.NONE, null);
  }

  /// All other tables get other rows.
  private void move(List<String> done) {
    for (String name : List.of("moved_a", "moved_b", "moved_c")) {
      if (!done.contains(name)) {
        sql(name, "DELETE FROM %s");
        copying(items(900, 9), table(name), Mode.APPEND).run();
      }
    }
  }

  /// Does something once the first copy of a job has ended.
  final class OneByOne implements JobListener {
    private final Consumer<List<String>> work;
    private final List<String> names = new ArrayList<>();

    OneByOne(Consumer<List<String>> work) {
      this.work = work;
    }

    @Override
    public CopyListener copies(TableCopy copy) {
      return new CopyListener() {};
    }

    @Override
    public void ended(TableResult table, @Nullable CopyResult result) {
      names.add(table.name());
      if (names.size() == 1) {
        work.accept(names);
      }
    }
  }
}
