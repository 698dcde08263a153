package millrace.connectors.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import millrace.data.Form;
import millrace.engine.Run;
import millrace.plan.Job;
import millrace.plan.Lanes;
import millrace.plan.Plan;
import millrace.plan.Planner;
import millrace.spi.Connector;
import millrace.spi.Endpoint;
import millrace.spi.OpenContext;
import millrace.spi.Secret;
import millrace.spi.read.Selection;
import millrace.spi.read.Source;
import millrace.spi.write.Mode;
import millrace.spi.write.Target;
import millrace.spi.write.WriteOptions;
import millrace.testkit.PostgresServer;
import millrace.text.Amount;
import org.jspecify.annotations.Nullable;

/// A database of its own on the test server, and copies between its tables.
public final class TestDatabase {

  public final PostgresServer server;
  public final String name;
  private @Nullable Connection connection;

  private TestDatabase(PostgresServer server) {
    this.server = server;
    name = server.newDatabase();
  }

  public static TestDatabase make() {
    return new TestDatabase(PostgresServer.shared());
  }

  /// On the embedded server, whose users can be asked for passwords.
  public static TestDatabase embedded() {
    return new TestDatabase(PostgresServer.embedded());
  }

  /// On that server.
  static TestDatabase on(PostgresServer server) {
    return new TestDatabase(server);
  }

  /// Runs statements as the superuser, each in a transaction of its own.
  public synchronized void sql(String... statements) {
    for (String sql : statements) {
      try (Statement statement = connection().createStatement()) {
        statement.setEscapeProcessing(false);
        statement.execute(sql);
      } catch (SQLException e) {
        throw new AssertionError("the test's own SQL fails: " + sql, e);
      }
    }
  }

  /// The first column of all rows, as text.
  public synchronized List<@Nullable String> column(String query) {
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<@Nullable String> values = new ArrayList<>();
      while (rows.next()) {
        values.add(rows.getString(1));
      }
      return values;
    } catch (SQLException e) {
      throw new AssertionError("the test's own SQL fails: " + query, e);
    }
  }

  /// Stays open until the tests end: a new one for every statement would take most of their time.
  private Connection connection() throws SQLException {
    if (connection == null) {
      connection = server.connect(name);
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET TimeZone = 'UTC'; SET bytea_output = 'hex'; SET lc_monetary = 'C'");
      }
    }
    return connection;
  }

  /// The one value that a query gives.
  @Nullable
  public String value(String query) {
    List<@Nullable String> values = column(query);
    if (values.size() != 1) {
      throw new AssertionError("one row wanted from " + query + ", not " + values);
    }
    return values.getFirst();
  }

  /// Returns once a query's one value is true.
  public void awaitTrue(String query) {
    while (!"t".equals(value(query))) {
      Thread.onSpinWait();
    }
  }

  public Endpoint table(String table) {
    return endpoint(Map.of("table", table));
  }

  public Endpoint query(String query) {
    return endpoint(Map.of("query", query));
  }

  public Endpoint endpoint(Map<String, String> parameters) {
    return new Endpoint("postgresql", server.location(name), parameters, Secret.NONE);
  }

  public Endpoint as(String user, Secret secret, Map<String, String> parameters) {
    return new Endpoint(
        "postgresql",
        "//" + user + "@" + server.host() + ":" + server.port() + "/" + name,
        new HashMap<>(parameters),
        secret);
  }

  /// A copy, with the plan's own choices but for those named.
  ///
  /// @param form null for the planner's choice
  public record Copy(
      Connector from,
      Endpoint source,
      Connector to,
      Endpoint target,
      Selection selection,
      WriteOptions writeOptions,
      Job.Tuning tuning,
      Job.RejectPolicy rejects,
      @Nullable String form,
      int lanes,
      long splitBytes) {

    public static Copy of(Endpoint source, Endpoint target) {
      Connector postgres = new PostgresConnector();
      return between(postgres, source, postgres, target);
    }

    public static Copy between(Connector from, Endpoint source, Connector to, Endpoint target) {
      return new Copy(
          from,
          source,
          to,
          target,
          Selection.ALL,
          WriteOptions.DEFAULT,
          Job.Tuning.AUTOMATIC,
          Job.RejectPolicy.NONE,
          null,
          1,
          16 << 20);
    }

    Copy landing(WriteOptions other) {
      return new Copy(
          from, source, to, target, selection, other, tuning, rejects, form, lanes, splitBytes);
    }

    Copy mode(Mode mode) {
      return landing(
          new WriteOptions(
              mode,
              writeOptions.atomic(),
              writeOptions.key(),
              writeOptions.byPosition(),
              writeOptions.types()));
    }

    Copy selection(Selection other) {
      return new Copy(
          from, source, to, target, other, writeOptions, tuning, rejects, form, lanes, splitBytes);
    }

    public Copy form(String other) {
      return new Copy(
          from,
          source,
          to,
          target,
          selection,
          writeOptions,
          tuning,
          rejects,
          other,
          lanes,
          splitBytes);
    }

    Copy rejects(Job.RejectPolicy other) {
      return new Copy(
          from,
          source,
          to,
          target,
          selection,
          writeOptions,
          tuning,
          other,
          form,
          lanes,
          splitBytes);
    }

    Copy lanes(int count, long bytes) {
      return new Copy(
          from, source, to, target, selection, writeOptions, tuning, rejects, form, count, bytes);
    }

    Copy units(@Nullable Amount read, @Nullable Amount write, @Nullable Amount commit) {
      Job.Tuning units = new Job.Tuning(tuning.lanes(), tuning.ordered(), read, write, commit);
      return new Copy(
          from,
          source,
          to,
          target,
          selection,
          writeOptions,
          units,
          rejects,
          form,
          lanes,
          splitBytes);
    }

    public Plan run() {
      return run(_ -> {});
    }

    Plan run(Consumer<Run> watch) {
      try (Source open = from.source(source, selection, new OpenContext());
          Target landingPlace = to.target(target, writeOptions, new OpenContext())) {
        Job job = new Job(source, target, selection, writeOptions, tuning, rejects);
        Plan plan = chosen(Planner.plan(job, open, landingPlace), open);
        Run run = new Run(plan, open, landingPlace);
        watch.accept(run);
        run.execute();
        return plan;
      }
    }

    private Plan chosen(Plan plan, Source open) {
      int most = Math.min(plan.source().lanes().max(), plan.target().lanes().max());
      Plan.Crossing crossing = plan.crossing();
      Form chosen = form == null ? crossing.form() : formNamed(plan, open);
      return new Plan(
          plan.job(),
          plan.ends(),
          plan.writePlan(),
          new Plan.Crossing(chosen, crossing.why(), crossing.fallback()),
          Lanes.fixed(Math.min(lanes, most), plan.lanes().why()),
          splitBytes,
          plan.work(),
          plan.known());
    }

    private Form formNamed(Plan plan, Source open) {
      Form wanted =
          plan.source().forms().stream()
              .filter(one -> one.name().equals(form))
              .findFirst()
              .orElse(Form.COLUMNS);
      if (!wanted.name().equals(form) || open.cost(wanted) < 0) {
        throw new AssertionError("the source does not speak " + form);
      }
      return wanted;
    }
  }
}
