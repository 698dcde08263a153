/// The list of all connectors.
@NullMarked
package millrace.connectors;

import org.jspecify.annotations.NullMarked;
