package millrace.online.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import millrace.fault.Fault;
import millrace.online.job.JobFile;
import millrace.online.job.OnlineJob;
import millrace.report.sweep.Axis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a sweep runs, and what it refuses before it runs anything.
final class SweepPlanTest {

  private static final OnlineJob JOB = JobFile.parse("the example", JobFile.example());

  private static SweepPlan plan(String... varied) {
    return SweepPlan.of(JOB, List.of(varied), false);
  }

  private static OnlineJob only(String varied) {
    return plan(varied).combinations().getFirst().job();
  }

  @Test
  void everyValueMeetsEveryOtherAndTheLastNameChangesFastest() {
    SweepPlan plan = plan("key=time-first,device-first", "sorted=no,yes", "rows=1000");
    assertThat(plan.axes()).extracting(Axis::name).containsExactly("key", "sorted", "rows");
    assertThat(plan.combinations())
        .extracting(each -> each.settings().toString())
        .containsExactly(
            "{key=time-first, sorted=no, rows=1000}",
            "{key=time-first, sorted=yes, rows=1000}",
            "{key=device-first, sorted=no, rows=1000}",
            "{key=device-first, sorted=yes, rows=1000}");
    OnlineJob second = plan.combinations().get(1).job();
    assertThat(second.tables().timeFirst()).isTrue();
    assertThat(second.load().sorted()).isTrue();
    assertThat(second.load().rows()).isEqualTo(1000);
  }

  @Test
  void eachSettingChangesItsPartOfTheJobAndNoOther() {
    OnlineJob.Tables tables = JOB.tables();
    assertThat(only("partition=24h").tables())
        .isEqualTo(
            new OnlineJob.Tables(
                tables.raw(),
                tables.timeFirst(),
                Duration.ofHours(24),
                tables.ahead(),
                tables.hashBuckets()));
    assertThat(only("partition=0").tables().partition()).isZero();
    assertThat(only("hash-buckets=8").tables().hashBuckets()).isEqualTo(8);
    assertThat(only("clients=4").load().clients()).isEqualTo(4);
    assertThat(only("rows=20_000").load().rows()).isEqualTo(20_000);
    assertThat(only("sorted=no").tables()).isEqualTo(tables);
    assertThat(only("key=time-first").load()).isEqualTo(JOB.load());
  }

  @Test
  void aNameThatOnlyACommandKnowsNeedsOne() {
    assertThatThrownBy(() -> plan("memory=4g,16g"))
        .isInstanceOf(Fault.User.class)
        .hasMessage("--vary memory is no setting of an online run.")
        .extracting(e -> ((Fault) e).advice())
        .asString()
        .contains("partition, hash-buckets, key, sorted, clients, rows")
        .contains("MILLRACE_VARY_MEMORY")
        .endsWith("--before COMMAND");

    SweepPlan plan = SweepPlan.of(JOB, List.of("server-memory=4g,16g", "hash-buckets=4"), true);
    assertThat(plan.onlyForCommand()).containsExactly("server-memory");
    SweepPlan.Combination last = plan.combinations().getLast();
    assertThat(last.environment())
        .isEqualTo(Map.of("MILLRACE_VARY_SERVER_MEMORY", "16g", "MILLRACE_VARY_HASH_BUCKETS", "4"));
    assertThat(last.job().tables().hashBuckets()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(strings = {"key", "key=", "key=device-first,", "=yes", "key=,", ""})
  void whatNamesNoValueIsRefused(String varied) {
    assertThatThrownBy(() -> plan(varied))
        .isInstanceOf(Fault.User.class)
        .hasMessageStartingWith("--vary " + varied);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "key=both,         'both' is neither time-first nor device-first",
        "sorted=true,      'true' is neither yes nor no",
        "partition=daily,  'daily' is not a duration",
        "hash-buckets=257, '257' can't be",
        "clients=0,        '0' can't be",
        "rows=1k5,         '1k5' can't be",
        "rows=10,          10 rows a second by 20 clients can't be",
      })
  void aValueThatCannotBeIsRefusedBeforeAnythingRuns(String varied, String message) {
    assertThatThrownBy(() -> plan(varied))
        .isInstanceOf(Fault.User.class)
        .hasMessageContaining(message);
  }

  @Test
  void aNameIsVariedOnce() {
    assertThatThrownBy(() -> plan("key=time-first", "key=device-first"))
        .isInstanceOf(Fault.User.class)
        .hasMessage("--vary key is there twice.");
  }
}
