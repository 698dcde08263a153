/// Reading: a source, its session on one state of the database, and readers.
@NullMarked
package millrace.connectors.sql.read;

import org.jspecify.annotations.NullMarked;
