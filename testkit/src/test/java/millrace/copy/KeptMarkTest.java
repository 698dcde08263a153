package millrace.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.report.RunStore;
import millrace.resume.ResumeChoice;
import millrace.spi.Connector;
import millrace.spi.ConnectorRegistry;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.Mode;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.WriteOptions;
import millrace.testkit.Copying;
import millrace.testkit.Row;
import millrace.testkit.RowCheck;
import millrace.testkit.faulty.FaultPlan;
import millrace.testkit.faulty.FaultyConnector;
import millrace.testkit.forwarding.ForwardingConnector;
import millrace.testkit.forwarding.ForwardingDescribedTarget;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.memory.MemoryConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How far copies of what is new are: kept on this machine if rows do not appear in the target all
/// at once, as in Kudu; else the target's own value.
class KeptMarkTest {

  private static final Schema CHANGING =
      new Schema(
          List.of(
              new Column("id", new Type.Int(64), false, null),
              Column.of("version", new Type.Int(64)),
              Column.of("sent", new Type.Int(64))),
          List.of("id"));

  private final MemoryConnector memory = new MemoryConnector();

  @TempDir private Path folder;

  /// Tables in memory in which rows appear as they come.
  private Connector asTheyCome() {
    return new ForwardingConnector(
        memory,
        UnaryOperator.identity(),
        target ->
            new ForwardingTarget(target) {
              @Override
              public DescribedTarget describe() {
                return new ForwardingDescribedTarget(super.describe()) {
                  @Override
                  public TargetDescription description() {
                    return super.description().refusingAtomic("rows appear as they come", "");
                  }
                };
              }
            });
  }

  private void merge(Connector tables, String to, String updateKey) {
    assertThat(merging(tables, to, updateKey).fault()).isNull();
  }

  private CopyResult merging(Connector tables, String to, String updateKey) {
    Job job =
        Copying.of(memory, memory.endpoint("from"), memory, memory.endpoint(to))
            .landing(new WriteOptions(Mode.MERGE, false, List.of("id"), false))
            .job();
    CopySpec spec =
        new CopySpec(
            job,
            ResumeChoice.FRESH,
            RetryPolicy.NONE,
            CopySpec.Measures.LEAST,
            new Increment(updateKey, null, null));
    return Copy.run(
        new CopyContext(new ConnectorRegistry(List.of(tables)), new RunStore(folder)),
        spec,
        new CopyListener() {});
  }

  /// What a copy by one column into one table has seen says nothing of a copy by another column, or
  /// into another table.
  @ParameterizedTest
  @CsvSource({"to, sent", "other, version"})
  void theMarkOfOneCopyIsNoneOfAnother(String to, String updateKey) {
    List<Row> old = List.of(Row.of(1, 10, 1), Row.of(2, 20, 2));
    memory.put("to", CHANGING, List.of());
    memory.put("other", CHANGING, old.subList(0, 1));
    memory.put("from", CHANGING, old);
    merge(asTheyCome(), "to", "version");
    List<Row> all = List.of(Row.of(1, 10, 1), Row.of(2, 20, 2), Row.of(3, 5, 3));
    memory.put("from", CHANGING, all);
    merge(asTheyCome(), "to", "version");
    RowCheck.sameRows(CHANGING, old, memory.rows("to"));
    merge(asTheyCome(), to, updateKey);
    RowCheck.sameRows(CHANGING, all, memory.rows(to));
  }

  /// A copy that is cut off has seen rows that are not in the target.
  @Test
  void aCopyThatFailsLeavesTheMarkWhereItWas() {
    List<Row> rows = List.of(Row.of(1, 10, 1), Row.of(2, 20, 2));
    memory.put("to", CHANGING, List.of());
    memory.put("from", CHANGING, rows.subList(0, 1));
    merge(asTheyCome(), "to", "version");
    memory.put("from", CHANGING, rows);
    FaultPlan cutOff = FaultPlan.at(FaultPlan.Site.WRITE, 0, 0, FaultPlan.Kind.EXTERNAL);
    Connector faulty = new FaultyConnector(asTheyCome(), cutOff);
    assertThat(merging(faulty, "to", "version").fault()).isInstanceOf(Fault.External.class);
    RowCheck.sameRows(CHANGING, rows.subList(0, 1), memory.rows("to"));
    merge(asTheyCome(), "to", "version");
    RowCheck.sameRows(CHANGING, rows, memory.rows("to"));
  }

  /// A day is no moment: the advice is not that of a value that is none.
  @Test
  void aDateThatGoesIntoATimestampIsRefusedAsThat() {
    Column id = new Column("id", new Type.Int(64), false, null);
    Schema days = new Schema(List.of(id, Column.of("at", new Type.Date())), List.of("id"));
    Schema moments =
        new Schema(List.of(id, Column.of("at", new Type.Timestamp(false))), List.of("id"));
    List<Row> there = List.of(Row.of(1, 9_000 * Temporals.DAY_MICROS));
    memory.put("from", days, List.of(Row.of(1, 9_000), Row.of(2, 9_001)));
    memory.put("to", moments, there);
    assertThatThrownBy(() -> merge(memory, "to", "at"))
        .isInstanceOfSatisfying(
            Fault.User.class,
            fault -> {
              assertThat(fault)
                  .hasMessageContaining("is date in the source and timestamp in the target");
              assertThat(fault.advice()).isEqualTo("Give both the same type.");
            });
    RowCheck.sameRows(moments, there, memory.rows("to"));
  }
}
