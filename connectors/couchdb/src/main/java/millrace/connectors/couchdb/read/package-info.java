/// Documents out of a database, by keys or by changes.
@NullMarked
package millrace.connectors.couchdb.read;

import org.jspecify.annotations.NullMarked;
