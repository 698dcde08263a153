/// A network that fails on purpose.
@NullMarked
package millrace.testkit.network;

import org.jspecify.annotations.NullMarked;
