package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import millrace.data.Column;
import millrace.data.Form;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Encoder;
import millrace.spi.Fit;
import millrace.spi.Landing;
import millrace.spi.StepTimer;
import millrace.spi.Target;
import millrace.spi.TargetDescription;
import millrace.spi.WriteContext;
import millrace.spi.Writer;
import org.jspecify.annotations.Nullable;

/// A table, written by COPY on one connection per lane.
final class PostgresTarget implements Target {

  /// How long abandoning waits for a lane's connection to let go of the staging table.
  private static final String LOCK_TIMEOUT = "SET lock_timeout = '20s'";

  private final Dialer dialer;
  private final Session session;
  private final LoadPlanner planner;
  private final LongAdder rows = new LongAdder();
  private final List<Session> sideBySide = new CopyOnWriteArrayList<>();
  private @Nullable LoadPlan settled;
  private int lanes;
  private boolean begun;

  PostgresTarget(Dialer dialer, TableName table, Landing landing, LoadOptions options) {
    this.dialer = dialer;
    session = dialer.connect();
    try {
      planner = new LoadPlanner(session, table, landing, options);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  @Override
  public TargetDescription describe() {
    Address address = dialer.address();
    String label =
        "postgresql://"
            + address.server()
            + "/"
            + address.database()
            + " "
            + planner.table().label();
    String oneLaneWhy = planner.oneLaneWhy();
    int lanesMax = oneLaneWhy.isEmpty() ? Integer.MAX_VALUE : 1;
    return new TargetDescription(label, planner.existing(), true, forms(), lanesMax, oneLaneWhy);
  }

  /// The source's own forms are asked about in {@link #cost}.
  private static List<Form> forms() {
    return List.of();
  }

  @Override
  public Fit fit(Schema incoming) {
    LoadPlan plan = planner.plan(incoming);
    settled = plan;
    List<Column> columns = new ArrayList<>();
    for (int i = 0; i < incoming.width(); i++) {
      columns.add(plan.slots().get(i).column(incoming.column(i)));
    }
    return new Fit(new Schema(columns, incoming.key()), plan.mode(), plan.ddl(), plan.notes());
  }

  private LoadPlan settled() {
    if (settled == null) {
      throw new Fault.Bug("the target has not been fitted", null);
    }
    return settled;
  }

  @Override
  public double cost(Form form) {
    return PostgresForms.costOfWriting(form, settled());
  }

  @Override
  public void begin(int lanesPlanned) {
    LoadPlan plan = settled();
    lanes = lanesPlanned;
    begun = true;
    if (plan.oneTransaction()) {
      session.begin();
    }
    plan.begin(session);
  }

  @Override
  public Encoder encoder(WriteContext context) {
    return new PostgresEncoder(settled(), context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    LoadPlan plan = settled();
    return new PostgresWriter(
        plan.oneTransaction() ? session : dialer.connect(), plan, rows, context);
  }

  @Override
  public void complete(StepTimer steps) {
    LoadPlan plan = settled();
    try {
      plan.complete(new Ending(session, rows.sum(), steps, this::connect, lanes));
      if (plan.oneTransaction()) {
        session.commit();
      }
    } catch (Fault.Data e) {
      // All rows at once: the server names the values, and no row of the source.
      throw new Fault.Data(
          plan.target().label() + ": " + Staging.unstaged(plan, String.valueOf(e.getMessage())),
          e.advice().isEmpty()
              ? "Mend the source, or leave such rows out with --where."
              : e.advice(),
          null);
    }
    begun = false;
  }

  /// One more connection for the end, which a cancel reaches as well.
  private Session connect() {
    Session more = dialer.connect();
    sideBySide.add(more);
    session.checkCancelled();
    return more;
  }

  @Override
  public void cancel() {
    session.cancel();
    sideBySide.forEach(Session::cancel);
  }

  @Override
  public void abandon() {
    if (begun && settled().oneTransaction()) {
      // The server undoes what the connection has not committed.
      session.close();
    } else if (begun && settled().staged()) {
      TableName staging = settled().into();
      try (Session own = dialer.connect()) {
        own.execute(LOCK_TIMEOUT);
        Staging.drop(own, staging);
      } catch (Fault e) {
        throw new Fault.External(
            "The staging table " + staging.label() + " is left behind: " + e.getMessage(),
            "Drop it: DROP TABLE " + staging.sql() + ";",
            e);
      }
    }
    begun = false;
  }

  @Override
  public void close() {
    session.close();
  }
}
