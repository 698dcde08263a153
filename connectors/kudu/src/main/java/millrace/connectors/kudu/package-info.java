/// Apache Kudu: tables read by scan tokens at one snapshot, and written in batches by sessions that
/// are flushed by hand.
@NullMarked
package millrace.connectors.kudu;

import org.jspecify.annotations.NullMarked;
