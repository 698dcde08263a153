package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.StageClock;
import millrace.spi.read.ReadContext;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.read.Split;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.Values;
import millrace.testkit.memory.MemoryConnector;
import millrace.tuning.BestUnit;
import org.junit.jupiter.api.Test;

/// What a target is measured by: rows of the source, given from memory.
class ProbeRunTest {

  private static final Schema SCHEMA =
      Schema.of(
          List.of(
              Column.of("id", new Type.Int(64)),
              Column.of("share", new Type.Float(64)),
              Column.of("note", Type.Text.UNLIMITED)));

  private static final List<Row> ROWS =
      List.of(Row.of(1, 0.5, "one"), Row.of(null, null, null), Row.of(3, -1.5, ""));

  private final MemoryConnector memory = new MemoryConnector();

  private Source sample() {
    Job job =
        new Job(
            memory.endpoint("from"),
            memory.endpoint("to"),
            Selection.ALL,
            WriteOptions.DEFAULT,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    try (Source source = memory.source(job.from(), Selection.ALL);
        Target target = memory.target(job.to(), WriteOptions.DEFAULT)) {
      Plan plan = Planner.plan(job, source, target);
      return Probe.sample(plan, source);
    }
  }

  private static Columns next(Reader reader) {
    return (Columns) Objects.requireNonNull(reader.next());
  }

  @Test
  void aSampleGivesItsRowsAgainWhateverWasDoneToThoseGivenBefore() {
    memory.put("from", SCHEMA, ROWS);
    Source sample = sample();
    ReadContext context =
        new ReadContext(0, new StageClock(), Reading.NO_REJECTS, null, null, BestUnit.unknown());
    Split split = Objects.requireNonNull(sample.splits(1, 1).next());
    try (Reader reader = sample.reader(Form.COLUMNS, context)) {
      reader.start(split);
      Columns first = next(reader);
      assertThat(Values.rows(first)).isEqualTo(ROWS);
      Values.set(first, 0, 0, 99L);
      first.thinned(new int[] {2}, 1);
      first.release();
      assertThat(Values.rows(next(reader))).isEqualTo(ROWS);
    }
  }

  @Test
  void aSourceWithoutRowsGivesNoSample() {
    memory.put("from", SCHEMA, List.of());
    assertThatThrownBy(this::sample)
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining("has no rows");
  }
}
