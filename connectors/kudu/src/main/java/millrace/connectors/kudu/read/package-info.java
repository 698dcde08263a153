/// Reads tables: a scan token for each part of a tablet.
@NullMarked
package millrace.connectors.kudu.read;

import org.jspecify.annotations.NullMarked;
