/// Writing: a target, load plans, the session in one transaction, and its journal.
@NullMarked
package millrace.connectors.sql.write;

import org.jspecify.annotations.NullMarked;
