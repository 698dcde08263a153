/// Ends that hand everything on to another, for tests that change one thing about it.
@NullMarked
package millrace.testkit.forwarding;

import org.jspecify.annotations.NullMarked;
