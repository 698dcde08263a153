/// How rows are sent to a table: COPY, INSERT, and what happens to rows that are refused.
@NullMarked
package millrace.connectors.postgres.write;

import org.jspecify.annotations.NullMarked;
