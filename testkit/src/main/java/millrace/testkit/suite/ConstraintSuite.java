package millrace.testkit.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import millrace.copy.EndOpener;
import millrace.data.Schema;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.spi.ConnectorRegistry;
import millrace.spi.Endpoint;
import millrace.spi.read.Selection;
import millrace.spi.write.Mode;
import millrace.testkit.Copying;
import millrace.testkit.Ran;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.verify.Verify;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the target's own rules and other users do to a copy: a row that only the target can refuse
/// is set aside alone, and a table that somebody holds is left as it is.
public interface ConstraintSuite extends Suite {

  int ROWS = 300;
  long BAD = 1_300;

  RetryPolicy IMPATIENT =
      new RetryPolicy(Duration.ofHours(1), Duration.ofMillis(300), Duration.ZERO, Duration.ZERO);

  private void needsConstrained(String name) {
    String table =
        "CREATE TABLE %s (id bigint PRIMARY KEY, name varchar, amount decimal(9,2),"
            + " CHECK (amount <> 13))";
    sql(name, table);
  }

  /// Of which the target refuses three by its check, and two by its key.
  private static List<Row> partlyBad() {
    List<Row> rows = new ArrayList<>(good());
    for (int id : new int[] {-1, -2, -3}) {
      rows.add(40 * -id, Row.of(id, "check", BAD));
    }
    rows.add(Row.of(7, "key", 1));
    rows.add(150, Row.of(9, "key", 1));
    return rows;
  }

  private static List<Row> good() {
    return IntStream.range(0, ROWS).mapToObj(id -> Row.of(id, "good", id * 7)).toList();
  }

  @Test
  default void aRowThatOnlyTheTargetRefusesIsSetAsideAlone() throws IOException {
    needsConstrained("constrained");
    Endpoint table = table("constrained");
    Path file = aside().resolve("bad.csv");
    Ran run =
        into(ITEMS, partlyBad(), table)
            .mode(Mode.APPEND)
            .rejects(new Job.RejectPolicy(5, file))
            .run();
    List<Row> found = read(ITEMS, table);
    // Which of two rows with one key comes first is not promised.
    assertThat(found).extracting(row -> row.value(0)).doesNotHaveDuplicates().hasSize(ROWS);
    RowCheck.onlyRowsOf(ITEMS, partlyBad(), found);
    assertThat(found).noneMatch(row -> "check".equals(row.value(1)));
    assertThat(run.meter().rejects()).isEqualTo(5);
    assertThat(run.meter().rows()).as("rows of the report").isEqualTo(ROWS);
    assertThat(run.meter().rowsDurable()).isEqualTo(ROWS);
    assertThat(Files.readAllLines(file))
        .hasSize(6)
        .startsWith("id,name,amount")
        .contains("-1,check,13.00", "-2,check,13.00", "-3,check,13.00");
    assertThat(Files.readAllLines(Job.RejectPolicy.reasons(file)))
        .hasSize(5)
        .anyMatch(line -> line.contains("\"key\":{\"id\":-1}"));
  }

  @Test
  default void theReportCountsWhatTheTargetTook() {
    for (Endpoint table : keepingFirst()) {
      Ran first = into(ITEMS, items(0, 20), table).mode(Mode.APPEND).run();
      assertThat(first.meter().rows()).isEqualTo(20);
      assertThat(first.notes()).noneMatch(note -> note.contains("ignored"));
      List<Row> rows = new ArrayList<>(items(10, 40));
      rows.addAll(items(10, 6));
      Ran run = into(ITEMS, rows, table).mode(Mode.APPEND).run();
      assertThat(read(ITEMS, table)).as(table.label()).hasSize(50);
      assertThat(run.meter().rows()).as("rows of the report").isEqualTo(30);
      assertThat(run.meter().rowsDurable()).isEqualTo(30);
      assertThat(run.meter().rejects()).isZero();
      assertThat(run.notes())
          .anyMatch(note -> note.contains("16 rows") && note.contains("ignored"));
      Ran one = into(ITEMS, items(10, 1), table).mode(Mode.APPEND).run();
      assertThat(one.meter().rows()).as("one row, which is there").isZero();
      assertThat(one.notes()).anyMatch(note -> note.contains("1 row ") && note.contains("ignored"));
      assertThat(into(ITEMS, items(90, 1), table).mode(Mode.APPEND).run().meter().rows()).isOne();
      assertThat(read(ITEMS, table)).as(table.label()).hasSize(51);
    }
  }

  @Test
  default void oneMoreBadRowThanIsAllowedEndsTheRun() {
    needsConstrained("constrained_more");
    Endpoint table = table("constrained_more");
    Copying copying =
        into(ITEMS, partlyBad(), table)
            .mode(Mode.APPEND)
            .atomic(true)
            .rejects(new Job.RejectPolicy(4, null));
    assertThatThrownBy(copying::run).isInstanceOf(Fault.Data.class);
    assertThat(read(ITEMS, table)).isEmpty();
  }

  @Test
  default void aTableThatSomebodyHoldsIsWaitedForAsLongAsTheUserWants() throws Exception {
    Endpoint table = table("held_for_readers");
    write(ITEMS, items(0, 10), table);
    memory().put("back", Schema.of(ITEMS.columns()), List.of());
    Copying reading = Copying.of(connector(), table, memory(), memory().endpoint("back"));
    Copying writing = into(ITEMS, items(100, 50), table);
    try (AutoCloseable _ = lockedForReaders("held_for_readers")) {
      Job job = reading.job();
      EndOpener opener =
          new EndOpener(new ConnectorRegistry(List.of(connector())), IMPATIENT, _ -> {});
      Verify.Side side = new Verify.Side(job, () -> opener.source(table, Selection.ALL));
      assertThatThrownBy(() -> new Verify(side, side, List.of(), IMPATIENT).execute())
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ")
          .hasMessageContaining("waits for");
      for (Copying each : List.of(reading, writing)) {
        assertThatThrownBy(each.mode(Mode.APPEND).patience(IMPATIENT)::run)
            .isInstanceOf(Fault.Transient.class)
            .hasMessageStartingWith("No row has moved for ")
            .hasMessageContaining("waits for");
      }
    }
    CompletableFuture<Ran> patient;
    try (AutoCloseable _ = lockedForReaders("held_for_readers")) {
      patient = CompletableFuture.supplyAsync(reading.mode(Mode.APPEND)::run);
      Thread.sleep(200);
      assertThat(patient).isNotDone();
    }
    patient.join();
    RowCheck.sameRows(ITEMS, items(0, 10), memory().rows("back"));
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "TRUNCATE", "REPLACE", "MERGE"})
  default void aTableThatSomebodyHoldsIsLeftAsItIs(Mode mode) throws Exception {
    Endpoint table = table("held");
    write(ITEMS, items(0, 10), table);
    ResumableCopy copy =
        ResumableCopy.of(into(ITEMS, items(100, 50), table).mode(mode), 10).unrequested();
    try (AutoCloseable _ = locked("held")) {
      assertThatThrownBy(copy.patience(IMPATIENT)::run)
          .isInstanceOf(Fault.Transient.class)
          .hasMessageStartingWith("No row has moved for ");
    }
    RowCheck.sameRows(ITEMS, items(0, 10), read(ITEMS, table));
    copy.run();
    List<Row> expected = new ArrayList<>(items(100, 50));
    if (mode == Mode.APPEND || mode == Mode.MERGE) {
      expected.addAll(items(0, 10));
    }
    RowCheck.sameRows(ITEMS, expected, read(ITEMS, table));
  }
}
