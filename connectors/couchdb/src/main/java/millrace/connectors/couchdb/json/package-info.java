/// Where the values of JSON text lie.
@NullMarked
package millrace.connectors.couchdb.json;

import org.jspecify.annotations.NullMarked;
