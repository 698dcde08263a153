package millrace.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import millrace.connectors.Connectors;
import millrace.copy.CopyContext;
import millrace.copy.CopyListener;
import millrace.copy.CopyResult;
import millrace.copy.CopySpec;
import millrace.endpoint.Endpoints;
import millrace.engine.retry.RetryPolicy;
import millrace.job.TableResult.State;
import millrace.job.file.JobDescription;
import millrace.job.file.JobInputs;
import millrace.job.file.JobReader;
import millrace.plan.Job;
import millrace.report.RunStore;
import millrace.resume.ResumeChoice;
import millrace.spi.read.Selection;
import millrace.spi.write.WriteOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs as a program runs them that has no command line.
class JobRunTest {

  private static final Endpoints ENDPOINTS = new Endpoints(Connectors.ALL.all(), Map.of());

  @TempDir private Path folder;
  private final List<String> ended = new CopyOnWriteArrayList<>();

  @BeforeEach
  void makeFiles() throws IOException {
    Files.createDirectory(folder.resolve("in"));
    Files.writeString(folder.resolve("in/items.csv"), "sku,n\na,1\nb,2\n");
    Files.writeString(folder.resolve("in/orders.csv"), "id\n7\n8\n9\n");
  }

  private JobContext context() {
    JobListener listener =
        new JobListener() {
          @Override
          public CopyListener copies(TableCopy copy) {
            return new CopyListener() {};
          }

          @Override
          public void ended(TableResult table, @Nullable CopyResult result) {
            ended.add(table.name() + ": " + table.rows());
          }
        };
    return new JobContext(
        new CopyContext(Connectors.ALL, new RunStore(folder.resolve("runs"))),
        ENDPOINTS,
        folder.resolve("jobs"),
        listener);
  }

  private static TablesRequest request(String from, String to, ResumeChoice resume, boolean many) {
    Job job =
        new Job(
            ENDPOINTS.parse(from),
            ENDPOINTS.parse(to),
            Selection.ALL,
            WriteOptions.DEFAULT,
            Job.Tuning.AUTOMATIC,
            Job.RejectPolicy.NONE);
    CopySpec each = new CopySpec(job, resume, RetryPolicy.NONE, CopySpec.Measures.NONE);
    return new TablesRequest(
        each, List.of(), List.of(), many, TablesRequest.Definitions.USUAL, false);
  }

  private String in(String path) {
    return folder.resolve(path).toString();
  }

  private JobResult tables(ResumeChoice resume) {
    String to = "sqlite:" + in("shop.db") + "?table={stem}";
    return new JobRun(JobPlan.of(context(), request(in("in/*.csv"), to, resume, true), false))
        .run();
  }

  @Test
  void manyTablesAreCopiedByOneCallAndKnownAsDoneAfterwards() {
    JobResult result = tables(ResumeChoice.NONE);
    assertThat(result.tables()).extracting(TableResult::fault).containsOnlyNulls();
    assertThat(result.tables()).extracting(TableResult::rows).containsExactly(2L, 3L);
    assertThat(ended).hasSize(2);
    assertThat(tables(ResumeChoice.RESUME).tables())
        .allMatch(TableResult::isDone)
        .extracting(TableResult::state)
        .containsOnly(State.DONE_BEFORE);
    assertThat(ended).hasSize(2);
  }

  @Test
  void aJobFileIsCarriedOutWithItsHooks() throws IOException {
    Path file = folder.resolve("night.yaml");
    String yaml =
        """
        streams:
          ~/in/items.csv: {object: 'sqlite:~/shop.db?table=goods'}
          ~/in/orders.csv:
            object: ~/orders.parquet
            hooks:
              post: [{command: [cp, ~/orders.parquet, ~/after.parquet]}]
        """;
    Files.writeString(file, yaml.replace("~", folder.toString()));
    JobDescription job = JobReader.read(file, new JobInputs(Set.of(), Map.of(), Map.of(), _ -> ""));
    JobResult result = run(job, ResumeChoice.NONE);
    assertThat(result.isComplete()).as("%s", result).isTrue();
    assertThat(result.failedHooks()).isEmpty();
    assertThat(folder.resolve("after.parquet")).exists();
    assertThat(run(job, ResumeChoice.RESUME).tables())
        .extracting(TableResult::state)
        .containsOnly(State.DONE_BEFORE);
  }

  private JobResult run(JobDescription job, ResumeChoice resume) {
    StreamOptions options =
        new StreamOptions() {
          @Override
          public Set<String> names() {
            return Set.of();
          }

          @Override
          public TablesRequest read(String from, String to, Map<String, String> settings) {
            return request(from, to, resume, false);
          }
        };
    return new JobRun(JobPlan.of(context(), job, options, List.of(), 2, false)).run();
  }
}
