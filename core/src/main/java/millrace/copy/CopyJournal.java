package millrace.copy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import millrace.fault.Fault;
import millrace.fault.FileTrouble;
import millrace.io.store.FileLocation;
import millrace.io.store.LeftUpload;
import millrace.resume.Journal;
import millrace.resume.RecordedRun;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.WriteOptions;

/// What a target's journal says of the copies into it. One thread; it holds the target open.
public final class CopyJournal implements AutoCloseable {

  private final Endpoint end;
  private final Target target;
  private final Journal journal;

  private CopyJournal(Endpoint end, Target target, Journal journal) {
    this.end = end;
    this.target = target;
    this.journal = journal;
  }

  /// Opens a target for it.
  ///
  /// @throws Fault.User if nothing is kept of copies into it
  static CopyJournal open(EndOpener endOpener, Endpoint end) {
    Target target = endOpener.target(end, WriteOptions.DEFAULT);
    try {
      Journal journal = Journal.of(target);
      NoJournal noJournal = target.describe().description().noJournal();
      if (journal == null || noJournal != null) {
        throw new Fault.User(
            "Nothing is kept of copies into "
                + end.label()
                + (noJournal == null ? "." : ": " + noJournal.why() + "."),
            "");
      }
      return new CopyJournal(end, target, journal);
    } catch (RuntimeException e) {
      target.close();
      throw e;
    }
  }

  /// All copies that are still known, in the order in which they began. Some may be under way.
  public List<JournaledRun> list() {
    return journal.list();
  }

  /// Forgets the copies that are complete.
  ///
  /// @return how many
  public int prune() {
    return RecordedRun.prune(journal, Instant.MAX);
  }

  /// What copies have uploaded to a store and not completed; some may be under way.
  public List<LeftUpload> uploads() {
    FileLocation location = FileLocation.of(end);
    try {
      return location.isInStore() ? LeftUpload.of(location) : List.of();
    } catch (IOException e) {
      throw new Fault.External(
          "Can't list what was uploaded to " + end.label() + ": " + FileTrouble.reason(e) + ".",
          "",
          e);
    }
  }

  /// Removes what copies have uploaded and not completed, as far as the store can. Those that were
  /// cut off are forgotten.
  ///
  /// @param uploads all of {@link #uploads}
  public void removeUploads(List<LeftUpload> uploads) {
    for (JournaledRun run : list()) {
      if (!run.complete()) {
        journal.delete(run.run());
      }
    }
    try {
      for (LeftUpload each : uploads) {
        each.remove();
      }
    } catch (IOException e) {
      throw new Fault.External(
          "Can't remove what was uploaded to " + end.label() + ": " + FileTrouble.reason(e) + ".",
          "",
          e);
    }
  }

  @Override
  public void close() {
    target.close();
  }
}
