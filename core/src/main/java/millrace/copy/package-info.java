/// The one use case: a copy from its request to its report, as the command line, a sweep and tests
/// make it.
@NullMarked
package millrace.copy;

import org.jspecify.annotations.NullMarked;
