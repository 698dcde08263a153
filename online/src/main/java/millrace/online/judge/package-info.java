/// Whether a run passes, by its criteria.
@NullMarked
package millrace.online.judge;

import org.jspecify.annotations.NullMarked;
