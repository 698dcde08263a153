package millrace.copy;

import java.time.Instant;
import java.util.List;
import millrace.fault.Fault;
import millrace.resume.Journal;
import millrace.resume.RecordedRun;
import millrace.spi.Endpoint;
import millrace.spi.journal.JournaledRun;
import millrace.spi.write.Target;
import millrace.spi.write.TargetDescription.NoJournal;
import millrace.spi.write.WriteOptions;

/// What a target's journal says of the copies into it. One thread; it holds the target open.
public final class CopyJournal implements AutoCloseable {

  private final Target target;
  private final Journal journal;

  private CopyJournal(Target target, Journal journal) {
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
      return new CopyJournal(target, journal);
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

  @Override
  public void close() {
    target.close();
  }
}
