/// Oracle's rules on top of H2: for values on their way in and out, for rows, for locks, and the
/// words in which something is refused.
@NullMarked
package millrace.testkit.oracle.rules;

import org.jspecify.annotations.NullMarked;
