/// What is done again after a fault that may pass, and what is ended because it stands still.
@NullMarked
package millrace.engine.retry;

import org.jspecify.annotations.NullMarked;
