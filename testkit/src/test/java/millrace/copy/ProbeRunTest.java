package millrace.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Objects;
import millrace.data.Column;
import millrace.data.Columns;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.Planner;
import millrace.spi.OpenContext;
import millrace.spi.read.ColumnRequest;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Reading;
import millrace.testkit.Row;
import millrace.testkit.Values;
import millrace.testkit.memory.MemoryConnector;
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
    try (Source source = memory.source(job.from(), Selection.ALL, new OpenContext());
        Target target = memory.target(job.to(), WriteOptions.DEFAULT, new OpenContext())) {
      return Probe.sample(Planner.plan(job, source, target));
    }
  }

  private static Columns next(Reader reader) {
    return (Columns) Objects.requireNonNull(reader.next());
  }

  @Test
  void aSampleGivesItsRowsAgainWhateverWasDoneToThoseGivenBefore() {
    memory.put("from", SCHEMA, ROWS);
    try (ReadSession session = Reading.open(sample().describe(new ColumnRequest.Typed()), 1);
        Reader reader = session.reader(Reading.context(null))) {
      reader.start(Objects.requireNonNull(session.splits().next()));
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
