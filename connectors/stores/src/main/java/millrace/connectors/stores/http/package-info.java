/// Files on web servers, which are only read.
@NullMarked
package millrace.connectors.stores.http;

import org.jspecify.annotations.NullMarked;
