/// Tables that are written on a schedule while windows of them are aggregated.
@NullMarked
package millrace.connectors.kudu.online;

import org.jspecify.annotations.NullMarked;
