package millrace.connectors.couchdb.write;

import java.util.ArrayDeque;

/// Documents of one kind: those that come with the revisions that they are to keep, or those
/// without. A request has one kind alone. One thread uses it.
final class PendingBulks {

  /// The largest array of a request that is used again.
  private static final long REUSED_BYTES_MAX = 2 * RequestSize.BYTES_MAX;

  private final boolean keepsRevisions;
  private final ArrayDeque<Bulk> idle = new ArrayDeque<>();
  private Bulk filling;

  PendingBulks(boolean keepsRevisions) {
    this.keepsRevisions = keepsRevisions;
    filling = new Bulk(keepsRevisions);
  }

  /// What the next request will carry.
  Bulk filling() {
    return filling;
  }

  /// Begins another bulk.
  void turn() {
    Bulk next = idle.poll();
    filling = next == null ? new Bulk(keepsRevisions) : next;
  }

  /// One that a large document has made large is not kept: each of them would become so.
  void takeBack(Bulk bulk) {
    if (bulk.capacity() <= REUSED_BYTES_MAX) {
      bulk.clear();
      idle.push(bulk);
    }
  }
}
