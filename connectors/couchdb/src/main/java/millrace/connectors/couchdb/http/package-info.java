/// Requests to a server and what comes back.
@NullMarked
package millrace.connectors.couchdb.http;

import org.jspecify.annotations.NullMarked;
