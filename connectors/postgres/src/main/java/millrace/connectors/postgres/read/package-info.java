/// Rows out of a table, view or query.
@NullMarked
package millrace.connectors.postgres.read;

import org.jspecify.annotations.NullMarked;
