/// Tables that are written on a schedule while windows of them are aggregated.
@NullMarked
package millrace.connectors.duckdb.online;

import org.jspecify.annotations.NullMarked;
