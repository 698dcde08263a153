/// The contract of a system that rows are read from.
@NullMarked
package millrace.spi.read;

import org.jspecify.annotations.NullMarked;
