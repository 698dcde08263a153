/// Lanes: a reader, a bounded exchange and a writer each, and what becomes of a lane that fails.
@NullMarked
package millrace.engine.lane;

import org.jspecify.annotations.NullMarked;
