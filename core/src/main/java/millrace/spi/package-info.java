/// What a connector implements: sources with splits and readers, targets with writers.
@NullMarked
package millrace.spi;

import org.jspecify.annotations.NullMarked;
