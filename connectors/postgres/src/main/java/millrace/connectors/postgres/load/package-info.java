/// How rows get into a table: the ways, their statements, and rows that are refused.
@NullMarked
package millrace.connectors.postgres.load;

import org.jspecify.annotations.NullMarked;
