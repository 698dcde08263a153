package millrace.connectors.oracle.direct;

import java.util.Objects;
import millrace.connectors.sql.LazySession;
import millrace.connectors.sql.SqlSession;
import millrace.connectors.sql.TableInfo;
import millrace.connectors.sql.TableName;
import millrace.connectors.sql.plan.SqlLoad;
import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.RunRecord;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.CommitStatus;
import millrace.spi.write.Completed;
import millrace.spi.write.Landing;
import millrace.spi.write.Recoverable;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load by direct path under way. Beside what every load in parts does it puts the table in
/// order, adds a new table's key at the end, and knows which streams may be there without a
/// receipt.
final class DirectPathSession implements WriteSession, Recoverable {

  private final WriteSession parts;
  private final Recoverable recoverable;
  private final SqlLoad load;
  private final LazySession mainSession;
  private final LoadUpkeep order;
  private final StreamIntents announcements;
  private final StreamsInDoubt streams;
  private final @Nullable RunRecord run;

  /// Whether a complete was cut off, so that the connection may be lost.
  private boolean cutOff;

  /// @param session the target's connection
  /// @param run of which the journal knows; null of none
  DirectPathSession(
      WriteSession parts,
      SqlLoad load,
      LazySession session,
      LoadUpkeep order,
      StreamIntents announcements,
      StreamsInDoubt streams,
      @Nullable RunRecord run) {
    this.parts = parts;
    recoverable =
        Objects.requireNonNull(parts.capability(Recoverable.class), "parts are recoverable");
    this.load = load;
    this.mainSession = session;
    this.order = order;
    this.announcements = announcements;
    this.streams = streams;
    this.run = run;
  }

  @Override
  public <T> @Nullable T capability(Class<T> type) {
    return type == Recoverable.class ? type.cast(this) : parts.capability(type);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return parts.writer(form, context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    if (cutOff) {
      mainSession.close();
    }
    try {
      order.end(mainSession.get());
      if (run != null && load.landing().place() == Landing.Place.SWAP) {
        streams.check(mainSession.get(), run, load.staging());
      }
      addKey(steps);
      return parts.complete(steps);
    } catch (Fault.Transient | Fault.External e) {
      cutOff = true;
      throw e;
    }
  }

  /// A run before may have done so, or have given the table its name.
  private void addKey(PhaseTimer steps) {
    if (load.landing().place() != Landing.Place.SWAP || load.key().isEmpty()) {
      return;
    }
    TableName staging = load.staging();
    SqlSession session = mainSession.get();
    TableInfo staged = load.dialect().catalog().find(session, staging);
    if (staged != null && staged.key().isEmpty()) {
      String add =
          "ALTER TABLE %s ADD PRIMARY KEY (%s)"
              .formatted(
                  staging.sql(load.dialect().names()), load.dialect().names().quoted(load.key()));
      steps.time("add key", 1, () -> session.execute(add));
    }
  }

  @Override
  public CommitStatus statusOf(Split split) {
    CommitStatus status = recoverable.statusOf(split);
    if (status instanceof CommitStatus.Taken taken) {
      announcements.settled(taken.receipt());
    }
    return announcements.isInDoubt(split) ? new CommitStatus.Unknown() : status;
  }

  /// A stream whose receipt is missing may be in the table: only the journal knows of it.
  @Override
  public boolean leavesRows() {
    return recoverable.leavesRows()
        || (!load.landing().staged() && announcements.rowsInDoubt() > 0);
  }

  @Override
  public Aborted abort(boolean keep) {
    Aborted aborted = parts.abort(keep);
    Aborted outcome =
        leavesRows()
            ? aborted.leaving(
                (aborted.leaves() + " " + announcements.leaves(load.table().name())).strip())
            : aborted;
    return outcome.noting(order.notes(mainSession));
  }

  @Override
  public void close() {
    try (announcements) {
      parts.close();
    }
  }
}
