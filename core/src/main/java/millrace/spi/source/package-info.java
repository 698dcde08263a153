/// The contract of a system that rows are read from.
@NullMarked
package millrace.spi.source;

import org.jspecify.annotations.NullMarked;
