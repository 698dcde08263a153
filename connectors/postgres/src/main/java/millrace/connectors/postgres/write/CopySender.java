package millrace.connectors.postgres.write;

import java.sql.SQLException;
import java.util.stream.Collectors;
import millrace.connectors.postgres.catalog.PostgresSql;
import millrace.connectors.postgres.codec.BinaryEncoder;
import millrace.connectors.postgres.codec.PostgresForms;
import millrace.connectors.postgres.load.LoadFaults;
import millrace.connectors.postgres.load.LoadPlan;
import millrace.connectors.postgres.net.Session;
import millrace.data.Frames;
import millrace.fault.Fault;
import millrace.spi.Stage;
import millrace.spi.write.WriteContext;
import org.jspecify.annotations.Nullable;
import org.postgresql.copy.CopyIn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Sends rows by COPY FROM STDIN, in the transaction of whoever calls it. Batches of different
/// forms may follow each other: one COPY ends and another begins. One thread.
public final class CopySender {

  private static final Logger LOG = LoggerFactory.getLogger(CopySender.class);

  private static final String BINARY = "FORMAT binary";
  private static final String TEXT = "FORMAT text";

  /// The driver learns what the server refused when a COPY ends: it ends at least that often.
  private static final long COPY_BYTES_MAX = 64L << 20;

  /// If bad records may be set aside, the rows of a COPY are held until it ends, and sent again
  /// without those that the server refuses. It ends when they take so much memory, which is after
  /// about 5 MB.
  private static final long HELD_BYTES_MAX = 24L << 20;

  private final Session session;
  private final LoadPlan plan;
  private final WalPacer pacer;
  private final WriteContext context;
  private final SplitCounts counts;
  private final CopyRows copied = new CopyRows();
  private final CopyReplayBuffer held = new CopyReplayBuffer();

  /// What sends rows again without the bad ones; null if no record may be set aside, or the server
  /// takes the rows only in one go.
  private final @Nullable CopyRejectBisector rejectBisector;

  private @Nullable CopyIn copy;
  private String copyOptions = "";
  private long bytesInCopy;

  /// @param pacer is told of all bytes
  /// @param counts is told of all rows and bytes
  public CopySender(
      Session session, LoadPlan plan, WalPacer pacer, WriteContext context, SplitCounts counts) {
    this.session = session;
    this.plan = plan;
    this.pacer = pacer;
    this.context = context;
    this.counts = counts;
    rejectBisector =
        context.rejects().allowed() && !plan.frozen()
            ? new CopyRejectBisector(session, plan, context, held)
            : null;
  }

  /// Whether batches that were sent are kept until their COPY ends; else the caller releases them.
  public boolean keepsBatches() {
    return rejectBisector != null;
  }

  /// Sends a batch.
  ///
  /// @param begin begins a transaction if none is under way
  public void send(Frames frames, Runnable begin) throws SQLException {
    switch (frames.form().name()) {
      case PostgresForms.BINARY -> open(BINARY, begin);
      case PostgresForms.TEXT -> open(TEXT, begin);
      default -> open(String.valueOf(PostgresForms.csvOptions(frames.form())), begin);
    }
    copied.batch(frames.location());
    counts.sentRows(frames.rows());
    copied.add(frames.rows());
    if (rejectBisector != null) {
      held.add(frames);
    }
    try {
      send(frames.bytes(), frames.start(), frames.length());
    } catch (SQLException e) {
      withoutBadRows(e);
    }
  }

  /// Sees to it that a COPY of that kind is under way.
  private void open(String options, Runnable begin) throws SQLException {
    if (copy != null && copyOptions.equals(options)) {
      return;
    }
    end();
    begin.run();
    context.clock().enter(Stage.SERVER_WAIT);
    String columns =
        plan.sentColumns().stream().map(PostgresSql::name).collect(Collectors.joining(", "));
    String sql =
        "COPY %s (%s) FROM STDIN (%s%s)"
            .formatted(plan.into().sql(), columns, options, plan.frozen() ? ", FREEZE" : "");
    if (rejectBisector != null) {
      rejectBisector.begin(sql, options.equals(BINARY));
    }
    copy = session.copyIn(sql);
    copyOptions = options;
    bytesInCopy = 0;
    copied.begin();
    if (options.equals(BINARY)) {
      byte[] header = BinaryEncoder.header();
      send(header, 0, header.length);
    }
  }

  private void send(byte[] bytes, int start, int length) throws SQLException {
    if (copy == null) {
      throw new Fault.Bug("bytes without a COPY", null);
    }
    context.clock().enter(Stage.SEND);
    session.called();
    copy.writeToCopy(bytes, start, length);
    context.clock().sent(length);
    pacer.sent(length);
    counts.sentBytes(length);
    bytesInCopy += length;
  }

  /// Ends the COPY if it has become long.
  public void endIfLong() throws SQLException {
    if (bytesInCopy >= COPY_BYTES_MAX || held.bytes() >= HELD_BYTES_MAX) {
      end();
    }
  }

  /// Ends the COPY, so that the server says whether it took every row.
  public void end() throws SQLException {
    if (copy == null) {
      return;
    }
    try {
      if (copyOptions.equals(BINARY)) {
        byte[] trailer = BinaryEncoder.trailer();
        send(trailer, 0, trailer.length);
      }
      context.clock().enter(Stage.SERVER_WAIT);
      long taken = copy.endCopy();
      copy = null;
      counts.taken(taken);
      LoadFaults.checkTaken(taken, copied.rows(), plan);
    } catch (SQLException e) {
      withoutBadRows(e);
      return;
    }
    if (rejectBisector != null) {
      rejectBisector.end();
    }
  }

  /// The COPY has failed: if it was for some of its rows, they are set aside and the others sent
  /// again.
  private void withoutBadRows(SQLException failure) throws SQLException {
    copy = null;
    if (rejectBisector == null
        || session.isCancelled()
        || !CopyRejectBisector.isAboutRows(failure)) {
      throw failure;
    }
    rejectBisector.run(failure);
    counts.taken(rejectBisector.taken());
    counts.refused(rejectBisector.refused());
  }

  /// What the server refused, with the row and the column if it says so.
  public Fault fault(SQLException e) {
    copy = null;
    return session.isCancelled() ? session.fault(e) : copied.fault(e, plan, context.rejects());
  }

  /// Lets go of what is held, and of a COPY that is under way.
  public void close() {
    held.clear();
    if (copy != null && copy.isActive()) {
      try {
        copy.cancelCopy();
      } catch (SQLException e) {
        LOG.debug("the COPY ended by itself", e);
      }
    }
  }
}
