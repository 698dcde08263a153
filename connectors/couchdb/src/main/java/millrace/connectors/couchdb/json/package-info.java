/// Responses and documents of CouchDB as they arrive.
@NullMarked
package millrace.connectors.couchdb.json;

import org.jspecify.annotations.NullMarked;
