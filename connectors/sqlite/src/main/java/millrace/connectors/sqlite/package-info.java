/// SQLite files, read and written by the SQLite that runs inside this process.
///
/// What all systems with SQL share is in `millrace.connectors.sql`; here is what only SQLite has:
/// columns that take values of other types than theirs, rowids, and locks on a file.
@NullMarked
package millrace.connectors.sqlite;

import org.jspecify.annotations.NullMarked;
