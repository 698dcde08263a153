package millrace.connectors.postgres;

import java.util.ArrayList;
import java.util.List;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.QualifiedName;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.journal.EarlierRunCheck;
import millrace.connectors.postgres.journal.PostgresJournal;
import millrace.connectors.postgres.load.InsertMethod;
import millrace.connectors.postgres.load.LoadColumn;
import millrace.connectors.postgres.load.LoadOptions;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.load.PlannedLoad;
import millrace.connectors.postgres.load.TargetTable;
import millrace.connectors.postgres.net.Address;
import millrace.connectors.postgres.net.Blockers;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.Session;
import millrace.connectors.postgres.net.TargetConnections;
import millrace.data.Column;
import millrace.data.Schema;
import millrace.fault.Fault;
import millrace.spi.Blockable;
import millrace.spi.Counters;
import millrace.spi.HasCounters;
import millrace.spi.LaneLimit;
import millrace.spi.OpenContext;
import millrace.spi.journal.JobLock;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Ledger;
import millrace.spi.write.ColumnAdder;
import millrace.spi.write.DescribedTarget;
import millrace.spi.write.PlannedTarget;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.WriteOptions;
import millrace.spi.write.WritePlan;
import millrace.spi.write.WriteRequest;
import org.jspecify.annotations.Nullable;

/// A table, written by COPY on one connection per lane.
final class PostgresTarget implements Target, ColumnAdder, HasCounters, Blockable {

  private final ConnectionFactory connectionFactory;
  private final TargetConnections connections;
  private final InsertMethod method;
  private final PostgresJournal journal;
  private final @Nullable NoJournal noJournal;
  private TargetTable table;
  private final Blockers blockers;
  private final Blockable waiting;

  PostgresTarget(
      ConnectionFactory connectionFactory,
      QualifiedName name,
      WriteOptions writeOptions,
      LoadOptions options,
      OpenContext context) {
    this.connectionFactory = connectionFactory;
    blockers = new Blockers(connectionFactory);
    method = options.method();
    connections = new TargetConnections(connectionFactory);
    waiting = blockers.waiting(connectionFactory::backends, connections::cancel);
    context.needs(waiting);
    try {
      checkWritable(connections.main());
      table = new TargetTable(connections.main(), name, writeOptions, options);
      journal =
          new PostgresJournal(
              connections::main,
              connections::another,
              connections::atEnd,
              table.name(),
              table.isEmptiedByCrash());
      noJournal = journal.whyNot();
    } catch (RuntimeException e) {
      blockers.close();
      connections.close();
      throw e;
    }
  }

  /// @throws Fault.User if nothing can be changed, so that nobody tries and cleans up in vain
  private void checkWritable(Session session) {
    record State(boolean isStandby, boolean isReadOnly) {}
    Address address = connectionFactory.address();
    State state =
        session.known(
            "writable",
            State.class,
            () ->
                session.one(
                    """
                    SELECT pg_catalog.pg_is_in_recovery(),
                      pg_catalog.current_setting('transaction_read_only')::bool
                    """,
                    row -> new State(row.getBoolean(1), row.getBoolean(2))));
    if (state.isStandby) {
      throw new Fault.User(
          address.server() + " is a standby server, which takes no changes.",
          "Name the primary server.");
    }
    if (state.isReadOnly) {
      throw new Fault.User(
          address.server()
              + " lets user "
              + address.user()
              + " change nothing in database "
              + address.database()
              + ": default_transaction_read_only is on.",
          "Connect as another user, or have the setting changed for this one.");
    }
  }

  @Override
  public DescribedTarget describe() {
    Address address = connectionFactory.address();
    String label =
        "postgresql://" + address.server() + "/" + address.database() + " " + table.name().label();
    return new DescribedTable(
        TargetDescription.of(label, table.state())
            .with(table.name().label(), table.targetColumns(), table.key())
            .withLanes(LaneLimit.oneIf(table.oneLaneWhy()))
            .landing(table.offer())
            .naming(true, table.nameBytesMax())
            .keeping(true, false, method.toString())
            .withoutJournal(noJournal));
  }

  @Override
  public void addColumns(List<Column> columns) {
    table = table.with(columns);
  }

  /// It keeps a journal if this user may.
  @Override
  public <T> @Nullable T capability(Class<T> type) {
    if (type.equals(Ledger.class) || type.equals(JobLock.class)) {
      return noJournal == null ? type.cast(journal) : null;
    }
    return Target.super.capability(type);
  }

  private static List<String> jsonb(List<Column> columns) {
    return columns.stream()
        .filter(column -> "jsonb".equals(column.declaredIn(PostgresConnector.NAME)))
        .map(Column::name)
        .toList();
  }

  /// What waits in a table of its own takes the target's place, or goes into it, when the source
  /// has let go of it.
  private static String adviceToReadItself(LoadPlan load) {
    return !load.into().equals(load.target())
        ? ""
        : "Use --mode replace, or truncate with --atomic: they leave the table as it is until all"
            + " has been read.";
  }

  @Override
  public @Nullable String waitsFor() {
    return waiting.waitsFor();
  }

  @Override
  public void cancel() {
    waiting.cancel();
  }

  @Override
  public Counters counters() {
    return new PostgresCounters(connectionFactory, connections.main());
  }

  @Override
  public void close() {
    blockers.close();
    connections.close();
  }

  /// The table as it was looked at.
  private final class DescribedTable implements DescribedTarget {

    private final TargetDescription description;

    DescribedTable(TargetDescription description) {
      this.description = description;
    }

    @Override
    public TargetDescription description() {
      return description;
    }

    @Override
    public boolean holdsRows() {
      return table.holdsRows();
    }

    @Override
    public boolean keepsDefinition(Schema incoming) {
      return table.keepsDefinition(incoming);
    }

    @Override
    public PlannedTarget plan(WriteRequest request) {
      Schema incoming = request.incoming();
      JournaledRun resumed = request.resumed();
      if (resumed != null && !resumed.complete() && resumed.begun().isStaged()) {
        Session session = connections.main();
        EarlierRunCheck.checkOwned(session, resumed);
        List<String> columns = new PostgresCatalog(session).declarations(table.name());
        resumed.begun().checkColumns(table.name().label(), columns);
      }
      PlannedLoad settled = table.plan(request);
      LoadPlan load = settled.load();
      connectionFactory.need(
          connections.main(), load.oneTransaction() ? 1 : ConnectionFactory.CONNECTIONS_MIN);
      List<Column> columns = load.slots().stream().map(LoadColumn::column).toList();
      List<String> notes = new ArrayList<>(load.notes());
      if (noJournal == null) {
        notes.addAll(journal.leftovers());
      }
      List<String> details = new ArrayList<>(settled.details());
      if (method != InsertMethod.NATIVE) {
        details.add("rows are handed over by INSERT (method=" + method + "), not by COPY");
      }
      WritePlan plan =
          new WritePlan(
              new Schema(columns, incoming.key()),
              load.mode(),
              load.ddl(),
              notes,
              details,
              jsonb(columns),
              adviceToReadItself(load),
              settled.rowCosts());
      return PlannedTarget.of(
          plan,
          form -> PostgresForms.costOfWriting(form, load, method),
          start -> PostgresPlace.open(connections, method, load, journal, start));
    }
  }
}
