/// How many lanes a run has: found by trying one more and one fewer.
@NullMarked
package millrace.engine.tuning;

import org.jspecify.annotations.NullMarked;
