/// Makes tables, and writes rows to them.
@NullMarked
package millrace.connectors.kudu.write;

import org.jspecify.annotations.NullMarked;
