/// The contract of a target that keeps what a run has done, so that another can go on.
@NullMarked
package millrace.spi.journal;

import org.jspecify.annotations.NullMarked;
