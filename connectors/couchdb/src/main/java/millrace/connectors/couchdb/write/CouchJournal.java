package millrace.connectors.couchdb.write;

import java.util.List;
import millrace.connectors.couchdb.http.HttpCalls;
import millrace.spi.journal.Entry;
import millrace.spi.journal.Ledger;
import millrace.spi.journal.RunRecord;

/// The journal of a database, in {@link JournalDocuments} of its own. Nothing is locked: documents
/// may be written again, so that of two runs at once each writes what the other does.
public final class CouchJournal implements Ledger {

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
    return new Guarantees(true, false, false, Attempts.SAME_ROWS);
  }

  @Override
  public List<Entry> read(String job) {
    return documents.read(job, calls);
  }

  @Override
  public List<String> jobs() {
    return documents.jobs(calls);
  }

  @Override
  public String name() {
    return documents.client().label();
  }

  @Override
  public void forget(RunRecord known) {
    documents.forget(known, calls);
  }
}
