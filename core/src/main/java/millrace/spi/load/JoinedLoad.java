package millrace.spi.load;

import millrace.data.Form;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.journal.Entry;
import millrace.spi.journal.JournaledRun;
import millrace.spi.read.Split;
import millrace.spi.write.Aborted;
import millrace.spi.write.Completed;
import millrace.spi.write.Encoder;
import millrace.spi.write.JoinedSession;
import millrace.spi.write.Landing;
import millrace.spi.write.WriteContext;
import millrace.spi.write.WriteSession;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load that another process has begun and will end: makes nothing, empties nothing, drops
/// nothing. Writers that are closed have undone what they had not committed.
final class JoinedLoad implements WriteSession, JoinedSession {

  private final LoadRows rows;
  private final SplitOwners owners;

  private JoinedLoad(LoadRows rows, SplitOwners owners) {
    this.rows = rows;
    this.owners = owners;
  }

  /// Joins a load.
  ///
  /// @throws Fault.User if what it fills is not there as it was
  static WriteSession open(
      Place place, LoadRows rows, LoadLedger ledger, Landing landing, JournaledRun run) {
    SplitOwners.Table table = ledger.owners();
    if (table == null || landing.whole()) {
      throw new Fault.Bug("a run is joined that one process writes", null);
    }
    checkThere(place.layout(), ledger, landing, run.begun());
    SplitOwners owners = new SplitOwners(ledger.name(), table, run.run());
    rows.join(owners);
    rows.ready();
    return new JoinedLoad(rows, owners);
  }

  /// Sees to it that the table is there which a run has filled, laid out by the same columns.
  static void checkThere(
      Place.Layout layout, LoadLedger ledger, Landing landing, Entry.Begun begun) {
    if (begun.isStaged() != landing.staged() || ledger.tableId(layout.staging()) == null) {
      String into = begun.isStaged() ? layout.staging() : ledger.name();
      throw new Fault.User(
          "What was copied into " + into + " is gone.", "Begin again with --fresh.");
    }
    begun.checkColumns(ledger.name(), layout.columns());
  }

  @Override
  public Attempt takeUp(Split split) {
    return owners.takeUp(split);
  }

  @Override
  public @Nullable Encoder encoder(WriteContext context) {
    return rows.encoder(context);
  }

  @Override
  public Writer writer(Form form, WriteContext context) {
    return rows.writer(form, context);
  }

  @Override
  public Completed complete(PhaseTimer steps) {
    throw new Fault.Bug("a run is completed by the process that has begun it", null);
  }

  @Override
  public Aborted abort(boolean keep) {
    return Aborted.RETAINED;
  }

  @Override
  public void close() {
    rows.close();
  }
}
