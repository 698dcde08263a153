/// Writing: a target, its journal, and the place that rows get into, whole or in parts.
@NullMarked
package millrace.connectors.sql.write;

import org.jspecify.annotations.NullMarked;
