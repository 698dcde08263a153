package millrace.connectors.postgres.read;

import java.util.Iterator;
import millrace.connectors.postgres.catalog.PostgresCatalog;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.codec.RowSum;
import millrace.connectors.postgres.net.ConnectionFactory;
import millrace.connectors.postgres.net.LaneConnections;
import millrace.connectors.postgres.net.Session;
import millrace.fault.Fault;
import millrace.spi.read.ReadContext;
import millrace.spi.read.ReadPlan;
import millrace.spi.read.ReadSession;
import millrace.spi.read.Reader;
import millrace.spi.read.Split;
import millrace.spi.read.Splits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads on all lanes the one snapshot that the source's own connection holds.
final class PostgresReadSession implements ReadSession {

  private static final Logger LOG = LoggerFactory.getLogger(PostgresReadSession.class);

  private final ConnectionFactory connectionFactory;
  private final LaneConnections lanes;
  private final Session keeper;
  private final Scan scan;
  private final ReadPlan plan;
  private final String snapshot;

  /// @param keeper the source's own connection, in the transaction that reads that moment
  PostgresReadSession(
      ConnectionFactory connectionFactory,
      LaneConnections lanes,
      Session keeper,
      Scan scan,
      ReadPlan plan) {
    this.connectionFactory = connectionFactory;
    this.lanes = lanes;
    this.keeper = keeper;
    this.scan = scan;
    this.plan = plan;
    snapshot = keeper.one("SELECT pg_catalog.pg_export_snapshot()", row -> row.getString(1));
  }

  @Override
  public Splits splits() {
    long blocksEach = Math.max(1, plan.splitBytes() / new PostgresCatalog(keeper).blockBytes());
    Iterator<Split> splits = scan.splits(blocksEach, plan.lanes(), keeper.version()).iterator();
    return () -> splits.hasNext() ? splits.next() : null;
  }

  @Override
  public Reader reader(ReadContext context) {
    return lanes.open(session -> {
      join(session);
      RowSum sum = plan.checksums() ? new RowSum() : null;
      return new PostgresReader(this, session, plan.form(), context, sum);
    });
  }

  /// Makes a connection see what all others see.
  private void join(Session session) {
    // Values that are names, of type regclass and the like, come with their schema.
    String path = scan.readsByOurWords() ? "; SET LOCAL search_path = pg_catalog" : "";
    try {
      session.execute(
          Session.BEGIN_READING
              + "; SET TRANSACTION SNAPSHOT "
              + PostgresSql.text(snapshot)
              + path);
    } catch (Fault e) {
      checkSnapshotHeld(e);
      throw e;
    }
    if (!scan.readsByOurWords()) {
      session.useUserSettings();
    }
  }

  /// What is read. From the readers' threads.
  Scan scan() {
    return scan;
  }

  /// Sees to it that the connection that holds the snapshot and the first locks has kept both until
  /// now. A snapshot alone keeps the rows, but nobody from emptying or dropping a table that its
  /// reader has not locked yet. From the readers' threads.
  ///
  /// @param failed what the loss has brought about; null if nothing has failed
  /// @throws Fault.Transient if that connection is gone: what is read would be of another moment
  void checkSnapshotHeld(@Nullable Fault failed) {
    Fault lost = keeper.whyLost();
    if (lost == null) {
      return;
    }
    throw Fault.Transient.endingRun(
        "The connection to "
            + connectionFactory.address().server()
            + " that kept "
            + scan.label()
            + " as it was when the copy began is lost ("
            + lost.clause()
            + "): a new one would see a later moment.",
        lost.advice(),
        failed == null ? lost : failed);
  }

  @Override
  public void allRead() {
    connectionFactory.readsNoMore(keeper);
    try {
      keeper.letGo();
    } catch (Fault e) {
      LOG.debug("the connection that kept the snapshot is lost, and the snapshot with it", e);
    }
  }

  @Override
  public void close() {
    // Each reader closes its own connection, and the source the one that keeps the snapshot.
  }
}
