/// The contract of a system that rows are written to.
@NullMarked
package millrace.spi.write;

import org.jspecify.annotations.NullMarked;
