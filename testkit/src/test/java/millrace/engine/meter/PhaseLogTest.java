package millrace.engine.meter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.engine.Run;
import millrace.engine.RunOptions;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planner;
import millrace.spi.OpenContext;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Row;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;

/// What a run does to rows between two ends that can neither filter nor convert.
class PhaseLogTest {

  private static final Schema SOURCE =
      Schema.of(
          List.of(
              Column.of("id", new Type.Int(64)),
              Column.of("amount", new Type.Decimal(12, 2)),
              Column.of("note", Type.Text.UNLIMITED)));

  private static final List<Row> ROWS =
      List.of(
          Row.of(1, 500, "one"),
          Row.of(2, -250, "two"),
          Row.of(3_000_000_000L, 700, "three"),
          Row.of(4, null, "four"),
          Row.of(5, 900, null));

  private final MemoryConnector memory = new MemoryConnector();

  @Test
  void rowsAreFilteredThenLimitedThenConverted() {
    existing(new Type.Int(32), new Type.Decimal(20, 4), Type.Text.UNLIMITED);
    copy(new Selection(List.of(), "amount > 0 AND id <> 3000000000", 2));
    assertThat(memory.rows("to"))
        .containsExactly(Row.of(1, "5.0000", "one"), Row.of(5, "9.0000", null));
  }

  @Test
  void aConditionMayNameColumnsThatAreNotWanted() {
    copy(new Selection(List.of("note"), "amount > 6 AND id > 2", Long.MAX_VALUE));
    assertThat(memory.rows("to")).containsExactly(Row.of("three"), Row.of((Object) null));
    assertThat(memory.table("to").orElseThrow().schema().names()).containsExactly("note");
  }

  @Test
  void aRowPastTheLimitCannotBeBad() {
    existing(new Type.Int(32), new Type.Decimal(12, 2), Type.Text.UNLIMITED);
    copy(new Selection(List.of(), null, 2));
    assertThat(memory.rows("to")).containsExactly(ROWS.get(0), ROWS.get(1));
  }

  @Test
  void aValueThatDoesNotFitStopsTheRunAndIsNamed() {
    existing(new Type.Int(32), new Type.Decimal(12, 2), Type.Text.UNLIMITED);
    assertThatThrownBy(() -> copy(new Selection(List.of(), "amount IS NULL OR amount > 0", 9)))
        .isInstanceOf(Fault.Data.class)
        .hasMessage("memory:from, row 3, column \"id\": \"3000000000\" does not fit int32.");
  }

  @Test
  void aColumnThatCannotBeConvertedIsRefusedBeforeTheTargetIsTouched() {
    existing(new Type.Uuid(), new Type.Decimal(12, 2), Type.Text.UNLIMITED);
    List<Row> before = List.of(Row.of("00", 1, "kept"));
    memory.put("to", memory.table("to").orElseThrow().schema(), before);
    assertThatThrownBy(() -> copy(Selection.ALL, Mode.TRUNCATE))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("column \"id\" is int64 in the source and uuid in the target");
    assertThat(memory.rows("to")).isEqualTo(before);
  }

  @Test
  void aConditionThatCannotBeAppliedIsRefusedBeforeTheTargetIsTouched() {
    assertThatThrownBy(() -> copy(new Selection(List.of(), "lower(note) = 'one'", 9)))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("\"lower(note)\" (function) does not work here");
    assertThat(memory.table("to")).isEmpty();
  }

  private void existing(Type id, Type amount, Type note) {
    Schema schema =
        Schema.of(
            List.of(Column.of("id", id), Column.of("amount", amount), Column.of("note", note)));
    memory.put("to", schema, List.of());
  }

  private void copy(Selection selection) {
    copy(selection, null);
  }

  private void copy(Selection selection, @org.jspecify.annotations.Nullable Mode mode) {
    memory.put("from", SOURCE, ROWS);
    WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
    Job.Tuning oneLane = new Job.Tuning(1, false, null, null, null);
    Job job =
        new Job(
            memory.endpoint("from"),
            memory.endpoint("to"),
            selection,
            writeOptions,
            oneLane,
            Job.RejectPolicy.NONE);
    try (Source source = memory.source(job.from(), selection, new OpenContext());
        Target target = memory.target(job.to(), writeOptions, new OpenContext())) {
      new Run(Planner.plan(job, source, target), RunOptions.DEFAULT).execute().orThrow();
    }
  }
}
