/// `memory:`, tables in the heap: the other end of connector tests.
@NullMarked
package millrace.testkit.memory;

import org.jspecify.annotations.NullMarked;
