/// Receipts in a table beside the target.
@NullMarked
package millrace.connectors.postgres.journal;

import org.jspecify.annotations.NullMarked;
