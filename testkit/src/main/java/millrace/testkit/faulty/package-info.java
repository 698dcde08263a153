/// Faults on purpose, from a seed.
@NullMarked
package millrace.testkit.faulty;

import org.jspecify.annotations.NullMarked;
