/// Made rows: sources that measure a target without a disk or a server in front of it.
@NullMarked
package millrace.connectors.generate;

import org.jspecify.annotations.NullMarked;
