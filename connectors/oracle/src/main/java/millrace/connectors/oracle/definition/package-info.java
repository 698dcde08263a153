/// How Oracle's tables are defined, and the statements that make others like them.
@NullMarked
package millrace.connectors.oracle.definition;

import org.jspecify.annotations.NullMarked;
