/// The promises that every connector makes, as suites that its tests extend.
@NullMarked
package millrace.testkit.suite;

import org.jspecify.annotations.NullMarked;
