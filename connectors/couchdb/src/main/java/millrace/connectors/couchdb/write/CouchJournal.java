package millrace.connectors.couchdb.write;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.connectors.couchdb.write.JournalDocuments.Head;
import millrace.spi.journal.JournalStore;
import millrace.spi.journal.JournaledRun;
import millrace.spi.journal.Receipt;
import millrace.spi.journal.RunRecord;
import millrace.spi.write.Mode;
import org.jspecify.annotations.Nullable;

/// The journal of a database, in {@link JournalDocuments} of its own. Nothing is locked: documents
/// may be written again, so that of two runs at once each writes what the other does.
public final class CouchJournal implements JournalStore {

  /// What the names of its documents begin with.
  public static final String PREFIX = JournalDocuments.PREFIX;

  private final JournalDocuments documents;
  private final HttpCalls calls;

  CouchJournal(JournalDocuments documents, HttpCalls calls) {
    this.documents = documents;
    this.calls = calls;
  }

  /// Documents are there before their receipt is.
  @Override
  public Guarantees guarantees() {
    return new Guarantees(true, false);
  }

  @Override
  public @Nullable JournaledRun claim(String job) {
    Head found = head(job);
    return found == null ? null : journaled(found);
  }

  /// What is kept of the run of a job, or null.
  @Nullable Head head(String job) {
    Head found = documents.head(job, calls);
    return found == null || !found.run().job().equals(job) ? null : found;
  }

  private JournaledRun journaled(Head of) {
    // Truncate empties the database once more; all else would add to what is there.
    boolean stays = of.mode() != Mode.TRUNCATE;
    List<Receipt> receipts = documents.receipts(of, calls);
    return new JournaledRun(of.run(), of.completion(), stays, receipts).begun(of.mode());
  }

  @Override
  public List<JournaledRun> list() {
    List<JournaledRun> all = new ArrayList<>();
    for (String name : documents.heads(calls)) {
      Head head = documents.get(name, Head.class, calls);
      if (head != null) {
        all.add(journaled(head));
      }
    }
    all.sort(Comparator.comparing(each -> each.run().id()));
    return all;
  }

  /// Ids that are made have the run's name in them, so that rows of another run come beside its
  /// own. Whether it is at work nobody can tell.
  @Override
  public @Nullable JournaledRun findOther(List<String> origins) {
    for (String name : documents.heads(calls)) {
      Head other = documents.get(name, Head.class, calls);
      if (other != null
          && !other.complete()
          && !Collections.disjoint(other.run().origins(), origins)) {
        return new JournaledRun(other.run(), null, true, documents.receipts(other, calls));
      }
    }
    return null;
  }

  @Override
  public void delete(RunRecord known) {
    documents.forget(known, calls);
  }
}
