/// CouchDB over HTTP: documents as the bytes that they are, read by key ranges and written in bulk.
@NullMarked
package millrace.connectors.couchdb;

import org.jspecify.annotations.NullMarked;
