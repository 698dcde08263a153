/// Servers whose programs the tests unpack and start themselves.
@NullMarked
package millrace.testkit.server;

import org.jspecify.annotations.NullMarked;
