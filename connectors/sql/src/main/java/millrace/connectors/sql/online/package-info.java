/// Tables in SQL that are written on a schedule while windows of them are aggregated.
@NullMarked
package millrace.connectors.sql.online;

import org.jspecify.annotations.NullMarked;
