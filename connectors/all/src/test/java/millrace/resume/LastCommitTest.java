package millrace.resume;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import millrace.connectors.Connectors;
import millrace.engine.Run;
import millrace.engine.retry.RetryPolicy;
import millrace.fault.Fault;
import millrace.plan.Job;
import millrace.plan.JobIdentity;
import millrace.plan.Planner;
import millrace.spi.Endpoint;
import millrace.spi.PhaseTimer;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.testkit.forwarding.ForwardingTarget;
import millrace.testkit.network.FaultyProxy;
import millrace.testkit.network.Harm;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A copy into PostgreSQL that ends at any moment of its end, before the last commit or behind it,
/// is there once: the same command with --resume brings what is missing, or finds nothing to do.
class LastCommitTest {

  private static final int ROWS = 300;

  /// At so many moments of its end a copy is cut off.
  private static final int CUTS = 8;

  @TempDir private Path folder;

  private final PostgresServer server = PostgresServer.shared();
  private final String database = server.newDatabase();

  /// What is seen where a process is killed.
  private enum Seen {
    UNFINISHED,
    COMPLETE
  }

  private String value(String query) {
    try (Connection connection = server.connect(database);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  /// A copy by that proxy, which does something when the end begins.
  private Run copy(FaultyProxy proxy, String table, Mode mode, Runnable end) {
    Endpoint from =
        new Endpoint("file", folder.resolve("orders.csv").toString(), Map.of(), Secret.NONE);
    String location = "//" + server.user() + "@localhost:" + proxy.port() + "/" + database;
    Endpoint to = new Endpoint("postgresql", location, Map.of("table", table), Secret.NONE);
    WriteOptions writeOptions = new WriteOptions(mode, false, List.of(), false);
    Job job =
        new Job(from, to, Selection.ALL, writeOptions, Job.Tuning.AUTOMATIC, Job.RejectPolicy.NONE);
    try (Source source = Connectors.ALL.of(from).source(from, Selection.ALL);
        Target target =
            new ForwardingTarget(Connectors.ALL.of(to).target(to, writeOptions)) {
              @Override
              public void complete(PhaseTimer steps) {
                end.run();
                super.complete(steps);
              }
            }) {
      String identity = JobIdentity.of(job, source, Connectors.ALL.of(to));
      ResumeState resumeState = ResumeState.of(target, identity, ResumeState.Choice.RESUME);
      Run run =
          new Run(Planner.plan(job, source, target), source, target, resumeState, RetryPolicy.NONE);
      run.execute();
      run.acknowledge();
      return run;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Mode.class,
      names = {"APPEND", "REPLACE", "MERGE"})
  void rowsAreThereOnceWhereverTheConnectionsEnd(Mode mode) throws IOException {
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 1; i <= ROWS; i++) {
      text.append(i).append(",name\n");
    }
    Files.writeString(folder.resolve("orders.csv"), text);
    Set<Seen> seen = EnumSet.noneOf(Seen.class);
    try (FaultyProxy proxy = new FaultyProxy(server.host(), server.port(), _ -> new Harm.None())) {
      long end = endBytes(proxy, mode);
      for (int cut = 0; cut <= CUTS; cut++) {
        String table = "orders_" + cut;
        long bytes = cut == CUTS ? Long.MAX_VALUE / 2 : 1 + end * cut / CUTS;
        server.execute(database, "CREATE TABLE " + table + " (id int PRIMARY KEY, name text)");
        cut(proxy, table, mode, bytes);
        Run again = copy(proxy, table, mode, () -> {});
        seen.add(again.completeSince().isEmpty() ? Seen.UNFINISHED : Seen.COMPLETE);
        assertThat(copy(proxy, table, mode, () -> {}).completeSince()).isNotEmpty();
        assertThat(value("SELECT count(*) || ' ' || count(DISTINCT id) FROM " + table))
            .as("cut off %d bytes behind the last row", bytes)
            .isEqualTo(ROWS + " " + ROWS);
        server.execute(database, "TRUNCATE millrace_journal");
      }
    }
    assertThat(seen).containsExactly(Seen.values());
  }

  /// How many bytes an end takes.
  private long endBytes(FaultyProxy proxy, Mode mode) {
    server.execute(database, "CREATE TABLE orders_x (id int PRIMARY KEY, name text)");
    AtomicLong before = new AtomicLong();
    copy(proxy, "orders_x", mode, () -> before.set(proxy.passed()));
    return proxy.passed() - before.get();
  }

  /// Has all connections end so many bytes behind the last row, as those of a killed process do.
  private void cut(FaultyProxy proxy, String table, Mode mode, long bytes) {
    Runnable kill =
        () -> {
          proxy.refuse(true);
          proxy.resetAll();
        };
    try {
      copy(proxy, table, mode, () -> proxy.after(bytes, kill));
    } catch (Fault.Transient | Fault.External e) {
      assertThat(e).as("nobody can be told").isNotNull();
    }
    proxy.disarm();
    proxy.refuse(false);
  }
}
