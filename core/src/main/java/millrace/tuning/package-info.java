/// Finds by measuring how large a unit moves most, without a clock of its own.
@NullMarked
package millrace.tuning;

import org.jspecify.annotations.NullMarked;
