/// SQLite files. Here is what only SQLite has; the rest is in `millrace.connectors.sql`.
@NullMarked
package millrace.connectors.sqlite;

import org.jspecify.annotations.NullMarked;
