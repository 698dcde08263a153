/// What tests of connectors share: suites, faults from a seed, real servers.
@NullMarked
package millrace.testkit;

import org.jspecify.annotations.NullMarked;
