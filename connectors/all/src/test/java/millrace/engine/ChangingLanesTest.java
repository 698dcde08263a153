package millrace.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import millrace.connectors.Connectors;
import millrace.engine.retry.RetryPolicy;
import millrace.engine.tuning.ConcurrencyPolicy;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planned;
import millrace.plan.Planner;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.verify.Differences;
import millrace.verify.Verify;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Lanes that come and go between real ends: connections are opened and closed, one file is joined
/// in split order, one snapshot is read, and every row arrives once.
class ChangingLanesTest {

  private static final int ROWS = 100_000;
  private static final int LANES_MOST = 4;
  private static final long SPLIT_BYTES = 64 << 10;

  private static final Endpoint MADE =
      new Endpoint("generate", "unload", Map.of("rows", Integer.toString(ROWS)), Secret.NONE);

  @TempDir private Path folder;

  /// Says another number for every few batches, from 1 to 4 and back.
  private static final class Restless implements ConcurrencyPolicy {
    private static final int[] NUMBERS = {4, 3, 1, 4, 1, 2};
    private int calls;

    @Override
    public int lanes(boolean complete, long bytes, long nanos) {
      return NUMBERS[calls++ / 4 % NUMBERS.length];
    }

    @Override
    public void limit(int most) {
      throw new AssertionError("no lane is refused here");
    }
  }

  private static Job job(Endpoint from, Endpoint to) {
    return new Job(
        from, to, Selection.ALL, WriteOptions.DEFAULT, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
  }

  private static Source open(Endpoint end) {
    return Connectors.ALL.of(end).source(end, Selection.ALL, new OpenContext());
  }

  private static void copy(Endpoint from, Endpoint to) {
    try (Source source = open(from);
        Target target = Connectors.ALL.of(to).target(to, WriteOptions.DEFAULT, new OpenContext())) {
      Planned planned = Planner.plan(job(from, to), source, target);
      Plan wide = planned.plan().with(new Lanes(2, LANES_MOST, ""), SPLIT_BYTES);
      RunOptions restless = new RunOptions(RetryPolicy.NONE, new Restless(), _ -> {});
      Run run = new Run(planned.with(wide), restless);
      run.execute().orThrow();
      assertThat(run.meter().rows()).isEqualTo(ROWS);
      assertThat(run.meter().lanesWithRows()).isGreaterThan(2);
    }
  }

  /// Goes to that end and back into a file, and compares both with the rows as they were made.
  private void roundTrip(Function<String, Endpoint> ends) {
    Endpoint there = ends.apply("there");
    Endpoint back = file("back.csv");
    copy(MADE, there);
    copy(there, back);
    for (Endpoint end : List.of(there, back)) {
      Differences differences =
          new Verify(
                  new Verify.Side(job(MADE, end), () -> open(MADE)),
                  new Verify.Side(job(end, MADE), () -> open(end)),
                  List.of(),
                  RetryPolicy.NONE)
              .execute();
      assertThat(differences.same()).as(end.label()).isTrue();
    }
  }

  private Endpoint file(String name) {
    return new Endpoint("file", folder.resolve(name).toString(), Map.of(), Secret.NONE);
  }

  @Test
  void aFileLosesNothing() {
    roundTrip(name -> file(name + ".csv"));
  }

  @Test
  void postgresLosesNothing() {
    PostgresServer server = PostgresServer.shared();
    String location = server.location(server.newDatabase());
    roundTrip(name -> new Endpoint("postgresql", location, Map.of("table", name), Secret.NONE));
  }

  @Test
  void duckDbLosesNothing() {
    String location = folder.resolve("lanes.db").toString();
    roundTrip(name -> new Endpoint("duckdb", location, Map.of("table", name), Secret.NONE));
  }
}
