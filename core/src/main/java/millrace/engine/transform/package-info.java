/// What becomes of batches between reader and writer: filters, limits, conversions.
@NullMarked
package millrace.engine.transform;

import org.jspecify.annotations.NullMarked;
