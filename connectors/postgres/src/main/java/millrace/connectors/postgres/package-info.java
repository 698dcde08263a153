/// PostgreSQL 12 to 18, read and written by COPY.
@NullMarked
package millrace.connectors.postgres;

import org.jspecify.annotations.NullMarked;
