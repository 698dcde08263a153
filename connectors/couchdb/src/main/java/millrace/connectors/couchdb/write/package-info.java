/// Documents into a database, in bulk.
@NullMarked
package millrace.connectors.couchdb.write;

import org.jspecify.annotations.NullMarked;
