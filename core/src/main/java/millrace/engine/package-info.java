/// Plans, runs lanes, moves batches, verifies.
@NullMarked
package millrace.engine;

import org.jspecify.annotations.NullMarked;
